// What people look at of a session, as plain data: its head, a row for each iteration, and what failed. Pages and screens show nothing else.
import type { Budget, Decision, Effect, Label, Outcome, Ref, Spend, Verdict } from '../../core/types.js'
import type { Status } from '../artifacts/artifacts.js'

export type View = {
  head: Head
  rows: readonly Row[]
  failures: readonly Failing[]
  certificate: readonly Claim[]
  /** The last record that is in it. */
  seq: number
}

export type Head = {
  id: string
  procedure: string
  roles: Record<string, string>
  gates: string[]
  openedAt: number
  /** When the last record was written. */
  at: number
  /** The phase that is open, and since when; null when nothing is outstanding. */
  open: { phase: string; iteration: number; since: number } | null
  iteration: number
  budget: Budget
  spent: Spend
  /** The rungs in words, and the one in force (-1 for none). */
  ladder: { at: number; name: string }[]
  rung: number
  stall: number
  best: { iteration: number; failing: number } | null
  /** What failed at the start; null where nobody looked. */
  baseline: number | null
  finish: { outcome: Outcome; code: number; label: Label; why: string } | null
  accepted: boolean
}

/** One iteration; 0 is what came before the first. */
export type Row = {
  iteration: number
  plan: number
  /** The last record that says something of it: who has all up to a record needs only rows beyond it. */
  seq: number
  steps: Step[]
  /** How it was judged last. */
  check: CheckView | null
  /** What fails in the best state so far, after this row. */
  kept: number | null
  /** Where the work was put back to. */
  reverted: number | null
  /** How much of it was taken back for a breach before it was judged. */
  takenBack: 'all' | 'part' | null
  rung: number
  diffLines: number
  changed: string
  lines: Line[]
}

export type CheckView = {
  verdict: Verdict
  sealed: boolean
  /** By what the checks say; breaches of the rules are told apart. */
  failing: number
  breaches: number
  better: boolean
  level: number
  /** What failed and what became of it since the check before: see `markOf`. */
  marks: number[]
  /** Failures that are counted, and not listed. */
  more: number
}

export type Step = {
  effect: string
  phase: string
  kind: Effect['kind']
  role: string | null
  startedAt: number
  /** Null while it is open. */
  done: { verdict: Verdict; note: string; spent: Spend } | null
  decision: DecisionView | null
  prompt: Ref | null
  files: Ref[]
  before: string
  after: string | null
}

export type DecisionView = Pick<Decision, 'to' | 'cause' | 'why' | 'rung' | 'fired'>

export type Line = { seq: number; at: number; text: string }

export type Failing = { gate: string; subject: string; message: string; first: number; last: number; seq: number }

/** Something that is claimed of the session, and the record that says so. */
export type Claim = { kind: string; text: string; seq: number; sum: string }

/** What has changed since a record: whole rows, so that hearing of one twice does no harm. */
export type Changes = Pick<View, 'head' | 'certificate' | 'seq'> & { rows: Row[]; failures: { place: number; failing: Failing }[] }

export function changesSince({ head, rows, failures, certificate, seq }: View, known: number): Changes {
  return {
    head,
    certificate,
    seq,
    rows: rows.filter((row) => row.seq > known),
    failures: failures.flatMap((failing, place) => (failing.seq > known ? [{ place, failing }] : [])),
  }
}

/** Changes that are older than what is there, or leave a gap before them, are for `changesSince` of the right record: nothing is checked here. */
export function withChanges(view: View, { head, certificate, seq, rows, failures }: Changes): View {
  const byIteration = new Map([...view.rows, ...rows].map((row) => [row.iteration, row]))
  const listed = [...view.failures]
  for (const { place, failing } of failures) listed[place] = failing
  return { head, certificate, seq, failures: listed, rows: [...byIteration.values()].toSorted((a, b) => a.iteration - b.iteration) }
}

const STATUSES = ['new', 'same', 'changed', 'regressed', 'excused', 'flaky'] as const satisfies readonly Status[]

/** A failure's place and its status as one number: a long session has hundreds of thousands of them. */
export function markOf(place: number, status: Status): number {
  return place * STATUSES.length + STATUSES.indexOf(status)
}

export function readMark(mark: number): { place: number; status: Status } {
  return { place: Math.floor(mark / STATUSES.length), status: STATUSES[mark % STATUSES.length] ?? 'same' }
}
