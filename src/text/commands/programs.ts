// Which programs a command starts by name, as far as that can be told without a shell.
import { commandWords } from './command-words.js'

/** Words that a shell does itself, or that only lead to the program. */
const OF_THE_SHELL = new Set([
  '[', '[[', '!', ':', '.', '{', '}', '(', ')', 'cd', 'test', 'true', 'false', 'echo', 'printf', 'exit', 'export', 'set', 'unset', 'source', 'eval', 'exec', 'trap', 'wait',
  'if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'command', 'umask', 'ulimit', 'time', 'read', 'return', 'shift', 'pwd', 'type',
])
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const PLAIN = /^[\w@%+.,/-]+$/

/** In the order in which they stand; what only a shell could make out is left out. */
export function programsIn(run: string | readonly string[]): string[] {
  if (typeof run !== 'string') return run.slice(0, 1)
  const text = run.replaceAll(/\\\n/g, ' ')
  const hasMoved = /(^|[;&|(]\s*)cd\s/.test(text)
  const programs = text.split(/&&|\|\||[;|&\n]/).flatMap((part) => programOf(part) ?? [])
  // After a change of folder a relative path means something else.
  return [...new Set(programs)].filter((program) => !hasMoved || !program.includes('/') || program.startsWith('/'))
}

function programOf(part: string): string | null {
  const split = commandWords(part)
  if (split.kind !== 'words') return null
  const words = split.words.slice(split.words.findIndex((word) => !ASSIGNMENT.test(word)))
  const [first = '', second = ''] = words
  const program = first === 'env' && !second.startsWith('-') && !ASSIGNMENT.test(second) ? second : first
  return PLAIN.test(program) && !OF_THE_SHELL.has(program) && !ASSIGNMENT.test(program) ? program : null
}
