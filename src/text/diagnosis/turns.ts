// What has to be remembered of a session's iterations to tell why it got no further: bounded, and folded from events alone.
import type { Cause, Decision, Effect, Event, Failure, Judgement, Report, Verdict } from '../../core/types.js'
import { dropOldest } from '../drop-oldest.js'
import { countingIn } from '../failures/failing-words.js'

const MOST_TURNS = 200
const MOST_SUBJECTS = 50
const MOST_RUNGS = 50
const MOST_TREES = 200
const MOST_COUNTED = 500
const LONGEST_SUBJECT_CHARS = 240

/** One failing thing, as far as patterns need it; `says` is what was done, where it is no test that fails. */
export type Wrong = Pick<Failure, 'gate' | 'subject' | 'class' | 'fingerprint' | 'breach'> & { says?: string }

/** One iteration: the tree it was asked on, the tree it left, and how that was judged. */
export type Turn = {
  iteration: number
  base: string
  tree: string
  edited: boolean
  changed: string
  /** Null until it is judged. */
  judged: Verdict | null
  /** Who judged it. */
  by: 'check' | 'ask'
  key: string
  failing: Wrong[]
  /** How many fail, also beyond those that are listed; breaches are not counted among them. */
  total: number
  /** Gates that were run to their end. */
  heard: string[]
  better: boolean
  worse: boolean
  /** A gate said something else of this very tree before. */
  flipped: string[]
}

/** A rung as it was reached. `before` is how many failed then. */
export type Reached = { rung: number; iteration: number; before: number; why: string; restored: boolean }

/** How often one failure was seen, and in which iterations. */
export type Seen = Omit<Wrong, 'breach' | 'says'> & { first: number; last: number; seen: number }

export type Turns = {
  effect: Effect | null
  baseline: Wrong[] | null
  turns: Turn[]
  /** Iterations judged in all, also those no longer listed. */
  judged: number
  /** Rungs in the order they were reached. */
  reached: Reached[]
  /** Asks in a row that came to nothing, and the phase and the reason of the last. */
  troubles: { row: number; note: string; cause: Cause | null; phase: string }
  /** Iterations in which somebody was asked, and those of them that ended with a failure of the agent's own. */
  asked: { iterations: number; failed: number; last: { iteration: number; isFailed: boolean } }
  last: Decision | null
  /** A gate that could not be run when there was last something to check. */
  unrunnable: { gate: string; note: string } | null
  /** Why a baseline whose gates all ran could not be taken. */
  misnamed: string | null
  /** Tree and gate → what failed of it when it was last heard in the same surroundings. */
  heardOf: Map<string, string>
  seen: Map<string, Seen>
  /** Subjects that failed in some runs and passed in others, on the same files. */
  wavering: Map<string, true>
  /** What was noticed besides the work → how often. */
  noticed: Map<string, number>
}

const NO_TROUBLE: Turns['troubles'] = { row: 0, note: '', cause: null, phase: '' }
const NOBODY_ASKED: Turns['asked'] = { iterations: 0, failed: 0, last: { iteration: -1, isFailed: false } }

export function noTurns(): Turns {
  return {
    effect: null, baseline: null, turns: [], judged: 0, reached: [], troubles: NO_TROUBLE, asked: NOBODY_ASKED, last: null, unrunnable: null, misnamed: null,
    heardOf: new Map(), seen: new Map(), wavering: new Map(), noticed: new Map(),
  }
}

/** Changes `turns`: a session may have thousands of iterations, and copying what is kept for each would be quadratic. */
export function takeEvent(turns: Turns, event: Event): void {
  switch (event.type) {
    case 'asked':
      turns.effect = event.effect
      return
    case 'observed':
      return takeReport(turns, event.report, event.judgement)
    case 'decided':
      return takeDecision(turns, event.decision)
    case 'baselined':
      turns.baseline = wrongsOf(event.report, event.judgement)
      return
    case 'extended':
      turns.troubles = NO_TROUBLE
      return
    case 'opened':
    case 'hinted':
    case 'interrupted':
    case 'paused':
    case 'stopped':
    case 'undone':
    case 'redone':
    case 'minimised':
    case 'accepted':
      return
    case 'repaired':
      return notice(turns, `the journal: ${event.note}`)
  }
}

