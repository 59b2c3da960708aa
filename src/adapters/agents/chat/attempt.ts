// One attempt to have a model answer: the request, its limits, and what the answer comes to. Half an answer is none.
import type { IncomingMessage } from 'node:http'
import { watchLimits } from '../../../process/limits.js'
import type { Limit } from '../../../process/types.js'
import { faultIn } from '../../../text/agent-faults/agent-faults.js'
import { LONGEST_SECONDS } from '../../../text/agent-faults/times.js'
import { isObject } from '../../../text/reply/json.js'
import { errorIn, formOf, listenTo, type Heard, type ServerError } from './listen.js'
import { readBody, send, type Sending } from './wire.js'

/**
 * `again`: it may go well another time, after so many seconds where the server says so. `closed`: it will not, before somebody does
 * something about it. `unpaid`: no budget is left for it. `cut`: the model had more to say than it may.
 */
export type Attempt = { heard: Heard | null; note: string } & (
  | { kind: 'answered' }
  | { kind: 'failed' }
  | { kind: 'closed' }
  | { kind: 'unpaid' }
  | { kind: 'cut' }
  | { kind: 'again'; afterSeconds: number | null }
  | { kind: 'limit'; limit: 'timeout' | 'aborted' }
)

export type Call = Omit<Sending, 'signal'> & {
  limits: { wallSeconds: number; silenceSeconds: number; outputBytes: number }
  /** Whether there is no budget for more than was heard. */
  isEnough: (heard: Heard) => boolean
  onStatus: (line: string) => void
  /** Told of each piece, with all that was heard so far. */
  onText: (text: string, bytes: number, heard: Heard | null) => void
}

/** Whoever is told of such a status may come again. */
const COME_AGAIN = new Set([408, 425, 429])
const CLOSED = new Set([401, 402, 403, 404, 405])
/** A certificate does not get better by trying again, and who does not speak HTTP will not learn it. */
const HOPELESS = /^(?:CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_|ERR_INVALID|EPROTO)/

export async function attempt(call: Call, signal: AbortSignal): Promise<Attempt> {
  const ended = new AbortController()
  const now = performance.now()
  const watched = { request: { limits: call.limits, signal }, startedAt: now, lastOutputAt: now }
  let limit: Limit | null = null
  const unwatch = watchLimits(watched, (reached) => {
    limit = reached
    ended.abort()
  })
  const state: { heard: Heard | null } = { heard: null }
  try {
    const onText: Call['onText'] = (text, bytes, heard) => {
      watched.lastOutputAt = performance.now()
      state.heard = heard
      call.onText(text, bytes, heard)
    }
    return await exchange({ ...call, onText }, ended.signal)
  } catch (error) {
    return brokenOff(error, limit, state.heard, call)
  } finally {
    unwatch()
    ended.abort()
  }
}

function brokenOff(error: unknown, limit: Limit | null, heard: Heard | null, { limits, url }: Call): Attempt {
  if (limit === 'silence') return { kind: 'again', afterSeconds: null, heard, note: `nothing came for ${limits.silenceSeconds} s` }
  if (limit !== null) return { kind: 'limit', limit, heard, note: limit === 'timeout' ? 'ended by the wall-clock limit' : 'stopped on request' }
  // The model had said its last word: what was lost is nothing of the answer.
  if (heard !== null && heard.finish !== null) return verdictOn(heard)
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const what = heard === null ? `cannot reach ${url.host}` : `the connection to ${url.host} broke off`
  const note = `${what} (${code || String((error as Error).message)})`
  return HOPELESS.test(code) ? { kind: 'closed', heard, note } : { kind: 'again', afterSeconds: null, heard, note }
}

