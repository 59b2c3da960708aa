// Figures over many simulated sessions of one kind, with our rules and with those of published loops.
import type { Kind } from './kinds.js'
import { withReviewer } from './kinds.js'
import { play, type Played, type Rules, type Scene } from './play.js'
import { playPublished, PUBLISHED, type Ended } from './published.js'
import { randomFrom } from './random.js'

/** Shares are from 0 to 1; medians are iterations. */
export type Figures = {
  name: string
  sessions: number
  /** Never came to an end; none may. */
  endless: number
  /** Of those that ended without success: the share that got the right name. */
  named: number
  /** The iteration in which it first had that name, or in which it ended with it. */
  namedAfter: number
  /** Oscillations: named, or over, within the period and three iterations. */
  caught: number
  ends: number
  mean: number
  converged: number
  /** Stopped by anything but a budget, although it might have gone on. */
  early: number
  exhausted: number
  falseComplete: number
  published: PublishedFigures[]
}

export type PublishedFigures = { ends: number; mean: number; complete: number; early: number; falseComplete: number }

const SLACK = 3

export type Sample = { rules: Rules; sessions: number; seed: number }

export function figuresOf(kind: Kind, { rules, sessions, seed }: Sample): Figures {
  const procedure = kind.reviewed ? withReviewer(rules.procedure) : rules.procedure
  const played = seedsOf({ sessions, seed }).map((one) => play(sceneOf(kind, one), { ...rules, procedure }))
  const failed = played.filter((one) => !isDone(one))
  return {
    name: kind.name,
    sessions,
    endless: played.filter(({ outcome }) => outcome === 'endless').length,
    named: share(failed, ({ pattern }) => kind.is === 'bad' && pattern === kind.pattern),
    namedAfter: median(failed.map((one) => namedAt(kind, one))),
    caught: share(played, (one) => kind.is !== 'bad' || namedAt(kind, one) <= (kind.period ?? Infinity) + SLACK),
    ends: median(played.map(({ iterations }) => iterations)),
    mean: mean(played.map(({ iterations }) => iterations)),
    converged: share(played, isDone),
    early: share(played, ({ outcome }) => outcome === 'stalled' || outcome === 'refused' || outcome === 'failed'),
    exhausted: share(played, ({ outcome }) => outcome === 'exhausted'),
    falseComplete: share(played, ({ falseComplete }) => falseComplete),
    published: publishedOf(kind, { sessions, seed }),
  }
}

/** One for each rule; none where a reviewer has a say, which those loops do not have. */
export function publishedOf(kind: Kind, sample: Omit<Sample, 'rules'>): PublishedFigures[] {
  if (kind.reviewed) return []
  return PUBLISHED.map((rule) => publishedFigures(seedsOf(sample).map((seed) => playPublished(sceneOf(kind, seed), rule))))
}

function seedsOf({ sessions, seed }: Omit<Sample, 'rules'>): number[] {
  return Array.from({ length: sessions }, (_, place) => (seed + place * 7919) >>> 0)
}

function sceneOf({ project, make }: Kind, seed: number): Scene {
  const random = randomFrom(seed)
  const made = project(random)
  return { random, project: made, agent: make(random, made) }
}

/** A task that begins with nothing failing can be completed, never proved. */
function isDone({ outcome }: Played): boolean {
  return outcome === 'converged' || outcome === 'completed'
}

function namedAt(kind: Kind, { names, iterations }: Played): number {
  if (kind.is !== 'bad') return iterations
  return names.find(({ pattern }) => pattern === kind.pattern)?.iteration ?? iterations
}

function publishedFigures(ended: readonly Ended[]): PublishedFigures {
  return {
    ends: median(ended.map(({ iterations }) => iterations)),
    mean: mean(ended.map(({ iterations }) => iterations)),
    complete: share(ended, ({ how }) => how === 'complete'),
    early: share(ended, ({ how }) => how === 'stopped'),
    falseComplete: share(ended, ({ falseComplete }) => falseComplete),
  }
}

// ───────────────────────────── arithmetic ─────────────────────────────

function share<T>(all: readonly T[], counts: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(counts).length / all.length
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
