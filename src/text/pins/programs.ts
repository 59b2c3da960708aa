// Which files a simple command runs or loads as programs, and which commands it holds in its words.
import { joined, type Command } from './command-line.js'
import { COMMON_LOADS, PROGRAMS, RUNS_TEXT, VARIABLES, WRAPPERS, type KnownProgram } from './known-programs.js'

/** Files and further commands; a folder ends in a slash. */
type Started = { files: string[]; texts: string[] }

const UNKNOWN: KnownProgram = { name: /^$/, first: 'looked at' }
/** Without a slash a program is looked for elsewhere, unless it is plainly a script. */
const IS_FILE = /\/|\.(?:py|sh|bash|[cm]?[jt]s|rb|pl|php)$/

/** Relative to the root. A name that is no file does no harm. */
export function startedBy({ words, inputs, folder: from }: Command): Started {
  const folder = wordAfterChange(words).reduce((at, way) => joined(at, way) ?? at, from)
  const bare = unwrapped(words)
  const starts = [bare, ...words.flatMap((word, at) => (startsAnywhere(word) ? [words.slice(at)] : [])), ...variablesIn(words)]
  const all = starts.map((each) => startedWith(each, inputs))
  const files = all.flatMap((each) => each.files)
  const texts = [...all.flatMap((each) => each.texts), ...words.flatMap(substitutions), ...(words.some((word) => RUNS_TEXT.test(nameOf(word))) ? words.filter((word) => /\s/.test(word)) : [])]
  return { files: [...new Set(files.flatMap((path) => placed(folder, path)))], texts: [...new Set(texts)] }
}

/** `env -C checks sh run.sh` starts it there. */
function wordAfterChange(words: readonly string[]): string[] {
  const at = words.findIndex((word) => nameOf(word) === 'env')
  const options = at < 0 ? [] : words.slice(at + 1)
  return options.flatMap((word, index) => (/^(?:-C|--chdir)$/.test(word) ? [options[index + 1] ?? '.'] : word.startsWith('--chdir=') ? [word.slice('--chdir='.length)] : []))
}

