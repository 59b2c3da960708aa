// Random sound procedures and random worlds for them, all from one seed, so that every failing session can be made again.
import {
  emptyReport, issue, rebuild, reissue, rests, step,
  type AskPhase, type Budget, type CheckPhase, type Effect, type Event, type Failure, type Opened, type Phase, type Policies,
  type Procedure, type Report, type Session, type Verdict,
} from '../../src/core/index.js'
import { problemsOf } from '../../src/config/soundness.js'
import { randomFrom, type Random } from '../../src/simulate/random.js'

export { randomFrom, type Random }

function seedOf(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

// ───────────────────────────── procedures ─────────────────────────────

const ROLES = ['implementer', 'reviewer', 'consultant']
const ENDS = ['@completed', '@stalled', '@failed', '@cancelled', '@refused', '@exhausted']

/** Two in three have the shape of a real loop, so that they live long enough to meet their policies; the rest are any graph. */
function randomProcedure(random: Random): Procedure {
  const draft = random.chance(0.65) ? draftLoop : draftGraph
  for (let tries = 0; tries < 200; tries++) {
    const candidate = draft(random)
    if (problemsOf(candidate).length === 0) return candidate
  }
  throw new Error('no sound procedure in 200 drafts: the generator is wrong')
}

function drafted(random: Random, phases: Record<string, Phase>, policies: Policies): Procedure {
  const start = Object.keys(phases)[0] ?? ''
  const final = random.pick(['best', 'last'] as const)
  return { name: 'random', summary: '', start, phases, policies, budget: draftBudget(random), final, stances: { calm: 'be calm' } }
}

function draftGraph(random: Random): Procedure {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, 2 + random.below(5))
  const target = (): string => (random.chance(0.75) ? random.pick(names) : random.pick(ENDS))
  const phases: Record<string, Phase> = {}
  for (const name of names) phases[name] = draftPhase(random, target)
  return drafted(random, phases, draftPolicies(random, names))
}

/** Baseline, make, test, review, seal, commit: some left out, with a phase aside that only policies lead to. */
function draftLoop(random: Random): Procedure {
  const reviewed = random.chance(0.4)
  const sealed = random.chance(0.8)
  const committed = sealed && random.chance(0.3)
  const good = sealed ? 'seal' : random.pick(['@completed', 'make'])
  const aside = random.chance(0.6)
  const toMake = { pass: 'make', fail: 'make', error: random.pick(['make', '@refused']) }
  const phases: Record<string, Phase> = {}
  if (random.chance(0.6)) phases.base = { kind: 'check', gates: ['@configured'], baseline: true, on: { pass: 'make', fail: 'make' } }
  phases.make = { ...draftAsk(random, 'implementer', 'candidate'), opensIteration: true, on: { pass: 'test', error: 'make' } }
  phases.test = { ...draftCheck(random, [['@configured'], ['lint', 'test']]), on: { ...toMake, pass: reviewed ? 'review' : good } }
  if (reviewed) phases.review = { ...draftAsk(random, 'reviewer', 'review'), judges: random.chance(0.5), on: { ...toMake, pass: good } }
  const proved = committed ? 'commit' : '@converged'
  if (sealed) phases.seal = { ...draftCheck(random, [['@configured']]), sealed: true, on: { ...toMake, pass: proved } }
  if (committed) phases.commit = { kind: 'workspace', action: 'commit', on: { pass: '@converged' } }
  if (aside) phases.aside = { ...draftAsk(random, 'consultant', 'review'), on: toMake }
  return drafted(random, phases, draftPolicies(random, aside ? ['make', 'aside'] : ['make']))
}

function draftAsk(random: Random, role: string, yields: AskPhase['yields']): Omit<AskPhase, 'on'> {
  return { kind: 'ask', role, yields, prompt: [], ...draftExtras(random) }
}

function draftCheck(random: Random, gates: readonly string[][]): Omit<CheckPhase, 'on'> {
  return { kind: 'check', gates: random.pick(gates), ...draftExtras(random) }
}

function draftExtras(random: Random): { retries?: number; rests?: string } {
  return { ...(random.chance(0.3) && { retries: 1 + random.below(2) }), ...(random.chance(0.15) && { rests: 'resting' }) }
}

function draftPhase(random: Random, target: () => string): Phase {
  const on: Partial<Record<Verdict, string>> = { pass: target() }
  if (random.chance(0.7)) on.fail = target()
  if (random.chance(0.6)) on.error = target()
  const common = { on, ...draftExtras(random) }
  const kind = random.below(10)
  if (kind < 5) {
    return {
      ...common,
      kind: 'ask',
      role: random.pick(ROLES),
      yields: random.pick(['candidate', 'candidate', 'review', 'plan'] as const),
      prompt: [],
      ...(random.chance(0.75) && { opensIteration: true as const }),
      ...(random.chance(0.3) && { judges: true }),
      ...(random.chance(0.2) && { words: { done: target() } }),
    }
  }
  if (kind < 9) {
    const sealed = random.chance(0.35)
    if (sealed && random.chance(0.7)) on.pass = '@converged'
    return {
      ...common,
      kind: 'check',
      gates: sealed ? ['@configured'] : random.pick([['@configured'], ['lint', 'test'], ['test']]),
      ...(sealed && { sealed: true as const }),
      ...(!sealed && random.chance(0.2) && { baseline: true as const }),
    }
  }
  return { ...common, kind: 'workspace', action: random.pick(['commit', 'branch', 'materialise'] as const) }
}

