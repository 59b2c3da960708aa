// What people ask of a running session, by signal or by inbox, gathered for the loop to act on.
import type { Inbox, Message } from '../ports.js'

export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'stop'

/** What people ask of a running session, gathered for the loop. */
export type Control = {
  /** Aborted when the effect under way has to end at once. */
  readonly now: AbortSignal
  /** What ends the run; null while nothing does. */
  interruptedBy(): Interrupt | null
  /** Ends the effect under way and then the run. The first cause counts. */
  interrupt(by: Interrupt): void
  /** What has arrived since the last call. A boundary calls this and acts on all of it. */
  collect(): { messages: Message[]; notices: string[] }
  /** Stops watching. */
  close(): void
}

/** Watches the inbox; `stop --now` takes effect when it arrives, everything else waits for a boundary. */
export function createControl(inbox: Inbox): Control {
  const abort = new AbortController()
  let by: Interrupt | null = null
  const interrupt = (cause: Interrupt): void => {
    by ??= cause
    abort.abort()
  }
  const unwatch = inbox.watch(() => {
    const stopNow = inbox.peek().some((message) => message.kind === 'stop' && message.now)
    if (stopNow) interrupt('stop')
  })
  return { now: abort.signal, interruptedBy: () => by, interrupt, collect: () => inbox.take(), close: unwatch }
}
