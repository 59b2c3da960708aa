// The fold: what each event does to the session. It compares nothing and decides nothing (I2), so history keeps its meaning.
import { PLAIN_POSTURE } from './decide.js'
import { failingOf, isInfrastructure, placeOf } from './judge.js'
import type { Best, Budget, Decision, Effect, Event, Failure, Judgement, Opened, Phase, Place, Ref, Report, Session, Spend } from './types.js'

/** Raised whenever the fold of the same events would come out differently; caches of another version are rebuilt. */
export const FOLD_VERSION = 7

const KEPT = { seen: 512, elapsed: 100, refuted: 10, taken: 100, undone: 100, flaky: 500, raised: 200, exceptions: 20 } as const
/** A prompt that asks again carries it. */
const LONGEST_FAULT = 500
export const NO_SPEND: Spend = { seconds: 0, tokens: 0, usd: 0 }
const NO_STALL = { repeats: 0, subjects: 0, revisits: 0, plateau: 0, level: 0 } as const

export function rebuild(events: Iterable<Event>, from: Session | null = null): Session {
  let session = from
  for (const event of events) session = apply(session, event)
  if (!session) throw new Error('a journal without events has no session')
  return session
}

export function apply(session: Session | null, event: Event): Session {
  if (event.type === 'opened') return opened(event)
  if (!session) throw new Error(`a journal cannot begin with "${event.type}"`)
  switch (event.type) {
    case 'asked':
      return asked(session, event.effect)
    case 'observed':
      return observed(session, event.report, event.judgement)
    case 'decided':
      return decided(session, event.decision)
    case 'hinted':
      return { ...session, hints: [...session.hints, event.hint], taken: [...session.taken, event.hint.id].slice(-KEPT.taken) }
    case 'interrupted':
      return interrupted(session, event.spent, event.cause === 'crash')
    case 'paused':
    case 'stopped':
      return { ...session, rest: event.type }
    case 'extended':
      return { ...extended(session, event.budget), ...event.cast, setup: { ...session.setup, ...event.cast?.setup } }
    case 'undone':
      return { ...standOn(session, event.to, event), undone: [...session.undone, event.from].slice(-KEPT.undone) }
    case 'redone':
      return { ...standOn(session, event.to, event), undone: session.undone.slice(0, -1) }
    case 'baselined':
      return baselined(session, event.report, event.judgement)
    case 'minimised':
      return minimised(session, event.report, event.judgement)
    case 'accepted':
      return { ...session, accepted: event.tree }
    case 'repaired':
      return session
  }
}

function opened({ id, procedure, tree, gates, when, roles, task, openedAt, setup }: Opened): Session {
  return {
    id, procedure, gates, when, roles, openedAt, setup,
    budget: procedure.budget, start: tree, tree, pins: tree, kept: task ? { task } : {}, fault: '', at: procedure.start, label: 'initialized',
    outstanding: null, cuts: 0, crashes: 0, asked: 0, turns: {}, visits: {}, iteration: 0, plan: 0, repeating: false, retries: 0,
    setbacks: { row: 0, marked: false, by: null }, infrastructure: 0, breaches: { subject: '', row: 0 },
    judged: false, candidate: tree, identical: 0, made: 0, carried: [], stall: NO_STALL, key: '', subjects: '', seen: [], worse: 0, rung: -1, uses: [], posture: PLAIN_POSTURE,
    best: null, origin: null, passed: null, facing: [], refuted: [], mended: [], changed: '', answered: {}, said: {}, raised: {}, exceptions: [], baseline: null, flaky: [], ids: {}, proof: null, pending: null,
    spent: NO_SPEND, iterationSeconds: 0, elapsed: [], finished: 0, finishedAt: null, reportedAt: null, hints: [], taken: [],
    rest: 'running', finish: null, undone: [], accepted: null,
  }
}

// — asked —
function asked(before: Session, effect: Effect): Session {
  const session = effect.opensIteration ? openIteration(before) : before
  return {
    ...session,
    outstanding: effect,
    cuts: 0,
    crashes: 0,
    asked: session.asked + 1,
    plan: effect.plan,
    turns: effect.kind === 'ask' ? { ...session.turns, [effect.role]: effect.turn } : session.turns,
    visits: { ...session.visits, [effect.phase]: (session.visits[effect.phase] ?? 0) + 1 },
    hints: effect.kind === 'ask' ? session.hints.filter((hint) => !effect.hints.some((told) => told.id === hint.id)) : session.hints,
    label: phaseOf(session, effect.phase).label ?? effect.phase,
    rest: 'running',
  }
}

/** A row of setbacks is broken by an iteration that had none. */
function openIteration(session: Session): Session {
  const { setbacks } = session
  return {
    ...session,
    iteration: session.iteration + 1,
    visits: {},
    judged: false,
    carried: [],
    setbacks: setbacks.marked ? { ...setbacks, marked: false } : { row: 0, marked: false, by: null },
  }
}

