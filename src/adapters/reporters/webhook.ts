// Posts JSON to an address that the settings name: within a time, a few times at most, and never elsewhere than they say.
import { setTimeout as sleep } from 'node:timers/promises'

export type Webhook = {
  address: string
  /** The wait before each further attempt. */
  waitSeconds?: readonly number[]
  timeoutSeconds?: number
}

const WAIT_SECONDS = [1, 4]
const TIMEOUT_SECONDS = 5

/** Null when it was taken, else one line that holds nothing of the address but its host: the rest is often a key. */
export async function post({ address, waitSeconds = WAIT_SECONDS, timeoutSeconds = TIMEOUT_SECONDS }: Webhook, body: string, signal: AbortSignal): Promise<string | null> {
  const { host } = new URL(address)
  let fault = ''
  for (const wait of [0, ...waitSeconds]) {
    if (wait > 0) await sleep(wait * 1000, undefined, { signal }).catch(() => {})
    if (signal.aborted) return fault || `${host} was not told, since there was no time left`
    const answer = await attempt(address, body, AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]))
    if (answer === 'taken') return null
    fault = `${host} ${answer.why}`
    if (answer.isFinal) return fault
  }
  return fault
}

type Answer = 'taken' | { why: string; isFinal: boolean }

/** An address that leads on is not followed: it may lead where the settings would not let it. */
async function attempt(address: string, body: string, signal: AbortSignal): Promise<Answer> {
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'greenlatch' }
    const { status, body: rest } = await fetch(address, { method: 'POST', body, headers, signal, redirect: 'manual' })
    await rest?.cancel().catch(() => {})
    if (status >= 200 && status < 300) return 'taken'
    return { why: `answered ${status}`, isFinal: status < 500 && status !== 429 && status !== 408 }
  } catch (error) {
    return { why: reasonOf(error), isFinal: false }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'did not answer in time'
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return `cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
}
