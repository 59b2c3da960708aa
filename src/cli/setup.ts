// From flags and settings to what a session is opened with: procedure, agents, gates and limits, all plain data.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { iterationLimit } from '../config/iterations.js'
import { parseDuration } from '../config/duration.js'
import type { AgentEntry, Config, GateEntry, Layer, LimitSettings, PromptPart, PromptSettings } from '../config/types.js'
import { problemsOf, resolveProcedure, type Budget, type Fragment, type Procedure, type ProcedureEntry, type Spend } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { builtinProcedures, fragments } from '../procedures/index.js'
import { nearest } from '../text/nearest.js'
import { withoutConfiguredGates } from './without-gates.js'

/** What agents, gates and prompts are made from. Frozen in the session's first record, so that a resumed session is the same. */
export type Setup = {
  root: string
  cwd: string
  agents: Record<string, AgentEntry>
  gates: GateEntry[]
  limits: LimitSettings
  promptTokens: number
  context: Fragment[]
  /** By a loop, or step by step. */
  drive: 'run' | 'step'
  /** Opened beside other sessions of the same procedure. */
  parallel: boolean
  /** Where each choice came from, for people. */
  origins: Record<string, string>
  versions: Record<string, string>
}

export type Plan = { procedure: Procedure; roles: Record<string, string>; task: string | null; setup: Setup }

export type TaskFlags = {
  task?: string
  context?: string[]
  observe?: string[]
  orient?: string[]
  decide?: string[]
  act?: string[]
  agent?: string[]
  aiCmd?: string
  gate?: string[]
  failureThreshold?: number
  minIterations?: number
  fresh?: boolean
  parallel?: boolean
}

export type BoundFlags = { maxIterations?: number; maxTime?: string; maxTokens?: number; maxCost?: number }

// ───────────────────────────── flags to settings ─────────────────────────────

export function layerOf(flags: TaskFlags & BoundFlags, cwd: string): Layer {
  const agents = agentFlags(flags)
  const prompts = Object.fromEntries(
    (['observe', 'orient', 'decide', 'act'] as const).flatMap((part) => (flags[part] ? [[part, flags[part].map((word) => fragmentOf(word, cwd))]] : [])),
  )
  return {
    ...agents,
    ...(flags.gate && { gates: gateFlags(flags.gate) }),
    ...(flags.context && { context: flags.context.map((word) => fragmentOf(word, cwd)) }),
    ...(Object.keys(prompts).length > 0 && { prompts }),
    ...(flags.failureThreshold !== undefined && { setbacks: flags.failureThreshold }),
    ...(flags.minIterations !== undefined && { floor: flags.minIterations }),
    ...(flags.maxIterations !== undefined && { default_iterations: flags.maxIterations }),
    budget: spendOf(flags),
  }
}

/** The bounds as a budget that a session can be extended by. */
export function boundsOf(flags: BoundFlags): Budget {
  return { ...(flags.maxIterations !== undefined && { iterations: flags.maxIterations }), ...spendOf(flags) }
}

function spendOf(flags: BoundFlags): Partial<Spend> {
  return {
    ...(flags.maxTime !== undefined && { seconds: parseDuration(flags.maxTime, '--max-time') }),
    ...(flags.maxTokens !== undefined && { tokens: flags.maxTokens }),
    ...(flags.maxCost !== undefined && { usd: flags.maxCost }),
  }
}

function agentFlags({ agent, aiCmd }: TaskFlags): Pick<Layer, 'agent' | 'agents'> {
  if (agent && aiCmd !== undefined) throw new Refusal(EXIT.usage, '--agent and --ai-cmd both say who answers; give one of them', 'greenlatch run --help')
  if (aiCmd !== undefined) return { agent: { '*': 'ai-cmd' }, agents: { 'ai-cmd': { command: aiCmd } } }
  if (!agent) return {}
  const roles: Record<string, string> = {}
  for (const word of agent) {
    const [, role = '*', name = word] = /^([a-z][a-z-]*)=(.+)$/.exec(word) ?? []
    roles[role] = name
  }
  return { agent: roles }
}

function gateFlags(words: readonly string[]): GateEntry[] {
  const taken = new Set<string>()
  return words.map((word) => {
    const [, named, run = word] = /^([a-z0-9-]+)=(.*)$/s.exec(word) ?? []
    // The shell calls an empty command a success.
    if (run.trim() === '') throw new Refusal(EXIT.usage, `--gate: the command${named === undefined ? '' : ` of "${named}"`} is empty`, 'greenlatch run --gate "<your test command>"')
    const name = uniqueName(named ?? nameOf(word), taken)
    if (named !== undefined && name !== named) throw new Refusal(EXIT.usage, `--gate: two gates are called "${named}"`, 'greenlatch run --help')
    return { name, run }
  })
}

