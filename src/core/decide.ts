// What comes next, and why: policies in a fixed order, else the phase's own route; then proof, then budget, then the best tree.
import { isHeldByFloor, isInfrastructure, isProgress, routeFor } from './judge.js'
import { isOutcome, isSealed } from './procedure.js'
import type { Budget, Decision, Effect, Finish, Judgement, Outcome, Phase, Posture, Report, Rung, Session, Target, Tree } from './types.js'

export const PLAIN_POSTURE: Posture = { stance: null, focus: null, scope: null, roles: {} }

const CODES: Record<Outcome, number> = { converged: 0, completed: 0, stalled: 3, exhausted: 4, refused: 5, failed: 1, cancelled: 11 }

/** An end with less than the label that was asked for is stopped by the guard. */
const CODE_UNDER_LABEL = 6

/** Everything a decision is made from. `session` has already taken in the report. */
export type Case = { session: Session; effect: Effect; phase: Phase; report: Report; judgement: Judgement; route: Target }

/** A decision on its way: where to, and, when that is an end which can be resumed, where it would have gone. */
type Move = Pick<Decision, 'to' | 'cause' | 'why'> & { repeats?: true; code?: number; resumesAt?: Target }

export function decide(session: Session, effect: Effect, phase: Phase, report: Report, judgement: Judgement): Decision {
  const facts: Case = { session, effect, phase, report, judgement, route: routeFor(phase, report, judgement.verdict) }
  const ladder = climb(facts)
  const move =
    cutShort(facts) ?? retry(facts) ?? infrastructure(facts) ?? breaches(facts) ?? setbacks(facts) ?? floor(facts) ?? ladder.move ?? route(facts)
  const settled = session.pending ? proof(session, move) : budget(session, proof(session, move))
  const restore = judgement.judged ? restores(session, ladder, settled) : null
  return sealBestFirst(session, {
    ...ladder.part,
    ...(settled.cause === 'budget' && settled.resumesAt !== move.to && { fired: false, resets: false }),
    to: settled.to,
    cause: settled.cause,
    why: restore ? `${settled.why}; back to ${restore.iteration === 0 ? 'the start' : `iteration ${restore.iteration}`}, the best so far` : settled.why,
    repeats: settled.repeats === true,
    restore,
    finish: finishOf(session, settled),
    pending: null,
  })
}

const NO_LADDER = { rung: null, fired: false, posture: null, resets: false } as const

// — policies, in order —
/** An ask that was cut off is not begun again on a spent budget (I8). */
function cutShort({ session, effect, report }: Case): Move | null {
  const spent = report.cause === 'interrupted' ? spentLimit(session.budget, session) : null
  return spent === null ? null : { to: '@exhausted', cause: 'budget', why: spent, resumesAt: effect.phase, repeats: true }
}

function retry({ session, effect, phase, report, judgement }: Case): Move | null {
  const allowed = phase.retries ?? (report.cause === 'reply' ? 1 : 0)
  if (judgement.verdict !== 'error' || report.cause === 'said' || report.cause === 'over' || isInfrastructure(session, report) || session.retries >= allowed) return null
  const why = `${effect.phase} could not be judged (${report.note}); once more, ${session.retries + 1} of ${allowed}`
  return { to: effect.phase, cause: 'retry', why, repeats: true }
}

function infrastructure({ session, effect, report }: Case): Move | null {
  const limit = session.procedure.policies.infrastructure?.limit ?? 0
  if (!isInfrastructure(session, report)) return null
  const isFinal = report.cause === 'limit'
  const why = `the agent cannot be reached: ${report.note}${isFinal ? '' : ` (${session.infrastructure} of ${limit} in a row)`}`
  return session.infrastructure < limit && !isFinal
    ? { to: effect.phase, cause: 'infrastructure', why, repeats: true }
    : { to: '@refused', cause: 'infrastructure', why, code: 7, resumesAt: effect.phase, repeats: true }
}

function breaches({ session, judgement, route }: Case): Move | null {
  const limit = session.procedure.policies.breaches?.limit
  if (limit === undefined || judgement.breach === null || session.breaches.row < limit) return null
  return { to: '@refused', cause: 'breaches', why: `the same breach ${limit} times: ${judgement.breach}`, code: 6, resumesAt: route }
}

/** Stops a row of setbacks where the next iteration would open. */
function setbacks({ session, route }: Case): Move | null {
  const policy = session.procedure.policies.setbacks
  if (!policy || session.setbacks.row < policy.limit || !opensIteration(session, route)) return null
  const byAgent = session.setbacks.by === 'ask'
  const why = `${session.setbacks.row} setbacks in a row, the last by ${byAgent ? 'the agent' : 'a gate'}`
  return byAgent
    ? { to: '@refused', cause: 'setbacks', why, code: 7, resumesAt: route }
    : { to: '@stalled', cause: 'setbacks', why, resumesAt: route }
}

