// A report that is one JSON document, up to a limit.
import type { TestRun } from '../../../text/failures/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { createJsonEntries, type JsonObject, type Wanted } from './json-entries.js'
import type { Names } from './names.js'

const MOST_MEGABYTES = 64
export const LONGEST_DOCUMENT_BYTES = MOST_MEGABYTES * 1024 * 1024
export const TOO_LARGE = `report larger than ${MOST_MEGABYTES} MB`

export type { JsonObject } from './json-entries.js'

/** What a reader needs of the document, and what it makes of it. */
export type DocumentPlan = Wanted & {
  /** After all entries. */
  end(document: JsonObject): void
}

export function documentReader(names: Names, empty: 'is wrong' | 'is fine', planFor: (collector: Collector) => DocumentPlan): Reader {
  const collector = createCollector(names)
  const plan = planFor(collector)
  const entries = createJsonEntries(plan)
  let chars = 0
  let isBlank = true
  return {
    push(text) {
      chars += text.length
      isBlank &&= text.trim() === ''
      if (chars <= LONGEST_DOCUMENT_BYTES) entries.push(text)
    },
    end(): TestRun {
      if (chars > LONGEST_DOCUMENT_BYTES) return unread(names, empty, TOO_LARGE)
      if (isBlank) return unread(names, empty, 'the report is empty')
      const document = entries.end()
      if (document === null) collector.doubt('the report is no JSON document: it is cut off or something else')
      else plan.end(document)
      return collector.finish(empty)
    },
  }
}

function unread(names: Names, empty: 'is wrong' | 'is fine', note: string): TestRun {
  const collector = createCollector(names)
  collector.doubt(note)
  return collector.finish(empty)
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
