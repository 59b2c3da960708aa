// What gates run or are handed, as files of a tree: named, matched by patterns, and followed through scripts of packages and links.
import type { Tree } from '../../core/types.js'
import { pathText } from '../../files/byte-path.js'
import { globFault, matcherOf } from '../../text/glob.js'
import { isGlob } from '../../text/pins/pins.js'
import { throughLinks } from './integrity-links.js'
import { followGates } from './integrity-scripts.js'
import type { Store } from './store.js'
import { indexLines } from './take-back.js'

export type GateCommands = {
  /** What the commands of gates name, relative to the root; a folder ends in a slash. */
  gateFiles: readonly string[]
  /** The gates as JSON, so that scripts of a package can be followed from their commands. */
  commands: string
}

export type GateFiles = {
  /** All of them, with the patterns, which go for new files. */
  gateFiles: string[]
  /** What stands in the commands themselves, and what their patterns match. */
  named: string[]
  /** Where commands run. */
  folders: string[]
}

/** The same for every candidate that is held against a tree. */
const last = new WeakMap<Store, { key: string; found: Promise<GateFiles> }>()

export function gateFilesIn(store: Store, start: Tree, gates: GateCommands): Promise<GateFiles> {
  const key = JSON.stringify([start, gates.commands, gates.gateFiles])
  const known = last.get(store)
  if (known?.key === key) return known.found
  const found = lookedUp(store, start, gates)
  last.set(store, { key, found })
  return found.catch((error: unknown) => {
    last.delete(store)
    throw error
  })
}

async function lookedUp(store: Store, start: Tree, { gateFiles, commands }: GateCommands): Promise<GateFiles> {
  const { files, folders } = await followGates(store, start, commands)
  const matched = await matchedIn(store, start, [...gateFiles, ...files])
  const named = [...gateFiles, ...matched(gateFiles).map(({ path }) => path)]
  const run = matched(files)
  const links = [...matched(gateFiles), ...run].filter(({ isLink }) => isLink).map(({ path }) => path)
  const through = await throughLinks(store, start, [...gateFiles, ...files, ...links])
  return { gateFiles: [...named, ...files, ...run.map(({ path }) => path), ...through], named, folders }
}

type Matched = { path: string; isLink: boolean }

/** Every file of the tree that fits one of some patterns; the tree is read only where there are any. */
async function matchedIn(store: Store, start: Tree, all: readonly string[]): Promise<(files: readonly string[]) => Matched[]> {
  const globsAmong = (files: readonly string[]): string[] => files.filter((path) => isGlob(path) && globFault(path) === null)
  if (globsAmong(all).length === 0) return () => []
  const paths = Array.from(await indexLines(store, start), ([path, line]) => ({ path: pathText(path), isLink: line.startsWith('120000 ') }))
  return (files) => {
    const globs = globsAmong(files).map(matcherOf)
    return globs.length === 0 ? [] : paths.filter(({ path }) => globs.some((fits) => fits(path)))
  }
}
