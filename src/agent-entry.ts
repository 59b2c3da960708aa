// How an agent is described in the settings: plain data that the settings check and the adapters are made from.

/** A command line as text, or the program and its arguments. */
export type CommandLine = string | [string, ...string[]]

/** The agent command lines that are known by name. */
export const CLI_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'pi', 'goose'] as const
export type CliName = (typeof CLI_NAMES)[number]

/** Environment variables, each of which is a login of the command line by itself. */
export const LOGIN_VARIABLES: Readonly<Record<CliName, readonly string[]>> = {
  claude: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'],
  codex: ['CODEX_API_KEY'],
  opencode: ['OPENCODE_API_KEY', 'OPENCODE_AUTH_CONTENT', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
  qwen: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  pi: ['ANTHROPIC_API_KEY', 'ANTHROPIC_OAUTH_TOKEN', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  goose: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY', 'OPENROUTER_API_KEY'],
}

/** Variables that are the command line's own, its logins among them: it alone is given them. A `*` stands for whatever follows. */
const OWN_VARIABLES: Readonly<Record<CliName, readonly string[]>> = {
  claude: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*', 'IS_SANDBOX', 'API_TIMEOUT_MS', 'MAX_THINKING_TOKENS', 'BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS'],
  codex: ['CODEX_*', 'OPENAI_*'],
  opencode: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_*', 'GEMINI_*'],
  gemini: ['GEMINI_*', 'GOOGLE_*'],
  qwen: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*', 'ANTHROPIC_*', 'GEMINI_*', 'GOOGLE_API_KEY'],
  pi: ['PI_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'OPENROUTER_*'],
  goose: ['GOOSE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GOOGLE_API_KEY', 'OPENROUTER_*', 'OLLAMA_*'],
}

/** A model that is reached by way of a cloud is reached by that cloud's login. */
const CLOUDS: readonly (readonly [string, readonly string[]])[] = [
  ['CLAUDE_CODE_USE_BEDROCK', ['AWS_*']],
  ['CLAUDE_CODE_USE_VERTEX', ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'CLOUD_ML_REGION', 'VERTEX_*']],
]

/** Those that start what stands behind them. */
const STARTERS = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'node', 'env'])

/** The known command line that a program is, by its name; null where it is none. */
function cliNamed(words: readonly string[]): CliName | null {
  const names = words.map((word) => word.split('/').at(-1) ?? '')
  const [first = '', ...rest] = names
  const program = STARTERS.has(first) ? (rest.find((word) => !word.startsWith('-')) ?? '') : first
  return CLI_NAMES.find((name) => program === name || program.startsWith(`${name}-`) || program.startsWith(`${name}@`)) ?? null
}

/** The known command line that an agent is, whose words are those of its command where it has one. */
export function knownAs(entry: AgentEntry, words: readonly string[]): CliName | null {
  return 'cli' in entry ? entry.cli : 'command' in entry || 'acp' in entry ? cliNamed(words) : null
}

/** Whose service is used in the end: the host behind an address, else the known command line; where neither is known, the agent itself. */
export function providerOf(name: string, entry: AgentEntry | undefined): string {
  if (entry === undefined) return name
  if ('chat' in entry) return URL.canParse(entry.chat) ? new URL(entry.chat).host : name
  const line = 'command' in entry ? entry.command : 'acp' in entry ? entry.acp : ''
  return knownAs(entry, typeof line === 'string' ? line.trim().split(/\s+/) : line) ?? name
}

/** The variables that belong to an agent. */
export function variablesOf(entry: AgentEntry, words: readonly string[], environment: Readonly<Record<string, string | undefined>>): string[] {
  const cli = knownAs(entry, words)
  const own = cli === null ? [] : OWN_VARIABLES[cli]
  const clouds = cli === 'claude' ? CLOUDS.filter(([variable]) => environment[variable]).flatMap(([, names]) => names) : []
  return [...own, ...clouds, ...('pass_env' in entry ? (entry.pass_env ?? []) : [])]
}

