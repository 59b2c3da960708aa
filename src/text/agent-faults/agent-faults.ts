// Recognises, in what an agent or a model's server says, that it could not be served: limits, login, network, server.
import { resetTime } from './times.js'
import { DIRECT, KEYS, LEADS, LED, NOT_A_COMPLAINT, PROSE, STATUS_KINDS, WHOLE } from './words.js'

export type FaultKind = 'limit' | 'login' | 'network' | 'server'

/** `until`: when the limit is over, in milliseconds of the wall clock, where that is said. */
export type AgentFault = { kind: FaultKind; note: string; until?: number }

/** Complaints are short: of more than this only the beginning and the end are read. */
const MOST_CHARS = 64 * 1024
const LONGEST_LINE_CHARS = 4000
const LONGEST_NOTE_CHARS = 200
const MOST_LEADS = 8
const MOST_PAIRS = 60

/** A limit can be waited for and a login cannot: where several are named, the one that says most of what to do comes first. */
const RANKS: Record<FaultKind, number> = { limit: 4, login: 3, server: 2, network: 1 }

/**
 * Null when nothing of the kind is said. Only lines that read as complaints count: an answer may well be about status codes.
 * `now` is what "in five minutes" counts from; `zone` is whose clock "3pm" is read on, this machine's unless told.
 */
export function faultIn(text: string, now: number, zone?: string): AgentFault | null {
  const lines = linesOf(text)
  // The whole of a message may be a complaint without saying so: "429 Slow down.", "Connection error."
  const isAlone = lines.length === 1
  let worst: Found | null = null
  for (const line of lines) {
    const found = complaintIn(line) ?? (isAlone ? wholeComplaint(line) : null)
    if (found && (worst === null || RANKS[found.kind] >= RANKS[worst.kind])) worst = found
  }
  if (!worst) return null
  const { kind, note, line } = worst
  const until = kind === 'limit' || kind === 'server' ? (resetTime(line, now, zone) ?? resetTime(lines.join('\n'), now, zone)) : null
  return { kind, note: asNote(note), ...(until !== null && { until }) }
}

type Found = { kind: FaultKind; note: string; line: string }

function linesOf(text: string): string[] {
  const short = text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS / 2)}\n${text.slice(-MOST_CHARS / 2)}`
  // JSON inside JSON comes with its quotes and line ends escaped, once or more.
  const plain = short.replace(/(?<!\\)\\{1,8}(["'/])/g, '$1').replace(/(?<!\\)\\{1,8}[nr]/g, '\n')
  const unfenced = plain.replace(/^\s{0,8}```[^]*?(?:^\s{0,8}```|$(?![^]))/gm, '')
  return unfenced.trim().split(/[\r\n]+/).map((line) => line.slice(0, LONGEST_LINE_CHARS))
}

function complaintIn(line: string): Found | null {
  if (PROSE.test(line) || NOT_A_COMPLAINT.test(line)) return null
  const { rest, leads, status } = withoutLeads(line)
  const direct = kindBy(DIRECT, rest) ?? (leads === 0 ? null : (kindBy(LED, rest) ?? (status === null ? null : kindOfStatus(status))))
  const inside = leads > 0 || /^[\s[]*\{/.test(line) ? inJson(line) : null
  const kind = worse(direct, inside?.kind ?? null)
  return kind && { kind, note: inside?.note ?? (rest.length > 20 ? rest : line), line }
}

function wholeComplaint(line: string): Found | null {
  if (PROSE.test(line) || NOT_A_COMPLAINT.test(line)) return null
  const rest = line.trim()
  const kind = kindBy(LED, rest, { whole: WHOLE })
  return kind && { kind, note: rest, line }
}

function worse(a: FaultKind | null, b: FaultKind | null): FaultKind | null {
  if (a === null || b === null) return a ?? b
  return RANKS[a] >= RANKS[b] ? a : b
}

/** "2026-02-06T10:00:00Z ERROR Error: stream error: …" → what is complained of, and the status code that a lead carries. */
function withoutLeads(line: string): { rest: string; leads: number; status: string | null } {
  let rest = line
  let leads = 0
  let status: string | null = null
  for (let turn = 0; turn < MOST_LEADS; turn += 1) {
    const found = LEADS.map(({ says, counts }) => ({ match: says.exec(rest), counts })).find(({ match }) => match !== null && match[0] !== '')
    if (!found?.match) break
    rest = rest.slice(found.match[0].length)
    status ??= found.match.groups?.['status'] ?? null
    if (found.counts) leads += 1
  }
  return { rest, leads, status }
}

/** `whole`: what has to follow the words, where they have to stand for themselves. */
function kindBy(table: typeof DIRECT, text: string, { whole = /^/ } = {}): FaultKind | null {
  for (const [kind, says] of table) {
    const match = says.exec(text)
    if (!match) continue
    const status = match.groups?.['status']
    const known = status !== undefined ? kindOfStatus(status) : whole.test(text.slice(match[0].length)) ? kind : null
    if (known) return known
  }
  return null
}

function kindOfStatus(status: string): FaultKind | null {
  return STATUS_KINDS[status] ?? null
}

/** The error as JSON has it: what its type, code, status and message come to, and the message for people. */
function inJson(line: string): { kind: FaultKind; note: string | null } | null {
  let kind: FaultKind | null = null
  let note: string | null = null
  let pairs = 0
  for (const [, key = '', text, number] of line.matchAll(KEYS)) {
    if ((pairs += 1) > MOST_PAIRS) break
    const value = text ?? number ?? ''
    const said = kindBy(DIRECT, value) ?? kindBy(LED, value)
    kind = worse(kind, said)
    if (/^(?:error_?)?(?:message|msg|detail)$/i.test(key) && !value.startsWith('{')) note ??= value
  }
  return kind && { kind, note }
}

function asNote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_NOTE_CHARS ? `${line.slice(0, LONGEST_NOTE_CHARS - 1)}…` : line
}
