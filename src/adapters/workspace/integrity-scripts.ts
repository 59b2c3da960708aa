// Which files the gates run by way of the scripts of a package, as its manifest stood in the start tree.
import { posix } from 'node:path'
import type { Tree } from '../../core/types.js'
import { programsOf } from '../../text/pins/scripts.js'
import { isObject } from '../../text/reply/json.js'
import { readBlobs } from './blobs.js'
import type { Store } from './store.js'

/** The part of a gate that matters here; `run` as text or as words. */
type GateCommand = { run: string; cwd: string }

/** Relative to the root. `commands` is the list of gates as JSON. */
export async function filesRunByScripts(store: Store, start: Tree, commands: string): Promise<string[]> {
  const found: string[] = []
  for (const { run, cwd } of gatesIn(commands)) {
    const manifest = posix.join(cwd, 'package.json')
    // A name with a line break cannot be asked for, and nobody has such a folder.
    if (/[\n\r]/.test(manifest) || manifest.startsWith('..')) continue
    for await (const [, bytes] of readBlobs(store, [`${start}:${manifest}`])) {
      found.push(...programsOf(run, scriptsIn(bytes.toString('utf8'))).map((path) => posix.join(cwd, path)))
    }
  }
  return found
}

function gatesIn(commands: string): GateCommand[] {
  const gates = parsed(commands)
  if (!Array.isArray(gates)) return []
  return gates.flatMap((gate: unknown) => {
    const { run, cwd } = mapOf(gate)
    const text = Array.isArray(run) ? run.join(' ') : run
    return typeof text === 'string' ? [{ run: text, cwd: typeof cwd === 'string' ? cwd : '.' }] : []
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
