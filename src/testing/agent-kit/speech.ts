// How an agent's program speaks: what it prints when it is at work, done, broken, or out of reach.

/** What is printed at the end of a run, and the exit status, which is 0 unless told. */
export type Closing = { out?: readonly string[]; err?: readonly string[]; exit?: number }

/** What an agent's program prints, so that a stand-in can print the same. */
export type Speech = {
  /** What shows how a run ended: its closing record, or nothing but the exit status. */
  readonly evidence: 'record' | 'exit'
  /** The first thing it prints, before it has done anything. */
  readonly begins: readonly string[]
  /** A line that says it is at work, and nothing else. */
  readonly works: string
  /** A line that says it could not reach its model and tries again, and where it is printed; null when it keeps that to itself. */
  readonly retries: { readonly on: 'out' | 'err'; readonly line: string } | null
  /** It ends well and says this. */
  succeeds(said: string): Closing
  /** It ends badly and says why. */
  fails(why: string): Closing
  /** It met a limit that is over at `until`, in milliseconds of the wall clock. */
  limited(until: number): Closing
}

/** A plain command: text on standard output, complaints on standard error. */
export const plainSpeech: Speech = {
  evidence: 'exit',
  begins: ['beginning'],
  works: 'working',
  retries: null,
  succeeds: (said) => ({ out: [said] }),
  fails: (why) => ({ err: [why], exit: 1 }),
  limited: (until) => ({ err: [`Error: You've hit your usage limit. Try again in ${secondsTo(until)} seconds.`], exit: 1 }),
}

/** From now on: limits are often told so. */
export function secondsTo(until: number): number {
  return Math.max(1, Math.round((until - Date.now()) / 1000))
}
