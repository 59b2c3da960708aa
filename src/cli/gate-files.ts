// Which files of the repository the commands of gates run as programs: those are pinned, whatever they are called.
import { posix } from 'node:path'
import type { GateEntry } from '../config/types.js'

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', '/bin/sh', '/bin/bash', 'source', '.'])

/** Relative to the root. A name that is no file of the repository does no harm. */
export function gateFilesOf(gates: readonly GateEntry[]): string[] {
  return gates.flatMap(({ run, cwd = '.' }) => {
    const commands = typeof run === 'string' ? run.split(/&&|\|\||[;|&\n()]/).map((part) => part.trim().split(/\s+/)) : [run]
    return commands.flatMap((words) => programsIn(words)).map((path) => posix.normalize(posix.join(cwd, path)))
  })
}

/** The first word that sets no variable, and what a shell is given to run. */
function programsIn(words: readonly string[]): string[] {
  const [program = '', ...rest] = words.filter((word) => !/^\w+=/.test(word))
  const script = SHELLS.has(program) ? rest.find((word) => !word.startsWith('-')) : undefined
  return [program, ...(script === undefined ? [] : [script])].filter((path) => path.includes('/') || path === script).filter((path) => !path.startsWith('/'))
}