// — observed —
function observed(before: Session, report: Report, judgement: Judgement): Session {
  const effect = before.outstanding
  if (!effect) throw new Error('a report was observed with no effect outstanding')
  const hasPassed = effect.kind === 'check' && !effect.baseline && effect.gates.length > 0 && judgement.verdict === 'pass'
  const session: Session = {
    ...before,
    outstanding: null,
    passed: judgement.judged ? null : hasPassed ? before.tree : before.passed,
    spent: addSpend(before.spent, report.spent),
    reportedAt: report.endedAt,
    answered: report.by === undefined || report.cause === 'infrastructure' || report.cause === 'limit' ? before.answered : { ...before.answered, [report.by]: (before.answered[report.by] ?? 0) + 1 },
    iterationSeconds: before.iterationSeconds + report.spent.seconds,
    tree: movesTree(effect) ? report.tree : before.tree,
    pins: report.pins ?? before.pins,
    kept: withKept(before.kept, report.keeps),
    fault: judgement.verdict === 'error' ? report.note.slice(0, LONGEST_FAULT) : '',
    exceptions: exceptionsAfter(before, effect, report, judgement),
    infrastructure: isInfrastructure(before, report) ? before.infrastructure + 1 : 0,
    hints: effect.kind === 'ask' && isInfrastructure(before, report) ? [...effect.hints, ...before.hints] : before.hints,
    setbacks: markSetback(before, effect, report, judgement),
    breaches: countBreach(before, judgement),
    proof: judgement.proof ?? (movesTree(effect) ? null : before.proof),
    ids: effect.kind === 'check' && effect.baseline ? before.ids : { ...before.ids, ...report.ids },
    flaky: knownFlaky(before, report, judgement),
    rest: 'running',
    ...(isCandidate(effect) && candidateOf(before, report)),
    ...(effect.kind === 'ask' && effect.yields === 'review' && reviewed(before, effect, report, judgement)),
  }
  if (effect.kind === 'check' && effect.baseline && isJudged(judgement)) return takeBaseline(session, report, judgement)
  return judgement.judged ? judgedIteration(session, judgement, failingOf(report, judgement)) : session
}

/** A check that was cut off has said nothing of what it looked at. */
function isJudged({ verdict }: Judgement): boolean {
  return verdict === 'pass' || verdict === 'fail'
}

/** Taken anew between two steps: what candidates have reached since stays as it is. */
function baselined(session: Session, report: Report, judgement: Judgement): Session {
  const taken = takeBaseline({ ...session, best: null }, report, judgement)
  return session.iteration === 0 ? taken : { ...taken, facing: session.facing, best: session.best?.iteration ? session.best : taken.best }
}

function takeBaseline(session: Session, report: Report, judgement: Judgement): Session {
  const failing = failingOf(report, judgement)
  const origin: Best = { iteration: 0, tree: session.start, score: judgement.score, failing, heldByFloor: false }
  // A start tree with nothing left to prove is no mark to measure candidates by: every first try would be thrown away.
  const best = judgement.score[1] > 0 ? origin : session.best
  const flaky = [...new Set([...session.flaky, ...judgement.flaky])].slice(-KEPT.flaky)
  return { ...session, baseline: [...failing.map((failure) => failure.subject), ...judgement.excused], facing: failing, origin, best, flaky, ids: { ...session.ids, ...report.ids } }
}

/** Only what was seen on the start tree counts: a candidate that makes a test flaky has broken it. */
function knownFlaky({ flaky }: Session, { failures }: Report, judgement: Judgement): string[] {
  const proved = new Set(failures.filter(({ before }) => (before?.failed ?? 0) > 0).map(({ subject }) => subject))
  const found = judgement.flaky.filter((subject) => proved.has(subject) && !flaky.includes(subject))
  return found.length === 0 ? flaky : [...flaky, ...new Set(found)].slice(-KEPT.flaky)
}

function isCandidate(effect: Effect): boolean {
  return effect.kind === 'ask' ? effect.yields === 'candidate' : effect.kind === 'workspace' && effect.action === 'materialise'
}

function withKept(kept: Session['kept'], keeps: Report['keeps']): Session['kept'] {
  const all: Record<string, Ref | null> = { ...kept, ...keeps }
  return Object.fromEntries(Object.entries(all).flatMap(([name, ref]) => (ref ? [[name, ref]] : [])))
}