async function exchange(call: Call, signal: AbortSignal): Promise<Attempt> {
  const reached = await send({ ...call, signal })
  if (reached.kind === 'elsewhere') {
    return { kind: 'closed', heard: null, note: `${call.url.host} sends its callers on to ${reached.where}, which is not followed` }
  }
  const { response } = reached
  const { statusCode = 0, headers } = response
  call.onStatus(`HTTP ${statusCode} ${headers['content-type'] ?? ''}`.trim())
  if (statusCode < 200 || statusCode > 299) return refusedBy(response, call)
  const form = formOf(headers['content-type'])
  if (form === null) {
    response.destroy()
    return { kind: 'closed', heard: null, note: `${call.url.host} answers with ${headers['content-type'] ?? 'something unnamed'}, which is no model's answer` }
  }
  const listener = listenTo(form, call.isEnough)
  const isWhole = await readBody(response, call.limits.outputBytes, (text, bytes) => {
    listener.push(text)
    call.onText(text, bytes, listener.heard)
    return listener.isOver() ? 'enough' : undefined
  })
  if (!isWhole) return { kind: 'failed', heard: listener.heard, note: `the answer is longer than ${call.limits.outputBytes} bytes` }
  listener.end()
  if (listener.heard.finish === null && call.isEnough(listener.heard)) return { kind: 'failed', heard: listener.heard, note: 'ended at the budget' }
  return verdictOn(listener.heard)
}

// ───────────────────────────── what came ─────────────────────────────

function verdictOn(heard: Heard): Attempt {
  if (heard.error) return serverError(heard.error, heard)
  if (heard.broken !== null) return { kind: 'failed', heard, note: heard.broken }
  if (heard.refusal !== '') return { kind: 'failed', heard, note: `the model refuses: ${heard.refusal}` }
  switch (heard.finish) {
    case null:
      return { kind: 'again', afterSeconds: null, heard, note: 'the answer ended before it was whole' }
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return { kind: 'cut', heard, note: 'the answer broke off at the most tokens it may have' }
    case 'content_filter':
      return { kind: 'failed', heard, note: 'the answer was cut off by a content filter' }
  }
  if (heard.callsTool) return { kind: 'failed', heard, note: 'the model called a tool, and none was offered' }
  // Only these mean that the model itself had no more to say.
  if (!/^(?:stop|eos|eos_token|end_turn|stop_sequence)$/.test(heard.finish)) return { kind: 'again', afterSeconds: null, heard, note: `the answer ended with "${heard.finish.slice(0, 40)}" and need not be whole` }
  return heard.text.trim() === '' ? { kind: 'failed', heard, note: 'the answer is empty' } : { kind: 'answered', heard, note: '' }
}

function serverError({ message, code }: ServerError, heard: Heard): Attempt {
  const fault = faultIn(message, Date.now())
  const note = `the server says: ${message}`
  if (isUsedUp(code) || fault?.kind === 'login') return { kind: 'closed', heard, note }
  return /invalid_request/.test(code) ? { kind: 'failed', heard, note } : { kind: 'again', afterSeconds: secondsUntil(fault?.until), heard, note }
}

// ───────────────────────────── what was refused ─────────────────────────────

const MOST_ERROR_BYTES = 64 * 1024

async function refusedBy(response: IncomingMessage, call: Call): Promise<Attempt> {
  const { statusCode: status = 0, headers } = response
  let body = ''
  await readBody(response, MOST_ERROR_BYTES, (text, bytes) => {
    body += text
    call.onText(text, bytes, null)
  }).catch(() => false)
  const { message, code } = errorOf(body)
  const note = `HTTP ${status}${message === '' ? '' : `: ${message}`}`
  const base = { heard: null, note }
  if (CLOSED.has(status) || isUsedUp(code)) return { ...base, kind: 'closed' }
  if (!COME_AGAIN.has(status) && status < 500) return { ...base, kind: 'failed' }
  return { ...base, kind: 'again', afterSeconds: retryAfter(headers['retry-after']) ?? secondsUntil(faultIn(note, Date.now())?.until) }
}

function errorOf(body: string): ServerError {
  try {
    const value: unknown = JSON.parse(body)
    return (isObject(value) && errorIn(value)) || { message: isObject(value) && typeof value['message'] === 'string' ? value['message'] : '', code: '' }
  } catch {
    // A page of a proxy has its matter in the title.
    return { message: (/<title>([^<]*)/i.exec(body)?.[1] ?? body).trim(), code: '' }
  }
}

/** Asking again does not fill an account. */
function isUsedUp(code: string): boolean {
  return /insufficient_quota|billing/i.test(code)
}

/** As seconds, or as a date; what is too far away to be meant says nothing. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  const seconds = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : secondsUntil(Date.parse(header))
  return seconds !== null && seconds <= LONGEST_SECONDS ? seconds : null
}

function secondsUntil(at: number | undefined): number | null {
  return at === undefined || Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000)
}
