// One line of the journal: how a record becomes text, and how text is proved to be that record.
import { createHash } from 'node:crypto'
import type { JournalRecord } from '../../ports.js'
import { redact } from '../../process/secrets.js'

/** The version of the journal's form. A session opened by a newer one is refused. */
export const FORMAT = 1

/** The first 32 hex digits of SHA-256. */
export function checksum(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 32)
}

/** `{"a":1}` → `{"a":1,"sum":"…"}` and a newline; the sum is that of the text before. */
export function seal(body: string, key: 'sum' | 'check'): { text: string; sum: string } {
  const sum = checksum(body)
  return { text: `${body.slice(0, -1)},"${key}":"${sum}"}\n`, sum }
}

/** The sum a sealed text (without its newline) carries, when it is the right one. */
export function sealOf(bytes: Buffer, key: 'sum' | 'check'): string | undefined {
  const length = key.length + 39
  const cut = bytes.length - length
  if (cut < 1) return undefined
  const tail = bytes.toString('latin1', cut)
  const sum = tail.slice(-34, -2)
  const intact = tail === `,"${key}":"${sum}"}` && checksum(bytes.subarray(0, cut), '}') === sum
  return intact ? sum : undefined
}

export function encode(record: Omit<JournalRecord, 'sum'>): { bytes: Buffer; sum: string } {
  const { seq, at, epoch, prev, events } = record
  // What whoever made the events did not see to: no secret is written down for good.
  const { text, sum } = seal(redact(JSON.stringify({ seq, at, epoch, prev, events })), 'sum')
  return { bytes: Buffer.from(text), sum }
}

export function decode(bytes: Buffer): JournalRecord {
  return JSON.parse(bytes.toString('utf8')) as JournalRecord
}

/** What a record must follow; `sum: null` when the record before is not known. */
export type Place = { seq: number; sum: string | null }

export type Head = { seq: number; epoch: number; sum: string }

const HEAD = /^\{"seq":(\d{1,15}),"at":\d{1,16},"epoch":(\d{1,15}),"prev":"([0-9a-f]*)","events":\[/

/** Proves a line without parsing its events, or says what is wrong with it. */
export function check(bytes: Buffer, after: Place): Head | { fault: string } {
  const sum = sealOf(bytes, 'sum')
  if (sum === undefined) return { fault: 'its checksum does not fit' }
  const head = HEAD.exec(bytes.toString('latin1', 0, 160))
  if (!head) return { fault: 'it is not a record' }
  const seq = Number(head[1])
  if (seq !== after.seq + 1) return { fault: `record ${seq} stands where record ${after.seq + 1} belongs` }
  if (after.sum !== null && head[3] !== after.sum) return { fault: 'it does not follow the record before it' }
  return { seq, epoch: Number(head[2]), sum }
}
