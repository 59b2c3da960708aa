// What is kept of a request: all of it but what could be secret.
import type { IncomingHttpHeaders } from 'node:http'
import { parsedOr } from './json.js'
import type { RecordedRequest } from './types.js'

const SECRET_NAMES = /auth|key|token|secret|cookie|session/i
const MASK = '***'

export function newRecord(n: number, method: string, url: URL, headers: IncomingHttpHeaders, text: string): RecordedRequest {
  return {
    n,
    method,
    path: `${url.pathname}${maskedQuery(url)}`,
    headers: maskedHeaders(headers),
    body: parsedOr(text, text),
    kind: 'other',
    why: '',
    protocol: null,
    turn: null,
    fault: null,
    calls: [],
    status: 0,
    ending: 'open',
  }
}

function maskedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const known = Object.entries(headers).map(([name, value]) => [name, SECRET_NAMES.test(name) ? MASK : String(value)] as const)
  return Object.fromEntries(known)
}

function maskedQuery({ searchParams }: URL): string {
  const masked = Array.from(searchParams, ([name, value]) => `${name}=${SECRET_NAMES.test(name) ? MASK : value}`)
  return masked.length === 0 ? '' : `?${masked.join('&')}`
}
