// What an agent asked of us during an ask and what it was answered, as a file beside its own records.
import { appendFileSync, rmSync } from 'node:fs'
import type { Redact } from '../../../text/redact.js'
import { sanitise } from '../../../text/sanitise.js'

/** `what` names the file, the command or the tool. */
export type Asked = { method: string; what: string; answer: 'allowed' | 'refused' | 'done' | 'unknown'; why?: string }

export type AnswerLog = {
  add(asked: Asked): void
  /** The file, when there is anything in it. */
  files(): string[]
  /** What was refused, in short lines for people. */
  refused(): readonly string[]
}

const MOST_LINES = 10_000
const MOST_CHARS = 500
const MOST_REFUSED = 100

export function openAnswerLog(path: string, redact: Redact): AnswerLog {
  // What an earlier attempt left would pass for the answers of this one.
  rmSync(path, { force: true })
  const refused: string[] = []
  const short = (text: string): string => sanitise(redact(text)).replace(/\s+/g, ' ').trim().slice(0, MOST_CHARS)
  let lines = 0
  let isBroken = false
  return {
    add(asked) {
      if (asked.answer === 'refused' && refused.length < MOST_REFUSED) refused.push(`${short(asked.what)}: ${short(asked.why ?? '')}`)
      lines += 1
      if (lines > MOST_LINES || isBroken) return
      const { method, what, answer, why } = asked
      const line = lines === MOST_LINES ? { more: 'left out' } : { method, what: short(what), answer, ...(why !== undefined && { why: short(why) }) }
      // A full disk must not end the ask: the answer itself has been given.
      try {
        appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      } catch {
        isBroken = true
      }
    },
    files: () => (lines > 0 && !isBroken ? [path] : []),
    refused: () => refused,
  }
}
