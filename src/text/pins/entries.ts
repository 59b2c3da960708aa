// Splits TOML files into entries: the full path of each key, and its value without comments and blanks.

/** An array of tables gives each of its tables a name of its own, `#1`, `#2`. */
export type Entry = { path: string[]; value: string; line: number }

type Scan = { text: string; at: number }

const BLANK = /[ \t]*/y
const BLANK_LINES = /(?:[ \t\r\n]|#[^\n]*)*/y
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y
const BARE_KEY = /[A-Za-z0-9_-]+/y
const QUOTED_KEY = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const DOT = /[ \t]*\.[ \t]*/y
const EQUALS = /[ \t]*=[ \t]*/y
/** The parts of a value that may hold brackets, commas or number signs which mean nothing. */
const LONG_STRING = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}/y
const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const PLAIN = /[^"'#[\]{}\n\r \t]+/y

/** Null when it is no TOML, as far as this reads it. */
export function tomlEntries(text: string): Entry[] | null {
  const scan: Scan = { text, at: text.startsWith('\uFEFF') ? 1 : 0 }
  const entries: Entry[] = []
  const tables = new Map<string, number>()
  const lineAt = createLineCounter(text)
  let table: string[] = []
  for (take(scan, BLANK_LINES); scan.at < text.length; take(scan, BLANK_LINES)) {
    const start = scan.at
    const header = text[start] === '[' ? readHeader(scan, tables) : null
    if (header) table = header
    else {
      const key = readKey(scan)
      const value = key && take(scan, EQUALS) !== null ? readValue(scan) : null
      if (key === null || value === null || value === '') return null
      entries.push({ path: [...table, ...key], value, line: lineAt(start) })
    }
    if (take(scan, LINE_END) === null) return null
  }
  return entries
}

function readHeader(scan: Scan, tables: Map<string, number>): string[] | null {
  const open = scan.text.startsWith('[[', scan.at) ? '[[' : '['
  const close = open === '[[' ? ']]' : ']'
  scan.at += open.length
  take(scan, BLANK)
  const path = readKey(scan)
  take(scan, BLANK)
  if (path === null || !scan.text.startsWith(close, scan.at)) return null
  scan.at += close.length
  if (open === '[') return path
  const name = path.join('\u0000')
  const count = (tables.get(name) ?? 0) + 1
  tables.set(name, count)
  return [...path, `#${count}`]
}

function readKey(scan: Scan): string[] | null {
  const parts: string[] = []
  do {
    const bare = take(scan, BARE_KEY)
    const part = bare ?? unquoted(take(scan, QUOTED_KEY))
    if (part === null) return null
    parts.push(part)
  } while (take(scan, DOT) !== null)
  return parts
}

function unquoted(key: string | null): string | null {
  if (key === null || key.startsWith("'")) return key && key.slice(1, -1)
  try {
    return String(JSON.parse(key.replaceAll(/\\U([0-9A-Fa-f]{8})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))))
  } catch {
    return null
  }
}

/** Up to the end of its line, or further while a bracket is open. */
function readValue(scan: Scan): string | null {
  let value = ''
  let depth = 0
  while (scan.at < scan.text.length) {
    const piece = take(scan, LONG_STRING) ?? take(scan, STRING) ?? take(scan, PLAIN)
    const next = scan.text[scan.at] ?? ''
    if (piece !== null) value += piece
    else if (next === '\n' || next === '#') {
      if (depth === 0) return value
      take(scan, BLANK_LINES)
    } else if (/[[\]{}]/.test(next)) {
      depth += next === '[' || next === '{' ? 1 : -1
      value += next
      scan.at++
    } else if (/\s/.test(next)) scan.at++
    else return null
  }
  return depth === 0 ? value : null
}

function take(scan: Scan, pattern: RegExp): string | null {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.text)?.[0]
  if (found === undefined) return null
  scan.at += found.length
  return found
}

/** For offsets that only grow. */
function createLineCounter(text: string): (offset: number) => number {
  let [line, next] = [1, text.indexOf('\n')]
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}
