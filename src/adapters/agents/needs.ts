// What the known agents need of the machine when they work in a sandbox: their login, their settings, and the hosts they talk to.
import type { CliName } from '../../agent-entry.js'

export type Needs = {
  /** Below the home folder: tokens that it refreshes by itself, as JSON. */
  refreshed: readonly string[]
  /** Below the home folder: what it only reads. */
  given: readonly string[]
  /** A variable that names another place for one of these folders. */
  moved?: { variable: string; folder: string }
  hosts: readonly string[]
}

const ANTHROPIC = ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com']
const OPENAI = ['api.openai.com', 'auth.openai.com', 'chatgpt.com']
const GOOGLE = ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com', 'aiplatform.googleapis.com']

const NEEDS: Readonly<Record<CliName, Needs>> = {
  claude: {
    refreshed: ['.claude/.credentials.json'],
    given: ['.claude/settings.json', '.claude/CLAUDE.md', '.claude/agents', '.claude/commands', '.claude/skills'],
    moved: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
    hosts: ANTHROPIC,
  },
  codex: {
    refreshed: ['.codex/auth.json'],
    given: ['.codex/config.toml', '.codex/AGENTS.md', '.codex/prompts'],
    moved: { variable: 'CODEX_HOME', folder: '.codex' },
    hosts: OPENAI,
  },
  opencode: {
    refreshed: ['.local/share/opencode/auth.json'],
    given: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc', '.config/opencode/AGENTS.md', '.config/opencode/agent', '.config/opencode/command'],
    hosts: [...ANTHROPIC, ...OPENAI, ...GOOGLE, 'openrouter.ai', 'opencode.ai', 'models.dev'],
  },
  gemini: {
    refreshed: ['.gemini/oauth_creds.json'],
    given: ['.gemini/gemini-credentials.json', '.gemini/settings.json', '.gemini/GEMINI.md', '.gemini/google_accounts.json', '.gemini/installation_id'],
    hosts: GOOGLE,
  },
  qwen: {
    refreshed: ['.qwen/oauth_creds.json'],
    given: ['.qwen/settings.json', '.qwen/QWEN.md'],
    hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'chat.qwen.ai', 'portal.qwen.ai', 'api.openai.com', 'openrouter.ai'],
  },
  pi: {
    refreshed: ['.pi/agent/auth.json'],
    given: ['.pi/agent/models.json', '.pi/agent/settings.json', '.pi/agent/AGENTS.md'],
    moved: { variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent' },
    hosts: [...ANTHROPIC, ...OPENAI, ...GOOGLE, 'openrouter.ai'],
  },
  // Its settings name programs that it starts, so that they are not taken back.
  goose: {
    refreshed: [],
    given: ['.config/goose/config.yaml', '.config/goose/secrets.yaml'],
    hosts: ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com', 'openrouter.ai'],
  },
}

/** Null for a command that is not known: then only its own settings say what it needs. */
export function needsOf(name: string | null): Needs | null {
  return name !== null && Object.hasOwn(NEEDS, name) ? NEEDS[name as CliName] : null
}
