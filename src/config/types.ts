// The nouns of configuration: what may be set, the value in force, and where it came from.
import type { Budget, Fragment, Phase, Policies, Procedure } from '../core/types.js'

export type Tier = 'built-in' | 'user' | 'project' | 'environment' | 'flag'

/** Who set a value. `where` is for people: `greenlatch.yaml:12`, `GREENLATCH_AGENT`, `--max-iterations`. */
export type Origin = { tier: Tier; where: string }

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
export type ChatEntry = { chat: string; key?: string; roles?: Record<string, ModelSettings> } & ModelSettings

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

export type GateEntry = {
  name: string
  run: CommandLine
  timeoutSeconds?: number
  /** The limit for one test, where the runner has one. */
  testTimeoutSeconds?: number
  cwd?: string
  env?: Record<string, string>
  /** `none` takes the command as it is, whatever it starts. */
  runner?: 'auto' | 'none'
  /** A report that the command itself writes. */
  report?: { path: string; format: 'junit' | 'tap' | 'sarif' }
  /** The command writes down what it decides. */
  decision?: true
  /** Only the deciding check runs it, and the agent never hears of it. */
  holdout?: true
  /** False leaves it out of the baseline. */
  baseline?: boolean
  /** Made by us where none is configured: runs the tests that plans bring. */
  planned?: true
}

export type BudgetSettings = { seconds?: number; tokens?: number; usd?: number }

export type LimitSettings = { agentSeconds: number; agentSilenceSeconds: number; gateSeconds: number; outputBytes: number }

/** Globs are relative to the root of the repository. An empty `allow` allows everything; 0 files or lines is no limit. */
export type ScopeSettings = { allow: string[]; deny: string[]; files: number; lines: number; mode: 'block' | 'warn' }

/** What a candidate may change though it is pinned; each takes the label down to partly verified. */
export type Permit = 'tests' | 'dependencies' | 'runner' | 'ci'

export type PromptPart = 'observe' | 'orient' | 'decide' | 'act'

export type PromptSettings = Partial<Record<PromptPart, Fragment[]>>

/** Changes to a map: every entry is optional and `null` takes an inherited entry away. Lists and scalars are replaced whole. */
export type Patch<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Patch<T[K]> | null } : T

/** A procedure as users write it: on its own, or as changes to the one it extends. */
export type ProcedureEntry = {
  extends?: string
  summary?: string
  start?: string
  phases?: Record<string, Patch<Phase> | null>
  policies?: Patch<Policies>
  budget?: Patch<Budget>
  final?: Procedure['final']
  stances?: Record<string, string | null>
  prompts?: PromptSettings
  allow?: string[]
  progress?: 'iterations'
}

/** What one tier says. Fragments are lists of objects here, whatever form they were written in. */
export type Layer = {
  procedure?: string
  default_iterations?: number
  /** A name answers every role; a map names the agents of single roles, `*` being all that it does not name. */
  agent?: string | Record<string, string>
  agents?: Record<string, AgentEntry>
  gates?: GateEntry[]
  /** Makes a checkout ready to work in; without it dependency folders are copied. */
  setup?: CommandLine
  budget?: BudgetSettings
  setbacks?: number
  floor?: number
  limits?: Partial<LimitSettings>
  scope?: Partial<ScopeSettings>
  /** Tests, patterns, or `gate:<name>`: what has to be proved; without it all that fails at the start. */
  target?: string[]
  excuse?: string[]
  require?: 'verified' | 'partly verified'
  permit?: Permit[]
  promptTokens?: number
  stateDir?: string
  prompts?: PromptSettings
  context?: Fragment[]
  procedures?: Record<string, ProcedureEntry>
}

/** All tiers together. What is missing here is left to the procedure. Paths are absolute, except the `cwd` of a gate. */
export type Settings = Layer & {
  procedure: string
  /** Role → agent; `*` stands for every role that is not named. */
  agent: Record<string, string>
  agents: Record<string, AgentEntry>
  gates: GateEntry[]
  budget: BudgetSettings
  limits: LimitSettings
  scope: ScopeSettings
  target: string[]
  excuse: string[]
  permit: Permit[]
  promptTokens: number
  prompts: PromptSettings
  context: Fragment[]
  procedures: Record<string, ProcedureEntry>
}

export type Config = {
  values: Settings
  /** By key, e.g. `budget.seconds`, `gates`, `agents.claude`, `agent.reviewer`. */
  origins: Record<string, Origin>
  /** The repository's folder. */
  root: string
  /** The files that were read, as absolute paths, weakest first. */
  files: string[]
}
