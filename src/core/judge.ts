// What a report means: which failures count, how good the candidate is, and whether the loop still gets anywhere.
import { shortHash } from './hash.js'
import { isGoodEnd, isOutcome, isSealed, judges, routeOf } from './procedure.js'
import type { Effect, Failure, GateResult, Judgement, Phase, Proof, Report, Score, Session, Stall, Target, Verdict } from './types.js'

/** Failures that are not counted by ids rank behind any set of known ids. */
const UNKNOWN_IDS = 1_000_000

export function judge(session: Session, effect: Effect, phase: Phase, report: Report): Judgement {
  const sorted = sortFailures(session, effect, phase, report, judges(phase) ? session.carried : [])
  const verdict = verdictOf(effect, phase, report, sorted)
  const key = verdict === 'fail' ? keyOf(sorted.failing, report) : ''
  const subjects = verdict === 'fail' ? subjectsOf(sorted.failing) : ''
  const score = scoreOf(session, effect, report, sorted.failing, verdict)
  const judged = judgesIteration(session, phase, report, verdict)
  const better = judged && (session.best === null || isProgress(score, session.best.score))
  return {
    verdict,
    judged,
    key,
    subjects,
    score,
    better,
    preferred: judged && (session.best === null || isPreferred(score, session.best.score)),
    worse: judged && session.best !== null && isProgress(session.best.score, score),
    held: judged && verdict === 'pass' && isHeldByFloor(session, routeFor(phase, report, verdict)),
    stall: judged ? stallAfter(session, report.tree, { key, subjects }, verdict, better || isFirst(session)) : session.stall,
    failing: sorted.failing.flatMap((failure) => (report.failures.includes(failure) ? [report.failures.indexOf(failure)] : [])),
    found: sorted.failing.filter((failure) => !report.failures.includes(failure)),
    fresh: sorted.fresh,
    excused: sorted.excused,
    flaky: sorted.flaky,
    disputed: sorted.disputed,
    breach: judges(phase) ? (sorted.failing.find((failure) => failure.class !== 'behaviour')?.subject ?? null) : null,
    proof: proofOf(session, effect, report, verdict),
  }
}

/** The failures a judgement counts, with their texts. */
export function failingOf(report: Report, { failing, found }: Judgement): Failure[] {
  return [...failing.flatMap((place) => report.failures[place] ?? []), ...found]
}

/** Whether what the gates have said so far already fails, so that the rest need not run. */
export function failsAlready(session: Session, effect: Effect, report: Report): boolean {
  const phase = session.procedure.phases[effect.phase]
  return phase !== undefined && sortFailures(session, effect, phase, report, []).failing.length > 0
}

// — which failures count —
type Sorted = Record<'fresh' | 'excused' | 'flaky' | 'disputed', string[]> & { failing: Failure[] }

function sortFailures(session: Session, effect: Effect, phase: Phase, report: Report, carried: readonly Failure[]): Sorted {
  const sorted: Sorted = { failing: [...carried], fresh: [], excused: [], flaky: [], disputed: [] }
  const settled = new Set(report.gates.filter((gate) => gate.complete && gate.exit === 'fail' && gate.missing === 0).map((gate) => gate.gate))
  for (const failure of report.failures) {
    // I7: only a structured failure of a run that came to its end may be set aside. I9: what has to be proved never is.
    const setAside = failure.class === 'behaviour' && settled.has(failure.gate)
    const excused = (effect.kind === 'check' && effect.baseline ? isExcusable : isExcused)(session, failure.subject)
    const target = session.baseline?.includes(failure.subject) === true && !excused
    if (isDisputed(session, effect, failure)) sorted.disputed.push(failure.subject)
    else if (setAside && !target && isFlaky(session, phase, failure)) sorted.flaky.push(failure.subject)
    else if (setAside && excused) sorted.excused.push(failure.subject)
    else sorted.failing.push(failure)
  }
  sorted.failing.push(...unexplained(report), ...noChange(session, effect, phase, report, sorted.failing))
  const known = new Set(session.baseline ?? [])
  sorted.fresh = sorted.failing.map((failure) => failure.subject).filter((subject) => !known.has(subject))
  return sorted
}

/** Now passing, now failing, and not by our doing: where it decides, only the start tree can show that. */
function isFlaky({ flaky }: Session, phase: Phase, { subject, runs, before }: Failure): boolean {
  if (flaky.includes(subject) || (before !== undefined && before.failed > 0)) return true
  return runs.failed < runs.of && !(isSealed(phase) && before !== undefined)
}

/** Raised again and again while every gate passes: a word against evidence. What is an error stays one. */
function isDisputed({ procedure, raised }: Session, effect: Effect, { fingerprint, finding }: Failure): boolean {
  const limit = procedure.policies.disputes?.limit ?? Infinity
  return effect.kind === 'ask' && finding?.severity !== 'error' && (raised[fingerprint] ?? 0) >= limit
}

function isExcused(session: Session, subject: string): boolean {
  return session.baseline?.includes(subject) === true && isExcusable(session, subject)
}