// ───────────────────────────── reports ─────────────────────────────

function takeReport(turns: Turns, report: Report, judgement: Judgement): void {
  const { effect } = turns
  if (!effect) return
  if (effect.kind === 'ask') takeTrouble(turns, report, judgement)
  if (effect.kind === 'ask') countAsked(turns, effect, report, judgement)
  if (effect.kind === 'ask') for (const remark of report.note.split('; ').filter((piece) => REMARK.test(piece))) notice(turns, remark)
  if (isCandidate(effect)) takeCandidate(turns, effect, report, judgement)
  noteWavering(turns, report)
  if (effect.kind === 'check') {
    turns.unrunnable = unrunnableIn(report, judgement)
    turns.misnamed = effect.baseline && judgement.verdict === 'error' && turns.unrunnable === null ? report.note : null
  }
  if (effect.kind === 'check' && effect.baseline) {
    if (judgement.verdict !== 'pass' && judgement.verdict !== 'fail') return
    turns.baseline = wrongsOf(report, judgement)
    noteHeard(turns, effect, report)
  } else if (effect.kind === 'check' || judgement.judged) takeCheck(turns, effect, report, judgement)
}

/** What the one who runs processes has to say of one, besides how it ended. */
const REMARK = /went past its limit|left running and ended|could not be ended|^planted: /

function notice({ noticed }: Turns, text: string): void {
  const remark = text.slice(0, LONGEST_SUBJECT_CHARS)
  noticed.set(remark, (noticed.get(remark) ?? 0) + 1)
  dropOldest(noticed, MOST_SUBJECTS)
}

function unrunnableIn({ gates }: Report, { verdict }: Judgement): Turns['unrunnable'] {
  const broken = verdict === 'error' ? gates.find(({ exit }) => exit === 'error') : undefined
  return broken ? { gate: broken.gate, note: broken.note } : null
}

function isCandidate(effect: Effect): boolean {
  return effect.kind === 'ask' ? effect.yields === 'candidate' : effect.kind === 'workspace' && effect.action === 'materialise'
}

/** A candidate that was kept although its agent broke off is work all the same. */
function takeTrouble(turns: Turns, { note, cause }: Report, { verdict }: Judgement): void {
  const phase = turns.effect?.phase ?? ''
  turns.troubles = verdict === 'error' ? { row: turns.troubles.row + 1, note, cause, phase } : NO_TROUBLE
}

/** The last ask of an iteration counts for it. */
function countAsked(turns: Turns, { iteration }: Effect, { cause }: Report, { verdict }: Judgement): void {
  const { iterations, failed, last } = turns.asked
  const isFailed = verdict === 'error' && cause === 'agent'
  const isSame = last.iteration === iteration
  turns.asked = { iterations: iterations + (isSame ? 0 : 1), failed: failed - (isSame && last.isFailed ? 1 : 0) + (isFailed ? 1 : 0), last: { iteration, isFailed } }
}

function takeCandidate(turns: Turns, effect: Effect, report: Report, { verdict }: Judgement): void {
  if (verdict === 'error' || verdict === 'cancelled') return
  const turn: Turn = {
    iteration: effect.iteration,
    base: effect.tree,
    tree: report.tree,
    edited: report.tree !== effect.tree || report.failures.length > 0,
    changed: report.changed,
    judged: null,
    by: 'check',
    key: '',
    failing: [],
    total: 0,
    heard: [],
    better: false,
    worse: false,
    flipped: [],
  }
  const others = turns.turns.at(-1)?.iteration === turn.iteration ? turns.turns.slice(0, -1) : turns.turns
  turns.turns = [...others, turn].slice(-MOST_TURNS)
}

