// Finds in a stack or traceback the frame of the user's own code in which a fault came to light.
import { frameAt, goFrame, LONGEST_LINE_CHARS, plainFile, pytestEntry, pythonFrame, rustFrame, type Frame } from './frames.js'

export type { Frame } from './frames.js'

/** Of a longer stack the beginning and the end are read. */
const LONGEST_PART_CHARS = 8000

/** Files that belong to a language, a runner or a package. What lies in the checkout has no folder before it. */
const FOREIGN_FILE = new RegExp(
  [
    '^<', '^(?:bun|deno|internal|native|webpack|vite)[:/]', '(?:^|/)\\.(?:yarn|pnpm|venv|tox|nox)/', '^\\.pnp\\.',
    '(?:^|/)(?:site|dist)-packages/', '/lib/python\\d', '^_pytest/', '/unittest/\\w+\\.py$',
    '^/rustc/', '(?:^|/)\\.cargo/(?:registry|git)/', '(?:^|/)\\.rustup/', '^library/(?:std|core|alloc|test|proc_macro)/', '^/usr/lib/rust',
    '/go/pkg/mod/', '/(?:usr|local|opt|sdk)/(?:\\S+/)?go[-\\d.]*/src/', '/src/(?:runtime|testing|reflect|sync)/',
    '(?:^|/)vendor/', '^_testmain\\.go',
  ].join('|'),
)
const FOREIGN_NAME = new RegExp(
  [
    '^(?:java|javax|jdk|sun|com\\.sun|kotlin|kotlinx|scala|groovy|clojure|junit|worker\\.org\\.gradle|io\\.kotest)\\b[./]',
    '^org\\.(?:junit|testng|gradle|apache|codehaus|assertj|hamcrest|mockito|opentest4j|scalatest|spockframework)\\.',
    '^(?:core|std|alloc|test|__rustc|rust_begin_unwind|backtrace)(?:::|$)', '^<(?:core|std|alloc)::', '^<.* as (?:core|std|alloc)::',
    '^(?:runtime|testing|reflect|panic)(?:\\.|$)', '^(?:Promise|Array|Map|Set|JSON|RegExp)\\.',
  ].join('|'),
)

/** The innermost frame of the user's own code; null when the stack shows none. */
export function ownFrame(stack: string): Frame | null {
  if (stack === '') return null
  const isLong = stack.length > 2 * LONGEST_PART_CHARS
  const text = isLong ? `${stack.slice(0, LONGEST_PART_CHARS)}\n${stack.slice(-LONGEST_PART_CHARS)}` : stack
  const lines = text.split('\n')
  const inPython = text.includes('.py') ? innermostPython(lines) : null
  return inPython ?? firstOwn(lines) ?? (text.includes('panicked at ') ? panicPlace(lines) : null)
}

function isOwn({ name, file }: Frame): boolean {
  if (file === '' || file.startsWith('node:') || file.includes('node_modules/')) return false
  return !FOREIGN_FILE.test(file) && !FOREIGN_NAME.test(name)
}

function lineAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? '').slice(0, LONGEST_LINE_CHARS).trim()
}

/** Outside Python the innermost frame stands first. */
function firstOwn(lines: readonly string[]): Frame | null {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lineAt(lines, at)
    if (line === '') continue
    const below = lineAt(lines, at + 1)
    const frame = frameBelow(line, below) ?? (isBelow(lines, at) ? null : frameAt(line))
    if (frame && isOwn(frame)) return frame
  }
  return null
}

function frameBelow(line: string, below: string): Frame | null {
  if (below.startsWith('at ') && /^\d/.test(line)) return rustFrame(line, below)
  return line.endsWith(')') && below.includes('.go:') ? goFrame(line, below) : null
}

/** The second line of a Rust frame looks like a frame of V8 without a name. */
function isBelow(lines: readonly string[], at: number): boolean {
  return /^\s*\d+: \S/.test(lines[at - 1] ?? '')
}

/** Python prints the innermost frame last, and the exception that was raised last after those that led to it. */
function innermostPython(lines: readonly string[]): Frame | null {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lineAt(lines, at)
    const entry = pytestEntry(line)
    const frame = entry ? { ...entry, name: functionAbove(lines, at) } : pythonFrame(line)
    if (frame && isOwn(frame)) return frame
  }
  return null
}

/** pytest's long form shows the source of the function from its beginning. */
function functionAbove(lines: readonly string[], end: number): string {
  let name = ''
  for (let at = end - 1; at >= 0; at -= 1) {
    const line = lineAt(lines, at)
    if (line.startsWith('_ _ _') || line.includes(' above exception') || pytestEntry(line)) break
    if (line.includes('def ')) name = /^(?:async )?def (\w+)\(/.exec(line)?.[1] ?? name
  }
  return name
}

/** Rust without a backtrace says only in which file it was. */
function panicPlace(lines: readonly string[]): Frame | null {
  for (let at = 0; at < lines.length; at += 1) {
    const found = /panicked at (?:'.*', )?([^\s:'][^:']*\.rs):(\d+)/.exec(lineAt(lines, at))
    if (!found) continue
    const frame = { name: '', file: plainFile(found[1] ?? ''), line: Number(found[2]) }
    return isOwn(frame) ? frame : null
  }
  return null
}

// — causes —

const NAMED_CAUSE = /(?:\[cause\]|Caused by): (.+)/g
/** What the Rust compiler writes under the code that it means. */
const MARKED = /\^ ([^\s^].*)/
/** The source of which a parser says no more than that it is wrong: the line above the sign that points at it. */
const POINTED_AT = /(?::|line )\d+\n(?:E {2,12})?[ \t]{0,200}(\S.*)\n(?:E {2,12})?[ \t]{0,200}\^/
const PYTHON_LINK = /\n(?:The above exception was the direct cause|During handling of the above exception)/
const PYTHON_RAISED = /^(?:E +)?([A-Za-z_][\w.]*(?::(?: .*)?)?)$/
const LONGEST_CAUSE_CHARS = 240

/** The first line of what an error comes from in the end; empty when the stack names nothing. Two faults may share all the rest. */
export function rootCause(stack: string): string {
  if (stack.includes('[cause]: ') || stack.includes('Caused by: ')) {
    const causes = Array.from(stack.matchAll(NAMED_CAUSE), (found) => found[1] ?? '')
    return (causes.at(-1) ?? '').slice(0, LONGEST_CAUSE_CHARS)
  }
  if (stack.includes('SyntaxError')) return (POINTED_AT.exec(stack)?.[1] ?? '').slice(0, LONGEST_CAUSE_CHARS)
  if (stack.includes('--> ')) return (MARKED.exec(stack)?.[1] ?? '').slice(0, LONGEST_CAUSE_CHARS)
  const link = stack.includes(' above exception') ? PYTHON_LINK.exec(stack) : null
  return link ? raisedLast(stack.slice(0, link.index)) : ''
}

/** pytest marks what was raised with an E; Python itself leaves it without indentation. */
function raisedLast(traceback: string): string {
  const lines = traceback.slice(-LONGEST_PART_CHARS).split('\n').toReversed()
  const marked = lines.findLast((line, at) => at < 40 && /^E +[A-Za-z_]/.test(line))
  const raised = marked ?? lines.find((line) => PYTHON_RAISED.test(line)) ?? ''
  return (PYTHON_RAISED.exec(raised)?.[1] ?? '').slice(0, LONGEST_CAUSE_CHARS)
}