function isExcusable(session: Session, subject: string): boolean {
  const { targets = [], excuse = [] } = session.procedure.policies.goal ?? {}
  return targets.length > 0 ? !matchesAny(targets, subject) : matchesAny(excuse, subject)
}

export function matchesAny(patterns: readonly string[], subject: string): boolean {
  return patterns.some((pattern) => matches(pattern.split('*'), subject))
}

/** `*` stands for anything; matched piece by piece, so that no pattern can be slow. */
function matches(pieces: readonly string[], subject: string): boolean {
  const [first = '', ...rest] = pieces
  if (!subject.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return subject === first
  let at = first.length
  for (const piece of rest) {
    const found = subject.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return subject.length - at >= last.length && subject.endsWith(last)
}

/** A gate that failed and cannot say what, that broke off, or that kept ids back, is a failure of its own. */
function unexplained(report: Report): Failure[] {
  const named = new Set(report.failures.map((failure) => failure.gate))
  return report.gates.flatMap((gate) => {
    const what = whatIsWrong(gate, named.has(gate.gate))
    return what === null ? [] : [madeFailure(gate.gate, what, 'behaviour', gate.note || what)]
  })
}

function whatIsWrong(gate: GateResult, named: boolean): string | null {
  if (gate.exit === 'timeout') return 'timed out'
  if (gate.exit === 'error' || gate.exit === 'not run') return null
  if (!gate.complete) return 'broke off'
  if (gate.missing > 0) return 'missing tests'
  return gate.exit === 'fail' && !named ? 'failed without saying what' : null
}

/** A candidate that changes nothing proves nothing, whatever the gates say. */
function noChange(session: Session, effect: Effect, phase: Phase, report: Report, failing: readonly Failure[]): Failure[] {
  const wanted = session.procedure.policies.goal?.change === true && effect.kind === 'check' && !effect.baseline && judges(phase)
  if (!wanted || failing.length > 0 || report.verdict === 'error' || report.tree !== session.start) return []
  return [madeFailure('change', 'no change', 'behaviour', 'the tree is the one the session started from')]
}

function madeFailure(gate: string, subject: string, kind: Failure['class'], message: string): Failure {
  return { gate, subject: `${gate}: ${subject}`, class: kind, fingerprint: shortHash(`${gate}\n${subject}`), message, runs: { failed: 1, of: 1 } }
}

// — verdict, score, key —
function verdictOf(effect: Effect, phase: Phase, report: Report, { failing, disputed }: Sorted): Verdict {
  if (effect.kind === 'ask' && report.verdict === 'fail' && failing.length === 0 && disputed.length > 0) return 'pass'
  if (effect.kind !== 'check' || report.verdict === 'error' || report.verdict === 'cancelled') return report.verdict
  if (failing.length > 0) return 'fail'
  // A gate that was not brought to its end is no part of a pass, whatever was set aside before it.
  const heard = new Set(report.gates.filter(({ exit }) => exit === 'pass' || exit === 'fail').map(({ gate }) => gate))
  if (!effect.gates.every((gate) => heard.has(gate))) return 'error'
  const bound = report.sealed?.tree === report.tree && report.tree === effect.tree
  return isSealed(phase) && !bound ? 'error' : 'pass'
}

/** Counted up to the first gate that fails, as a check runs them; a baseline runs them all, and counts what has to be proved. */
function scoreOf(session: Session, effect: Effect, report: Report, failing: readonly Failure[], verdict: Verdict): Score {
  const baseline = effect.kind === 'check' && effect.baseline
  const counting = baseline ? failing.filter((failure) => !isExcusable(session, failure.subject)) : failing
  if (verdict === 'pass' || (baseline && counting.length === 0)) return [0, 0, 0, report.diffLines]
  const breach = counting.some((failure) => failure.class !== 'behaviour') ? 1 : 0
  const gates = effect.kind === 'check' ? effect.gates : []
  const first = gates.findIndex((gate) => counting.some((failure) => failure.gate === gate))
  const reached = first < 0 ? report.gates : report.gates.filter(({ gate }) => gates.indexOf(gate) <= first)
  const within = first < 0 ? counting : counting.filter(({ gate }) => gates.indexOf(gate) <= first)
  const named = new Set(report.failures.map((failure) => failure.gate))
  const counted = reached.every((gate) => isCounted(gate, named.has(gate.gate)))
  const subjects = new Set(within.map((failure) => failure.subject)).size
  const missing = reached.reduce((sum, gate) => sum + Math.max(0, gate.missing - 1) + (gate.more ?? 0), 0)
  // A review comes after every gate.
  return [breach, effect.kind === 'ask' ? 0 : first < 0 ? 1 : stagesLeft(session, gates, first), subjects + missing + (counted ? 0 : UNKNOWN_IDS), report.diffLines]
}

/** Among all gates of the session where it has this one: not every check runs them all, and a later stage must stay a later one. */
function stagesLeft({ gates: all }: Session, gates: readonly string[], first: number): number {
  const stage = all.indexOf(gates[first] ?? '')
  return stage < 0 ? gates.length - first : all.length - stage
}

/** Whether it is known how much of a gate fails: told by ids to the end of its run, or counted as missing (itself one failure). */
function isCounted({ exit, known, complete, missing }: GateResult, named: boolean): boolean {
  return exit === 'pass' || exit === 'not run' || missing > 0 || (exit === 'fail' && known && complete && named)
}

/** Whether `score` is really better than `other`; a smaller diff alone is not. */
export function isProgress(score: Score, other: Score): boolean {
  for (const place of [0, 1, 2] as const) if (score[place] !== other[place]) return score[place] < other[place]
  return false
}

/** Whether `score` should take the place of `other`: better, or as good with a smaller diff. */
function isPreferred(score: Score, other: Score): boolean {
  return isProgress(score, other) || (!isProgress(other, score) && score[3] < other[3])
}

function keyOf(failing: readonly Failure[], { gates }: Report): string {
  const unlisted = gates.flatMap(({ gate, more }) => (more ? [`${gate} and ${more} more`] : []))
  return shortHash([...new Set(failing.map((failure) => failure.fingerprint)), ...unlisted].toSorted().join('\n'))
}

// — judging an iteration, once —
/** By its first failing judging phase, by a passing seal, or by a pass that leaves the iteration or is held back. */
function judgesIteration(session: Session, phase: Phase, report: Report, verdict: Verdict): boolean {
  if (session.judged || session.iteration === 0 || !judges(phase)) return false
  if (verdict === 'fail') return true
  return verdict === 'pass' && (isSealed(phase) || leavesIteration(session, routeFor(phase, report, verdict)))
}

function leavesIteration(session: Session, target: Target): boolean {
  return isOutcome(target) || session.procedure.phases[target]?.opensIteration === true || isHeldByFloor(session, target)
}

/** Where the phase itself leads: by completion word where it knows that word, else by verdict. Whoever has nothing more to try stalls. */
export function routeFor(phase: Phase, report: Report, verdict: Verdict): Target {
  const byWord = phase.kind === 'ask' && report.word !== null && verdict === 'pass' ? phase.words?.[report.word] : undefined
  return byWord ?? (report.cause === 'over' && phase.opensIteration ? '@stalled' : routeOf(phase, verdict))
}

export function isHeldByFloor(session: Session, target: Target): boolean {
  const { floor } = session.procedure.policies
  if (!floor || session.iteration >= floor.iterations || session.pending) return false
  return isGoodEnd(session.procedure.phases, target)
}

/** The first judged iteration counts as an improvement, though the start tree may still be the best. */
function isFirst({ best, stall }: Session): boolean {
  return best?.iteration === 0 && stall.repeats === 0
}

function subjectsOf(failing: readonly Failure[]): string {
  return shortHash([...new Set(failing.map(({ subject }) => subject))].toSorted().join('\n'))
}

function stallAfter(session: Session, tree: string, { key, subjects }: Pick<Session, 'key' | 'subjects'>, verdict: Verdict, better: boolean): Stall {
  if (verdict === 'pass') return { repeats: 0, subjects: 0, revisits: 0, plateau: 0, level: 0 }
  const before = session.stall
  const stall = better
    ? { repeats: 1, subjects: 1, revisits: 0, plateau: 0 }
    : {
        repeats: key === session.key ? before.repeats + 1 : 1,
        subjects: subjects === session.subjects ? before.subjects + 1 : 1,
        revisits: session.seen.includes(placeOf(key, tree)) ? before.revisits + 1 : before.revisits,
        plateau: before.plateau + 1,
      }
  const signals = session.procedure.policies.ladder?.signals ?? []
  return { ...stall, level: Math.max(0, ...signals.map((signal) => stall[signal])) }
}

/** What a revisit is told by: the same failures on the same tree. */
export function placeOf(key: string, tree: string): string {
  return shortHash(`${key} ${tree}`)
}

// — proof —
/** I9: a passing seal proves the work only with a target that was failing, or other evidence, and a changed tree. */
function proofOf(session: Session, effect: Effect, report: Report, verdict: Verdict): Proof | null {
  if (verdict !== 'pass' || effect.kind !== 'check' || !effect.sealed || report.sealed === null) return null
  const targeted = (session.baseline ?? []).some((subject) => !isExcused(session, subject))
  if ((!targeted && report.evidence.length === 0) || report.sealed.tree === session.start) return null
  const told = new Set((session.origin?.failing ?? []).filter(({ subject }) => !isExcusable(session, subject)).map(({ gate }) => gate))
  const nameless = report.gates.filter(({ gate, known }) => !known && told.has(gate)).map(({ gate }) => `${gate} names no tests, so its proof is its exit status`)
  return { tree: report.sealed.tree, pins: report.sealed.pins, exceptions: [...session.exceptions, ...report.exceptions, ...nameless] }
}

/** A failure of the world between us and the agent, where the procedure counts those apart. */
export function isInfrastructure(session: Session, report: Report): boolean {
  return (report.cause === 'infrastructure' || report.cause === 'limit') && session.procedure.policies.infrastructure !== undefined
}
