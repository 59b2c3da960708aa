// Reads one line of a stack as the languages print it.

export type Frame = {
  /** The function; empty when it has no name. */
  name: string
  file: string
  line: number | null
}

/** Lines are cut before any pattern sees them, so that no pattern can take long. */
export const LONGEST_LINE_CHARS = 1000

const V8_NAMED = /^at (?:async )?(\S[^()]*(?:\([^()]*\)[^()]*)?) \((.+)\)$/
/** Without `at` only what can be a name stands before the place, else the end of a message would look like a frame. */
const TAP_NAMED = /^(?:async )?((?:new )?[\w$.<>#]+(?: \[as [\w$.]+\])?) \((\S+:\d+:\d+)\)$/
const JVM = /^at (?:[\w.@-]*\/)*([\w.$<>-]+)\(([\w$]+\.\w+:\d+)\)$/
const V8_BARE = /^(?:at )(?:async )?(\S+)$/
const TAP_BARE = /^(?:async )?((?:file:\/\/|node:|\/|\.{0,2}\w)\S*:\d+:\d+)$/
/** Where compilers and linters say of a message above it which file it is of. */
const ARROW = /^(?:-->|[,╭][-─]\[) ?([^\s\]]+:\d+:\d+)\]?$/
const VITEST = /^❯ (?:(\S[^:]*) )?(\S+:\d+:\d+)$/
const POSITION = /^(.+?):(\d+)(?::\d+)?$/

/** V8, vitest and the JVM: `at name (file:line:column)`, with or without `at`, with or without a name. */
export function frameAt(line: string): Frame | null {
  const vitest = line.startsWith('❯') ? VITEST.exec(line) : null
  if (vitest) return placed(vitest[1] ?? '', vitest[2] ?? '')
  const named = line.endsWith(')') ? (V8_NAMED.exec(line) ?? JVM.exec(line) ?? TAP_NAMED.exec(line)) : null
  if (named) return placed(named[1] ?? '', named[2] ?? '')
  const bare = V8_BARE.exec(line) ?? TAP_BARE.exec(line) ?? ARROW.exec(line)
  return bare ? placed('', bare[1] ?? '') : null
}

function placed(name: string, place: string): Frame | null {
  const found = POSITION.exec(place)
  if (!found) return null
  return { name: plainName(name), file: plainFile(found[1] ?? ''), line: Number(found[2]) }
}

/** The receiver that a module makes up is no part of a function's name, and `<anonymous>` is none at all. */
function plainName(name: string): string {
  if (name.includes('<anonymous>') || name.startsWith('eval at ')) return ''
  const plain = name.replace(/^(?:async |new )/, '').replace(/ \[as .*$/, '')
  return plain.replace(/^(?:Object|Module|Function|exports|global|globalThis)\./, '').replace(/\$\d+/g, '')
}

export function plainFile(file: string): string {
  const path = file.startsWith('file://') ? file.slice(7) : file
  return path.replace(/^\.\//, '').replace(/\?.*$/, '')
}

/** `File "shop.py", line 3, in f`, and pytest's `shop.py:3: in f`. */
export function pythonFrame(line: string): Frame | null {
  if (line.startsWith('File "')) {
    const native = /^File "([^"]+)", line (\d+)(?:, in (.+))?$/.exec(line)
    return native && { file: plainFile(native[1] ?? ''), line: Number(native[2]), name: pythonName(native[3] ?? '') }
  }
  if (!line.includes(': in ')) return null
  const short = /^([^\s:][^:]*\.pyx?):(\d+): in (\S+)$/.exec(line)
  return short && { file: plainFile(short[1] ?? ''), line: Number(short[2]), name: pythonName(short[3] ?? '') }
}

function pythonName(name: string): string {
  return name.startsWith('<') ? '' : name
}

/** The end of an entry of pytest's long form, whose function stands in the source above it: `shop.py:3: ValueError`. */
export function pytestEntry(line: string): { file: string; line: number } | null {
  if (!line.includes('.py')) return null
  const found = /^([^\s:][^:]*\.pyx?):(\d+):(?: [\w.]*)?$/.exec(line)
  return found && { file: plainFile(found[1] ?? ''), line: Number(found[2]) }
}

/** The two lines of a Go frame: the call, and below it the file. */
export function goFrame(call: string, below: string): Frame | null {
  const place = /^(\S.*\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?$/.exec(below)
  const name = call.slice(0, call.lastIndexOf('('))
  return place && /^[^\s(]\S*$/.test(name) ? { name, file: plainFile(place[1] ?? ''), line: Number(place[2]) } : null
}

/** The two lines of a Rust frame: number and function, and below them the file. */
export function rustFrame(numbered: string, below: string): Frame | null {
  const name = /^\d+: (?:0x[0-9a-f]+ - )?(\S.*)$/.exec(numbered)
  const place = /^at (.+?):(\d+)(?::\d+)?$/.exec(below)
  if (!name || !place) return null
  const plain = (name[1] ?? '').replace(/::h[0-9a-f]{16}$/, '').replace(/(?:::\{\{closure\}\})+$/, '')
  return { name: plain, file: plainFile(place[1] ?? ''), line: Number(place[2]) }
}
