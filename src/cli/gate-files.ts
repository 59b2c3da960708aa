// Where gates run in the tree, and which of its files their commands run as programs: those are pinned, whatever they are called.
import { join, relative } from 'node:path'
import type { GateCommands } from '../adapters/workspace/integrity-files.js'
import { realPath } from '../config/locate.js'
import type { GateEntry } from '../config/types.js'
import { joined } from '../text/pins/command-line.js'
import { followCommand } from '../text/pins/scripts.js'
import type { Setup } from './setup.js'

/** Settings count from the folder they lie in, which may be below the top of the tree; until a source is known that is taken for the top. */
export function gatesFromTop<G extends Pick<GateEntry, 'cwd'>>({ gates, root, source }: { gates: readonly G[]; root: string; source?: { top: string } }): G[] {
  const below = source === undefined ? '' : relative(source.top, realPath(root))
  return below === '' ? [...gates] : gates.map((gate) => ({ ...gate, cwd: join(below, gate.cwd ?? '') }))
}

/** What has to be known of the gates to find what they run in a tree. */
export function gateCommands(setup: Pick<Setup, 'gates' | 'root' | 'source'>): GateCommands {
  const gates = gatesFromTop(setup)
  return { commands: JSON.stringify(gates), gateFiles: gateFilesOf(gates) }
}

/** Relative to the top; a folder ends in a slash. What the scripts of packages run is known only when these are read, in the start tree. */
function gateFilesOf(gates: readonly GateEntry[]): string[] {
  return gates.flatMap(({ run, cwd = '.' }) => followCommand(run, joined('.', cwd) ?? '.', () => ({})).files)
}