function floor({ session, effect, route, judgement }: Case): Move | null {
  const policy = session.procedure.policies.floor
  if (!policy || judgement.verdict !== 'pass' || !isHeldByFloor(session, route)) return null
  return { to: policy.to, cause: 'floor', why: `${effect.phase} passed, but iteration ${session.iteration} is below the floor of ${policy.iterations}` }
}

function route({ effect, route: to, judgement, report }: Case): Move {
  const said = report.note ? ` (${report.note})` : ''
  const word = report.word ? `; the agent said ${report.word}` : ''
  const why = `${effect.phase}: ${judgement.verdict}${said}${word}`
  const again = { resumesAt: effect.phase, repeats: true } as const
  if (to === '@refused') return { to, cause: 'route', why, code: refusalCode(effect, report), ...again }
  return to === '@stalled' ? { to, cause: 'route', why, ...again } : { to, cause: 'route', why }
}

/** Who could not do their part decides the exit code: guard, state, agent or gate. */
function refusalCode(effect: Effect, { cause }: Report): number {
  if (cause === 'guard') return 6
  if (cause === 'state') return 10
  return effect.kind === 'ask' ? 7 : CODES.refused
}

function opensIteration(session: Session, target: Target): boolean {
  return session.procedure.phases[target]?.opensIteration === true
}

// — ladder and ratchet —
type Climb = { part: Pick<Decision, 'rung' | 'fired' | 'posture' | 'resets'>; move: Move | null; restore: boolean }

/** The rung follows the stall, up and down; only reaching one from below fires it. */
function climb({ session, judgement, effect, route }: Case): Climb {
  const ladder = session.procedure.policies.ladder
  if (!ladder || !judgement.judged) return { part: NO_LADDER, move: null, restore: false }
  const index = rungAt(session, judgement.stall.level)
  const rung = ladder.rungs[index]
  const fired = rung !== undefined && index !== session.rung && isAbove(ladder.rungs, index, session.rung)
  const part = { rung: index, fired, posture: postureOf(rung), resets: fired && rung.resets === true }
  if (!fired || rung.to === undefined) return { part, move: null, restore: fired && rung.restore === true }
  const why = `${describeStall(session, judgement)}, so ${isOutcome(rung.to) ? 'the ladder ends here' : `on to ${rung.to}`}`
  const resumesAt = isOutcome(route) ? effect.phase : route
  return { part, move: { to: rung.to, cause: 'ladder', why, resumesAt }, restore: rung.restore === true }
}

/** The highest `at` within the level that has uses left and can be filled; among equals the first listed. */
function rungAt(session: Session, level: number): number {
  const rungs = session.procedure.policies.ladder?.rungs ?? []
  let chosen = -1
  rungs.forEach((rung, index) => {
    const inForce = index === session.rung && rung.to === undefined
    const usable = inForce || (session.uses[index] ?? 0) < (rung.times ?? Infinity)
    if (rung.at > level || !usable || !isFillable(session, rung)) return
    if (chosen < 0 || rung.at > (rungs[chosen]?.at ?? 0)) chosen = index
  })
  return chosen
}

function isFillable(session: Session, rung: Rung): boolean {
  const phase = rung.to === undefined ? undefined : session.procedure.phases[rung.to]
  const needed = [...Object.values(rung.roles ?? {}), ...(phase?.kind === 'ask' ? [phase.role] : [])]
  return needed.every((role) => session.roles[role] !== undefined) && (rung.without === undefined || session.roles[rung.without] === undefined)
}

function isAbove(rungs: readonly Rung[], index: number, current: number): boolean {
  const here = rungs[current]?.at ?? 0
  const there = rungs[index]?.at ?? 0
  return there > here || (there === here && index > current)
}

function postureOf(rung: Rung | undefined): Posture {
  if (!rung) return PLAIN_POSTURE
  return { stance: rung.stance ?? null, focus: rung.focus ?? null, scope: rung.scope ?? null, roles: rung.roles ?? {} }
}

function describeStall(session: Session, { stall }: Judgement): string {
  const signals = session.procedure.policies.ladder?.signals ?? []
  const leading = signals.find((signal) => stall[signal] === stall.level) ?? 'repeats'
  const words = {
    repeats: `the same failures ${stall.repeats} times`,
    subjects: `the same tests fail ${stall.subjects} times`,
    revisits: `back at a state seen before, ${stall.revisits} times`,
    plateau: `no better for ${stall.plateau} iterations`,
  }
  return words[leading]
}

