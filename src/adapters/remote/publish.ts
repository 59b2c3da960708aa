// Publishes the state of a session on its remote by compare-and-swap: whoever meets another's commit has lost the session.
import { isFinal, pushTo, remoteTip, type RemoteRef } from '../../git/remote.js'
import { GitError } from '../../git/git.js'
import { repositoryOf } from './outbox.js'
import { writeState, type From, type Known } from './state.js'

/**
 * `fenced`: the ref stands on a commit that is not ours, so another worker goes on with the session. `gone`: somebody has deleted it.
 * `refused`: the remote says no. `unreachable`: it did not answer for as long as we are patient. `given up`: the signal.
 */
export type Published = { kind: 'published'; known: Known & { commit: string } } | { kind: 'fenced' | 'gone' | 'refused' | 'unreachable' | 'given up'; why: string }

/** `announce` is told which commit comes, before the remote is. */
export type Patience = { seconds: number; signal: AbortSignal; onTrouble: (why: string) => void; announce: (commit: string) => Promise<void> }

const FIRST_WAIT_MILLISECONDS = 250
const LONGEST_WAIT_MILLISECONDS = 5000

export async function publish(to: RemoteRef, from: From, before: Known, message: string, patience: Patience): Promise<Published> {
  const known = await writeState(from, before, message)
  await patience.announce(known.commit)
  const repository = repositoryOf(from.outbox)
  const until = performance.now() + patience.seconds * 1000
  for (let wait = FIRST_WAIT_MILLISECONDS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLISECONDS)) {
    if (patience.signal.aborted) return { kind: 'given up', why: 'stopped on request' }
    const failure = await attempt(() => pushTo(repository, to.url, [{ ref: to.ref, from: before.commit, to: known.commit }], { signal: patience.signal }))
    if (failure === null) return { kind: 'published', known }
    if (patience.signal.aborted) continue
    const stands = await standing(from, to, patience.signal)
    // The answer may have been lost after the push was taken.
    if (stands === known.commit) return { kind: 'published', known }
    if (stands === null && before.commit !== null) return { kind: 'gone', why: `${to.ref} was deleted on the remote` }
    if (stands !== 'unknown' && stands !== before.commit) return { kind: 'fenced', why: `${to.ref} was moved by another worker` }
    if (isFinal(failure)) return { kind: 'refused', why: whyOf(failure) }
    if (performance.now() > until) return { kind: 'unreachable', why: whyOf(failure) }
    patience.onTrouble(whyOf(failure))
    await pause(wait, patience.signal)
  }
}

async function standing({ outbox }: From, to: RemoteRef, signal: AbortSignal): Promise<string | null | 'unknown'> {
  try {
    return await remoteTip(repositoryOf(outbox), to, { signal })
  } catch {
    return 'unknown'
  }
}

async function attempt(push: () => Promise<void>): Promise<Error | null> {
  try {
    await push()
    return null
  } catch (error) {
    if (error instanceof GitError) return error
    throw error
  }
}

/** What the remote said is told by the lines that it marks as its own, or by git's last. */
function whyOf(error: Error): string {
  if (!(error instanceof GitError)) return error.message
  const lines = error.stderr.split('\n').filter((line) => /^(remote: |fatal: | ! )/.test(line))
  return (lines.slice(0, 2).join('; ') || error.explanation).replaceAll(/\s+/g, ' ').trim()
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
