// The details that follow a line of TAP: of the YAML only the plain entries that are needed are read.

import { detached } from './names.js'

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

export function createYamlBlock(indent: number): YamlBlock {
  const details: YamlDetails = { seconds: null }
  const end = `${' '.repeat(indent)}...`
  let key: TextKey | null = null
  let block: string[] = []
  let chars = 0
  const close = (): void => {
    if (key !== null) details[key] ??= block.join('\n')
    key = null
    block = []
    chars = 0
  }
  return {
    details,
    take(line) {
      if (line.startsWith(end) && line.trimEnd() === end) {
        close()
        return 'done'
      }
      const isInside = line.charCodeAt(indent) === 0x20 || line.length <= indent
      if (isInside) {
        if (key !== null && chars < LONGEST_TEXT_CHARS) block.push(line.slice(indent + 2))
        chars += line.length
        return 'more'
      }
      close()
      key = takeEntry(details, line.slice(indent))
      return 'more'
    },
  }
}

/** Returns the name of a text that stands on the following lines. */
function takeEntry(details: YamlDetails, line: string): TextKey | null {
  const colon = line.indexOf(':')
  const key = KEYS.get(line.slice(0, colon))
  if (colon < 0 || key === undefined) return null
  const value = line.slice(colon + 1).trim()
  if (key === 'duration_ms') {
    const milliseconds = Number(value)
    details.seconds = Number.isFinite(milliseconds) ? milliseconds / 1000 : null
    return null
  }
  if (isBlockMark(value)) return key
  if (value !== '' && value !== '~') details[key] ??= detached(unquoted(value))
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
