// Watches how long a process runs, how long it is silent, and whether we were asked to stop it, with one timer.
import type { Limit, ProcessRequest } from './types.js'

const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1

type Watched = { readonly request: Pick<ProcessRequest, 'limits' | 'signal'>; readonly startedAt: number; readonly lastOutputAt: number }

/** Calls back at most once; the returned function ends the watch. A limit of zero is none. */
export function watchLimits(watched: Watched, onLimit: (limit: Limit) => void): () => void {
  const { limits, signal } = watched.request
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const stop = (): void => {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  const reach = (limit: Limit): void => {
    if (isOver) return
    stop()
    onLimit(limit)
  }
  const onAbort = (): void => reach('aborted')
  const timeoutIn = (): number => orNever(limits.wallSeconds, watched.startedAt)
  const silenceIn = (): number => orNever(limits.silenceSeconds, watched.lastOutputAt)
  const arm = (): void => {
    const next = Math.min(timeoutIn(), silenceIn())
    if (!isOver && next !== Infinity) timer = setTimeout(check, Math.min(Math.max(next, 1), LONGEST_TIMER_MILLISECONDS))
  }
  const check = (): void => {
    if (timeoutIn() <= 0) return reach('timeout')
    if (silenceIn() > 0) return arm()
    // When we were held up ourselves, output may be waiting that has not been read yet.
    setImmediate(() => (silenceIn() <= 0 ? reach('silence') : arm()))
  }

  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  arm()
  return stop
}

/** Milliseconds from now until so many seconds after `since` have passed. */
function orNever(seconds: number, since: number): number {
  return seconds > 0 ? since + seconds * 1000 - performance.now() : Infinity
}