/** Tests that were corrected after they were fixed, and findings that nobody settled, stay exceptions to the end. */
function exceptionsAfter({ exceptions, iteration }: Session, effect: Effect, { pins }: Report, { disputed }: Judgement): string[] {
  const corrected = effect.kind === 'ask' && effect.yields === 'tests' && pins ? [`tests were corrected by an audit in iteration ${iteration}`] : []
  const unsettled = disputed.map((subject) => `set aside while every check passes: ${subject}`)
  return [...new Set([...exceptions, ...corrected, ...unsettled])].slice(-KEPT.exceptions)
}

function asksOnce({ phase }: Effect, { phases }: Session['procedure']): boolean {
  const asked = phases[phase]
  return asked?.kind === 'ask' && asked.reuse === 'tree'
}

/** What a review said of a tree, and how often each of its findings was raised; saying the same of the same tree is not raising it again. */
function reviewed({ said, raised, procedure }: Session, effect: Effect, report: Report, { verdict }: Judgement): Pick<Session, 'said' | 'raised'> {
  if (verdict === 'error' || verdict === 'cancelled' || said[effect.phase]?.tree === report.tree) return { said, raised }
  const counts = new Map(Object.entries(raised))
  for (const fingerprint of new Set(report.failures.map((failure) => failure.fingerprint))) {
    const before = counts.get(fingerprint) ?? 0
    counts.delete(fingerprint)
    counts.set(fingerprint, before + 1)
  }
  const reused = asksOnce(effect, procedure) ? { ...said, [effect.phase]: report } : said
  return { said: reused, raised: Object.fromEntries([...counts].slice(-KEPT.raised)) }
}

function candidateOf({ candidate, identical, made, tree: before, iteration }: Session, { tree, failures, changed }: Report): Pick<Session, 'candidate' | 'identical' | 'made' | 'carried' | 'changed'> {
  return { candidate: tree, identical: tree === candidate ? identical + 1 : 0, made: tree === before ? made : iteration, carried: failures, changed }
}

function movesTree(effect: Effect): boolean {
  return isCandidate(effect) || (effect.kind === 'ask' && (effect.yields === 'plan' || effect.yields === 'tests'))
}

function markSetback(session: Session, effect: Effect, report: Report, { verdict }: Judgement): Session['setbacks'] {
  const { setbacks } = session
  const isRepaired = report.cause === 'reply' && session.retries < (session.procedure.phases[effect.phase]?.retries ?? 1)
  const counted = session.procedure.policies.setbacks?.counts.includes(verdict) === true && !isRepaired
  if (!counted || setbacks.marked || session.iteration === 0 || isInfrastructure(session, report)) return setbacks
  return { row: setbacks.row + 1, marked: true, by: effect.kind === 'check' ? 'check' : 'ask' }
}

function countBreach({ breaches }: Session, { breach, judged }: Judgement): Session['breaches'] {
  if (breach === null) return judged ? { subject: '', row: 0 } : breaches
  return { subject: breach, row: breach === breaches.subject ? breaches.row + 1 : 1 }
}

function judgedIteration(session: Session, judgement: Judgement, failing: Failure[]): Session {
  const candidate: Best = {
    iteration: session.iteration,
    tree: session.tree,
    score: judgement.score,
    failing,
    heldByFloor: judgement.held,
  }
  return {
    ...session,
    judged: true,
    stall: judgement.stall,
    key: judgement.key,
    subjects: judgement.subjects,
    seen: judgement.key === '' ? session.seen : [...session.seen, placeOf(judgement.key, session.tree)].slice(-KEPT.seen),
    worse: judgement.worse ? session.worse + 1 : 0,
    best: judgement.preferred ? candidate : session.best,
    facing: failing,
    ...(judgement.verdict === 'fail' && tried(session, judgement, failing)),
  }
}

function tried({ best, when, iteration, changed, refuted, mended }: Session, { better }: Judgement, failing: readonly Failure[]): Partial<Session> {
  const told = better ? (best?.failing ?? []).filter(({ subject }) => !failing.some((left) => left.subject === subject)) : failing
  // Prompts carry this: what a gate that is kept back says stays out of it.
  const note = told.slice(0, 3).map(({ gate, subject }) => (when[gate] === 'sealed' ? 'a check that is kept back' : subject)).join(', ').slice(0, 200)
  const one = { iteration, failing: failing.length, changed, note }
  if (!better) return { refuted: [...refuted, one].slice(-KEPT.refuted) }
  return { mended: [...mended, { ...one, before: best && best.failing.length }].slice(-KEPT.refuted) }
}

// — decided —
function decided(session: Session, decision: Decision): Session {
  const moved: Session = {
    ...session,
    at: decision.to,
    repeating: decision.repeats,
    retries: decision.cause === 'retry' ? session.retries + 1 : decision.repeats ? session.retries : 0,
    rung: decision.rung ?? session.rung,
    posture: decision.posture ?? session.posture,
    uses: decision.fired && decision.rung !== null ? countUse(session.uses, decision.rung) : session.uses,
    pending: decision.pending ?? session.pending,
    finish: decision.finish,
    label: decision.finish ? decision.finish.outcome : decision.repeats ? session.label : (restLabel(session) ?? session.label),
  }
  const restored = decision.restore ? restore(moved, decision.restore.tree) : moved
  return closeIteration(decision.resets ? resetStall(restored) : restored)
}

