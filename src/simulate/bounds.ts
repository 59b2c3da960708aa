// The whole simulation, and the bounds that its figures have to keep.
import { figuresOf, type Figures } from './figures.js'
import { HONEST, PATHOLOGIES, TWINS, type Kind } from './kinds.js'
import type { Rules } from './play.js'

export type Amounts = { bad: number; twins: number; honest: number }

export type Simulation = { amounts: Amounts; seed: number; sessions: number; bad: Figures[]; twins: Figures[]; honest: Figures[] }

/** 10,000 sessions, and a subset that takes a moment. */
export const WHOLE: Amounts = { bad: 300, twins: 100, honest: 280 }
export const FAST: Amounts = { bad: 14, twins: 5, honest: 18 }

export type Bound = { text: string; figure: string; isKept: boolean }

/** What is asked for; a smaller sample gets more room for chance. */
export type Limits = { named: number; caught: number; early: number; falseComplete: number }

export const LIMITS: Limits = { named: 0.95, caught: 0.95, early: 0.02, falseComplete: 0.02 }

export function simulate(rules: Rules, amounts: Amounts, seed: number): Simulation {
  const all = (kinds: readonly Kind[], sessions: number, offset: number): Figures[] => {
    return kinds.map((kind, place) => figuresOf(kind, { rules, sessions, seed: seed + (offset + place) * 100_003 }))
  }
  const bad = all(PATHOLOGIES, amounts.bad, 0)
  const twins = all(TWINS, amounts.twins, PATHOLOGIES.length)
  const honest = all(HONEST, amounts.honest, PATHOLOGIES.length + TWINS.length)
  const sessions = [...bad, ...twins, ...honest].reduce((sum, figures) => sum + figures.sessions, 0)
  return { amounts, seed, sessions, bad, twins, honest }
}

export function boundsOf({ bad, twins, honest }: Simulation, limits: Limits): Bound[] {
  const endless = [...bad, ...twins, ...honest].reduce((sum, figures) => sum + figures.endless, 0)
  const leastNamed = Math.min(...bad.map(({ named }) => named))
  const leastCaught = Math.min(...bad.map(({ caught }) => caught))
  const lucky = honest.filter((_, place) => isLucky(HONEST[place]))
  const mostEarly = Math.max(...lucky.map(({ early }) => early))
  const mostFalse = Math.max(...[...bad, ...twins, ...honest].map(({ falseComplete }) => falseComplete))
  return [
    { text: 'every session ends', figure: `${endless} did not`, isKept: endless === 0 },
    atLeast('every pathology gets its right name', leastNamed, limits.named),
    atLeast('oscillations of period 2 to 6 are named or stopped within the period and 3 iterations', leastCaught, limits.caught),
    atMost('honest agents with a chance of .5 or more are stopped too early', mostEarly, limits.early),
    atMost('a run ends converged that is not right', mostFalse, limits.falseComplete),
  ]
}

function isLucky(kind: Kind | undefined): boolean {
  return kind?.is === 'honest' && kind.p >= 0.5
}

function atLeast(text: string, figure: number, limit: number): Bound {
  return { text: `${text}: at least ${percent(limit)}`, figure: `${percent(figure)} where it is lowest`, isKept: figure >= limit }
}

function atMost(text: string, figure: number, limit: number): Bound {
  return { text: `${text}: at most ${percent(limit)}`, figure: `${percent(figure)} where it is highest`, isKept: figure <= limit }
}

export function percent(part: number): string {
  return `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`
}
