// How candidates are tried, whatever runs the tests.
import type { Run } from '../localise.js'

/** `fixed`: targets that pass now. `broken`: tests that passed before and do not any more. Both empty: nothing was won. */
export type Verdict = { fixed: readonly string[]; broken: readonly string[]; note: string }

/** What is tried: one file with another text. */
export type Trial = { path: string; text: string }

/**
 * What other values would have been in one test, by their numbers. `seen`, as bits: it differs, it throws, it is of another kind. `gave`, where
 * the test fails: the first of them, as a failure would print them.
 */
export type Seen = {
  id: string
  passed: boolean
  seen: Readonly<Record<number, number>>
  gave: Readonly<Record<number, readonly string[]>>
}

export type Checker = {
  /** How many candidates are tried at the same time. */
  lanes: number
  /**
   * What is known of the tests before anything is changed; null when they cannot be run like this. `bounded` gives sources whose
   * loops end: they are asked for when a test does not, so that it can be told where it was.
   */
  first(bounded: () => Promise<readonly Trial[]>): Promise<Run | null>
  /** Which failing tests have to pass. */
  aim(targets: readonly string[]): void
  /**
   * Runs all tests with sources that ask what other values would change: by test, the numbers of those values that made a difference, each
   * with how. Null when that cannot be told.
   */
  whatIf(texts: readonly Trial[]): Promise<readonly Seen[] | null>
  try(trial: Trial, lane: number): Promise<Verdict>
  close(): Promise<void>
}

export const NOTHING_WON: Verdict = { fixed: [], broken: [], note: '' }
