// What a settings file of a repository would have run, sent or permitted: the parts that are inert until they are trusted, and their hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { CONCEALED, type AgentEntry, type CommandLine } from '../agent-entry.js'
import { commandWords } from '../text/commands/command-words.js'
import { soundsSecret } from '../text/redact.js'
import { absolutePath, realPath } from './locate.js'
import type { Layer, ProcedureEntry } from './types.js'

/** By key, such as `gates.test` or `commands.allow`: what stands there, as far as it counts. */
export type Parts = Record<string, unknown>

/** `hash` is that of the parts alone, so that it is the same wherever the repository lies. `shown`: the parts without values that are called a secret. `names`: the files they stand in. */
export type Executable = { hash: string; shown: Parts; names: string[] }

/** Where the repository is, and the folder that paths of the file are meant from. */
export type Site = { root: string; base: string; home: string }

/** Changes with the rules below, so that nothing is taken to be trusted by other rules than it was shown by. */
const VERSION = 'greenlatch trust 1'

/** Keys by which nothing is run, sent or permitted. Every other counts, also one that nobody has thought of here. */
const HARMLESS = new Set([
  'procedure', 'default_iterations', 'agent', 'budget', 'setbacks', 'floor', 'limits', 'target', 'excuse', 'require', 'promptTokens', 'persistence',
])
const HARMLESS_OF = {
  gates: new Set(['name', 'timeoutSeconds', 'testTimeoutSeconds', 'holdout', 'baseline']),
  agents: new Set([
    'cli', 'repair', 'paste', 'model', 'temperature', 'outputTokens', 'contextTokens', 'roles', 'stream', 'price', 'promptTokens', 'fallback',
    'replies', 'candidates', 'seconds', 'seed', 'warm',
  ]),
  scope: new Set(['deny', 'files', 'lines']),
  commands: new Set(['deny', 'timeoutSeconds']),
}
/** What a procedure of one's own does to the user's repository, and not to a copy of it. */
const REACHING = new Set(['branch', 'commit'])

/** The parts of one file. `layer` as it was written: paths made absolute would be others on every machine. */
export function partsOf(layer: Layer, site: Site): Parts {
  const parts: Parts = {}
  for (const [key, value] of Object.entries(layer)) {
    if (value === undefined || HARMLESS.has(key)) continue
    Object.assign(parts, partsOfKey(key, value, site))
  }
  return parts
}

/** Null where there is nothing that needs trust. */
export function executableOf(parts: Parts, names: readonly string[]): Executable | null {
  if (Object.keys(parts).length === 0) return null
  const hash = createHash('sha256').update(`${VERSION}\n${canonical(parts)}`).digest('hex')
  return { hash, shown: discreet(parts) as Parts, names: [...names] }
}

/** Values of variables are told, since they decide what runs; but not those that are called a secret. */
function discreet(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(discreet)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'env' ? discreetEnv(inner as Record<string, string>) : discreet(inner)]))
}

function discreetEnv(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, soundsSecret(name) ? CONCEALED : value]))
}

function partsOfKey(key: string, value: unknown, site: Site): Parts {
  switch (key as keyof Layer) {
    case 'gates':
      return under('gates', (value as { name: string }[]).map((gate) => [gate.name, counting(gate, HARMLESS_OF.gates)]))
    case 'agents':
      return Array.isArray(value) ? {} : agentParts(value as Record<string, AgentEntry>, site)
    case 'scope':
    case 'commands':
      return under(key, Object.entries(counting(value as object, HARMLESS_OF[key as 'scope' | 'commands']) ?? {}))
    case 'task':
    case 'philosophy':
      return readsOf(key, [{ file: value }], site)
    case 'prompts':
    case 'context':
      return readsOf(key, value, site)
    case 'procedures':
      return Object.assign({}, ...Object.entries(value as Record<string, ProcedureEntry>).map(([name, entry]) => procedureParts(name, entry, site))) as Parts
    default:
      return { [key]: value }
  }
}

function under(key: string, entries: readonly (readonly [string, unknown])[]): Parts {
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => [`${key}.${name}`, value]))
}