function nameOf(command: string): string {
  const words = command.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.slice(0, 3).join('-').slice(0, 40) || 'gate'
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`
  taken.add(name)
  return name
}

/** A file where there is one of that name, a built-in by its name, else the text itself. `@` insists on a file. */
function fragmentOf(word: string, cwd: string): Fragment {
  if (word.startsWith('builtin:')) return { builtin: word.slice('builtin:'.length) }
  const insisted = word.startsWith('@') && word.length > 1
  const path = resolve(cwd, insisted ? word.slice(1) : word)
  const isPath = insisted || (word.length < 1000 && !word.includes('\n') && !word.includes('\0') && existsSync(path) && statSync(path).isFile())
  // A misspelt file name must not become a word of the prompt.
  if (!isPath && /^\S+$/.test(word) && /[/.]\w/.test(word)) throw new Refusal(EXIT.usage, `there is no file ${path}`, 'name a file that is there, or write a sentence')
  if (insisted && !statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Refusal(EXIT.usage, `there is no file ${path}`, 'greenlatch run --help')
  return isPath ? { file: path } : { text: word }
}

// ───────────────────────────── settings to a plan ─────────────────────────────

export function allProcedures(config: Config): Record<string, ProcedureEntry> {
  const own = Object.entries(config.values.procedures as Record<string, ProcedureEntry>)
  return { ...(builtinProcedures as Record<string, ProcedureEntry>), ...Object.fromEntries(own.map(([name, entry]) => [name, overBuiltin(name, entry)])) }
}

/** An entry with the name of a built-in procedure holds changes to it, unless it extends another one. */
function overBuiltin(name: string, entry: ProcedureEntry): ProcedureEntry {
  const builtin = Object.hasOwn(builtinProcedures, name) ? (builtinProcedures[name] as ProcedureEntry) : undefined
  if (!builtin || (entry.extends !== undefined && entry.extends !== name)) return entry
  return resolveProcedure(name, { [name]: { ...entry, extends: 'built-in' }, 'built-in': builtin }).procedure as ProcedureEntry
}

/** The words after `run`: a procedure, a task, or both in this order. */
function readWords(words: readonly string[], config: Config): { procedure: string; task: string | null } {
  const known = Object.keys(allProcedures(config))
  const [first, ...rest] = words
  if (first === undefined) return { procedure: config.values.procedure, task: null }
  if (known.includes(first)) return { procedure: first, task: rest.length > 0 ? rest.join(' ') : null }
  const meant = /\s/.test(first) ? null : nearest(first, known)
  if (meant !== null && rest.length === 0) {
    throw new Refusal(EXIT.usage, `there is no procedure "${first}" (did you mean "${meant}"?)`, 'greenlatch procedures')
  }
  return { procedure: config.values.procedure, task: words.join(' ') }
}

export function makePlan(words: readonly string[], flags: TaskFlags, config: Config, from: { cwd: string; version: string; drive: 'run' | 'step' }): Plan {
  const { cwd, version, drive } = from
  const { procedure: name, task: given } = readWords(words, config)
  const whole = procedureFor(name, config)
  const procedure = config.values.gates.length === 0 ? withoutConfiguredGates(whole) : whole
  if (problemsOf(procedure).length > 0) {
    throw new Refusal(EXIT.gate, `procedure "${name}" makes no sense without gates, and none is configured`, 'greenlatch run --gate "<your test command>"')
  }
  return {
    procedure,
    roles: rolesOf(procedure, config),
    task: taskText(given, flags.task, cwd),
    setup: {
      root: config.root,
      cwd,
      agents: agentsInUse(procedure, config, cwd),
      gates: config.values.gates,
      limits: config.values.limits,
      promptTokens: config.values.promptTokens,
      context: config.values.context,
      drive,
      parallel: flags.parallel === true,
      origins: { agent: originOfAgent(config), gates: config.origins['gates']?.where ?? 'none' },
      versions: { greenlatch: version, node: process.version },
    },
  }
}

function taskText(given: string | null, file: string | undefined, cwd: string): string | null {
  if (file === undefined) return given
  if (given !== null) throw new Refusal(EXIT.usage, 'the task is given twice: as words and by --task', 'greenlatch run --help')
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the task file ${resolve(cwd, file)} cannot be read`, 'greenlatch run --task <file>')
  }
}

export function procedureFor(name: string, config: Config): Procedure {
  const entries = allProcedures(config)
  if (!entries[name]) {
    const meant = nearest(name, Object.keys(entries))
    throw new Refusal(EXIT.usage, `there is no procedure "${name}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`, 'greenlatch procedures')
  }
  const { procedure, problems } = resolveProcedure(name, withSettings(entries, name, config))
  if (problems.length > 0) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    throw new Refusal(EXIT.usage, `procedure "${name}": ${problems[0]}${more}`, `greenlatch procedures show ${name}`)
  }
  const { prompts = {}, ...plain } = procedure as Procedure & { prompts?: PromptSettings }
  return withPrompts(plain, prompts, config)
}

