// Which runner a gate's command starts, where that is plain to see; everything else is started as it is, once for each candidate.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlainFile } from '../../../../files/plain-file.js'
import { findExecutable } from '../../../../process/command-line.js'
import { commandWords } from '../../../../text/commands/command-words.js'

/** `folder`: where it runs, from the top of the tree. */
export type Warm = { folder: string } & (
  | { runner: 'pytest' | 'unittest'; program: string; args: readonly string[]; env: Readonly<Record<string, string>>; asModule: boolean }
  | { runner: 'node'; program: string; flags: readonly string[]; paths: readonly string[]; env: Readonly<Record<string, string>> }
)

/** `top` is the whole tree, and `folder` the place in it where a command is started. */
export type Started = { top: string; folder: string; environment: Readonly<Record<string, string | undefined>> }

const SHELL = /[|&;<>()$`\\\n]/
const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/s
/** Scripts of a package that start scripts that start scripts. */
const DEEPEST = 3
const LONGEST_MANIFEST_BYTES = 1024 * 1024
const LONGEST_FIRST_LINE_BYTES = 300

export function recognise(
  run: string | readonly [string, ...string[]],
  from: Started,
  depth = 0,
): Warm | null {
  const words = typeof run === 'string' ? wordsOf(run) : [...run]
  if (words === null) return null
  const env: Record<string, string> = {}
  while (words[0] !== undefined && VARIABLE.test(words[0])) {
    const [, name = '', value = ''] = VARIABLE.exec(words.shift() ?? '') ?? []
    env[name] = value
  }
  const [program = '', ...rest] = words
  const name = program.replace(/^.*\//, '')
  if (name === 'npm' || name === 'pnpm' || name === 'yarn') return depth < DEEPEST ? scriptOf(rest, name, from, env, depth) : null
  if (name === 'pytest' || name === 'py.test')
    return { folder: from.folder, runner: 'pytest', program: pythonOf(program, from.environment), args: rest, env, asModule: false }
  if (/^python(\d(\.\d+)?)?$/.test(name) && rest[0] === '-m' && (rest[1] === 'pytest' || rest[1] === 'unittest'))
    return { folder: from.folder, runner: rest[1], program, args: rest.slice(2), env, asModule: true }
  return name === 'node' ? nodeOf(program, rest, env, from.folder) : null
}

function wordsOf(text: string): string[] | null {
  if (SHELL.test(text.replace(/'[^']*'/g, ''))) return null
  const split = commandWords(text)
  return split.kind === 'unclosed' ? null : [...split.words]
}

function scriptOf(
  rest: readonly string[],
  manager: string,
  from: Started,
  env: Readonly<Record<string, string>>,
  depth: number,
): Warm | null {
  const words = rest.filter((word) => !/^(-s|--silent|run|run-script)$/.test(word))
  const script = words[0] === 't' || words[0] === 'tst' ? 'test' : words[0]
  if (script === undefined || words.length > 1) return null
  const folder = manager === 'npm' ? packageAbove(from) : from.folder
  const manifest = readPlainFile(join(from.top, folder, 'package.json'), { mostBytes: LONGEST_MANIFEST_BYTES })
  if (manifest === null) return null
  try {
    const { scripts } = JSON.parse(manifest.toString('utf8')) as { scripts?: Record<string, string> }
    const text = scripts?.[script]
    if (typeof text !== 'string' || scripts?.[`pre${script}`] !== undefined) return null
    const found = recognise(text, { ...from, folder }, depth + 1)
    return found && { ...found, env: { ...env, ...found.env } }
  } catch {
    return null
  }
}

/** Npm runs scripts in the nearest folder above that looks like a package. */
function packageAbove({ top, folder }: Pick<Started, 'top' | 'folder'>): string {
  const isPackage = ['package.json', 'node_modules'].some((name) => existsSync(join(top, folder, name)))
  return isPackage || folder === '' ? folder : packageAbove({ top, folder: dirname(folder) === '.' ? '' : dirname(folder) })
}

/** The Python that the first line of the program names, which is often started by a link to where its own packages lie. */
function pythonOf(program: string, environment: Readonly<Record<string, string | undefined>>): string {
  const path = findExecutable(program, environment)
  const line = path === null ? '' : (readPlainFile(realpathSync(path), { mostBytes: LONGEST_FIRST_LINE_BYTES })?.toString('latin1').split('\n')[0] ?? '')
  return /^#!\s*(\/\S*python[\d.]*)\s*$/.exec(line)?.[1] ?? 'python3'
}

const WITH_VALUE = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--conditions', '-C'])

/** Only flags that a thread can be given too. */
function nodeOf(program: string, rest: readonly string[], env: Readonly<Record<string, string>>, folder: string): Warm | null {
  const flags: string[] = []
  const paths: string[] = []
  let isTest = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (word === '--test') isTest = true
    else if (/^--test-(reporter|concurrency|timeout)/.test(word)) at += word.includes('=') ? 0 : 1
    else if (WITH_VALUE.has(word)) flags.push(word, rest[(at += 1)] ?? '')
    else if (
      /^--(import|require|loader|experimental-loader|conditions|experimental-strip-types|no-warnings|experimental-transform-types)/.test(
        word,
      )
    )
      flags.push(word)
    else if (word.startsWith('-')) return null
    else paths.push(word)
  }
  const isFile = !isTest && paths.length === 1
  return isTest || isFile ? { folder, runner: 'node', program, flags, paths, env } : null
}
