// Small procedures and a scripted world, so that a test of the core reads as a story: phases, what each answered, what came of it.
import {
  apply, emptyReport, issue, rebuild, step,
  type AskPhase, type Cause, type CheckPhase, type Decision, type Effect, type Event, type Failure, type GateResult, type Judgement,
  type Opened, type Phase, type Policies, type Procedure, type Report, type Rung, type Session, type Signal, type Spend,
  type WorkspacePhase,
} from '../../src/core/index.js'

// — procedures —
type Part<P extends Phase> = Partial<Omit<P, 'kind'>>

export function ask(on: AskPhase['on'], part: Part<AskPhase> = {}): AskPhase {
  return { kind: 'ask', role: 'implementer', yields: 'candidate', prompt: [], on, ...part }
}

export function opening(on: AskPhase['on'], part: Part<AskPhase> = {}): AskPhase {
  return ask(on, { opensIteration: true, ...part })
}

export function check(on: CheckPhase['on'], part: Part<CheckPhase> = {}): CheckPhase {
  return { kind: 'check', gates: ['test'], on, ...part }
}

export function seal(on: CheckPhase['on'], part: Part<CheckPhase> = {}): CheckPhase {
  return check(on, { gates: ['@configured'], sealed: true, ...part })
}

export function workspace(action: WorkspacePhase['action'], on: WorkspacePhase['on'], part: Part<WorkspacePhase> = {}): WorkspacePhase {
  return { kind: 'workspace', action, on, ...part }
}

export function procedureOf(phases: Record<string, Phase>, part: Partial<Procedure> = {}): Procedure {
  const start = Object.keys(phases)[0] ?? ''
  const stances = { calm: 'be calm', bold: 'be bold' }
  return { name: 'example', summary: '', start, phases, policies: {}, budget: {}, final: 'last', stances, ...part }
}

