// What trials teach about places: where changes mend something, or make a failing test say something else, the fault is more likely.
import type { Verdict } from './runners/types.js'
import type { Candidate, Ranked } from './types.js'

export type Evidence = {
  note(candidate: Candidate, verdict: Verdict): void
  /** Best first by score and by what was learnt; as they stand where nothing was. */
  ordered(left: readonly [number, Ranked][]): [number, Ranked][]
}

/** What a trial is worth that mends a target, or only makes one say something else. */
const MENDS = 3
const MOVES = 0.5
/** So much is believed of a line before anything was tried there, and so much a trial takes that changes nothing. */
const BELIEF = 2
const TRIAL = 0.25

/** Counted in whole numbers, so that it does not matter which verdict came first. */
type Seen = { trials: number; mended: number; mendedAndBroke: number; moved: number }

const NOTHING_SEEN: Seen = { trials: 0, mended: 0, mendedAndBroke: 0, moved: 0 }

export function openEvidence(targets: number): Evidence {
  const lines = new Map<string, Seen>()
  const keyOf = ({ unit, line }: Pick<Ranked, 'unit' | 'line'>): string => `${unit.path}:${line}`
  const belief = (each: Ranked): number => {
    const { trials, mended, mendedAndBroke, moved } = lines.get(keyOf(each)) ?? NOTHING_SEEN
    const gained = (MENDS * (mended + mendedAndBroke / 2) + MOVES * moved) / targets
    return (BELIEF + gained) / (BELIEF + TRIAL * trials)
  }
  return {
    note(candidate, { fixed, broken, moved }) {
      const key = keyOf(candidate)
      const seen = lines.get(key) ?? NOTHING_SEEN
      const mended = broken.length > 0 ? { mendedAndBroke: seen.mendedAndBroke + fixed.length } : { mended: seen.mended + fixed.length }
      lines.set(key, { ...seen, ...mended, trials: seen.trials + 1, moved: seen.moved + moved })
    },
    ordered(left) {
      const worth = new Map(left.map(([rank, each]) => [rank, each.score * belief(each)]))
      return left.toSorted(([one], [other]) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0) || one - other)
    },
  }
}