function placed(folder: string, path: string): string[] {
  const place = joined(folder, path)
  return place === null || place === '.' ? [] : [path.endsWith('/') ? `${place}/` : place]
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

/** By its bare name or from a folder of programs: a folder of sources may be called `node` too. */
function startsAnywhere(word: string): boolean {
  return /^(?:.*\/\.?bin\/)?[^/]+$/.test(word) && knownAs(word)?.anywhere === true
}

function knownAs(word: string): KnownProgram | undefined {
  const name = nameOf(word)
  return PROGRAMS.find((program) => program.name.test(name))
}

/** `NODE_OPTIONS=--import=./x` is read as the words of node. */
function variablesIn(words: readonly string[]): string[][] {
  return words.flatMap((word) => {
    const [name = '', ...value] = word.split('=')
    const head = Object.hasOwn(VARIABLES, name) && value.length > 0 ? VARIABLES[name] : undefined
    return head ? [[...head, ...value.join('=').split(/\s+/)]] : []
  })
}

function substitutions(word: string): string[] {
  return [...word.matchAll(/\$\(([^()]*)\)/g)].map(([, text = '']) => text)
}

/** Without what stands before the program: variables, words of the shell, and programs that start others. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [head = '', ...rest] = words
  if (words.length === 0) return words
  if (/^\w+=/.test(head)) return unwrapped(rest)
  const wrapper = WRAPPERS.find(({ name }) => name.test(nameOf(head)))
  if (!wrapper) return words
  const { takes, verb } = wrapper
  let skips = wrapper.skips ?? 0
  let open = verb === undefined
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word.startsWith('-')) at += takes?.test(word) === true ? 1 : 0
    else if (!open) open = verb?.test(word) === true
    else if (skips > 0 && !/^\w+=/.test(word)) skips--
    else return unwrapped(rest.slice(at))
  }
  return words
}

// ───────────────────────────── the words of one program ─────────────────────────────

function startedWith([head = '', ...rest]: readonly string[], inputs: readonly string[]): Started {
  const program = knownAs(head) ?? UNKNOWN
  const { files, texts } = startedByWords(program, rest)
  return { files: [...(IS_FILE.test(head) ? [head] : []), ...files, ...(program.first === 'script' ? inputs : [])], texts }
}

function startedByWords(program: KnownProgram, words: readonly string[]): Started {
  const found: Started = { files: [], texts: [] }
  let scripts = program.first !== 'looked at' && program.verb === undefined
  let tests = typeof program.tests === 'string'
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [flag, glued] = optionOf(program, word)
    const value = glued ?? words[at + 1] ?? ''
    const takesNext = glued === undefined ? 1 : 0
    if (turnsToTests(program, flag)) [tests, scripts] = [true, false]
    else if (!/^[-+]./.test(word)) {
      if (tests) found.files.push(...testFiles(program, word))
      if (scripts && word !== 'run') return { ...found, files: [...found.files, ...scriptFiles(program, word)] }
      scripts ||= program.verb?.test(word) === true
    } else if (loads(program, flag)) {
      found.files.push(...fileForms(program, value))
      at += takesNext
    } else if (program.module?.test(flag) === true) {
      found.files.push(...moduleFiles(value))
      at += takesNext
      if (program.first === 'script') return together(found, startedWith([value, ...words.slice(at + 1)], []))
    } else if (program.shell?.test(flag) === true) return { ...found, texts: [value] }
    else if (program.takes?.test(flag) === true) at += takesNext
    else if (program.without?.test(flag) === true) scripts = false
  }
  return found
}

function together(one: Started, other: Started): Started {
  return { files: [...one.files, ...other.files], texts: [...one.texts, ...other.texts] }
}

function loads(program: KnownProgram, flag: string): boolean {
  return program.loads?.test(flag) === true || COMMON_LOADS.test(flag)
}

/** `--import=x` and `-rx` hold their value; otherwise it is the next word. */
function optionOf(program: KnownProgram, word: string): [flag: string, value: string | undefined] {
  const [, flag = word, value] = /^(--?[\w-]+)=([^]*)$/.exec(word) ?? []
  if (value !== undefined || word.startsWith('--')) return [flag, value]
  const short = word.slice(0, 2)
  const isGlued = word.length > 2 && ![program.loads, program.shell, program.takes].some((each) => each?.test(word))
  return isGlued && (program.loads?.test(short) === true || program.module?.test(short) === true) ? [short, word.slice(2)] : [word, undefined]
}

function scriptFiles(program: KnownProgram, word: string): string[] {
  if (program.first === 'script') return fileForms(program, word)
  return word.endsWith('.go') ? [word] : [`${word.replace(/\/+$/, '')}/`]
}

function fileForms({ endings = [] }: KnownProgram, path: string): string[] {
  return /\.\w+$/.test(path) ? [path] : [path, ...endings.map((ending) => `${path.replace(/\/+$/, '')}${ending}`)]
}

function turnsToTests({ tests }: KnownProgram, word: string): boolean {
  return tests instanceof RegExp && tests.test(word)
}

/** A file that is handed to a runner of tests, with `::one` behind it too. What is no path is a word that they look for in names; a folder is left to the names in it, since work may lie there too. */
function testFiles(program: KnownProgram, word: string): string[] {
  const path = (word.split('::')[0] ?? '').replace(/\/+$/, '')
  if (program.tests === 'modules' && !path.includes('/') && !path.endsWith('.py')) return moduleWays(path)
  return /[/.]/.test(path) ? fileForms(program, path) : []
}

/** `checks.run.One` is a class of a module, or a module of a package. */
function moduleWays(name: string): string[] {
  const parts = name.split('.')
  return parts.flatMap((_, at) => moduleFiles(parts.slice(0, at + 1).join('.')))
}

function moduleFiles(name: string): string[] {
  const path = name.replaceAll('.', '/')
  return /^\w[\w.]*$/.test(name) ? [`${path}.py`, `${path}/__main__.py`] : []
}
