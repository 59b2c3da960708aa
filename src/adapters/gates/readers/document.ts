// A report that is one JSON document: gathered up to a limit, then read as a whole.
import type { TestRun } from '../../../text/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import type { Names } from './names.js'

const MOST_MEGABYTES = 64
export const LONGEST_DOCUMENT_BYTES = MOST_MEGABYTES * 1024 * 1024
export const TOO_LARGE = `report larger than ${MOST_MEGABYTES} MB`

export type JsonObject = { readonly [key: string]: unknown }

type Interpret = (document: JsonObject, names: Names, collector: Collector) => void

export function documentReader(names: Names, empty: 'is wrong' | 'is fine', interpret: Interpret): Reader {
  const pieces: string[] = []
  let chars = 0
  return {
    push(text) {
      chars += text.length
      if (chars <= LONGEST_DOCUMENT_BYTES) pieces.push(text)
      else pieces.length = 0
    },
    end(): TestRun {
      const collector = createCollector(names)
      const text = pieces.join('').replace(/^\uFEFF/, '')
      if (chars > LONGEST_DOCUMENT_BYTES) collector.doubt(TOO_LARGE)
      else if (text.trim() === '') collector.doubt('the report is empty')
      else {
        const document = parsed(text)
        if (document === null) collector.doubt('the report is no JSON document: it is cut off or something else')
        else interpret(document, names, collector)
      }
      return collector.finish(empty)
    },
  }
}

/** When something else was printed before the document, it begins with the first line that opens one. */
function parsed(text: string): JsonObject | null {
  const whole = jsonObject(text)
  if (whole !== null || text.startsWith('{')) return whole
  const from = text.search(/^\{(?:"|\s*$)/m)
  return from < 0 ? null : jsonObject(text.slice(from))
}

export function jsonObject(text: string): JsonObject | null {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return null
  }
}

export function objectIn(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn).filter((entry) => entry !== null) : []
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function secondsIn(milliseconds: unknown): number | null {
  const value = numberIn(milliseconds)
  return value === null ? null : value / 1000
}
