// Which files the gates run by way of the scripts of packages, as their manifests stood in the start tree.
import { posix } from 'node:path'
import type { Tree } from '../../core/types.js'
import { joined } from '../../text/pins/command-line.js'
import { followCommand, type Followed } from '../../text/pins/scripts.js'
import { isObject } from '../../text/reply/json.js'
import { readBlobs } from './blobs.js'
import type { Store } from './store.js'

/** The part of a gate that matters here. */
type GateCommand = { run: string | string[]; folder: string }

/** A script may lead to another package, and so on. */
const MOST_ROUNDS = 5

/** Relative to the root. `commands` is the list of gates as JSON. */
export async function followGates(store: Store, start: Tree, commands: string): Promise<Followed> {
  const gates = gatesIn(commands)
  const known = new Map<string, Record<string, string>>()
  for (let round = 0; ; round++) {
    const followed = gates.map(({ run, folder }) => followCommand(run, folder, (place) => known.get(place) ?? {}))
    const unknown = new Set(followed.flatMap(({ folders }) => folders).filter((folder) => !known.has(folder)))
    if (unknown.size === 0 || round === MOST_ROUNDS) return { files: followed.flatMap(({ files }) => files), folders: [...known.keys()] }
    for (const folder of unknown) known.set(folder, await scriptsOf(store, start, folder))
  }
}

async function scriptsOf(store: Store, start: Tree, folder: string): Promise<Record<string, string>> {
  const manifest = posix.join(folder, 'package.json')
  // A name with a line break cannot be asked for, and nobody has such a folder.
  if (/[\n\r]/.test(manifest)) return {}
  for await (const [, bytes] of readBlobs(store, [`${start}:${manifest}`])) return scriptsIn(bytes.toString('utf8'))
  return {}
}

function gatesIn(commands: string): GateCommand[] {
  const gates = parsed(commands)
  if (!Array.isArray(gates)) return []
  return gates.flatMap((gate: unknown) => {
    const { run, cwd } = mapOf(gate)
    const folder = joined('.', typeof cwd === 'string' ? cwd : '.')
    const isCommand = typeof run === 'string' || (Array.isArray(run) && run.every((word) => typeof word === 'string'))
    return isCommand && folder !== null ? [{ run, folder }] : []
  })
}

function scriptsIn(text: string): Record<string, string> {
  const { scripts } = mapOf(parsed(text))
  return Object.fromEntries(Object.entries(mapOf(scripts)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
