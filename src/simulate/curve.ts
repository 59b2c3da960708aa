// The trade-off of a ladder: the longer it waits before it stops, the more is wasted on hopeless runs and the fewer live ones are lost.
import type { Procedure, Rung } from '../core/index.js'
import { figuresOf, mean, publishedOf, type PublishedFigures } from './figures.js'
import { HONEST, PATHOLOGIES, type Kind } from './kinds.js'
import type { Rules } from './play.js'
import { PUBLISHED } from './published.js'

/** `waste` is the mean number of iterations of hopeless runs; `lost` the share of honest ones, by their chance, that were stopped. */
export type Point = { name: string; waste: number; lost: { half: number; quarter: number } }

export type Winds = 'one round' | 'two rounds'

const LEVELS = [2, 3, 4, 5, 6, 8] as const

/** The ladder with its last rung at another level, with or without the fresh start that comes before the end. */
export function withLastRung(procedure: Procedure, level: number, winds: Winds): Procedure {
  const { ladder } = procedure.policies
  if (!ladder) return procedure
  const highest = Math.max(...ladder.rungs.map(({ at }) => at))
  const rungs = ladder.rungs.flatMap((rung): Rung[] => {
    if (rung.resets && winds === 'one round') return []
    if (rung.at === highest) return [{ ...rung, at: level }]
    return rung.at < level ? [rung] : []
  })
  return { ...procedure, policies: { ...procedure.policies, ladder: { ...ladder, rungs } } }
}

export function curveOf({ procedure, roles }: Rules, { bad, honest, seed }: { bad: number; honest: number; seed: number }): Point[] {
  const amounts = { bad, honest, seed }
  const ours = (['one round', 'two rounds'] as const).flatMap((winds) =>
    LEVELS.map((level) => pointOf(`at ${level}, ${winds}`, { roles, procedure: withLastRung(procedure, level, winds) }, amounts)),
  )
  return [...ours, ...publishedPoints(amounts)]
}

type Amounts = { bad: number; honest: number; seed: number }

function pointOf(name: string, rules: Rules, { bad, honest, seed }: Amounts): Point {
  const lost = (p: number): number => mean(luck(p).map((kind) => figuresOf(kind, { rules, sessions: honest, seed }).early))
  const waste = mean(PATHOLOGIES.map((kind) => figuresOf(kind, { rules, sessions: bad, seed }).mean))
  return { name, waste, lost: { half: lost(0.5), quarter: lost(0.25) } }
}

function publishedPoints({ bad, honest, seed }: Amounts): Point[] {
  const all = (kinds: readonly Kind[], sessions: number): PublishedFigures[][] => {
    return kinds.map((kind) => publishedOf(kind, { sessions, seed })).filter((rules) => rules.length > 0)
  }
  const [hopeless, half, quarter] = [all(PATHOLOGIES, bad), all(luck(0.5), honest), all(luck(0.25), honest)]
  const early = (kinds: readonly PublishedFigures[][], place: number): number => mean(kinds.map((rules) => rules[place]?.early ?? 0))
  return PUBLISHED.map(({ name }, place) => ({
    name,
    waste: mean(hopeless.map((rules) => rules[place]?.mean ?? 0)),
    lost: { half: early(half, place), quarter: early(quarter, place) },
  }))
}

function luck(p: number): Kind[] {
  return HONEST.filter((kind) => kind.is === 'honest' && kind.p === p)
}

// ───────────────────────────── the picture ─────────────────────────────

const COLUMNS = 64
const ROWS = 16

/** Letters stand for the points, in order; the first in the list wins a place that two would take. */
export function pictureOf(points: readonly Point[]): string[] {
  const most = Math.max(1, ...points.map(({ waste }) => waste))
  const highest = Math.max(0.01, ...points.map(({ lost }) => lost.half))
  const grid = Array.from({ length: ROWS }, () => Array.from({ length: COLUMNS }, () => ' '))
  for (const [place, { waste, lost }] of [...points.entries()].toReversed()) {
    const row = grid[ROWS - 1 - Math.round((lost.half / highest) * (ROWS - 1))]
    if (row) row[Math.round((waste / most) * (COLUMNS - 1))] = letterOf(place)
  }
  const label = (row: number): string => (row === 0 ? `${Math.round(highest * 100)} %` : row === ROWS - 1 ? '0 %' : '').padStart(6)
  const axis = `0${String(Math.round(most)).padStart(COLUMNS - 1)}`
  return [...grid.map((row, place) => `${label(place)} |${row.join('')}`.trimEnd()), `       +${'-'.repeat(COLUMNS)}`, `        ${axis}`]
}

export function letterOf(place: number): string {
  return String.fromCharCode(97 + place)
}