/** The loop most tests need: make, check, seal. */
export function loop(part: Partial<Procedure> = {}): Procedure {
  const phases = {
    make: opening({ pass: 'test', error: 'make' }),
    test: check({ pass: 'seal', fail: 'make' }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  }
  return procedureOf(phases, part)
}

export function ladder(rungs: Rung[], signals: Signal[] = ['repeats']): Policies {
  return { ladder: { signals, rungs } }
}

export function openedWith(procedure: Procedure, part: Partial<Opened> = {}): Opened {
  return {
    type: 'opened', format: 1, id: 'session', procedure, tree: 'start', gates: ['test'], when: {}, fingerprints: 1, task: null,
    roles: { implementer: 'x', reviewer: 'x', auditor: 'x', planner: 'x', consultant: 'y' }, openedAt: 0, setup: {}, ...part,
  }
}

// — answers —
/** What the world makes of an effect. */
export type Answer = (effect: Effect) => Partial<Report>

/** A check that passes is bound to its tree; an ask that passes leaves a tree of its own. */
export const passes: Answer = (effect) => {
  if (effect.kind !== 'check') return isCandidate(effect) ? { tree: `tree-${effect.iteration}` } : {}
  const sealed = effect.sealed ? { tree: effect.tree, pins: 'pins' } : null
  return { gates: effect.gates.map((gate) => gateResult(gate)), sealed }
}

/** A pass with something that shows the task was done. */
export const proves: Answer = (effect) => ({ ...passes(effect), evidence: ['a new test that failed before'] })

export const cancels: Answer = () => ({ verdict: 'cancelled' })

export function moves(tree: string): Answer {
  return () => ({ tree })
}

export function errs(cause: Cause = 'agent', tree?: string): Answer {
  return () => ({ verdict: 'error', cause, note: `broken by ${cause}`, ...(tree !== undefined && { tree }) })
}

/** The last gate fails, by these subjects. */
export function fails(...subjects: string[]): Answer {
  return (effect) => failsAt(effect.kind === 'check' ? (effect.gates.at(-1) ?? 'none') : 'review', ...subjects)(effect)
}

/** This gate fails, those before it pass, those after it are not run. */
export function failsAt(at: string, ...subjects: string[]): Answer {
  return (effect) => {
    const gates = effect.kind === 'check' ? effect.gates : []
    const place = gates.indexOf(at)
    const exitAt = (index: number): GateResult['exit'] => (index === place ? 'fail' : index < place ? 'pass' : 'not run')
    return {
      verdict: 'fail',
      gates: gates.map((gate, index) => gateResult(gate, { exit: exitAt(index) })),
      failures: subjects.map((subject) => failureOf(subject, { gate: at })),
    }
  }
}

export function adds(answer: Answer, part: Partial<Report>): Answer {
  return (effect) => ({ ...answer(effect), ...part })
}

export function costs(answer: Answer, seconds: number, more: Partial<Spend> = {}): Answer {
  return adds(answer, { spent: { seconds, tokens: 0, usd: 0, ...more } })
}

export function gateResult(gate: string, part: Partial<GateResult> = {}): GateResult {
  return { gate, exit: 'pass', complete: true, known: true, missing: 0, seconds: 1, note: '', ...part }
}

export function failureOf(subject: string, part: Partial<Failure> = {}): Failure {
  const message = `${subject} is wrong`
  return { gate: 'test', subject, class: 'behaviour', fingerprint: `1:${subject}`, message, runs: { failed: 1, of: 1 }, ...part }
}

function isCandidate(effect: Effect): boolean {
  return effect.kind === 'ask' && effect.yields === 'candidate'
}

// — playing —
/** By phase: what it answers, in order. A phase that is not listed passes; one whose answers are used up is left unanswered. */
export type Script = Record<string, readonly Answer[]>

export type Played = { session: Session; events: Event[]; effects: Effect[]; decisions: Decision[]; judgements: Judgement[] }

const MOST_EFFECTS = 200

export function play(start: Opened | Procedure | Session, script: Script = {}): Played {
  const first: Session = 'outstanding' in start ? start : apply(null, 'type' in start ? start : openedWith(start))
  const told: Played = { session: first, events: [], effects: [], decisions: [], judgements: [] }
  const used: Record<string, number> = {}
  for (let n = 0; n < MOST_EFFECTS; n++) {
    const effect = told.session.outstanding ?? issue(told.session)
    if (!effect) return told
    if (!told.session.outstanding) tell(told, [{ type: 'asked', effect, prompt: null }])
    const turn = used[effect.phase] ?? 0
    used[effect.phase] = turn + 1
    const answer = script[effect.phase] ? script[effect.phase]?.[turn] : passes
    if (!answer) return told
    tell(told, step(told.session, { ...emptyReport(effect), ...answer(effect) }))
  }
  throw new Error(`the session goes on after ${MOST_EFFECTS} effects`)
}

/** The same session after one more event from outside. */
export function after(session: Session, ...events: Event[]): Session {
  return rebuild(events, session)
}

function tell(told: Played, events: readonly Event[]): void {
  for (const event of events) {
    told.session = apply(told.session, event)
    told.events.push(event)
    if (event.type === 'asked') told.effects.push(event.effect)
    if (event.type === 'decided') told.decisions.push(event.decision)
    if (event.type === 'observed') told.judgements.push(event.judgement)
  }
}

/** The phases in the order they were asked. */
export function path({ effects }: Played): string[] {
  return effects.map((effect) => effect.phase)
}

/** The judgements that judged an iteration, in order. */
export function ledger({ judgements }: Played): Judgement[] {
  return judgements.filter((judgement) => judgement.judged)
}

export function repeated(answer: Answer, times: number): Answer[] {
  return Array.from({ length: times }, () => answer)
}

// — what tests of several files share —
export const MIXED = { failed: 1, of: 3 }

/** Baseline, make, seal; nothing else. */
export function withBaseline(goal: NonNullable<Policies['goal']> = {}): Procedure {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true }),
    make: opening({ pass: 'seal' }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  }
  return procedureOf(phases, { policies: { goal } })
}

/** How the seal of the first candidate is judged, when these subjects failed before. It is always bound to its tree. */
export function sealedAfter(before: string[], answer: Answer, goal: NonNullable<Policies['goal']> = {}): Judgement {
  const bound: Answer = (effect) => ({ ...answer(effect), sealed: { tree: effect.tree, pins: 'pins' } })
  const baseline = before.length > 0 ? fails(...before) : passes
  return play(withBaseline(goal), { baseline: [baseline], make: [passes], seal: [bound] }).judgements.at(-1) as Judgement
}

/** How the first check of the plain loop is judged. */
export function checked(answer: Answer, part: Partial<Procedure> = {}, made: Answer = passes): Judgement {
  return play(loop(part), { make: [made], test: [answer], seal: [] }).judgements[1] as Judgement
}

/** One failing gate with these failures, and what else is to be said of it. */
export function gateFails(failures: Failure[], part: Partial<GateResult> = {}): Answer {
  return () => ({ verdict: 'fail', gates: [gateResult('test', { exit: 'fail', ...part })], failures })
}

/** The plain loop with a phase aside that only rungs lead to. */
export function climbing(rungs: Rung[], signals: Signal[] = ['repeats'], policies: Policies = {}): Procedure {
  const aside = ask({ pass: 'make', fail: 'make', error: 'make' }, { role: 'consultant', yields: 'review' })
  return procedureOf({ ...loop().phases, aside }, { policies: { ...ladder(rungs, signals), ...policies }, budget: { iterations: 12 } })
}

export function asksOf(played: Played): Extract<Effect, { kind: 'ask' }>[] {
  return played.effects.filter((effect) => effect.kind === 'ask')
}
