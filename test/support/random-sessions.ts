// Random sound procedures and random worlds for them, all from one seed, so that every failing session can be made again.
import {
  apply, emptyReport, issue, problemsOf, rebuild, reissue, rests, step,
  type Budget, type Effect, type Event, type Failure, type Opened, type Phase, type Policies, type Procedure, type Report, type Session, type Verdict,
} from '../../src/core/index.js'

export type Random = { next(): number; below(n: number): number; chance(p: number): boolean; pick<T>(from: readonly T[]): T }

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { next, below, chance: (p) => next() < p, pick: (from) => from[below(from.length)] as never }
}

function seedOf(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return h >>> 0
}

// ───────────────────────────── procedures ─────────────────────────────

const ROLES = ['implementer', 'reviewer', 'consultant']
const ENDS = ['@completed', '@stalled', '@failed', '@cancelled', '@refused', '@exhausted']

export function randomProcedure(random: Random): Procedure {
  for (let tries = 0; tries < 200; tries++) {
    const candidate = draftProcedure(random)
    if (problemsOf(candidate).length === 0) return candidate
  }
  throw new Error('no sound procedure in 200 drafts: the generator is wrong')
}

function draftProcedure(random: Random): Procedure {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, 2 + random.below(5))
  const target = (): string => (random.chance(0.75) ? random.pick(names) : random.pick(ENDS))
  const phases: Record<string, Phase> = {}
  for (const name of names) phases[name] = draftPhase(random, target)
  return {
    name: 'random',
    summary: '',
    start: 'a',
    phases,
    policies: draftPolicies(random, names),
    budget: draftBudget(random),
    final: random.pick(['best', 'last'] as const),
    stances: { calm: 'be calm' },
  }
}

function draftPhase(random: Random, target: () => string): Phase {
  const on: Partial<Record<Verdict, string>> = { pass: target() }
  if (random.chance(0.7)) on.fail = target()
  if (random.chance(0.6)) on.error = target()
  const common = { on, ...(random.chance(0.2) && { retries: 1 + random.below(2) }), ...(random.chance(0.15) && { rests: 'resting' }) }
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
      gates: random.pick([['@configured'], ['lint', 'test'], ['test']]),
      ...(sealed && { sealed: true as const }),
      ...(!sealed && random.chance(0.2) && { baseline: true as const }),
    }
  }
  return { ...common, kind: 'workspace', action: random.pick(['commit', 'branch', 'materialise'] as const) }
}

function draftPolicies(random: Random, names: readonly string[]): Policies {
  const policies: Policies = {}
  if (random.chance(0.6)) policies.setbacks = { limit: 1 + random.below(4), counts: random.pick([['error'], ['fail', 'error']]) }
  if (random.chance(0.6)) policies.infrastructure = { limit: 1 + random.below(3) }
  if (random.chance(0.3)) policies.breaches = { limit: 1 + random.below(3) }
  if (random.chance(0.3)) policies.floor = { iterations: 1 + random.below(3), to: random.pick(names) }
  if (random.chance(0.4)) policies.ratchet = { patience: 1 + random.below(2) }
  if (random.chance(0.5)) policies.goal = { change: random.chance(0.5), excuse: random.pick([[], ['t1'], ['*']]), targets: random.pick([[], ['t2']]) }
  if (random.chance(0.6)) policies.ladder = draftLadder(random, names)
  return policies
}

function draftLadder(random: Random, names: readonly string[]): NonNullable<Policies['ladder']> {
  const rungs = Array.from({ length: 1 + random.below(3) }, () => ({
    at: 1 + random.below(5),
    ...(random.chance(0.5) && { stance: 'calm' }),
    ...(random.chance(0.3) && { restore: true as const }),
    ...(random.chance(0.3) && { to: random.chance(0.5) ? '@stalled' : random.pick(names) }),
    ...(random.chance(0.2) && { times: 1 }),
    ...(random.chance(0.2) && { resets: true as const }),
    ...(random.chance(0.2) && { roles: { implementer: random.pick(['consultant', 'nobody']) } }),
  }))
  return { signals: random.pick([['repeats'], ['repeats', 'revisits', 'plateau'], ['plateau']]), rungs }
}

