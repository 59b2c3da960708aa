// Finds JSON objects in an answer: bare, in fences, or in the middle of prose.
import { piecesOutside, type Taken } from './reply-reasoning.js'

export type JsonObject = Record<string, unknown>

/** The last object that fits; where none does, `trouble` says what is there instead. */
export type Found = { value: JsonObject; trouble: '' } | { value: null; trouble: string }

/** An object begins with a name or is empty: other braces are code. */
const OPENER = /\{\s*["}]/g
/** How often each character may be looked at on the average: enough for deep nesting, and little on junk. */
const LOOKS_PER_CHAR = 32
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]
const NO_OBJECT = 'it holds no JSON object'

type Search = { looksLeft: number; trouble: string }

/** What does not fit may hold what does, so the search goes on inside. */
export function lastObject(text: string, fits: (value: JsonObject) => boolean): Found {
  const search: Search = { looksLeft: LOOKS_PER_CHAR * (text.length + 1000), trouble: NO_OBJECT }
  const found = piecesOutside(text, OPENER, (open) => objectAt(text, open.index, fits, search))
  const value = found.at(-1)
  return value ? { value, trouble: '' } : { value: null, trouble: search.trouble }
}

function objectAt(text: string, open: number, fits: (value: JsonObject) => boolean, search: Search): Taken<JsonObject> | null {
  if (search.looksLeft <= 0) return null
  const end = endOfObject(text, open)
  search.looksLeft -= (end < 0 ? text.length : end) - open
  if (end < 0) return failed(search, 'its JSON breaks off before the end')
  const json = text.slice(open, end)
  const value = parsed(json, (same) => same) ?? parsed(json, mended)
  if (!isObject(value)) return failed(search, 'its JSON cannot be read')
  return fits(value) ? { value, end } : failed(search, 'its JSON is another object')
}

/** The outermost object says most: what is inside one that was found wanting is not heard. */
function failed(search: Search, trouble: string): null {
  if (search.trouble === NO_OBJECT) search.trouble = trouble
  return null
}

/** Where the object that opens here closes, braces within strings not counted; -1 when it never does. */
function endOfObject(text: string, open: number): number {
  let depth = 0
  let inString = false
  for (let at = open; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) inString = !inString
    else if (!inString && code === OPEN) depth += 1
    else if (!inString && code === CLOSE && (depth -= 1) === 0) return at + 1
  }
  return -1
}

/** Two slips that models make: a line break inside a string, and a comma after the last entry. */
function mended(json: string): string {
  return json.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g, (piece) => (piece === ',' ? '' : piece.replace(/[\n\r\t]/g, escaped)))
}

function escaped(sign: string): string {
  return sign === '\n' ? '\\n' : sign === '\r' ? '\\r' : '\\t'
}

function parsed(json: string, mend: (json: string) => string): unknown {
  try {
    return JSON.parse(mend(json))
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
