// Decides which command lines of a reply may be run, and as which words. No shell ever sees them.
import { commandWords } from './command-words.js'
import { sanitise } from '../sanitise.js'

/**
 * A pattern is a program and the words after it, as they are written; `*` stands for anything in a word, and at the end for any
 * more words. A command may go on after them.
 */
export type CommandPolicy = { allow: readonly string[]; deny: readonly string[]; timeoutSeconds: number }

export type Judged = { kind: 'allowed'; argv: [string, ...string[]] } | { kind: 'blocked'; why: string }

const LONGEST_COMMAND_CHARS = 2000

/** They run whatever their arguments say, so that a rule has to name them: one for everything does not mean these. */
const RUN_OTHERS: readonly (readonly string[])[] = `
  sh, bash, dash, zsh, ksh, fish, csh, tcsh, busybox, eval, exec, command, source,
  env, sudo, doas, su, xargs, parallel, nohup, setsid, timeout, nice, stdbuf, script, watch, time, chroot, unshare,
  npx, pnpx, bunx, uvx, pipx, ssh, git, docker, podman, nerdctl, xvfb-run, corepack,
  npm exec*, npm x, npm init, npm innit, npm create, npm config, npm c, npm set, npm edit, npm explore, npm publish,
  pnpm exec, pnpm dlx, pnpm create, yarn exec, yarn dlx, yarn create, bun x, bun create,
  uv tool, uv run, poetry run, pipenv run, pdm run, hatch run, rye run, conda run, bundle exec, direnv exec,
  find -exec, find -execdir, find -ok, find -okdir, find -delete
`
  .split(',')
  .map((text) => text.trim().split(' '))

/** Pure, and never throws: the same line is judged the same again. */
export function judgeCommand(line: string, { allow, deny }: CommandPolicy): Judged {
  const fault = faultOf(line)
  if (fault !== null) return { kind: 'blocked', why: fault }
  const split = commandWords(line)
  if (split.kind === 'unclosed') return { kind: 'blocked', why: split.mark === '\\' ? 'it ends in a backslash' : `its quote ${split.mark} is not closed` }
  const [program = '', ...rest] = split.words
  const why = program === '' ? 'it names no program' : troubleWith([program, ...rest], allow.map(wordsOf), deny)
  return why === null ? { kind: 'allowed', argv: [program, ...rest] } : { kind: 'blocked', why }
}

// ───────────────────────────── the line ─────────────────────────────