/** Settings that touch the procedure are laid over it as one more entry, so that they are checked like everything else. */
function withSettings(entries: Record<string, ProcedureEntry>, name: string, config: Config): Record<string, ProcedureEntry> {
  const { values } = config
  const bare = resolveProcedure(name, entries).procedure
  const iterations = iterationLimit(config, name)
  const policies: Record<string, unknown> = {}
  if (values.setbacks !== undefined) {
    if (!bare.policies.setbacks) throw new Refusal(EXIT.usage, `procedure "${name}" counts no setbacks that --failure-threshold could limit`, `greenlatch procedures show ${name}`)
    policies['setbacks'] = { limit: values.setbacks }
  }
  if (values.floor !== undefined) {
    if (!bare.policies.floor) throw new Refusal(EXIT.usage, `procedure "${name}" has no floor that --min-iterations could raise`, `greenlatch procedures show ${name}`)
    policies['floor'] = { iterations: values.floor }
  }
  const base = `${name}-as-written`
  return {
    ...entries,
    [base]: entries[name] ?? {},
    [name]: { extends: base, policies, budget: { ...values.budget, ...(iterations && { iterations: iterations.iterations }) } },
  }
}

/** Replaces the text of the parts that are named; what comes from the session stays where it is. Flags win over the entry, the entry over files. */
function withPrompts(procedure: Procedure, ofEntry: PromptSettings, { values, origins }: Config): Procedure {
  const byFlag = Object.entries(values.prompts).filter(([part]) => origins[`prompts.${part}`]?.tier === 'flag')
  const prompts: PromptSettings = { ...values.prompts, ...ofEntry, ...Object.fromEntries(byFlag) }
  const phases = Object.fromEntries(
    Object.entries(procedure.phases).map(([name, phase]) => {
      if (phase.kind !== 'ask') return [name, phase]
      const parts = phase.prompt.map((part) => {
        const given = prompts[part.title.toLowerCase() as PromptPart]
        if (!given) return part
        return { ...part, fragments: [...given.map(known), ...part.fragments.filter((fragment) => 'section' in fragment)] }
      })
      return [name, { ...phase, prompt: parts }]
    }),
  )
  return { ...procedure, phases }
}

function known(fragment: Fragment): Fragment {
  if (!('builtin' in fragment) || fragments[fragment.builtin] !== undefined) return fragment
  const meant = nearest(fragment.builtin, Object.keys(fragments))
  throw new Refusal(EXIT.usage, `there is no built-in fragment "${fragment.builtin}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`, 'greenlatch procedures show ooda')
}

// ───────────────────────────── who answers ─────────────────────────────

function rolesIn(procedure: Procedure): string[] {
  const asked = Object.values(procedure.phases).flatMap((phase) => (phase.kind === 'ask' ? [phase.role] : []))
  const handed = (procedure.policies.ladder?.rungs ?? []).flatMap((rung) => Object.values(rung.roles ?? {}))
  return [...new Set([...asked, ...handed])]
}

function rolesOf(procedure: Procedure, config: Config): Record<string, string> {
  const roles: Record<string, string> = {}
  for (const role of rolesIn(procedure)) {
    const name = config.values.agent[role] ?? config.values.agent['*']
    if (name !== undefined) roles[role] = name
  }
  const unknown = Object.keys(config.values.agent).find((role) => role !== '*' && !rolesIn(procedure).includes(role))
  if (unknown !== undefined) {
    const meant = nearest(unknown, rolesIn(procedure))
    throw new Refusal(EXIT.usage, `procedure "${procedure.name}" has no role "${unknown}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`, `greenlatch procedures show ${procedure.name}`)
  }
  const first = procedure.phases[procedure.start]
  const needed = Object.values(procedure.phases).flatMap((phase) => (phase.kind === 'ask' && (phase.opensIteration || phase === first) ? [phase.role] : []))
  const unfilled = needed.find((role) => roles[role] === undefined)
  if (unfilled !== undefined) {
    throw new Refusal(EXIT.usage, `nobody answers as ${unfilled}: no agent is configured`, 'greenlatch run --ai-cmd "<command>" (or "agent:" in greenlatch.yaml)')
  }
  return roles
}

function agentsInUse(procedure: Procedure, config: Config, cwd: string): Record<string, AgentEntry> {
  const names = new Set(Object.values(rolesOf(procedure, config)))
  return Object.fromEntries([...names].map((name) => [name, agentEntry(name, config, cwd)]))
}

function agentEntry(name: string, config: Config, cwd: string): AgentEntry {
  const entry = config.values.agents[name]
  if (entry) return entry
  if (name === 'paste') return { paste: true }
  if (name.startsWith('scripted:')) return { script: resolve(cwd, name.slice('scripted:'.length)) }
  const meant = nearest(name, [...Object.keys(config.values.agents), 'paste'])
  throw new Refusal(EXIT.usage, `there is no agent "${name}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`, 'greenlatch config (see "agents:"), or give --ai-cmd "<command>"')
}

/** `--ai-cmd` both names an agent and chooses it. */
function originOfAgent({ origins, values }: Config): string {
  if (values.agent['*'] === 'ai-cmd') return '--ai-cmd'
  const found = Object.entries(origins).find(([key]) => key === 'agent' || key.startsWith('agent.'))
  return found ? found[1].where : 'none'
}
