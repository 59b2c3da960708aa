// The engine's three moves: issue the next effect, step on a report, and give up on an effect that keeps crashing.
import { apply, NO_SPEND } from './apply.js'
import { decide, spentLimit } from './decide.js'
import { shortHash } from './hash.js'
import { judge } from './judge.js'
import type { Budget, CheckPhase, Effect, Event, Phase, Report, Session } from './types.js'

/** An effect cut off this often by a crash is reported as an error instead of being begun once more. */
const MOST_CRASHES = 3

// — issue —
/** The effect the session wants next, or null when one is outstanding (I3) or the session has ended. */
export function issue(session: Session): Effect | null {
  const phase = session.procedure.phases[session.at]
  if (session.outstanding || session.finish || !phase) return null
  const opensIteration = phase.opensIteration === true && !session.repeating
  const opensPlan = phase.opensPlan === true && !session.repeating
  const iteration = session.iteration + (opensIteration ? 1 : 0)
  const plan = session.plan + (opensPlan ? 1 : 0)
  const id = `${session.asked + 1}.${session.at}`
  const base = baseOf(session, phase.file ?? session.at, opensIteration, iteration)
  const common = { id, phase: session.at, iteration, plan, tree: session.tree, pins: session.pins, base, opensIteration, opensPlan }
  return { ...common, ...doing(session, phase, id) }
}

type Doing = { [K in Effect['kind']]: Omit<Extract<Effect, { kind: K }>, CommonKey> }[Effect['kind']]
type CommonKey = 'id' | 'phase' | 'iteration' | 'plan' | 'tree' | 'pins' | 'base' | 'opensIteration' | 'opensPlan'

function doing(session: Session, phase: Phase, id: string): Doing {
  switch (phase.kind) {
    case 'ask':
      return {
        kind: 'ask',
        role: phase.role,
        answers: session.posture.roles[phase.role] ?? phase.role,
        yields: phase.yields,
        turn: (session.turns[phase.role] ?? 0) + 1,
        posture: session.posture,
        hints: phase.yields === 'candidate' || phase.yields === 'response' ? session.hints : [],
        nonce: phase.words ? shortHash(`${session.id}/${id}`).slice(0, 8) : '',
        decides: phase.status === 'decides',
      }
    case 'check':
      return {
        kind: 'check',
        gates: [...new Set(phase.gates.flatMap((gate) => (gate === '@configured' ? configured(session, phase) : [gate])))],
        baseline: phase.baseline === true,
        sealed: phase.sealed === true,
        reruns: phase.reruns ?? 0,
        confirm: phase.confirm ?? 0,
      }
    case 'workspace':
      return { kind: 'workspace', action: phase.action }
  }
}

function configured({ gates, when }: Session, { baseline, sealed }: CheckPhase): string[] {
  return gates.filter((gate) => (when[gate] === 'sealed' ? sealed : when[gate] === 'after baseline' ? !baseline : true))
}

/** What belongs to no iteration stands at the root; a second visit within an iteration is numbered. */
function baseOf(session: Session, stem: string, opensIteration: boolean, iteration: number): string {
  const visit = opensIteration ? 1 : (session.visits[session.at] ?? 0) + 1
  const name = visit === 1 ? stem : `${stem}-${visit}`
  return iteration === 0 ? name : `iteration-${iteration}/${name}`
}

// — step —
/** What a report means and what follows from it. A report of any other effect than the outstanding one yields nothing. */
export function step(session: Session, report: Report): Event[] {
  const effect = session.outstanding
  const phase = effect ? session.procedure.phases[effect.phase] : undefined
  if (!effect || !phase || report.effect !== effect.id) return []
  const judgement = judge(session, effect, phase, report)
  const observed: Event = { type: 'observed', report, judgement }
  const after = apply(session, observed)
  return [observed, { type: 'decided', decision: decide(after, effect, phase, report, judgement) }]
}

/** Whether the phase just left wants the next one to be asked by a step of its own. */
export function rests(session: Session, phase: string): boolean {
  return session.finish === null && !session.repeating && session.procedure.phases[phase]?.rests !== undefined
}

// — reissue, extend —
/** What is known of the outstanding effect without beginning it: that it cannot be done after a cut, or what was said of the same tree. */
export function reissue(session: Session): Report | null {
  const effect = session.outstanding
  const phase = session.procedure.phases[effect?.phase ?? '']
  const said = phase?.kind === 'ask' && phase.reuse === 'tree' ? session.said[effect?.phase ?? ''] : undefined
  if (effect && said?.tree === effect.tree) return { ...said, effect: effect.id, spent: NO_SPEND, files: [], note: 'not asked again: the files are the same' }
  if (!effect || session.cuts === 0) return null
  const spent = effect.kind === 'ask' ? spentLimit(session.budget, session) : null
  if (spent === null && session.crashes < MOST_CRASHES) return null
  const note = spent === null ? `cut off by a crash ${session.crashes} times` : `cut off, and ${spent}`
  return { ...emptyReport(effect), verdict: 'error', cause: 'interrupted', note }
}

/** What stands in the way of going on with a session that has ended, in words; null when nothing does. */
export function obstacleToExtend(session: Session, budget: Budget): string | null {
  if (!session.finish) return null
  if (session.finish.resumesAt === null) return `it ended ${session.finish.outcome}; there is nothing to resume`
  const extended = apply(session, { type: 'extended', budget })
  const opens = session.procedure.phases[session.finish.resumesAt]?.opensIteration === true && !session.repeating
  const most = extended.budget.iterations ?? 0
  if (opens && most > 0 && extended.iteration >= most) return `all ${most} iterations are done`
  return session.procedure.phases[session.finish.resumesAt]?.kind === 'ask' ? spentLimit(extended.budget, extended) : null
}

export function emptyReport(effect: Effect): Report {
  return {
    effect: effect.id, tree: effect.tree, verdict: 'pass', cause: null, note: '', word: null, sealed: null, diffLines: 0, endedAt: 0, changed: '', pins: null,
    gates: [], failures: [], evidence: [], exceptions: [], ids: {}, keeps: {}, files: [], spent: NO_SPEND,
  }
}
