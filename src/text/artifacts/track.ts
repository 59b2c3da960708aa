// What has to be remembered of a session's checks, beyond the session itself, for its artifacts: bounded, and folded from events alone.
import type { Effect, Event, Failure, GateResult, Judgement, Report, Verdict } from '../../core/types.js'
import type { FixedFailure, ListedFailure, Status } from './artifacts.js'
import { dropOldest } from '../drop-oldest.js'
import { countingIn } from '../failures/failing-words.js'
import { compareSets, subjectOf, type Identified } from '../failures/fingerprint.js'

const MOST_ENTRIES = 200
const MOST_FINGERPRINTS = 50
const MOST_FIXED = 500
const MOST_PAST = 2000
const MOST_SEALS = 50

export type ListedGate = Omit<GateResult, 'more'> & { more: number }

/** One check as it was reported and judged. */
export type CheckSeen = {
  iteration: number
  phase: string
  tree: string
  sealed: boolean
  verdict: Verdict
  gates: ListedGate[]
  failures: ListedFailure[]
  excused: string[]
  flaky: string[]
}

/** The last check of an iteration; 0 is the baseline. `key` is the identity of the failing set. */
export type HistoryEntry = {
  iteration: number
  phase: string
  tree: string
  verdict: Verdict
  key: string
  failing: number
  fingerprints: string[]
}

export type Sealing = { evidence: string[]; exceptions: string[] }

export type Track = {
  effect: Effect | null
  baseline: CheckSeen | null
  last: CheckSeen | null
  /** By tree, what its last deciding check had to say beyond its verdict. */
  seals: ReadonlyMap<string, Sealing>
  /** What failed when each gate was last heard. */
  failing: Identified[]
  fixed: FixedFailure[]
  /** By fingerprint, the last seen at the end. */
  past: ReadonlyMap<string, Identified>
  history: HistoryEntry[]
  /** How many iterations have an entry or had one. */
  judged: number
  why: string
}

export const NOTHING_TRACKED: Track = {
  effect: null, baseline: null, last: null, seals: new Map(), failing: [], fixed: [], past: new Map(), history: [], judged: 0, why: '',
}

type Check = Pick<Extract<Effect, { kind: 'check' }>, 'iteration' | 'phase' | 'gates' | 'baseline' | 'sealed'>

export function trackEvent(track: Track, event: Event): Track {
  switch (event.type) {
    case 'asked':
      return { ...track, effect: event.effect }
    case 'observed':
      return track.effect?.kind === 'check' ? trackCheck(track, track.effect, event.report, event.judgement) : track
    case 'decided':
      return { ...track, why: event.decision.why }
    case 'baselined':
      return trackBaseline(track, event.report, event.judgement)
    case 'minimised':
      return track.effect?.kind === 'check' ? trackCheck(track, track.effect, event.report, event.judgement) : track
    case 'opened':
    case 'hinted':
    case 'interrupted':
    case 'paused':
    case 'stopped':
    case 'extended':
    case 'undone':
    case 'redone':
    case 'accepted':
    case 'repaired':
      return track
  }
}

/** Taken afresh beside the work: once there is work, only what it is measured by changes. */
function trackBaseline(track: Track, report: Report, judgement: Judgement): Track {
  const gates = report.gates.map(({ gate }) => gate)
  const taken = trackCheck(track, { iteration: 0, phase: 'baseline', gates, baseline: true, sealed: false }, report, judgement)
  return track.last === null || track.last.iteration === 0 ? taken : { ...track, baseline: taken.baseline }
}

function trackCheck(track: Track, effect: Check, report: Report, judgement: Judgement): Track {
  const found = sorted(track, effect, report, judgement)
  const seen: CheckSeen = {
    iteration: effect.iteration,
    phase: effect.phase,
    tree: report.tree,
    sealed: effect.sealed,
    verdict: judgement.verdict,
    gates: report.gates.map((gate) => ({ ...gate, more: gate.more ?? 0 })),
    failures: found.listed,
    excused: judgement.excused,
    flaky: judgement.flaky,
  }
  const isJudged = judgement.verdict === 'pass' || judgement.verdict === 'fail'
  const known: Track = {
    ...track,
    last: seen,
    baseline: effect.baseline && isJudged ? seen : track.baseline,
    seals: effect.sealed ? withSeal(track.seals, report) : track.seals,
    failing: found.failing,
    fixed: found.fixed,
    past: remember(track.past, found.failing),
  }
  return isJudged ? withEntry(known, seen, judgement, found.counting) : known
}

// ───────────────────────────── which failures are what ─────────────────────────────

type Sorted = { listed: ListedFailure[]; counting: Failure[]; failing: Identified[]; fixed: FixedFailure[] }