function draftPolicies(random: Random, names: readonly string[]): Policies {
  const policies: Policies = {}
  if (random.chance(0.5)) policies.setbacks = { limit: 2 + random.below(3), counts: random.pick([['error'], ['error'], ['fail', 'error']]) }
  if (random.chance(0.6)) policies.infrastructure = { limit: 1 + random.below(3) }
  if (random.chance(0.5)) policies.breaches = { limit: 1 + random.below(3) }
  if (random.chance(0.4)) policies.floor = { iterations: 1 + random.below(6), to: random.pick(names) }
  if (random.chance(0.5)) policies.ratchet = { patience: 1 + random.below(2) }
  if (random.chance(0.6)) {
    policies.goal = { change: random.chance(0.5), excuse: random.pick([[], ['t1'], ['*1'], ['*']]), targets: random.pick([[], ['t2']]) }
  }
  if (random.chance(0.7)) policies.ladder = draftLadder(random, names)
  return policies
}

function draftLadder(random: Random, names: readonly string[]): NonNullable<Policies['ladder']> {
  const rungs = Array.from({ length: 1 + random.below(4) }, () => ({
    at: 1 + random.below(5),
    ...(random.chance(0.5) && { stance: 'calm' }),
    ...(random.chance(0.4) && { restore: true as const }),
    ...(random.chance(0.5) && { to: random.chance(0.25) ? '@stalled' : random.pick(names) }),
    ...(random.chance(0.3) && { times: 1 + random.below(2) }),
    ...(random.chance(0.3) && { resets: true as const }),
    ...(random.chance(0.2) && { roles: { implementer: random.pick(['consultant', 'nobody']) } }),
  }))
  return { signals: random.pick([['repeats'], ['repeats', 'revisits', 'plateau'], ['plateau'], ['revisits']]), rungs }
}

/** Always finite, so that every session has to end (I5): by iterations, by seconds, or by both. */
function draftBudget(random: Random): Budget {
  const kind = random.below(3)
  return {
    ...(kind !== 0 && { iterations: 6 + random.below(8) }),
    ...(kind !== 1 && { seconds: 20 + random.below(100) }),
    ...(random.chance(0.3) && { then: 'completed' as const }),
    ...(random.chance(0.2) && { tokens: 1000 }),
  }
}

// ───────────────────────────── worlds ─────────────────────────────

const TREES = ['t0', 't1', 't2', 't3', 't4', 't5']
const SUBJECTS = ['t1', 't2', 't3', 't4', 't5']

/** How a world is as a whole: each has its own mix of luck. */
type Mood = { broken: number; unreachable: number; breaching: number; passing: number; flaky: number; proving: number }

function moodOf(seed: number): Mood {
  const random = randomFrom(seed ^ 0x5bd1e995)
  const seldomOrOften = (seldom: number, often: number): number => (random.chance(0.25) ? often : seldom)
  return {
    broken: seldomOrOften(0.03, 0.25),
    unreachable: seldomOrOften(0.02, 0.4),
    breaching: seldomOrOften(0.02, 0.6),
    passing: random.pick([0.02, 0.15, 0.5]),
    flaky: seldomOrOften(0.05, 0.4),
    proving: random.pick([0, 0.5, 1]),
  }
}

/** What the world answers depends on the seed and the effect alone, so a repeated effect gets its earlier answer. */
export function randomReport(seed: number, effect: Effect): Report {
  const random = randomFrom(seed ^ seedOf(effect.id))
  const mood = moodOf(seed)
  const spent = { seconds: 1 + random.below(5), tokens: random.below(50), usd: 0 }
  const report: Report = { ...emptyReport(effect), spent, note: `made for ${effect.id}` }
  if (effect.kind === 'check') return checkReport(random, mood, seed, effect, report)
  if (random.chance(mood.unreachable)) return { ...report, verdict: 'error', cause: 'infrastructure' }
  if (random.chance(mood.broken)) return { ...report, verdict: 'error', cause: random.pick(['agent', 'timeout'] as const) }
  if (random.chance(0.01)) return { ...report, verdict: 'cancelled' }
  const verdict: Verdict = effect.kind === 'ask' && effect.yields === 'review' && random.chance(0.4) ? 'fail' : 'pass'
  const word = random.chance(0.1) ? 'done' : null
  const failures = verdict === 'fail' ? [randomFailure(random, mood, 'review', random.pick(SUBJECTS))] : []
  return { ...report, verdict, word, tree: random.pick(TREES), failures }
}

