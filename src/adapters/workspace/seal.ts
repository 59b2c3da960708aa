// What a candidate is sealed with: a name for everything that was fixed for judging it, and the start tree with its tests laid in.
import { createHash } from 'node:crypto'
import type { Tree } from '../../core/types.js'
import { listedPath, pathText, type BytePath } from '../../files/byte-path.js'
import { createPins, type PinRules } from '../../text/pins/pins.js'
import { changedEntries } from './changes.js'
import { indexLines, replacePaths } from './take-back.js'
import type { Site } from './snapshot.js'

export type SealPlan = Pick<Site, 'store' | 'index'> & {
  start: Tree
  /** The commands of all gates, as they were when the session began. */
  commands: string
  /** All that the gates run, as it was found in the tree that is pinned. */
  gateFiles: readonly string[]
  caseInsensitive: boolean
}

/** The pinned files of the start tree and the commands, as one name. It is the same for every candidate of a session. */
export async function pinsOf({ store, start, commands, ...rules }: SealPlan): Promise<string> {
  const kindOf = createPins(rules)
  const hash = createHash('sha256').update(`${commands}\0`)
  for (const [path, line] of await indexLines(store, start)) if (kindOf(pathText(path)) !== null) hash.update(`${line}\0`)
  return hash.digest('hex').slice(0, 32)
}

/** Null when the candidate brings no test files of its own: then there is nothing to try without the change. */
export async function treeWithTests({ store, index, start, ...rules }: SealPlan, tree: Tree): Promise<Tree | null> {
  const tests = await changedTests(store, start, tree, rules)
  return tests.length === 0 ? null : replacePaths({ store, index }, { in: start, from: tree, paths: tests })
}

/** Null when the candidate's tests are those of the pins: then none can help another. */
export async function treeWithoutTests({ store, index, start: pins, ...rules }: SealPlan, tree: Tree): Promise<Tree | null> {
  const tests = await changedTests(store, pins, tree, rules)
  return tests.length === 0 ? null : replacePaths({ store, index }, { in: tree, from: pins, paths: tests })
}

async function changedTests(store: Site['store'], from: Tree, to: Tree, rules: PinRules): Promise<BytePath[]> {
  const kindOf = createPins(rules)
  const paths = (await changedEntries(store, from, to)).filter(({ newMode }) => newMode !== '000000').map(({ path }) => path)
  return paths.filter((path) => kindOf(pathText(path)) === 'test')
}

const JUDGING: ReadonlySet<string> = new Set(['test', 'runner', 'gate', 'manifest'])
const MOST_NAMED = 5

/** Of what gates wrote over while they judged a tree, the files that they judged by: whoever was judged may have had a hand in it. */
export async function writtenOver(written: readonly string[], { store, ...rules }: Pick<SealPlan, 'store' | 'gateFiles' | 'caseInsensitive'>, tree: Tree): Promise<string[]> {
  if (written.length === 0) return []
  const kindOf = createPins(rules)
  const judging = [...(await indexLines(store, tree)).keys()].filter((path) => JUDGING.has(kindOf(pathText(path)) ?? ''))
  const names = new Set(judging.map(listedPath))
  const told = written.filter((path) => names.has(path)).map((path) => `${path} was written over while the check ran, and put back`)
  return told.length <= MOST_NAMED ? told : [...told.slice(0, MOST_NAMED), `${told.length - MOST_NAMED} more files of checks were written over while they ran`]
}
