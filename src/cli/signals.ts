// Signals to a command, heard for as long as it has something to end in order.

export type Signal = 'SIGHUP' | 'SIGINT' | 'SIGTERM'

/** What shells make of them. */
export const SIGNAL_CODES: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

const ALL: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Returns how to hear no more: from then on a signal ends the process again. */
export function onSignals(hear: (signal: Signal) => void, signals: readonly Signal[] = ALL): () => void {
  for (const signal of signals) process.on(signal, hear)
  return () => signals.forEach((signal) => process.off(signal, hear))
}