/** What is wrong with a tree stays wrong with it, so that sets of failures repeat and come back. */
function wrongWith(tree: string, seed: number, { passing }: Mood): string[] {
  const random = randomFrom(seed ^ seedOf(`tree ${tree}`))
  return tree !== 't0' && random.chance(passing) ? [] : SUBJECTS.filter(() => random.chance(0.4))
}

function checkReport(random: Random, mood: Mood, seed: number, effect: Extract<Effect, { kind: 'check' }>, report: Report): Report {
  if (random.chance(0.04)) return { ...report, verdict: 'error', cause: 'gate' }
  const lucky = random.chance(mood.passing)
  const failing = lucky || effect.gates.length === 0 ? [] : wrongWith(effect.tree, seed, mood)
  const gateOf = (subject: string): string => effect.gates.at(subject === 't1' ? 0 : -1) ?? ''
  const failures = failing.map((subject) => randomFailure(random, mood, gateOf(subject), subject))
  const failed = new Set(failures.map((failure) => failure.gate))
  const gates = effect.gates.map((gate) => ({
    gate,
    exit: failed.has(gate) || (!lucky && random.chance(0.05)) ? ('fail' as const) : ('pass' as const),
    complete: random.chance(0.97),
    known: random.chance(0.8),
    missing: random.chance(0.05) ? 1 : 0,
    seconds: 1,
    note: '',
  }))
  const verdict = gates.some((gate) => gate.exit === 'fail') ? 'fail' : 'pass'
  const sealed = effect.sealed && random.chance(0.9) ? { tree: random.chance(0.95) ? effect.tree : 'other', pins: 'p' } : null
  const evidence = random.chance(mood.proving) ? ['new test'] : []
  return { ...report, verdict, gates, failures, sealed, evidence, diffLines: random.below(100) }
}

function randomFailure(random: Random, mood: Mood, gate: string, subject: string): Failure {
  return {
    gate,
    subject,
    class: random.chance(mood.breaching) ? random.pick(['scope', 'integrity'] as const) : 'behaviour',
    fingerprint: `1:${gate}/${subject}`,
    message: subject,
    runs: random.chance(mood.flaky) ? { failed: 1, of: 3 } : { failed: 1, of: 1 },
    ...(random.chance(mood.flaky) && { before: random.pick([{ failed: 0, of: 5 }, { failed: 2, of: 3 }]) }),
  }
}

// ───────────────────────────── driving a session ─────────────────────────────

export function randomOpened(random: Random, id: string): Opened {
  return {
    type: 'opened', format: 1, id, procedure: randomProcedure(random), tree: 't0', gates: random.pick([[], ['lint', 'test'], ['test']]), when: random.pick<Opened['when']>([{}, { test: 'sealed' }, { test: 'after baseline' }]),
    roles: { implementer: 'x', reviewer: 'x', ...(random.chance(0.7) && { consultant: 'y' }) }, fingerprints: 1, task: null,
    openedAt: 0, setup: {},
  }
}

/** The events of the one record that the session's next turn writes, given what the world answers. */
export function nextRecord(session: Session, seed: number): Event[] {
  const effect = session.outstanding
  if (!effect) {
    const asked = issue(session)
    return asked ? [{ type: 'asked', effect: asked, prompt: null }] : []
  }
  const events = step(session, reissue(session) ?? randomReport(seed, effect))
  const after = rebuild(events, session)
  const next = rests(after, effect.phase) ? null : issue(after)
  return next ? [...events, { type: 'asked', effect: next, prompt: null }] : events
}

/** Things that happen to a session from outside, now and then, between its records. */
export function disturbance(random: Random, session: Session, n: number): Event[] {
  if (random.chance(0.05)) return [{ type: 'hinted', hint: { id: `h${n}`, text: 'try harder' } }]
  const spent = { seconds: 1, tokens: 1, usd: 0 }
  if (random.chance(0.04)) return [{ type: 'interrupted', cause: random.pick(['signal', 'crash'] as const), note: '', spent }]
  if (random.chance(0.02)) return [{ type: 'paused' }]
  if (random.chance(0.02)) return [{ type: 'extended', budget: { iterations: (session.budget.iterations ?? 0) + 1 } }]
  return []
}

/** Going on with a session that gave up, with more of everything; nothing where it cannot be resumed. */
export function reopening({ finish, budget, spent }: Session): Event[] {
  if (!finish || finish.resumesAt === null) return []
  const more: Budget = { iterations: (budget.iterations ?? 0) + 2, seconds: spent.seconds + 20, tokens: spent.tokens + 500 }
  return [{ type: 'extended', budget: more }]
}

