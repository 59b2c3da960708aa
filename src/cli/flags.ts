// What is typed after `run`, `open` and `resume`, as the strongest layer of settings.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseDuration } from '../config/duration.js'
import type { GateEntry, Layer, Permit, SandboxSettings } from '../config/types.js'
import type { Budget, Fragment, Spend } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { lookAt } from '../files/look.js'
import type { AgentFlags } from './known-agents.js'
import type { ProfileFlags } from './profiles.js'
import { scopeOf, type PlaceFlags, type ScopeFlags } from './session-flags.js'

export type TaskFlags = {
  task?: string
  spec?: string
  philosophy?: string
  project?: string
  workspace?: string
  context?: string[]
  observe?: string[]
  orient?: string[]
  decide?: string[]
  act?: string[]
  agent?: string[]
  aiCmd?: string
  aiCmdAlias?: string
  url?: string
  model?: string
  gate?: string[]
  failureThreshold?: number
  target?: string[]
  excuse?: string[]
  require?: 'verified' | 'partly verified'
  permit?: Permit[]
  minIterations?: number
  fresh?: boolean
  parallel?: boolean
  minimise?: boolean
  sandbox?: SandboxSettings['use']
  passEnv?: string[]
} & ScopeFlags &
  ProfileFlags &
  PlaceFlags

export type BoundFlags = { maxIterations?: number; maxTime?: string; maxTokens?: number; maxCost?: number }

const PARTS = ['observe', 'orient', 'decide', 'act'] as const

export function layerOf(flags: TaskFlags & BoundFlags, cwd: string): Layer {
  const fragments = (words: readonly string[]): Fragment[] => words.map((word) => fragmentOf(word, cwd))
  const prompts = Object.fromEntries(PARTS.flatMap((part) => (flags[part] ? [[part, fragments(flags[part])]] : [])))
  return {
    ...agentFlags(flags),
    ...(flags.gate && { gates: gateFlags(flags.gate) }),
    ...(flags.passEnv && { pass_env: flags.passEnv }),
    ...(flags.context && { context: fragments(flags.context) }),
    ...(Object.keys(prompts).length > 0 && { prompts }),
    ...(flags.failureThreshold !== undefined && { setbacks: flags.failureThreshold }),
    ...(flags.minIterations !== undefined && { floor: flags.minIterations }),
    ...(flags.maxIterations !== undefined && { default_iterations: flags.maxIterations }),
    ...(flags.target && { target: flags.target }),
    ...(flags.excuse && { excuse: flags.excuse }),
    ...(flags.require !== undefined && { require: flags.require }),
    ...(flags.philosophy !== undefined && { philosophy: flags.philosophy }),
    ...(flags.permit && { permit: flags.permit }),
    ...(flags.sandbox !== undefined && { sandbox: { use: flags.sandbox } }),
    scope: scopeOf(flags),
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

export function agentFlags({ agent, aiCmd, aiCmdAlias, url, model }: AgentFlags): Pick<Layer, 'agent' | 'agents'> {
  const given = Object.entries({ '--agent': agent, '--ai-cmd': aiCmd, '--ai-cmd-alias': aiCmdAlias, '--url': url }).filter(([, value]) => value !== undefined)
  if (given.length > 1) {
    const names = given.map(([flag]) => flag).join(' and ')
    throw new Refusal(EXIT.usage, `${names} ${given.length > 2 ? 'all' : 'both'} say who answers; give one of them`, 'greenlatch run --help')
  }
  if (aiCmd !== undefined) return { agent: { '*': 'ai-cmd' }, agents: { 'ai-cmd': { command: aiCmd } } }
  if (aiCmdAlias !== undefined) return { agent: { '*': aiCmdAlias } }
  if (url !== undefined) return { agent: { '*': 'chat' }, agents: { chat: { chat: addressOf(url), ...(model !== undefined && { model }) } } }
  if (!agent) return {}
  const roles: Record<string, string> = {}
  for (const word of agent) {
    const [, role = '*', name = word] = /^([a-z][a-z-]*)=(.+)$/.exec(word) ?? []
    if (roles[role] !== undefined && roles[role] !== name) throw namedTwice(role, roles[role], name)
    roles[role] = name
  }
  return { agent: roles }
}

/** Which of them was meant cannot be told; a chain is an entry's own affair. */
function namedTwice(role: string, first: string, second: string): Refusal {
  const what = role === '*' ? 'every role' : `as ${role}`
  const way = '"fallback:" in the entry of the first names who stands in for it'
  return new Refusal(EXIT.usage, `--agent: both "${first}" and "${second}" are to answer ${what}; ${way}`, `greenlatch run --agent ${role === '*' ? '' : `${role}=`}${first}`)
}

/** With or without the path that such servers have. */
function addressOf(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : null
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new Refusal(EXIT.usage, `--url: expected an address such as http://127.0.0.1:1234/v1, found ${JSON.stringify(url)}`, 'greenlatch run --url <address>')
  }
  return address.pathname === '/' ? `${address.origin}/v1` : url.replace(/\/+$/, '')
}

function gateFlags(words: readonly string[]): GateEntry[] {
  const taken = new Set<string>()
  return words.map((word) => {
    const [, named, run = word] = /^([a-z0-9-]+)=(.*)$/s.exec(word) ?? []
    // The shell calls an empty command a success.
    if (run.trim() === '') throw badGate(`the command${named === undefined ? '' : ` of "${named}"`} is empty`)
    const name = uniqueName(named ?? nameOf(word), taken)
    if (named !== undefined && name !== named) throw badGate(`two gates are called "${named}"`)
    return { name, run }
  })
}

function badGate(what: string): Refusal {
  return new Refusal(EXIT.usage, `--gate: ${what}`, 'greenlatch run --gate "<your test command>"')
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
  if (insisted ? isFile(path) : mayBePath(word) && existsSync(path) && isFile(path)) return { file: path }
  if (insisted) throw new Refusal(EXIT.usage, `there is no file ${path}`, 'greenlatch run --help')
  // A misspelt file name must not become a word of the prompt.
  if (/^\S+$/.test(word) && /[/.]\w/.test(word)) {
    throw new Refusal(EXIT.usage, `there is no file ${path}: a single word that looks like a path has to name a file; text for the prompt has more words than one`, 'greenlatch run --help')
  }
  return { text: word }
}

function mayBePath(word: string): boolean {
  return word.length < 1000 && !word.includes('\n') && !word.includes('\0')
}

function isFile(path: string): boolean {
  return lookAt(path, 'greenlatch run --help')?.isFile() === true
}