/** A failure that was set aside by chance is compared with nothing: it comes and goes without anybody's doing. */
function sorted(track: Track, effect: Check, report: Report, judgement: Judgement): Sorted {
  const counting = countingIn(report, judgement)
  const counted = new Set(counting)
  const aside = report.failures.filter((failure) => !counted.has(failure))
  const excused = aside.filter(({ subject }) => judgement.excused.includes(subject))
  const flaky = aside.filter(({ subject }) => !judgement.excused.includes(subject))
  const now = [...counting, ...excused]
  const compared = compareSets<Identified>(track.failing, now, track.past.values())
  const statuses = new Map<Identified, Status>([
    ...compared.fresh.map((failure) => [failure, 'new'] as const),
    ...compared.regressed.map((failure) => [failure, 'regressed'] as const),
    ...compared.changed.map((failure) => [failure, 'changed'] as const),
    ...compared.same.map((failure) => [failure, 'same'] as const),
    ...excused.map((failure) => [failure, 'excused'] as const),
    ...flaky.map((failure) => [failure, 'flaky'] as const),
  ])
  const isKnown = failedAtStart(track, effect)
  const listed = [...now, ...flaky].map((failure) => listedFailure(failure, statuses.get(failure) ?? 'new', isKnown(failure.subject)))
  const isHeard = heardIn(effect, report)
  const isGone = ({ gate, subject }: Identified): boolean => isHeard(gate) && !judgement.flaky.includes(subject)
  const open = compared.fixed.filter((failure) => !isGone(failure))
  const fixed = fixedAfter(track.fixed, compared.fixed.filter(isGone), now, effect.iteration)
  return { listed, counting, failing: [...now.map(identityOf), ...open], fixed }
}

function failedAtStart({ baseline }: Track, effect: Check): (subject: string) => boolean {
  const subjects = new Set(baseline?.failures.filter(({ status }) => status !== 'flaky').map(({ subject }) => subject))
  return (subject) => effect.baseline || subjects.has(subject)
}

/** Named one by one, since taking the rest of an object is slow and a long session has very many of these. */
function listedFailure(failure: Failure, status: Status, baseline: boolean): ListedFailure {
  const { gate, subject, class: kind, fingerprint, message, runs, before = null, finding } = failure
  return { gate, subject, class: kind, fingerprint, message, runs, ...(finding && { finding }), before, status, baseline }
}

/** Of a gate that was not run, broke off or kept tests back nobody knows what is fixed. What the engine itself finds it finds each time. */
function heardIn(effect: Check, report: Report): (gate: string) => boolean {
  const heard = report.gates.filter(({ exit, complete, missing }) => (exit === 'pass' || exit === 'fail') && complete && missing === 0)
  const names = new Set(heard.map(({ gate }) => gate))
  return (gate) => names.has(gate) || !effect.gates.includes(gate)
}

type Many = readonly Identified[]

function fixedAfter(before: readonly FixedFailure[], gone: Many, now: Many, iteration: number): FixedFailure[] {
  const again = new Set([...now, ...gone].map(subjectOf))
  const fixed = gone.map((failure): FixedFailure => ({ ...identityOf(failure), iteration, status: 'fixed' }))
  return [...before.filter((failure) => !again.has(subjectOf(failure))), ...fixed].slice(-MOST_FIXED)
}

function identityOf({ gate, subject, fingerprint }: Identified): Identified {
  return { gate, subject, fingerprint }
}

function remember(past: Track['past'], failing: readonly Identified[]): Track['past'] {
  return newest(past, failing.map((failure) => [failure.fingerprint, failure]), MOST_PAST)
}

/** A person may go back to a tree that was sealed before: what was said of it then still holds. */
function withSeal(seals: Track['seals'], { tree, evidence, exceptions }: Report): Track['seals'] {
  return newest(seals, [[tree, { evidence, exceptions }]], MOST_SEALS)
}

/** With more at the end, and the oldest gone where it would be too many. */
function newest<T>(before: ReadonlyMap<string, T>, more: readonly (readonly [string, T])[], most: number): ReadonlyMap<string, T> {
  if (more.length === 0) return before
  const all = new Map(before)
  for (const [key, value] of more) {
    all.delete(key)
    all.set(key, value)
  }
  dropOldest(all, most)
  return all
}

// ───────────────────────────── history ─────────────────────────────

/** One entry for each iteration: a later check of it takes the place of an earlier one. */
function withEntry(track: Track, { iteration, phase, tree, verdict }: CheckSeen, { key }: Judgement, counting: readonly Failure[]): Track {
  const all = [...new Set(counting.map(({ fingerprint }) => fingerprint))].toSorted()
  const entry: HistoryEntry = { iteration, phase, tree, verdict, key, failing: all.length, fingerprints: all.slice(0, MOST_FINGERPRINTS) }
  const isAgain = track.history.at(-1)?.iteration === iteration
  const others = isAgain ? track.history.slice(0, -1) : track.history
  return { ...track, history: [...others, entry].slice(-MOST_ENTRIES), judged: track.judged + (isAgain ? 0 : 1) }
}
