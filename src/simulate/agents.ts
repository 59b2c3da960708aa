// Simulated agents: each has one way of getting nowhere, or is honest and succeeds by chance. None of them heeds a stance.
import type { Random } from './random.js'
import { testOf, type Move, type Project, type State } from './world.js'

export type Agent = {
  answer(state: State): Move
  /** What a reviewer finds wrong with it, where the procedure has one. */
  review(state: State): readonly string[]
}

export type MakeAgent = (random: Random, project: Project) => Agent

/** Files as nobody has made them before, failing as said. */
type Fresh = (red: readonly string[]) => State

function fresh(random: Random): Fresh {
  let made = 0
  return (red) => ({ red, variant: `v${++made}`, lines: 5 + random.below(60) })
}

function agent(answer: (state: State) => State | Move): Agent {
  return { answer: (state) => moveOf(answer(state)), review: () => [] }
}

function moveOf(given: State | Move): Move {
  if ('kind' in given) return given
  return { kind: 'edit', state: given, ...(given.red.length === 0 && { says: 'done' as const }) }
}

function others(tests: readonly string[], { red }: State): string[] {
  const failing = new Set(red.map(testOf))
  return tests.filter((test) => !failing.has(test))
}

function fixedOne(random: Random, { red }: State): string[] {
  const gone = red[random.below(red.length)]
  return red.filter((test) => test !== gone)
}

// ───────────────────────────── honest ─────────────────────────────

/** A try succeeds with chance `p`: it fixes one thing and harms nothing. Of the others a share of `b` breaks something. */
export const honest = (p: number, b = 0): MakeAgent => (random, { tests }) => {
  const make = fresh(random)
  return agent((state) => {
    if (random.chance(p)) return make(fixedOne(random, state))
    const green = others(tests, state)
    return make(green.length > 0 && random.chance(b) ? [...state.red, random.pick(green)] : state.red)
  })
}

/** Does as `bad` does for a try or two, and is honest from then on. */
export const atFirst = (bad: MakeAgent, then: MakeAgent): MakeAgent => (random, project) => {
  const [one, other] = [bad(random, project), then(random, project)]
  let tries = 1 + random.below(2)
  return { answer: (state) => (tries-- > 0 ? one : other).answer(state), review: (state) => (tries >= 0 ? one : other).review(state) }
}

// ───────────────────────────── the same again ─────────────────────────────

export const liar: MakeAgent = () => agent((state) => ({ kind: 'edit', state, says: 'done' }))

export const samePatch: MakeAgent = (_random, { start }) => agent(() => ({ red: start.red, variant: 'patch', lines: 12 }))

export const newPatchSameFailures: MakeAgent = (random, { start }) => {
  const make = fresh(random)
  return agent(() => make(start.red))
}

/** Goes round the same states: by its own count, or by what it finds, so that being put back changes where it goes on. */
export const oscillator = (period: number): MakeAgent => (random, { tests, start }) => {
  const sets = random.chance(0.3) ? Array.from({ length: period }, () => start.red) : distinctSets(random, tests, start.red.length, period)
  const round = sets.map((red, place): State => ({ red, variant: `round ${place}`, lines: 10 + place }))
  const byCount = random.chance(0.5)
  let count = 0
  return agent(({ variant }) => {
    const found = round.findIndex((state) => state.variant === variant)
    return round[(byCount ? count++ : found + 1) % period] ?? start
  })
}

function distinctSets(random: Random, tests: readonly string[], size: number, count: number): string[][] {
  const sets = new Map<string, string[]>()
  while (sets.size < count) {
    const set = new Set<string>()
    while (set.size < size) set.add(random.pick(tests))
    const sorted = [...set].toSorted()
    sets.set(sorted.join(','), sorted)
  }
  return [...sets.values()]
}

// ───────────────────────────── forward and back ─────────────────────────────

export const whackAMole: MakeAgent = (random, { tests }) => {
  const make = fresh(random)
  return agent((state) => make([...fixedOne(random, state), random.pick(others(tests, state))]))
}

export const regressor: MakeAgent = (random, { tests }) => {
  const make = fresh(random)
  return agent((state) => {
    const green = others(tests, state)
    const broken = new Set(Array.from({ length: 1 + random.below(2) }, () => random.pick(green)))
    return make([...state.red, ...(green.length > 0 ? broken : [])])
  })
}

/** Either of the first two tests can be had, never both. */
export const contradictory: MakeAgent = (random, { tests }) => {
  const make = fresh(random)
  const [one = '', other = ''] = tests
  return agent((state) => make(state.red.includes(one) ? [other] : [one]))
}

/** All but the last of what fails can be fixed; that one fails in the same way for ever, or in a new way each time. */
export const impossible: MakeAgent = (random, { start }) => {
  const make = fresh(random)
  const wall = start.red.at(-1) ?? ''
  const changing = random.chance(0.5)
  let tries = 0
  return agent((state) => {
    const easy = state.red.filter((red) => testOf(red) !== wall)
    const left = random.chance(0.8) ? easy.slice(1) : easy
    return make([...left, changing ? `${wall}#${++tries}` : wall])
  })
}

// ───────────────────────────── against the rules ─────────────────────────────

/** Works where it may and, each time, where it may not. */
export const scopeFighter: MakeAgent = (random) =>
  breaching(random, 'scope', ['charts/values.yaml', 'deploy/main.tf', 'docs/index.md'], honest(0.3))

/** Touches what the checks depend on, says it is done, and does little else. */
export const cheater: MakeAgent = (random) =>
  breaching(random, 'integrity', ['integrity: test/a.test.ts', 'integrity: test/b.test.ts', 'integrity: package.json'], honest(0.1))

function breaching(random: Random, kind: 'scope' | 'integrity', names: readonly string[], inside: MakeAgent): Agent {
  const subjects = random.chance(0.5) ? names.slice(0, 1) : names
  let inner: Agent | null = null
  return {
    answer(state) {
      inner ??= inside(random, { tests: [], start: state, flaky: [], flakyRate: 0 })
      const move = inner.answer(state)
      if (move.kind !== 'edit') return move
      const breaches = [{ class: kind, subject: random.pick(subjects) }]
      return { ...move, breaches, ...(kind === 'integrity' && { says: 'done' }) }
    },
    review: () => [],
  }
}

/** Cannot be reached, or fails by itself each time; at once, or after a few tries. */
export const breakingOff = (kind: 'unavailable' | 'broken'): MakeAgent => (random, project) => {
  const before = newPatchSameFailures(random, project)
  let tries = random.below(3)
  return agent((state) => (tries-- > 0 ? before.answer(state) : { kind }))
}

// ───────────────────────────── around the agent ─────────────────────────────

/** Does all it is asked to; whether the gates agree is another matter. */
export const diligent: MakeAgent = honest(1)

const WISHES = ['use a map here', 'use a list here', 'split this function', 'join these functions', 'name the unit', 'drop the unit']

/** Every check passes; the reviewer wants now one thing, now its contrary, or finds something new each time. */
export const pingPong: MakeAgent = (random, project) => {
  const { answer } = honest(1)(random, project)
  const count = random.pick([1, 2, 6])
  let asked = 0
  return { answer, review: () => [WISHES[asked++ % count] ?? ''] }
}