/** What a person types to log in; some ask for it when they are first started. */
export const LOGIN_COMMANDS: Readonly<Record<CliName, string>> = {
  claude: 'claude /login',
  codex: 'codex login',
  opencode: 'opencode auth login',
  gemini: 'gemini',
  qwen: 'qwen',
  pi: 'pi',
  goose: 'goose configure',
}

/** US dollars for a million tokens. Cached input costs as much as any where nothing else is said. */
export type Price = { input: number; output: number; cachedInput?: number }

/** What a model is asked with. */
export type ModelSettings = { model?: string; temperature?: number; outputTokens?: number; contextTokens?: number }

/** What an agent may do when it asks for permission, by kind of tool. */
export const TOOL_KINDS = ['read', 'search', 'think', 'edit', 'move', 'delete', 'execute', 'fetch', 'other'] as const
export type ToolKind = (typeof TOOL_KINDS)[number]

/** What it is given besides: values, and names of variables whose values are handed on. */
type Handed = { env?: Record<string, string>; pass_env?: string[] }

/** A known command line, driven headless and read by its own records. */
export type CliEntry = { cli: CliName; program?: string; args?: string[]; model?: string } & Handed

/** An agent that speaks the Agent Client Protocol: one that is known by name, or a command. */
/** Speaks the Agent Client Protocol. `permissions: ask`: a person decides on what `tools` leave open. */
export type AcpEntry = { acp: CommandLine; model?: string; mode?: string; tools?: ToolKind[]; permissions?: 'ask' } & Handed

/** A model behind an address that speaks as OpenAI's chat does. `key` names the environment variable that holds the secret. */
export type ChatEntry = { chat: string; key?: string; stream?: false; roles?: Record<string, ModelSettings> } & ModelSettings

/** The built-in repairer: most candidates and seconds for one state of the sources; `warm: false` starts the command for each. */
export type RepairEntry = { repair: true; candidates?: number; seconds?: number; seed?: number; warm?: boolean }

export type CommandEntry = { command: CommandLine } & Handed

/**
 * One way of answering a role. `replies: text`: it cannot edit files. `promptTokens`: the most of a prompt for it, instead of the
 * general limit. `fallback`: who is asked while it cannot be reached.
 */
export type AgentEntry = (CommandEntry | CliEntry | AcpEntry | ChatEntry | RepairEntry | { script: string } | { paste: true }) & {
  replies?: 'files' | 'text'
  promptTokens?: number
  fallback?: string
  price?: Price
}

/** What a name means that nobody has described. */
export function builtInEntry(name: string): AgentEntry | undefined {
  const cli = CLI_NAMES.find((known) => known === name)
  if (cli) return { cli }
  return name === 'paste' ? { paste: true } : name === 'repair' ? { repair: true } : undefined
}

/** A model behind an address can only talk, and a person mostly carries the words of one. */
export function answersInText(entry: AgentEntry): boolean {
  return entry.replies === undefined ? 'chat' in entry || 'paste' in entry : entry.replies === 'text'
}

/** In place of a value that is nobody's business. */
export const CONCEALED = '***'

/** As it is shown and written down: with the names of its variables, and never their values. */
export function concealed(entry: AgentEntry): AgentEntry {
  if (!('env' in entry) || !entry.env) return entry
  return { ...entry, env: Object.fromEntries(Object.keys(entry.env).map((name) => [name, CONCEALED])) }
}

/** The variables that hold keys of models: those that settings name, and every known login. What a model wants run never sees them. */
export function keysOf(agents: Readonly<Record<string, AgentEntry>>): string[] {
  const named = Object.values(agents).flatMap((agent) => ('chat' in agent && agent.key !== undefined ? [agent.key] : []))
  return [...new Set([...named, ...Object.values(LOGIN_VARIABLES).flat()])]
}