function faultOf(line: string): string | null {
  if (line.length > LONGEST_COMMAND_CHARS) return `it is longer than ${LONGEST_COMMAND_CHARS} characters`
  if (sanitise(line) !== line || /[^\S ]/.test(line)) return 'it holds a character that cannot be seen, or a space that is none'
  const [unquoted, expanded] = [outsideQuotes(line), outsideSingleQuotes(line)]
  if (/[$`]/.test(expanded)) return 'no shell runs it, so that nothing is put in for $ or `: write the words out'
  const [operator] = /[;&|<>()]|\n/.exec(unquoted) ?? []
  if (operator !== undefined) return `no shell runs it, so that "${operator}" has no meaning: write one program with its arguments to a line`
  if (/(^|[\s=])~/.test(unquoted)) return 'no shell runs it, so that ~ is no folder: write paths relative to the project'
  return /^\s*[A-Za-z_]\w*=/.test(line) ? 'it begins with a variable and not with a program' : null
}

/** Between double quotes a shell still puts in variables and commands. */
function outsideSingleQuotes(line: string): string {
  return line.replaceAll(/\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'/g, (part) => (part.startsWith('"') ? part.replaceAll(/\\[^]/g, '') : ''))
}

function outsideQuotes(line: string): string {
  return line.replaceAll(/\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'/g, 'x')
}

// ───────────────────────────── the rules ─────────────────────────────

type Command = readonly [string, ...string[]]

/** Null when the command may be run. */
function troubleWith(command: Command, allow: readonly string[][], deny: readonly string[]): string | null {
  const denied = deny.find((pattern) => appears(wordsOf(pattern), command))
  if (denied !== undefined) return `denied by "${denied}"`
  const allowing = allow.filter((pattern) => begins(pattern, command))
  const launcher = RUN_OTHERS.find((words) => appears(words, command))
  if (launcher && !allowing.some((pattern) => appears(launcher, pattern))) {
    return `${launcher.join(' ')} can do anything, and no rule allows it by name`
  }
  if (allowing.length > 0) return null
  return command[0].includes('/') ? 'a program is allowed by its path only where a rule has that very path' : 'no rule allows it'
}

function wordsOf(pattern: string): string[] {
  const split = commandWords(pattern)
  return split.kind === 'words' ? split.words : []
}

/** To be allowed, a command has to begin as the pattern says. A program with a path is matched by nothing but that path. */
function begins(pattern: readonly string[], command: Command): boolean {
  const [program = '', ...words] = pattern
  const rest = words.at(-1) === '*' ? words.slice(0, -1) : words
  const isProgram = command[0].includes('/') ? program === command[0] : isLike(program, command[0])
  return isProgram && rest.length < command.length && rest.every((word, at) => isLike(word, command[at + 1] ?? ''))
}

/** To be denied it is enough that the words come in this order, whatever stands between them and however the program is reached. */
function appears(pattern: readonly string[], command: readonly string[]): boolean {
  const [wanted = '', ...words] = pattern.at(-1) === '*' ? pattern.slice(0, -1) : pattern
  const [program = '', ...rest] = command
  if (wanted === '') return pattern.length > 0
  if (!isLike(nameOf(wanted), nameOf(program))) return false
  let at = 0
  for (const word of rest) if (at < words.length && isLike((words[at] ?? '').toLowerCase(), word.toLowerCase())) at++
  return at === words.length
}

function nameOf(program: string): string {
  return (program.split('/').at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '')
}

/** From left to right and never back: what a `*` takes can only matter for the last piece. */
function isLike(pattern: string, word: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return word === pattern
  if (!word.startsWith(first) || !word.endsWith(last) || word.length < first.length + last.length) return false
  let from = first.length
  for (const piece of others) {
    const found = word.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return from <= word.length - last.length
}

// ───────────────────────────── what is allowed where nobody says anything ─────────────────────────────

/** The programs that checks start, each with any arguments; what runs others, or has a path, only as the check does. */
export function patternsOfChecks(runs: readonly (string | readonly string[])[]): string[] {
  const commands = runs.flatMap((run) => (typeof run === 'string' ? simpleCommands(run) : [run]))
  return [...new Set(commands.flatMap(patternOf))]
}

function patternOf(command: readonly string[]): string[] {
  const words = command.slice(command.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)))
  const [program = ''] = words
  if (program === '' || words.some((word) => /[*\s'"\\]/.test(word))) return /^[\w.+-]+$/.test(program) && !isLauncher(words) ? [`${program} *`] : []
  return [isLauncher(words) || program.includes('/') ? words.join(' ') : `${program} *`]
}

function isLauncher(words: readonly string[]): boolean {
  return RUN_OTHERS.some((launcher) => appears(launcher, words))
}

/** The plain commands of a shell's command line. What is more than that names no program that could be told for sure. */
function simpleCommands(line: string): string[][] {
  const parts: string[] = ['']
  for (const [piece] of line.matchAll(/\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'|[;&|\n]+|[^\\"';&|\n]+|[^]/g)) {
    if (/^[;&|\n]/.test(piece)) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${piece}`)
  }
  return parts.flatMap((part) => {
    const split = commandWords(part)
    return split.kind === 'unclosed' || split.words.length === 0 || /[$`<>(){}]/.test(outsideQuotes(part)) ? [] : [split.words]
  })
}