/** The tree has one owner: a rung that says so, else the ratchet after its patience; both act on what was just judged. */
function restores({ best, procedure, worse, tree }: Session, ladder: Climb, move: Move): Decision['restore'] {
  if (!best || best.tree === tree || isOutcome(move.to) || move.repeats) return null
  const patience = procedure.policies.ratchet?.patience
  const slipped = patience !== undefined && worse >= patience
  return ladder.restore || slipped ? { tree: best.tree, iteration: best.iteration } : null
}

// — proof, budget, best —
/** Nothing is called converged without a proof of this very tree (I9). */
function proof(session: Session, move: Move): Move {
  if (move.to !== '@converged' || session.proof?.tree === session.tree) return move
  return { to: '@completed', cause: 'unproven', why: `${move.why}; nothing shows that the task itself was done` }
}

/** I8: a budget stops work that wants to go on, never takes a finished result away. */
function budget(session: Session, move: Move): Move {
  const phase = session.procedure.phases[move.to]
  if (phase?.kind !== 'ask') return move
  const most = session.budget.iterations ?? 0
  // Where a rung leads instead of to the next iteration, it is for the sake of that one: with none left, nobody is asked.
  const instead = move.cause === 'ladder' && opensIteration(session, move.resumesAt ?? '') ? move.resumesAt : undefined
  if (((phase.opensIteration && !move.repeats) || instead) && most > 0 && session.iteration >= most) {
    const then = session.budget.then ?? 'exhausted'
    return { to: `@${then}`, cause: 'budget', why: `${most} of ${most} iterations done`, ...(then === 'exhausted' && { resumesAt: instead ?? move.to }) }
  }
  const spent = spentLimit(session.budget, session)
  return spent ? { to: '@exhausted', cause: 'budget', why: spent, resumesAt: move.to, ...(move.repeats && { repeats: true }) } : move
}

/** The first limit that is used up, in words; null while there is something left of all. */
export function spentLimit(limits: Budget, { spent }: Pick<Session, 'spent'>): string | null {
  for (const kind of ['seconds', 'tokens', 'usd'] as const) {
    const most = limits[kind] ?? 0
    if (most > 0 && spent[kind] >= most) return `${Math.round(spent[kind] * 100) / 100} of ${most} ${kind} spent`
  }
  return null
}

/** Before a session gives up, a best tree that only the floor held back gets its seal, once. */
function sealBestFirst(session: Session, decision: Decision): Decision {
  if (session.pending) return mayFollowSeal(session, decision) ? decision : giveUpAfterAll(session.pending, decision)
  const seal = Object.keys(session.procedure.phases).find((name) => isSealed(session.procedure.phases[name]))
  const giveUp = decision.finish?.outcome === 'stalled' || decision.finish?.outcome === 'exhausted'
  if (!giveUp || !session.best?.heldByFloor || seal === undefined) return decision
  const { tree, iteration } = session.best
  const why = `${decision.why}; iteration ${iteration} had passed and was held back only by the floor, so it is sealed first`
  return { ...decision, to: seal, cause: 'best', why, repeats: false, restore: { tree, iteration }, finish: null, pending: decision.finish }
}

/** Once an end was put off, only the seal itself, what follows a passing one, and a good end are left. */
function mayFollowSeal(session: Session, { to, finish }: Decision): boolean {
  const phase = session.procedure.phases[to]
  return finish?.code === 0 || isSealed(phase) || (phase?.kind === 'workspace' && session.proof?.tree === session.tree)
}

function giveUpAfterAll(pending: Finish, decision: Decision): Decision {
  const why = `${pending.why}; the best tree, held back only by the floor, was not accepted (${decision.why})`
  return { ...decision, to: `@${pending.outcome}`, why, repeats: false, restore: null, finish: { ...pending, why } }
}

/** Never worse than the start, as far as a baseline tells. */
function bestOf({ best, origin, tree }: Session): Tree {
  if (origin && (!best || isProgress(origin.score, best.score))) return origin.tree
  return best?.tree ?? tree
}

function finishOf(session: Session, move: Move): Finish | null {
  if (!isOutcome(move.to)) return null
  const outcome = move.to.slice(1) as Outcome
  const delivers = session.procedure.final === 'best' && outcome !== 'converged' ? bestOf(session) : session.tree
  const whole = session.proof?.exceptions.length === 0 && session.pending === null
  const label = outcome !== 'converged' ? 'unverified' : whole ? 'verified' : 'partly verified'
  const { require = label } = session.procedure.policies.goal ?? {}
  return {
    outcome,
    code: require !== label && label !== 'verified' ? CODE_UNDER_LABEL : (move.code ?? CODES[outcome]),
    label,
    why: move.why,
    delivers,
    resumesAt: move.resumesAt !== undefined && !isOutcome(move.resumesAt) ? move.resumesAt : null,
  }
}
