// The details that follow a line of TAP: of the YAML only the plain entries that are needed are read.

export type YamlDetails = {
  seconds: number | null
  type?: string
  file?: string
  location?: string
  failureType?: string
  error?: string
  name?: string
  code?: string
  stack?: string
  cause?: string
  exitCode?: string
  signal?: string
}

/** Every test has one, so it holds no more than it needs. */
export type YamlBlock = {
  readonly details: YamlDetails
  readonly indent: number
  /** The text whose lines are coming. */
  key: TextKey | null
  lines: string[]
  chars: number
}

type TextKey = Exclude<keyof YamlDetails, 'seconds'>

/** Names that writers give to the same thing. */
const KEYS: ReadonlyMap<string, TextKey | 'duration_ms'> = new Map([
  ['duration_ms', 'duration_ms'], ['type', 'type'], ['file', 'file'], ['location', 'location'], ['at', 'location'],
  ['failureType', 'failureType'], ['error', 'error'], ['message', 'error'], ['name', 'name'], ['code', 'code'], ['stack', 'stack'],
  ['cause', 'cause'], ['exitCode', 'exitCode'], ['signal', 'signal'],
])
const LONGEST_TEXT_CHARS = 64 * 1024
const [SPACE, FULL_STOP] = [0x20, 0x2e]

const NO_LINES: string[] = []

export function createYamlBlock(indent: number): YamlBlock {
  return { details: { seconds: null }, indent, key: null, lines: NO_LINES, chars: 0 }
}

/** Says whether the block goes on after this line. */
export function takeYamlLine(block: YamlBlock, line: string): 'more' | 'done' {
  const { indent } = block
  const first = line.charCodeAt(indent)
  if (first === FULL_STOP && isEnd(line, indent)) {
    closeText(block)
    return 'done'
  }
  if (first === SPACE || line.length <= indent) {
    if (block.key !== null && block.chars < LONGEST_TEXT_CHARS) block.lines.push(line.slice(indent + 2))
    block.chars += line.length
    return 'more'
  }
  closeText(block)
  block.key = takeEntry(block.details, line, indent)
  if (block.key !== null) {
    block.lines = []
    block.chars = 0
  }
  return 'more'
}

/** Three full stops below the dashes that began it. */
function isEnd(line: string, indent: number): boolean {
  return line.startsWith('...', indent) && /^ *\.{3}\s*$/.test(line)
}

function closeText(block: YamlBlock): void {
  if (block.key === null) return
  block.details[block.key] ??= block.lines.join('\n')
  block.key = null
  block.chars = 0
}

/** Returns the name of a text that stands on the following lines. */
function takeEntry(details: YamlDetails, line: string, indent: number): TextKey | null {
  const colon = line.indexOf(':', indent)
  const key = colon < 0 ? undefined : KEYS.get(line.slice(indent, colon))
  if (key === undefined) return null
  const value = line.slice(colon + 1).trim()
  if (key === 'duration_ms') {
    const milliseconds = Number(value)
    details.seconds = Number.isFinite(milliseconds) ? milliseconds / 1000 : null
    return null
  }
  if (isBlockMark(value)) return key
  if (value !== '' && value !== '~') details[key] ??= unquoted(value)
  return null
}

/** What follows stands on lines of its own. */
function isBlockMark(value: string): boolean {
  const first = value.charCodeAt(0)
  return (first === 0x7c || first === 0x3e) && /^[|>][+-]?\d*$/.test(value)
}

function unquoted(value: string): string {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) {
    const inside = value.slice(1, -1)
    return inside.includes("''") ? inside.replaceAll("''", "'") : inside
  }
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}
