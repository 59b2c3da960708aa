// How an agent is described in the settings: plain data that the settings check and the adapters are made from.

/** A command line as text, or the program and its arguments. */
export type CommandLine = string | [string, ...string[]]

/** The agent command lines that are known by name. */
export const CLI_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'pi', 'goose'] as const
export type CliName = (typeof CLI_NAMES)[number]

/** US dollars for a million tokens. Cached input costs as much as any where nothing else is said. */
export type Price = { input: number; output: number; cachedInput?: number }

/** What a model is asked with. */
export type ModelSettings = { model?: string; temperature?: number; outputTokens?: number; contextTokens?: number }

/** What an agent may do when it asks for permission, by kind of tool. */
export const TOOL_KINDS = ['read', 'search', 'think', 'edit', 'move', 'delete', 'execute', 'fetch', 'other'] as const
export type ToolKind = (typeof TOOL_KINDS)[number]

/** A known command line, driven headless and read by its own records. */
export type CliEntry = { cli: CliName; program?: string; args?: string[]; model?: string; env?: Record<string, string> }

/** An agent that speaks the Agent Client Protocol: one that is known by name, or a command. */
export type AcpEntry = { acp: CommandLine; model?: string; mode?: string; tools?: ToolKind[]; env?: Record<string, string> }

/** A model behind an address that speaks as OpenAI's chat does. `key` names the environment variable that holds the secret. */
export type ChatEntry = { chat: string; key?: string; stream?: false; roles?: Record<string, ModelSettings> } & ModelSettings

/** The built-in repairer: most candidates and seconds for one state of the sources; `warm: false` starts the command for each. */
export type RepairEntry = { repair: true; candidates?: number; seconds?: number; seed?: number; warm?: boolean }

export type CommandEntry = { command: CommandLine; env?: Record<string, string> }

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

/** A model behind an address can only talk, and a person mostly carries the words of one. */
export function answersInText(entry: AgentEntry): boolean {
  return entry.replies === undefined ? 'chat' in entry || 'paste' in entry : entry.replies === 'text'
}
