// Finds JSON objects in an answer: bare, in fences, or in the middle of prose.
import { piecesOutside, type Taken } from './reasoning.js'

export type JsonObject = Record<string, unknown>

/** The last object that fits; where none does, `trouble` says what is there instead. */
export type Found = { value: JsonObject; trouble: '' } | { value: null; trouble: string }

/** An object begins with a name or is empty: other braces are code. */
const OPENER = /\{\s*["}]/g
/** How often each character may be looked at on the average: enough for deep nesting, and little on junk. */
const LOOKS_PER_CHAR = 32
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]
const NO_OBJECT = 'it holds no JSON object'

export type Span = { start: number; end: number }

/** An object that fits, where it stands, and the outermost object that it stands in, whole or broken. */
export type Placed = Span & { value: JsonObject; within: Span | null }

type Search = { text: string; fits: (value: JsonObject) => boolean; looksLeft: number; trouble: string; outer: Span | null }

export function lastObject(text: string, fits: Search['fits']): Found {
  const { objects, trouble } = search(text, fits)
  const last = objects.at(-1)
  return last ? { value: last.value, trouble: '' } : { value: null, trouble }
}

/** All that fit, in their order. */
export function objectsIn(text: string, fits: Search['fits']): Placed[] {
  return search(text, fits).objects
}

/** What does not fit may hold what does, so the search goes on inside. One that is given up halfway has found nothing: the last word may be missing. */
function search(text: string, fits: Search['fits']): { objects: Placed[]; trouble: string } {
  const state: Search = { text, fits, looksLeft: LOOKS_PER_CHAR * (text.length + 1000), trouble: NO_OBJECT, outer: null }
  const found = piecesOutside(text, OPENER, (open) => objectAt(open.index, state))
  return { objects: state.looksLeft > 0 ? found : [], trouble: state.trouble }
}

function objectAt(start: number, state: Search): Taken<Placed> | null {
  const { text, fits, outer } = state
  if (state.looksLeft <= 0) return null
  const closed = endOfObject(text, start)
  const end = closed < 0 ? text.length : closed
  state.looksLeft -= end - start
  const within = outer !== null && start < outer.end ? outer : null
  const failed = (trouble: string): null => {
    // The outermost object says most: what is inside one that was found wanting is not heard.
    if (state.trouble === NO_OBJECT) state.trouble = trouble
    state.outer = within ?? { start, end }
    return null
  }
  if (closed < 0) return failed('its JSON breaks off before the end')
  const json = text.slice(start, end)
  const value = parsed(json, (same) => same) ?? parsed(json, mended)
  if (!isObject(value)) return failed('its JSON cannot be read')
  return fits(value) ? { value: { value, start, end, within }, end } : failed('its JSON is another object')
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
