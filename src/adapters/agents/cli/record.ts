// One line of an agent's output as a record: nothing in it is taken for granted, and what is missing is empty.
import { tokensIn, usdIn } from '../usage.js'
import { isObject, type JsonObject } from '../../../text/reply/json.js'
import type { Told } from './types.js'

/** Null for a banner, a log line, or a record that is broken. */
export function recordIn(line: string): JsonObject | null {
  const text = line.trimStart()
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function objectAt(record: JsonObject, key: string): JsonObject {
  const value = record[key]
  return isObject(value) ? value : {}
}

export function objectsAt(record: JsonObject, key: string): JsonObject[] {
  const value = record[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textAt(record: JsonObject, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

/** Counts below zero would give tokens back. */
export function countAt(record: JsonObject, key: string): number {
  return tokensIn(record[key])
}

/** What costs nothing although it used something is a price that nobody knows. */
export function priceAt(record: JsonObject, key: string): number | null {
  return usdIn(record[key]) || null
}

// ───────────────────────────── what an agent is at ─────────────────────────────

/** Which argument of a tool says most, whatever the tool is called. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path', 'absolute_path', 'pattern', 'query', 'url', 'description']

export function doing(tool: string, input: JsonObject): Told {
  const told = TELLING.map((key) => textAt(input, key)).find((value) => value !== '')
  return { kind: 'doing', note: told === undefined ? tool : `${tool} ${told}` }
}

// ───────────────────────────── how it went ─────────────────────────────

/** The agent itself works and its model does not serve it: login, limit, or a fault of the server. */
function isUnserved(status: number): boolean {
  return [401, 402, 403, 408, 429].includes(status) || status >= 500
}

/** Nobody is let in by asking again. */
export function isLogin(status: number): boolean {
  return status === 401 || status === 403
}

/**
 * A failure by the agent's own word. The status code of its model, told beside the words or in them, says whose fault it is; where
 * there is none, whoever reads the words may still find out.
 */
export function failure(complaint: string, told = 0, until?: number): Told {
  const { message, status } = errorIn(complaint)
  const known = told || status
  if (!isUnserved(known)) return { kind: 'ended', how: 'failed', note: message }
  const more = { ...(until !== undefined && { until }), ...(isLogin(known) && { isLogin: true as const }) }
  return { kind: 'ended', how: 'unavailable', note: `${message} (status ${known})`, ...more }
}

/** `[API Error: {"error":{"code":401,"message":"…"}}]` → the message and the code; anything else as it is. */
function errorIn(text: string): { message: string; status: number } {
  const json = recordIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const error = json && { ...json, ...objectAt(json, 'error') }
  if (error && textAt(error, 'message') !== '') return { message: textAt(error, 'message'), status: countAt(error, 'code') }
  return { message: text.trim().replace(/^\[(API Error: [^]*)\]$/, '$1'), status: 0 }
}
