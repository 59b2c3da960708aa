// Attempts one after another, with the waits between them, until one of them decides or no more may be made.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AskRequest } from '../../../ports.js'
import type { Attempt } from './attempt.js'

/** Ends early, and without a word, when the signal is aborted. */
export type Wait = (seconds: number, signal: AbortSignal) => Promise<void>

/** What is waited before the second, third and fourth attempt, where the server says nothing else. */
const WAITS_SECONDS = [2, 8, 32]
/** A longer wait is handed to the session: another agent may answer meanwhile, and people are told. */
const LONGEST_WAIT_SECONDS = 120

/** `until`: when, by the wall clock in milliseconds, the server wants to be asked again. */
export type Last =
  | Exclude<Attempt, { kind: 'again' | 'closed' | 'unpaid' }>
  | { kind: 'unavailable'; note: string; until?: number; closed?: true }

export async function inTurn(once: (wallSeconds: number) => Promise<Attempt>, request: AskRequest, signal: AbortSignal, wait: Wait = slept): Promise<Last> {
  const began = performance.now()
  const attempts = WAITS_SECONDS.length + 1
  for (let n = 1; ; n++) {
    const left = request.limits.wallSeconds - (performance.now() - began) / 1000
    const made = await once(Math.max(left, 0.001))
    if (made.kind === 'closed') return { kind: 'unavailable', note: made.note, closed: true }
    if (made.kind === 'unpaid') return { kind: 'unavailable', note: made.note }
    // Whoever was still trying when our time was over has not been slow: it could not be served.
    if (made.kind === 'limit' && made.limit === 'timeout' && n > 1) return { kind: 'unavailable', note: `${made.note}, at attempt ${n} of ${attempts}` }
    if (made.kind !== 'again') return made
    const seconds = made.afterSeconds ?? WAITS_SECONDS[n - 1] ?? 0
    if (seconds > LONGEST_WAIT_SECONDS) return { kind: 'unavailable', note: made.note, until: Date.now() + seconds * 1000 }
    // Whoever asks for a short wait again and again gets no more of them: that would never end.
    if (n === attempts) return { kind: 'unavailable', note: `${made.note}; given up after ${attempts} attempts` }
    if (seconds >= request.limits.wallSeconds - (performance.now() - began) / 1000) {
      return { kind: 'unavailable', note: `${made.note}; no time is left for another attempt` }
    }
    request.onActivity({ kind: 'retry', note: `${made.note}; attempt ${n + 1} of ${attempts} in ${Math.ceil(seconds)} s` })
    await wait(seconds, signal)
    if (signal.aborted) return { kind: 'limit', limit: 'aborted', heard: null, note: 'stopped on request' }
  }
}

async function slept(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
}
