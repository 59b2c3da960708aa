// A session's records as what people look at. Each record adds to the row it speaks of; nothing is ever decided here.
import type { Effect, Event, Failure, Report, Session } from '../../core/types.js'
import type { JournalRecord } from '../../ports.js'
import type { ListedFailure } from '../artifacts/artifacts.js'
import { NOTHING_TRACKED, trackEvent, type Track } from '../artifacts/track.js'
import { eventText } from '../event-text.js'
import { breachesIn, countingIn } from '../failures/failing-words.js'
import { subjectOf } from '../failures/fingerprint.js'
import { rungName } from '../ladder.js'
import { claimsAfter } from './certificate.js'
import { markOf, type CheckView, type Failing, type Head, type Line, type Row, type Step, type View } from './view.js'

const MOST_FAILURES = 500
const MOST_MARKS = 200
const MOST_LINES = 40
const MOST_STEPS = 60

/** The view, and what has to be remembered to go on with it. */
export type Viewed = { view: View; track: Track; open: Effect | null; places: ReadonlyMap<string, number> }

/** One record more, and the session as it is after it. */
export function viewRecord(viewed: Viewed | null, record: JournalRecord, after: Session): Viewed {
  const start: Viewed = viewed ?? { view: emptyView(after, record), track: NOTHING_TRACKED, open: null, places: new Map() }
  const folded = record.events.reduce<Viewed>((so, event) => viewEvent(so, event, record, after), start)
  const certificate = claimsAfter(folded.view.certificate, record, { open: start.open, after })
  return { ...folded, view: { ...folded.view, certificate, head: headOf(after, record, folded), seq: record.seq } }
}

function emptyView(session: Session, record: JournalRecord): View {
  const head = headOf(session, record, { open: null, view: null })
  return { head, rows: [], failures: [], certificate: [], seq: 0 }
}

function headOf(session: Session, record: JournalRecord, { open, view }: { open: Effect | null; view: View | null }): Head {
  const { best, origin, finish } = session
  const since = view?.rows.at(-1)?.steps.at(-1)?.startedAt ?? record.at
  return {
    id: session.id,
    procedure: session.procedure.name,
    roles: session.roles,
    gates: session.gates,
    openedAt: session.openedAt,
    at: record.at,
    open: session.outstanding && open ? { phase: open.phase, iteration: open.iteration, since } : null,
    iteration: session.iteration,
    budget: session.budget,
    spent: session.spent,
    ladder: (session.procedure.policies.ladder?.rungs ?? []).map((rung) => ({ at: rung.at, name: rungName(rung) })),
    rung: session.rung,
    stall: session.stall.level,
    best: best ? { iteration: best.iteration, failing: best.failing.length } : null,
    baseline: origin ? origin.failing.length : null,
    finish: finish ? { outcome: finish.outcome, code: finish.code, label: finish.label, why: finish.why } : null,
    accepted: session.accepted !== null,
  }
}

function viewEvent(viewed: Viewed, event: Event, record: JournalRecord, after: Session): Viewed {
  const track = trackEvent(viewed.track, event)
  const open = event.type === 'asked' ? event.effect : viewed.open
  const told = withRow({ ...viewed, track, open }, open?.iteration ?? 0, record.seq, (row) => rowAfter(row, event, record, after))
  const isCheck = event.type === 'baselined' || event.type === 'minimised' || (event.type === 'observed' && open?.kind === 'check' && open.gates.length > 0)
  return isCheck && track.last !== null ? withCheck(told, event, record.seq) : told
}

function withRow(viewed: Viewed, iteration: number, seq: number, change: (row: Row) => Row): Viewed {
  const { rows } = viewed.view
  // Effects come in the order of their iterations, so the row is the last one or a new one.
  const last = rows.at(-1)
  const row = last?.iteration === iteration ? last : emptyRow(iteration, viewed.open?.plan ?? 0, last)
  const others = last?.iteration === iteration ? rows.slice(0, -1) : rows
  return { ...viewed, view: { ...viewed.view, rows: [...others, { ...change(row), seq }] } }
}

function emptyRow(iteration: number, plan: number, before: Row | undefined): Row {
  const { kept = null, rung = -1 } = before ?? {}
  return { iteration, plan, seq: 0, steps: [], check: null, kept, reverted: null, takenBack: null, rung, diffLines: 0, changed: '', lines: [] }
}

