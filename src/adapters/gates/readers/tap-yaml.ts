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

/** `take` says whether the block goes on after this line. */
export type YamlBlock = { take(line: string): 'more' | 'done'; details: YamlDetails }

type TextKey = Exclude<keyof YamlDetails, 'seconds'>

/** Names that writers give to the same thing. */
const KEYS: ReadonlyMap<string, TextKey | 'duration_ms'> = new Map([
  ['duration_ms', 'duration_ms'], ['type', 'type'], ['file', 'file'], ['location', 'location'], ['at', 'location'],
  ['failureType', 'failureType'], ['error', 'error'], ['message', 'error'], ['name', 'name'], ['code', 'code'], ['stack', 'stack'],
  ['cause', 'cause'], ['exitCode', 'exitCode'], ['signal', 'signal'],
])
const LONGEST_TEXT_CHARS = 64 * 1024
const [SPACE, FULL_STOP] = [0x20, 0x2e]

export function createYamlBlock(indent: number): YamlBlock {
  const details: YamlDetails = { seconds: null }
  const end = `${' '.repeat(indent)}...`
  let key: TextKey | null = null
  let block: string[] = []
  let chars = 0
  const close = (): void => {
    if (key === null) return
    details[key] ??= block.join('\n')
    key = null
    block = []
    chars = 0
  }
  return {
    details,
    take(line) {
      const first = line.charCodeAt(indent)
      if (first === FULL_STOP && line.startsWith(end) && line.trimEnd() === end) {
        close()
        return 'done'
      }
      if (first === SPACE || line.length <= indent) {
        if (key !== null && chars < LONGEST_TEXT_CHARS) block.push(line.slice(indent + 2))
        chars += line.length
        return 'more'
      }
      close()
      key = takeEntry(details, line, indent)
      return 'more'
    },
  }
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
