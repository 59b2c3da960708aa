// The agents there are, one row each: whether each could be asked, and what stands in the way.
import { makeAgent } from '../adapters/agents/make.js'
import { noSandbox } from '../adapters/sandbox/none.js'
import type { AgentEntry } from '../agent-entry.js'
import { Refusal } from '../errors.js'
import type { Agent } from '../ports.js'
import type { Context } from './context.js'
import { detectAgents, withDetectedAgent, type Detected } from './detect-agents.js'
import { BUILT_IN, knownAgent, unknownAgent } from './known-agents.js'

/** `not tried` is for what no question may start: programs and addresses that a file names. */
export type AgentState = 'ready' | 'no login' | 'blocked' | 'not tried' | 'missing' | 'unknown'

export type AgentRow = {
  name: string
  kind: string
  state: AgentState
  /** Asked where no role says otherwise. */
  default: boolean
  version: string | null
  login: string | null
  /** The command that would be started, or the address. */
  runs: string
  /** What stands in the way, in one line. */
  missing: string | null
  edits: 'files' | 'text'
  cost: 'known' | 'unknown'
  fallback: string | null
}

/** `from`: where the choice of the one that is asked by default comes from; null where there is none. `roles`: those that somebody is named for. */
export type AgentList = { rows: AgentRow[]; from: string | null; roles: string[] }

/** Those that the settings set up, and those that they only name. */
export async function configuredRows({ config, cwd }: Context): Promise<AgentRow[]> {
  const { agent, agents, sandbox } = config.values
  const around = { cwd, chosen: agent['*'], detected: await detectAgents(sandbox) }
  const named = Object.values(agent).flatMap((name): [string, AgentEntry][] => {
    const entry = knownAgent(name, config, cwd)
    return entry === null ? [] : [[name, entry]]
  })
  return Promise.all(Object.entries({ ...agents, ...Object.fromEntries(named) }).map(([name, entry]) => rowOf(name, entry, around)))
}

export async function listAgents({ config, cwd }: Context): Promise<AgentList> {
  const detected = await detectAgents(config.values.sandbox)
  const chosen = config.values.agent['*'] === undefined && Object.keys(config.values.agent).length === 0 ? await withDetectedAgent(config) : config
  const known = detected.map(({ name }): [string, AgentEntry] => [name, { cli: name }])
  const entries = { ...Object.fromEntries(known), ...BUILT_IN, ...config.values.agents }
  const named = chosen.values.agent['*']
  const rows = await Promise.all(orderOf(Object.keys(config.values.agents), Object.keys(entries)).map((name) => rowOf(name, entries[name] as AgentEntry, { cwd, chosen: named, detected })))
  return { rows: [...unknownRows({ config, cwd }), ...rows], from: named === undefined ? null : (chosen.origins['agent']?.where ?? null), roles: Object.keys(chosen.values.agent) }
}

/** What was written down for this place comes first. */
function orderOf(first: readonly string[], all: readonly string[]): string[] {
  return [...new Set([...first, ...all])]
}

/** Names that the settings use and nobody has. */
export function unknownRows({ config, cwd }: Pick<Context, 'config' | 'cwd'>): AgentRow[] {
  const { agent, agents } = config.values
  const named = [...Object.values(agent), ...Object.values(agents).flatMap(({ fallback }) => fallback ?? [])]
  return [...new Set(named)].filter((name) => knownAgent(name, config, cwd) === null).map((name) => ({
    name,
    kind: '',
    state: 'unknown',
    default: agent['*'] === name,
    ...NOTHING_KNOWN,
    missing: `there is no such agent${unknownAgent(name, config)}`,
    fallback: null,
  }))
}

const NOTHING_KNOWN = { version: null, login: null, runs: '', edits: 'files', cost: 'unknown' } as const

type Around = { cwd: string; chosen: string | undefined; detected: readonly Detected[] }

async function rowOf(name: string, entry: AgentEntry, { cwd, chosen, detected }: Around): Promise<AgentRow> {
  const found = 'cli' in entry ? detected.find((each) => each.name === entry.cli) : undefined
  const base = { name, kind: kindOf(name, entry), default: name === chosen, login: found?.login ?? null, fallback: entry.fallback ?? null }
  const agent = await made(name, entry, cwd, found?.obstacle === null)
  if (typeof agent === 'string') return { ...NOTHING_KNOWN, ...base, state: 'missing', missing: agent }
  const why = Object.hasOwn(BUILT_IN, name) ? null : await agent.ready()
  const state = why !== null ? (why === found?.obstacle ? 'blocked' : 'missing') : stateOf(entry, found)
  return {
    ...base,
    state,
    version: state !== 'missing' && state !== 'blocked' && isFromPath(entry) ? ((await agent.version?.()) ?? null) : null,
    runs: agent.describe,
    missing: why ?? (state === 'no login' ? `log in with: ${found?.logsIn}` : null),
    edits: agent.inText ? 'text' : 'files',
    cost: agent.priced ? 'known' : 'unknown',
  }
}

function stateOf(entry: AgentEntry, found: Detected | undefined): AgentState {
  if ('repair' in entry || 'paste' in entry || 'script' in entry) return 'ready'
  return found === undefined ? 'not tried' : found.login === null ? 'no login' : 'ready'
}

/** A question starts no program that a file of the repository could have named, nor one in an environment of its making. */
function isFromPath(entry: AgentEntry): boolean {
  return 'cli' in entry && entry.program === undefined && entry.env === undefined
}

function kindOf(name: string, entry: AgentEntry): string {
  if (entry === BUILT_IN[name]) return 'built-in'
  return (['command', 'cli', 'acp', 'chat', 'repair', 'script', 'paste'] as const).find((kind) => kind in entry) ?? ''
}

/** `isFree`: nothing keeps it from working where a session would have it work, which may be a sandbox; nothing of it runs here. */
async function made(name: string, entry: AgentEntry, cwd: string, isFree: boolean): Promise<Agent | string> {
  try {
    return await makeAgent(name, entry, cwd, { sandbox: { ...noSandbox(), confines: isFree } })
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