function restLabel(session: Session): string | undefined {
  return session.procedure.phases[session.at]?.rests
}

function countUse(uses: readonly number[], index: number): number[] {
  const counted = Array.from({ length: Math.max(uses.length, index + 1) }, (_, i) => uses[i] ?? 0)
  counted[index] = (counted[index] ?? 0) + 1
  return counted
}

function restore(session: Session, tree: string): Session {
  return { ...session, tree, worse: 0, proof: null, facing: session.best?.tree === tree ? session.best.failing : session.facing }
}

function resetStall(session: Session): Session {
  return { ...session, stall: NO_STALL, key: '', subjects: '', seen: [], rung: -1, posture: PLAIN_POSTURE }
}

/** An iteration is over when the next one is about to open or the session has ended. */
function closeIteration(session: Session): Session {
  const next = session.procedure.phases[session.at]
  const over = !session.repeating && (session.finish !== null || next?.opensIteration === true)
  if (!over || session.finished >= session.iteration) return session
  const elapsed = [...session.elapsed, session.iterationSeconds].slice(-KEPT.elapsed)
  return { ...session, finished: session.iteration, finishedAt: session.reportedAt, elapsed, iterationSeconds: 0 }
}

// — cut off, reopened, put back —
/** A person chose this tree: it is delivered, gone on from, and the best where it was judged. An effect on another one is asked again. */
function standOn(session: Session, { tree, iteration }: Place, { best, sealed }: Pick<Extract<Event, { type: 'undone' | 'redone' }>, 'best' | 'sealed'>): Session {
  const { outstanding, finish: before } = session
  const proof = sealed?.proof ?? session.proof
  const finish = before && { ...before, delivers: tree, label: sealed?.label ?? (proof?.tree === tree ? before.label : ('unverified' as const)) }
  const hints = outstanding?.kind === 'ask' ? [...outstanding.hints, ...session.hints] : session.hints
  const facing = best?.failing ?? []
  return { ...session, mended: session.mended.filter((each) => each.iteration <= iteration), tree, proof, finish, best: best ?? null, facing, worse: 0, outstanding: null, cuts: 0, crashes: 0, hints, repeating: session.repeating || outstanding !== null }
}

/** A smaller tree that was sealed itself takes the place of the one it was made from. */
function minimised(session: Session, { tree, spent }: Report, { proof, score }: Judgement): Session {
  const best = { iteration: session.iteration, tree, score, failing: [], heldByFloor: false }
  return standOn({ ...session, proof, spent: addSpend(session.spent, spent) }, best, { best })
}

function interrupted(session: Session, spent: Spend, crashed: boolean): Session {
  return {
    ...session,
    spent: addSpend(session.spent, spent),
    iterationSeconds: session.iterationSeconds + spent.seconds,
    cuts: session.cuts + (session.outstanding ? 1 : 0),
    crashes: session.crashes + (session.outstanding && crashed ? 1 : 0),
    rest: 'interrupted',
  }
}

/** I8: budgets only go up. A session that gave up goes on where it was cut, with its rows of bad luck forgotten. */
function extended(session: Session, budget: Budget): Session {
  const raised: Budget = { ...session.budget }
  const opening = !session.outstanding && session.procedure.phases[session.finish?.resumesAt ?? session.at]?.opensIteration ? 1 : 0
  for (const kind of ['iterations', 'seconds', 'tokens', 'usd'] as const) {
    const wanted = budget[kind]
    // A bound that was not there before takes nothing away that is done or already decided.
    const least = raised[kind] || (kind === 'iterations' ? session.iteration + opening : 0)
    if (wanted !== undefined) raised[kind] = wanted === 0 ? 0 : Math.max(least, wanted)
  }
  const reopened = session.finish?.resumesAt ?? null
  const fresh = { ...resetStall(session), budget: raised, setbacks: { row: 0, marked: false, by: null }, infrastructure: 0, breaches: { subject: '', row: 0 } }
  return reopened === null ? { ...session, budget: raised } : { ...fresh, at: reopened, retries: 0, finish: null, pending: null, rest: 'running' }
}

function phaseOf(session: Session, name: string): Phase {
  const phase = session.procedure.phases[name]
  if (!phase) throw new Error(`the journal names a phase "${name}" that its procedure does not have`)
  return phase
}

export function addSpend(a: Spend, b: Spend): Spend {
  return { seconds: a.seconds + b.seconds, tokens: a.tokens + b.tokens, usd: a.usd + b.usd }
}
