// Lays the tiers over one another and notes for every value which tier it came from.
import { builtInEntry, type AgentEntry } from '../agent-entry.js'
import type { Fragment } from '../core/types.js'
import { NOTE_EVENTS } from '../text/happenings.js'
import type { Layer, Origin, Settings, Tier } from './types.js'

/** `key`: the one that was written, where the layer says the same by others. */
export type Source = { tier: Tier; layer: Layer; where: (key: string) => string; key?: string }

type Merged = { values: Record<string, unknown>; origins: Record<string, Origin> }

/** These merge entry by entry; an entry itself is replaced whole. Everything else is replaced by the stronger tier. */
const MAPS: ReadonlySet<string> = new Set(['agents', 'budget', 'limits', 'scope', 'commands', 'notify', 'hooks', 'sandbox', 'prompts', 'procedures'] satisfies (keyof Layer)[])

export const BUILT_IN: Source = {
  tier: 'built-in',
  where: () => 'built-in',
  layer: {
    procedure: 'converge',
    agent: {},
    agents: {},
    gates: [],
    pass_env: [],
    budget: {},
    limits: { agentSeconds: 1800, agentSilenceSeconds: 600, gateSeconds: 1800, outputBytes: 16_777_216 },
    scope: { allow: [], deny: [], files: 0, lines: 0, mode: 'block' },
    commands: { deny: [], timeoutSeconds: 300 },
    sandbox: { use: 'auto', allow: [], read: [], write: [], processes: 4096, fileMegabytes: 4096 },
    target: [],
    excuse: [],
    permit: [],
    promptTokens: 100_000,
    notify: { on: [...NOTE_EVENTS], terminal: true, timeoutSeconds: 30 },
    hooks: {},
    prompts: {},
    context: [],
    procedures: {},
  },
}

/** Sources go from the weakest to the strongest. */
export function merge(sources: readonly Source[]): { values: Settings; origins: Record<string, Origin> } {
  const merged: Merged = { values: {}, origins: {} }
  for (const source of sources) {
    for (const [key, value] of Object.entries(source.layer)) {
      if (value !== undefined) lay(key, value, source, merged)
    }
  }
  return { values: merged.values as Settings, origins: merged.origins }
}

function lay(key: string, value: unknown, source: Source, merged: Merged): void {
  if (key === 'agent') layAgent(value as string | Record<string, string>, source, merged)
  else if (key === 'agents' && Array.isArray(value)) layChain(value as string[], source, merged)
  else if (key === 'context' && source.tier === 'flag') addContext(value as Fragment[], source, merged)
  else if (key === 'scope' || key === 'commands') layDenying(key, value as { deny?: string[] }, source, merged)
  else if (MAPS.has(key)) layEntries(key, value as Record<string, unknown>, source, merged)
  else {
    merged.values[key] = value
    merged.origins[key] = originOf(key, source)
  }
}

function layEntries(key: string, entries: Record<string, unknown>, source: Source, merged: Merged): void {
  merged.values[key] = unprototyped(merged.values[key], entries)
  for (const [name, value] of Object.entries(entries)) {
    if (value !== undefined) merged.origins[`${key}.${name}`] = originOf(`${key}.${name}`, source)
  }
}

/** A bare name is short for `*`, which answers for all roles its own tier does not name, whatever weaker tiers said. */
function layAgent(value: string | Record<string, string>, source: Source, merged: Merged): void {
  const roles = typeof value === 'string' ? { '*': value } : value
  const before = (merged.values.agent ?? {}) as Record<string, string>
  const kept = '*' in roles ? {} : before
  for (const role of Object.keys(before)) if (!(role in kept)) delete merged.origins[roleKey(role)]
  for (const role of Object.keys(roles)) {
    merged.origins[roleKey(role)] = originOf(typeof value === 'string' ? 'agent' : `agent.${role}`, source)
  }
  merged.values.agent = unprototyped(kept, roles)
}

/** Each hands over to the next, and the first answers for all roles unless its own tier names another. Unknown names are refused where they are used. */
function layChain(names: readonly string[], source: Source, merged: Merged): void {
  const known = (merged.values.agents ?? {}) as Record<string, AgentEntry>
  const entries = names.flatMap((name, at): [string, AgentEntry][] => {
    const entry = known[name] ?? builtInEntry(name)
    const fallback = names[at + 1]
    return entry ? [[name, { ...entry, ...(fallback !== undefined && { fallback }) }]] : []
  })
  const list: Source = { ...source, key: 'agents', where: () => source.where('agents') }
  layEntries('agents', Object.fromEntries(entries), list, merged)
  const [first] = names
  if (first !== undefined && source.layer.agent === undefined) layAgent(first, list, merged)
}

function roleKey(role: string): string {
  return role === '*' ? 'agent' : `agent.${role}`
}

/** `--context` adds to what the files give. */
function addContext(added: Fragment[], source: Source, merged: Merged): void {
  const before = (merged.values.context ?? []) as Fragment[]
  merged.origins.context = originAfter(before, 'context', source, merged)
  merged.values.context = [...before, ...added]
}

/** What is denied adds up over the tiers: naming one thing more must never permit another. */
function layDenying(key: 'scope' | 'commands', { deny, ...others }: { deny?: string[] }, source: Source, merged: Merged): void {
  const before = (merged.values[key] as { deny?: string[] } | undefined)?.deny ?? []
  layEntries(key, others, source, merged)
  if (deny === undefined) return
  merged.origins[`${key}.deny`] = originAfter(before, `${key}.deny`, source, merged)
  merged.values[key] = unprototyped(merged.values[key], { deny: [...new Set([...before, ...deny])] })
}

/** The origin of a list that is added to: whoever gave something of it before is named, too. */
function originAfter(before: readonly unknown[], key: string, source: Source, merged: Merged): Origin {
  const origin = originOf(key, source)
  const earlier = before.length > 0 && merged.origins[key] ? `${merged.origins[key].where} and ` : ''
  return { ...origin, where: earlier + origin.where }
}

function originOf(key: string, source: Source): Origin {
  return { tier: source.tier, where: source.where(key), ...(source.key !== undefined && { key: source.key }) }
}

/** Names come from users, so that a look-up of `constructor` must find nothing. */
function unprototyped(...parts: unknown[]): Record<string, unknown> {
  const filled = parts.flatMap((part) => Object.entries((part ?? {}) as object)).filter(([, value]) => value !== undefined)
  const result = Object.create(null) as Record<string, unknown>
  for (const [key, value] of filled) result[key] = value
  return result
}
