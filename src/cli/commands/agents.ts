// `agents`: who could be asked: the configured ones and those that are known by name, with version, login and what each can do.
import { makeAgent } from '../../adapters/agents/make.js'
import type { AgentEntry } from '../../agent-entry.js'
import { Refusal } from '../../errors.js'
import type { Agent } from '../../ports.js'
import { openContext, type Context } from '../context.js'
import { detectAgents, withDetectedAgent, type Detected } from '../detect-agents.js'
import type { Call } from '../program.js'

type Row = {
  name: string
  kind: string
  /** Asked where no role says otherwise. */
  default: boolean
  ready: boolean
  version: string | null
  login: string | null
  runs: string
  /** What stands in the way, in one line. */
  missing: string | null
  edits: 'files' | 'text'
  cost: 'known' | 'unknown'
  fallback: string | null
}

export default async function agents({ flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const rows = await rowsOf(context)
  if (context.output.format !== 'text') context.output.json(rows)
  else for (const line of linesOf(rows)) context.output.data(line)
  return 0
}

async function rowsOf({ config, cwd }: Context): Promise<Row[]> {
  const detected = await detectAgents()
  const chosen = config.values.agent['*'] ?? (await withDetectedAgent(config)).values.agent['*']
  const known = detected.filter(({ name }) => !(name in config.values.agents)).map(({ name }): [string, AgentEntry] => [name, { cli: name }])
  const entries = [...Object.entries(config.values.agents), ...known]
  return Promise.all(entries.map(([name, entry]) => rowOf(name, entry, { cwd, chosen, detected })))
}

type Around = { cwd: string; chosen: string | undefined; detected: readonly Detected[] }

async function rowOf(name: string, entry: AgentEntry, { cwd, chosen, detected }: Around): Promise<Row> {
  const found = 'cli' in entry ? detected.find((each) => each.name === entry.cli) : undefined
  const base = { name, kind: kindOf(entry), default: name === chosen, login: found?.login ?? null, fallback: entry.fallback ?? null }
  const agent = await made(name, entry, cwd)
  if (typeof agent === 'string') return { ...base, ready: false, version: null, runs: '', missing: agent, edits: 'files', cost: 'unknown' }
  const missing = await agent.ready()
  const loggedOut = missing === null && found?.login === null ? 'no login was found' : null
  return {
    ...base,
    ready: missing === null,
    version: missing === null && isFromPath(entry) ? ((await agent.version?.()) ?? null) : null,
    runs: agent.describe,
    missing: missing ?? loggedOut,
    edits: agent.inText ? 'text' : 'files',
    cost: agent.priced ? 'known' : 'unknown',
  }
}

/** A question starts no program that a file of the repository could have named, nor one in an environment of its making. */
function isFromPath(entry: AgentEntry): boolean {
  return 'cli' in entry && entry.program === undefined && entry.env === undefined
}

function kindOf(entry: AgentEntry): string {
  return (['command', 'cli', 'acp', 'chat', 'repair', 'script', 'paste'] as const).find((kind) => kind in entry) ?? ''
}

async function made(name: string, entry: AgentEntry, cwd: string): Promise<Agent | string> {
  try {
    return await makeAgent(name, entry, cwd)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function linesOf(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length), 8)
  return rows.map((row) => {
    const state = row.ready ? (row.missing === null ? 'ready' : 'there') : 'missing'
    const about = [row.version, row.login && `login ${row.login}`, row.missing, row.cost === 'known' ? 'cost known' : null, row.fallback && `then ${row.fallback}`]
    return `${row.default ? '*' : ' '} ${row.name.padEnd(width)}  ${row.kind.padEnd(7)}  ${state.padEnd(7)}  ${about.filter(Boolean).join(', ')}`
  })
}
