// The lease on a job: renewed while it is held, and known to be lost no later than it is, by the monotonic clock of this machine.

/** `whose` is asked when it could not be renewed: why that may be. */
export type LeaseJob = { extendLock(token: string, milliseconds: number): Promise<number>; whose(): Promise<string> }

export type Lease = { readonly lost: AbortSignal; release(): void }

export type LeaseOptions = { token: string; milliseconds: number; onBeat?: () => Promise<void> }

const BEATS = 5

/** `onBeat` is done after each renewal; what goes wrong with it is its own affair. */
export function holdLease(job: LeaseJob, { token, milliseconds, onBeat }: LeaseOptions): Lease {
  const lost = new AbortController()
  let heldUntil = performance.now() + milliseconds
  let isRenewing = false
  const lose = (why: string): void => {
    clearInterval(timer)
    if (!lost.signal.aborted) lost.abort(new Error(why))
  }
  const renew = async (): Promise<void> => {
    isRenewing = true
    const asked = performance.now()
    try {
      const renewed = await job.extendLock(token, milliseconds)
      // From when it was asked for: the server counts from a later moment.
      if (renewed) heldUntil = asked + milliseconds
      else lose(await job.whose())
      await onBeat?.()
    } catch {
      // The server may be back before the lease runs out.
    } finally {
      isRenewing = false
    }
  }
  const timer = setInterval(() => {
    if (performance.now() > heldUntil) return lose('the lease ran out before it could be renewed')
    if (!isRenewing) void renew()
  }, milliseconds / BEATS)
  return { lost: lost.signal, release: () => clearInterval(timer) }
}
