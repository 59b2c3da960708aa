// The nouns of configuration: what may be set, the value in force, and where it came from.
import type { AgentEntry, CommandLine } from '../agent-entry.js'
import type { HookEvent, NoteEvent } from '../text/happenings.js'
import type { Allowance } from '../text/pins/pins.js'
import type { Executable } from './executable.js'
import type { Budget, Fragment, Phase, Policies, Procedure } from '../core/types.js'

export type Tier = 'built-in' | 'user' | 'project' | 'environment' | 'flag'

/**
 * Who set a value. `where` is for people: `greenlatch.yaml:12`, `GREENLATCH_AGENT`, `--max-iterations`. `key`: what stands there, where
 * that is another key than the one it decides.
 */
export type Origin = { tier: Tier; where: string; key?: string }

export type GateEntry = {
  name: string
  run: CommandLine
  timeoutSeconds?: number
  /** The limit for one test, where the runner has one. */
  testTimeoutSeconds?: number
  cwd?: string
  env?: Record<string, string>
  /** Names of variables of ours that are handed on to it. */
  pass_env?: string[]
  /** `none` takes the command as it is, whatever it starts. */
  runner?: 'auto' | 'none'
  /** A report that the command itself writes. */
  report?: { path: string; format: 'junit' | 'tap' | 'sarif' }
  /** The command writes down what it decides. */
  decision?: true
  /** Only the deciding check runs it, and the agent never hears of it. */
  holdout?: true
  /** Whether it may reach what the machine reaches; by itself it has no network in a sandbox. */
  network?: 'none' | 'host'
  /** False leaves it out of the baseline. */
  baseline?: boolean
  /** Made by us where none is configured: runs the tests that plans bring. */
  planned?: true
}

export type BudgetSettings = { seconds?: number; tokens?: number; usd?: number }

export type LimitSettings = { agentSeconds: number; agentSilenceSeconds: number; gateSeconds: number; outputBytes: number }

/** Globs are relative to the root of the repository. An empty `allow` allows everything; 0 files or lines is no limit. */
export type ScopeSettings = { allow: string[]; deny: string[]; files: number; lines: number; mode: 'block' | 'warn' }

/** Which commands of a reply are run; without `allow` those that begin as the checks do. See `CommandPolicy` for the patterns. */
export type CommandSettings = { allow?: string[]; deny: string[]; timeoutSeconds: number }

/**
 * Where agents, gates and commands run. `allow`: hosts that agents reach besides those of their models; `read` and `write`: paths that
 * are otherwise hidden or fixed. 0 is no limit.
 */
export type SandboxSettings = {
  use: 'auto' | 'bubblewrap' | 'container' | 'none'
  allow: string[]
  read: string[]
  write: string[]
  /** What a container is made of. */
  image?: string
  processes: number
  /** Without it three quarters of what the machine has. */
  memoryMegabytes?: number
  fileMegabytes: number
}

/** What a candidate may change though it is pinned; each takes the label down to partly verified. */
export type Permit = Allowance

/** Who is told outside the terminal when somebody should look. `webhookVariable` names the variable that holds the address. */
export type NotifySettings = {
  on: NoteEvent[]
  /** False: neither the bell nor notes through the terminal. */
  terminal: boolean
  webhook?: string
  webhookVariable?: string
  /** Allows an address without encryption on another machine. */
  plainHttp?: true
  command?: CommandLine
  timeoutSeconds: number
}

/** A command that is run when something happens. */
export type HookEntry = { on: HookEvent | HookEvent[]; run: CommandLine; timeoutSeconds?: number }

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
  /** By name; or the names of those who are asked in turn, the first of them for every role. */
  agents?: Record<string, AgentEntry> | string[]
  gates?: GateEntry[]
  /** Names of variables of ours that everything we start is given; `*` at the end stands for whatever follows. */
  pass_env?: string[]
  /** Makes a checkout ready to work in; without it dependency folders are copied. */
  setup?: CommandLine
  budget?: BudgetSettings
  setbacks?: number
  floor?: number
  limits?: Partial<LimitSettings>
  scope?: Partial<ScopeSettings>
  commands?: Partial<CommandSettings>
  sandbox?: Partial<SandboxSettings>
  /** Tests, patterns, or `gate:<name>`: what has to be proved; without it all that fails at the start. */
  target?: string[]
  excuse?: string[]
  require?: 'verified' | 'partly verified'
  permit?: Permit[]
  promptTokens?: number
  persistence?: 'durable' | 'best-effort'
  stateDir?: string
  notify?: Partial<NotifySettings>
  hooks?: Record<string, HookEntry>
  /** A file with the task, where none is given otherwise. */
  task?: string
  /** A file that says how work is done here. */
  philosophy?: string
  prompts?: PromptSettings
  context?: Fragment[]
  procedures?: Record<string, ProcedureEntry>
}

/** All tiers together. What is missing here is left to the procedure. Paths are absolute, except the `cwd` of a gate. */
export type Settings = Omit<Layer, 'agents'> & {
  procedure: string
  /** Role → agent; `*` stands for every role that is not named. */
  agent: Record<string, string>
  agents: Record<string, AgentEntry>
  gates: GateEntry[]
  pass_env: string[]
  budget: BudgetSettings
  limits: LimitSettings
  scope: ScopeSettings
  commands: CommandSettings
  sandbox: SandboxSettings
  target: string[]
  excuse: string[]
  permit: Permit[]
  persistence?: 'durable' | 'best-effort'
  promptTokens: number
  notify: NotifySettings
  hooks: Record<string, HookEntry>
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
  /** What files of the repository would have run, sent or permitted, which needs trust; null where there is nothing of it. */
  executable: Executable | null
}