// ───────────────────────────── one row ─────────────────────────────

function rowAfter(row: Row, event: Event, record: JournalRecord, after: Session): Row {
  const line: Line = { seq: record.seq, at: record.at, text: eventText(event) }
  const said = { ...row, lines: [...row.lines, line].slice(-MOST_LINES) }
  switch (event.type) {
    case 'asked':
      return { ...said, steps: [...row.steps, stepOf(event, record.at)].slice(-MOST_STEPS) }
    case 'observed': {
      const { report } = event
      const done = { verdict: event.judgement.verdict, note: report.note, spent: report.spent }
      const steps = withLast(row.steps, (step) => ({ ...step, done, files: report.files, after: report.tree }))
      const takenBack = takenBackIn(report, row.steps.at(-1)) ?? row.takenBack
      return { ...said, steps, kept: after.best?.failing.length ?? row.kept, takenBack, diffLines: report.diffLines || row.diffLines, changed: report.changed || row.changed }
    }
    case 'decided': {
      const { to, cause, why, rung, fired, restore } = event.decision
      const steps = withLast(row.steps, (step) => ({ ...step, decision: { to, cause, why, rung, fired } }))
      return { ...said, steps, rung: rung ?? row.rung, reverted: restore ? restore.iteration : row.reverted }
    }
    default:
      return said
  }
}

function takenBackIn({ failures, tree }: Report, step: Step | undefined): Row['takenBack'] {
  if (step?.kind !== 'ask' || breachesIn(failures) === 0) return null
  return tree === step.before ? 'all' : 'part'
}

function stepOf({ effect, prompt }: Extract<Event, { type: 'asked' }>, at: number): Step {
  const { id, phase, kind, tree } = effect
  const role = kind === 'ask' ? effect.answers : null
  return { effect: id, phase, kind, role, startedAt: at, done: null, decision: null, prompt, files: [], before: tree, after: null }
}

function withLast(steps: readonly Step[], change: (step: Step) => Step): Step[] {
  const last = steps.at(-1)
  return last ? [...steps.slice(0, -1), change(last)] : []
}

// ───────────────────────────── checks and what fails ─────────────────────────────

function withCheck(viewed: Viewed, event: Extract<Event, { type: 'observed' | 'baselined' | 'minimised' }>, seq: number): Viewed {
  const seen = viewed.track.last
  if (!seen) return viewed
  const iteration = viewed.view.rows.at(-1)?.iteration ?? 0
  const listed = seen.failures.slice(0, MOST_MARKS)
  const { view, places, marks } = withFailures(viewed, listed, iteration, seq)
  const { judgement, report } = event
  const counting = countingIn(report, judgement)
  const breaches = breachesIn(counting)
  const check: CheckView = {
    verdict: judgement.verdict,
    sealed: seen.sealed,
    failing: counting.length - breaches,
    breaches,
    better: judgement.better,
    level: judgement.stall.level,
    marks,
    more: seen.failures.length - marks.length,
  }
  return withRow({ ...viewed, view, places }, iteration, seq, (row) => ({ ...row, check }))
}

type Marked = Pick<Viewed, 'view' | 'places'> & { marks: CheckView['marks'] }

/** Each failure keeps its place for good; beyond the most of them, new ones have none. */
function withFailures({ view, places }: Viewed, listed: readonly ListedFailure[], iteration: number, seq: number): Marked {
  const known = new Map(places)
  const failures = [...view.failures]
  const marks: CheckView['marks'] = []
  for (const failure of listed) {
    const key = subjectOf(failure)
    const place = known.get(key) ?? failures.length
    if (place >= MOST_FAILURES) continue
    known.set(key, place)
    failures[place] = failingAfter(failures[place], failure, iteration, seq)
    marks.push(markOf(place, failure.status))
  }
  return { view: { ...view, failures }, places: known, marks }
}

function failingAfter(before: Failing | undefined, { gate, subject, message }: Pick<Failure, 'gate' | 'subject' | 'message'>, iteration: number, seq: number): Failing {
  return { gate, subject, message, first: before?.first ?? iteration, last: iteration, seq }
}