/** Always finite, so that every session has to end (I5): by iterations, by seconds, or by both. */
function draftBudget(random: Random): Budget {
  const budget: Budget = {}
  const kind = random.below(3)
  if (kind !== 0) budget.iterations = 3 + random.below(8)
  if (kind !== 1) budget.seconds = 20 + random.below(100)
  if (random.chance(0.3)) budget.then = 'completed'
  if (random.chance(0.2)) budget.tokens = 1000
  return budget
}

// ───────────────────────────── worlds ─────────────────────────────

const TREES = ['t0', 't1', 't2', 't3', 't4']
const SUBJECTS = ['t1', 't2', 't3', 't4', 't5']

/** What the world answers depends on the seed and the effect alone, so a repeated effect gets its earlier answer. */
export function randomReport(seed: number, effect: Effect): Report {
  const random = randomFrom(seed ^ seedOf(effect.id))
  const report: Report = { ...emptyReport(effect), spent: { seconds: 1 + random.below(5), tokens: random.below(50), usd: 0 }, note: `made for ${effect.id}` }
  if (effect.kind === 'check') return checkReport(random, effect, report)
  if (random.chance(0.12)) return { ...report, verdict: 'error', cause: random.pick(['infrastructure', 'agent', 'timeout'] as const) }
  if (random.chance(0.02)) return { ...report, verdict: 'cancelled' }
  const verdict: Verdict = effect.kind === 'ask' && effect.yields === 'review' && random.chance(0.4) ? 'fail' : 'pass'
  const word = random.chance(0.1) ? 'done' : null
  return { ...report, verdict, word, tree: random.pick(TREES), failures: verdict === 'fail' ? [randomFailure(random, 'review')] : [] }
}

function checkReport(random: Random, effect: Extract<Effect, { kind: 'check' }>, report: Report): Report {
  if (random.chance(0.06)) return { ...report, verdict: 'error', cause: 'gate' }
  const passes = random.chance(0.4)
  const failures = passes ? [] : Array.from({ length: random.below(4) }, () => randomFailure(random, random.pick(effect.gates.length > 0 ? effect.gates : ['none'])))
  const failed = new Set(failures.map((failure) => failure.gate))
  const gates = effect.gates.map((gate) => ({
    gate,
    exit: failed.has(gate) || (!passes && random.chance(0.3)) ? ('fail' as const) : ('pass' as const),
    complete: random.chance(0.97),
    known: random.chance(0.8),
    missing: random.chance(0.05) ? 1 : 0,
    seconds: 1,
    note: '',
  }))
  const verdict = gates.some((gate) => gate.exit === 'fail') ? 'fail' : 'pass'
  const sealed = effect.sealed && random.chance(0.9) ? { tree: random.chance(0.95) ? effect.tree : 'other', pins: 'p' } : null
  return { ...report, verdict, gates, failures, sealed, diffLines: random.below(100), evidence: random.chance(0.3) ? ['new test'] : [] }
}

function randomFailure(random: Random, gate: string): Failure {
  const subject = random.pick(SUBJECTS)
  const flaky = random.chance(0.15)
  return {
    gate,
    subject,
    class: random.chance(0.08) ? 'scope' : 'behaviour',
    fingerprint: `1:${gate}/${subject}`,
    message: subject,
    runs: flaky ? { failed: 1, of: 3 } : { failed: 1, of: 1 },
  }
}

// ───────────────────────────── driving a session ─────────────────────────────

export function randomOpened(random: Random, id: string): Opened {
  return {
    type: 'opened', format: 1, id, procedure: randomProcedure(random), tree: 't0', gates: random.pick([[], ['lint', 'test'], ['test']]),
    roles: { implementer: 'x', reviewer: 'x', ...(random.chance(0.7) && { consultant: 'y' }) }, fingerprints: 1, task: null, openedAt: 0, setup: {},
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
  if (random.chance(0.04)) return [{ type: 'interrupted', cause: random.pick(['signal', 'crash'] as const), note: '', spent: { seconds: 1, tokens: 1, usd: 0 } }]
  if (random.chance(0.02)) return [{ type: 'paused' }]
  if (random.chance(0.02)) return [{ type: 'extended', budget: { iterations: (session.budget.iterations ?? 0) + 1 } }]
  return []
}

export { apply }