/** Null where nothing of it counts. */
function counting(entry: object, harmless: ReadonlySet<string>): object | null {
  const kept = Object.entries(entry).filter(([key, value]) => value !== undefined && !harmless.has(key))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

// ───────────────────────────── agents ─────────────────────────────

/** A program of the repository counts with its bytes: it runs outside every copy, with a login at hand. */
function agentParts(agents: Readonly<Record<string, AgentEntry>>, site: Site): Parts {
  const entries = Object.entries(agents).map(([name, entry]) => {
    const kept = counting(entry, HARMLESS_OF.agents)
    const program = programIn(entry)
    const sha = program === null ? null : shaWithin(program, site)
    // A known command line counts as soon as something is said of how it is started.
    const kind = kept && 'cli' in entry ? { cli: entry.cli } : {}
    return [name, kept && { ...kind, ...kept, ...(sha !== null && { sha256: sha }) }] as const
  })
  return under('agents', entries)
}

function programIn(entry: AgentEntry): string | null {
  const line = 'command' in entry ? entry.command : 'acp' in entry ? entry.acp : 'cli' in entry ? entry.program : undefined
  const first = line === undefined ? undefined : firstWord(line)
  return first?.includes('/') ? first : null
}

function firstWord(line: CommandLine): string | undefined {
  if (typeof line !== 'string') return line[0]
  const split = commandWords(line)
  return split.kind === 'words' ? split.words[0] : undefined
}

function shaWithin(path: string, site: Site): string | null {
  if (!isWithin(path, site)) return null
  try {
    return createHash('sha256').update(readFileSync(absolute(path, site))).digest('hex')
  } catch {
    return 'not there'
  }
}

// ───────────────────────────── procedures and prompts ─────────────────────────────

function procedureParts(name: string, { phases = {}, allow, prompts }: ProcedureEntry, site: Site): Parts {
  const reaching = Object.entries(phases).flatMap(([phase, entry]) => (entry && 'action' in entry && REACHING.has(String(entry.action)) ? [[phase, entry.action] as const] : []))
  return {
    ...under(`procedures.${name}`, reaching),
    ...(allow && { [`procedures.${name}.allow`]: allow }),
    ...readsOf(`procedures.${name}`, [prompts, phases], site),
  }
}

/** Files that a prompt would be made from and that are not the repository's: they would be told to whoever is asked. */
function readsOf(key: string, value: unknown, site: Site): Parts {
  const outside = [...new Set(filesIn(value))].filter((path) => !isWithin(path, site)).toSorted()
  return outside.length === 0 ? {} : { [`${key} reads`]: outside }
}

function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(filesIn)
  return Object.entries(value).flatMap(([key, inner]) => (key === 'file' && typeof inner === 'string' && Object.keys(value).length === 1 ? [inner] : filesIn(inner)))
}

// ───────────────────────────── paths ─────────────────────────────

/** As it is made absolute to be read: what is looked at and what is used must be one file. */
function absolute(path: string, { base, home }: Site): string {
  return absolutePath(path, base, home)
}

/** By where links lead to; what is not there yet is where it is named. */
function isWithin(path: string, site: Site): boolean {
  return isBelow(realPath(site.root), realPath(absolute(path, site)))
}

/** Whether a file came with the repository: by its name, or by where a link leads to. */
export function isOfRepository(path: string, root: string): boolean {
  return isBelow(resolve(root), resolve(path)) || isBelow(realPath(root), realPath(path))
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside
}

// ───────────────────────────── hashing ─────────────────────────────

/** The same text for the same value, in whatever order its keys were written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}

/** Keys that are new, gone or other than before. */
export function changedParts(before: Parts, now: Parts): { key: string; how: 'new' | 'gone' | 'changed' }[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return keys.filter((key) => canonical(before[key]) !== canonical(now[key])).map((key) => {
    return { key, how: !Object.hasOwn(before, key) ? 'new' : Object.hasOwn(now, key) ? 'changed' : 'gone' }
  })
}
