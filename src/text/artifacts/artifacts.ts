// The four files that tell programs what a session found: their shapes, and how each is made of what was tracked and of the session.
import type { Failure, Label, Outcome, Runs, Session, Signal, Verdict } from '../../core/types.js'
import { failingOn } from '../failures/failing-words.js'
import { iterationOf } from '../iterations.js'
import type { CheckSeen, HistoryEntry, ListedGate, Track } from './track.js'

const ARTIFACTS_VERSION = 1
const MOST_NAMED = 100
const MOST_COUNTS = 500

/** Beside the failing tests of a runner: `same` fault as in the check before, or another one of the same subject (`changed`). */
export type Status = 'new' | 'same' | 'changed' | 'regressed' | 'excused' | 'flaky'

export type ListedFailure = Omit<Failure, 'before' | 'breach'> & {
  before: Runs | null
  status: Status
  /** Whether its subject failed at the start. */
  baseline: boolean
}

export type FixedFailure = Pick<Failure, 'gate' | 'subject' | 'fingerprint'> & { iteration: number; status: 'fixed' }

type Head = { version: number; session: string }

export type BaselineFailures = Head & {
  iteration: number
  tree: string
  /** False when nothing was looked at before the work began, or it could not be judged. */
  captured: boolean
  targets: string[]
  excuse: string[]
  gates: ListedGate[]
  failures: (Omit<ListedFailure, 'status' | 'baseline'> & { status: 'failing' | 'flaky' })[]
}

export type CurrentFailures = Head & {
  iteration: number
  tree: string
  phase: string
  sealed: boolean
  verdict: Verdict
  gates: ListedGate[]
  failures: ListedFailure[]
  fixed: FixedFailure[]
  counts: Record<Status | 'fixed' | 'fresh', number>
}

export type FingerprintCount = {
  fingerprint: string
  gate: string
  subject: string
  first: number
  last: number
  /** In how many of the entries it is, and in how many in a row up to the newest. */
  seen: number
  row: number
}

export type FingerprintHistory = Head & { judged: number; entries: HistoryEntry[]; counts: FingerprintCount[] }

export type CompletionReasons = Head & {
  /** The one under way; at an end, the one that made the tree. */
  iteration: number
  tree: string
  outcome: Outcome | null
  code: number | null
  label: Label | null
  why: string
  proved: boolean
  reasons: string[]
  fingerprints: string[]
  evidence: string[]
  exceptions: string[]
  excused: string[]
  flaky: string[]
  fixed: string[]
  fresh: string[]
  stall: Record<Signal | 'level', number> & { rung: number; stance: string | null }
}

export type Artifacts = {
  baseline_failures: BaselineFailures
  current_failures: CurrentFailures
  failure_fingerprint_history: FingerprintHistory
  completion_reasons: CompletionReasons
}

export type ArtifactName = keyof Artifacts

export const ARTIFACT_NAMES = [
  'baseline_failures', 'current_failures', 'failure_fingerprint_history', 'completion_reasons',
] as const satisfies readonly ArtifactName[]

export function makeArtifacts(track: Track, session: Session): Artifacts {
  return {
    baseline_failures: baselineOf(track, session),
    current_failures: currentOf(track, session),
    failure_fingerprint_history: historyOf(track, session),
    completion_reasons: completionOf(track, session),
  }
}

function headOf({ id }: Session): Head {
  return { version: ARTIFACTS_VERSION, session: id }
}

function baselineOf({ baseline }: Track, session: Session): BaselineFailures {
  const { targets = [], excuse = [] } = session.procedure.policies.goal ?? {}
  return {
    ...headOf(session),
    iteration: 0,
    tree: baseline?.tree ?? session.start,
    captured: baseline !== null,
    targets,
    excuse,
    gates: baseline?.gates ?? [],
    failures: (baseline?.failures ?? []).map(({ baseline: _known, status, ...failure }) => {
      return { ...failure, status: status === 'flaky' ? 'flaky' : 'failing' }
    }),
  }
}

const NOTHING_SEEN: Pick<CheckSeen, 'phase' | 'sealed' | 'verdict' | 'gates' | 'failures'> = {
  phase: '', sealed: false, verdict: 'error', gates: [], failures: [],
}

