// Which files of the repository the commands of gates run as programs: those are pinned, whatever they are called.
import type { GateEntry } from '../config/types.js'
import { joined } from '../text/pins/command-line.js'
import { followCommand } from '../text/pins/scripts.js'

/** Relative to the root; a folder ends in a slash. What the scripts of packages run is known only when these are read, in the start tree. */
export function gateFilesOf(gates: readonly GateEntry[]): string[] {
  return gates.flatMap(({ run, cwd = '.' }) => followCommand(run, joined('.', cwd) ?? '.', () => ({})).files)
}
