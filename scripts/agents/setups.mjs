// How each real agent program is turned to the scripted model server: environment, model and the files of its home folder.

/** Nothing but the scripted server ever sees it. */
const KEY = 'sk-scripted-not-a-secret'

/** `home` is the folder that the program takes for the user's home; `files` are written below it. */
export const SETUPS = {
  claude: ({ url }) => ({
    model: 'claude-sonnet-4-5',
    // The test runs in a folder and a network of its own, so it may decide what is otherwise the user's to decide.
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, IS_SANDBOX: '1' },
  }),
  codex: ({ url, home }) => ({
    model: 'gpt-5',
    ownProvider: true,
    env: { CODEX_HOME: `${home}/.codex`, SCRIPTED_KEY: KEY },
    files: { '.codex/config.toml': codexSettings(url) },
  }),
  opencode: ({ url }) => ({
    model: 'scripted/scripted',
    ownProvider: true,
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeSettings(url)) },
  }),
  gemini: ({ url }) => ({
    model: 'gemini-2.5-pro',
    env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url },
    files: { '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
  }),
  qwen: ({ url }) => ({
    model: 'scripted',
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' },
    files: { '.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } } }) },
  }),
  pi: ({ url }) => ({
    model: 'scripted/scripted',
    env: {},
    files: { '.pi/agent/models.json': JSON.stringify(piModels(url)) },
  }),
  goose: ({ url }) => ({
    model: 'scripted',
    env: { GOOSE_PROVIDER: 'openai', OPENAI_HOST: url, OPENAI_API_KEY: KEY, GOOSE_DISABLE_KEYRING: '1' },
  }),
}

function codexSettings(url) {
  return [
    'model_provider = "scripted"',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
    '',
  ].join('\n')
}

function opencodeSettings(url) {
  const model = { name: 'scripted', limit: { context: 200_000, output: 8_000 }, cost: { input: 1, output: 2, cache_read: 0.1 } }
  const provider = { npm: '@ai-sdk/openai-compatible', name: 'scripted', options: { baseURL: `${url}/v1`, apiKey: KEY }, models: { scripted: model } }
  return { $schema: 'https://opencode.ai/config.json', share: 'disabled', provider: { scripted: provider } }
}

function piModels(url) {
  const cost = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 }
  const model = { id: 'scripted', name: 'scripted', reasoning: false, input: ['text'], contextWindow: 200_000, maxTokens: 8000, cost }
  return { providers: { scripted: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: KEY, models: [model] } } }
}