function currentOf({ last, fixed }: Track, session: Session): CurrentFailures {
  const { phase, sealed, verdict, gates, failures } = last ?? NOTHING_SEEN
  const counts = { new: 0, same: 0, changed: 0, regressed: 0, excused: 0, flaky: 0, fixed: fixed.length, fresh: 0 }
  for (const { status, baseline } of failures) {
    counts[status] += 1
    if (!baseline && status !== 'flaky') counts.fresh += 1
  }
  const { iteration, tree } = last ?? { iteration: 0, tree: session.tree }
  return { ...headOf(session), iteration, tree, phase, sealed, verdict, gates, failures, fixed, counts }
}

// ───────────────────────────── history ─────────────────────────────

function historyOf({ history, judged, past }: Track, session: Session): FingerprintHistory {
  const counts = new Map<string, FingerprintCount>()
  for (const { iteration, fingerprints } of history) {
    for (const fingerprint of fingerprints) {
      const { gate = '', subject = '' } = past.get(fingerprint) ?? {}
      const { first = iteration, seen = 0 } = counts.get(fingerprint) ?? {}
      counts.set(fingerprint, { fingerprint, gate, subject, first, last: iteration, seen: seen + 1, row: 0 })
    }
  }
  const newestFirst = [...counts.values()].toSorted((one, other) => other.last - one.last || other.seen - one.seen)
  const rows = rowsOf(history)
  const listed = newestFirst.slice(0, MOST_COUNTS).map((count) => ({ ...count, row: rows.get(count.fingerprint) ?? 0 }))
  return { ...headOf(session), judged, entries: history, counts: listed }
}

/** How many entries in a row, up to the newest, each fingerprint of the newest is in. */
function rowsOf(history: readonly HistoryEntry[]): Map<string, number> {
  const rows = new Map<string, number>()
  let open = history.at(-1)?.fingerprints ?? []
  for (const { fingerprints } of history.toReversed()) {
    const here = new Set(fingerprints)
    open = open.filter((fingerprint) => here.has(fingerprint))
    if (open.length === 0) break
    for (const fingerprint of open) rows.set(fingerprint, (rows.get(fingerprint) ?? 0) + 1)
  }
  return rows
}

// ───────────────────────────── completion ─────────────────────────────

function completionOf(track: Track, session: Session): CompletionReasons {
  const { finish, proof, stall, rung, posture } = session
  const tree = finish?.delivers ?? session.tree
  const failing = failingOn(session, tree)
  const subjects = new Set(failing.map(({ subject }) => subject))
  const known = new Set(session.baseline ?? [])
  const seal = track.seals.get(tree)
  const proofHere = proof?.tree === tree ? proof : null
  return {
    ...headOf(session),
    iteration: finish === null ? session.iteration : iterationOf(session, tree),
    tree,
    outcome: finish?.outcome ?? null,
    code: finish?.code ?? null,
    label: finish?.label ?? null,
    why: finish?.why ?? track.why,
    // The label of an end already says how far it is proved: the two never differ.
    proved: proofHere !== null && finish?.label !== 'unverified',
    reasons: reasonsOf(finish?.why ?? track.why, failing),
    fingerprints: bounded(failing.map(({ fingerprint }) => fingerprint)),
    evidence: bounded(seal?.evidence ?? []),
    exceptions: bounded(proofHere?.exceptions ?? seal?.exceptions ?? []),
    excused: bounded(track.last?.excused ?? []),
    flaky: bounded([...new Set([...session.flaky, ...(track.last?.flaky ?? [])])]),
    fixed: bounded(track.fixed.map(({ subject }) => subject).filter((subject) => known.has(subject) && !subjects.has(subject))),
    fresh: bounded(session.baseline === null ? [] : [...subjects].filter((subject) => !known.has(subject))),
    stall: { ...stall, rung, stance: posture.stance },
  }
}

function reasonsOf(why: string, failing: readonly Failure[]): string[] {
  const named = ({ gate, subject }: Failure): string => (subject.startsWith(`${gate}: `) ? subject : `${gate}: ${subject}`)
  const listed = failing.slice(0, MOST_NAMED).map(named)
  const rest = failing.length - listed.length
  return [...(why === '' ? [] : [why]), ...listed, ...(rest > 0 ? [`and ${rest} more`] : [])]
}

function bounded(texts: readonly string[]): string[] {
  return texts.slice(0, MOST_NAMED)
}