function takeCheck(turns: Turns, effect: Effect, report: Report, judgement: Judgement): void {
  const turn = turns.turns.at(-1)
  if (!turn || turn.iteration !== effect.iteration || judgement.verdict === 'error' || judgement.verdict === 'cancelled') return
  if (effect.kind === 'check') turn.flipped.push(...noteHeard(turns, effect, report))
  if (!judgement.judged) return
  const failing = wrongsOf(report, judgement)
  turns.judged += 1
  turn.judged = judgement.verdict
  turn.by = effect.kind === 'check' ? 'check' : 'ask'
  turn.key = judgement.key
  turn.failing = failing.slice(0, MOST_SUBJECTS)
  turn.total = failing.filter((wrong) => wrong.class === 'behaviour').length + report.gates.reduce((sum, { more = 0 }) => sum + more, 0)
  turn.heard = completeGates(report)
  turn.better = judgement.better
  turn.worse = judgement.worse
  for (const wrong of failing) countSeen(turns.seen, wrong, effect.iteration)
}

function wrongsOf(report: Report, judgement: Judgement): Wrong[] {
  return countingIn(report, judgement).map(({ gate, subject, class: kind, fingerprint, breach, message }) => {
    return { gate, subject: named(subject), class: kind, fingerprint, ...(breach && { breach }), ...(kind !== 'behaviour' && { says: named(message) }) }
  })
}

function named(subject: string): string {
  return subject.slice(0, LONGEST_SUBJECT_CHARS)
}

/** Also what was set aside for it: a test that failed in all its runs today may have been seen to waver before. */
function noteWavering({ wavering }: Turns, { failures }: Report): void {
  for (const { subject, runs, before } of failures) {
    const isMixed = runs.failed < runs.of || (before !== undefined && before.failed > 0 && before.failed < before.of)
    if (isMixed) wavering.set(named(subject), true)
  }
  dropOldest(wavering, MOST_COUNTED)
}

function completeGates({ gates }: Report): string[] {
  return gates.filter(({ exit, complete }) => complete && (exit === 'pass' || exit === 'fail')).map(({ gate }) => gate)
}

function countSeen(seen: Map<string, Seen>, { gate, subject, class: kind, fingerprint }: Wrong, iteration: number): void {
  const before = seen.get(fingerprint)
  seen.delete(fingerprint)
  const { first = iteration, seen: times = 0 } = before ?? {}
  seen.set(fingerprint, { gate, subject, class: kind, fingerprint, first, last: iteration, seen: times + 1 })
  dropOldest(seen, MOST_COUNTED)
}

/** The gates that said something else of this tree before, in the same surroundings: a clean copy is one, the working folder another. */
function noteHeard(turns: Turns, effect: Extract<Effect, { kind: 'check' }>, report: Report): string[] {
  const surroundings = effect.baseline || effect.sealed ? 'clean' : 'working'
  const flipped = completeGates(report).filter((gate) => {
    const place = `${surroundings}\n${report.tree}\n${gate}`
    const failing = report.failures.filter((failure) => failure.gate === gate && failure.class === 'behaviour')
    const now = [...new Set(failing.map(({ subject }) => subject))].toSorted().join('\n')
    const before = turns.heardOf.get(place)
    turns.heardOf.set(place, now)
    return before !== undefined && before !== now
  })
  dropOldest(turns.heardOf, MOST_TREES)
  return flipped
}

// ───────────────────────────── decisions ─────────────────────────────

function takeDecision(turns: Turns, decision: Decision): void {
  const turn = turns.turns.at(-1)
  turns.last = decision
  // A rung that only an iteration after the end would have used was not tried.
  const isOver = decision.finish !== null && decision.cause !== 'ladder'
  if (!decision.fired || decision.rung === null || isOver || !turn) return
  const { rung, why } = decision
  const reached: Reached = { rung, iteration: turn.iteration, before: turn.total, why, restored: decision.restore !== null }
  turns.reached = [...turns.reached, reached].slice(-MOST_RUNGS)
}
