// The kinds of session that are simulated: each pathology with the name it has to get, its honest twin, and honest agents by their luck.
import { converge } from '../procedures/converge.js'
import type { Phase, Procedure } from '../core/types.js'
import type { Pattern } from '../text/diagnosis/diagnosis.js'
import {
  atFirst, breakingOff, cheater, contradictory, diligent, honest, impossible, liar, newPatchSameFailures, oscillator, pingPong, regressor, samePatch,
  scopeFighter, whackAMole, type MakeAgent,
} from './agents.js'
import { makeProject, type Project } from './world.js'
import type { Random } from './random.js'

export type Kind = {
  name: string
  make: MakeAgent
  project: (random: Random) => Project
  reviewed?: true
} & ({ is: 'bad'; pattern: Pattern; period?: number } | { is: 'twin' } | { is: 'honest'; p: number; b: number })

const PERIODS = [2, 3, 4, 5, 6] as const
const CHANCES = [0.1, 0.25, 0.5, 0.75, 0.9] as const
const BREAKS = [0, 0.3] as const

const plain = (random: Random): Project => makeProject(random)
const bad = (name: string, pattern: Pattern, make: MakeAgent, project = plain): Kind => ({ is: 'bad', name, pattern, make, project })
const oscillation = (period: number): Kind => {
  return { is: 'bad', name: `oscillation, period ${period}`, pattern: 'oscillation', period, make: oscillator(period), project: plain }
}

export const PATHOLOGIES: readonly Kind[] = [
  bad('says done, edits nothing', 'no edits', liar, (random) => makeProject(random, { red: random.below(5) })),
  bad('same patch', 'same patch', samePatch),
  bad('new patch, same failures', 'new patch same failures', newPatchSameFailures),
  ...PERIODS.map(oscillation),
  bad('whack-a-mole', 'whack-a-mole', whackAMole),
  bad('regression', 'regression', regressor),
  bad('flaky gate', 'flaky gate', diligent, (random) => makeProject(random, { flaky: 4 + random.below(3), red: 1 + random.below(2) })),
  bad('scope fight', 'scope fight', scopeFighter),
  { ...bad('reviewer ping-pong', 'reviewer ping-pong', pingPong), reviewed: true },
  bad('agent unavailable', 'agent unavailable', breakingOff('unavailable')),
  bad('agent failed', 'agent failed', breakingOff('broken')),
  bad('contradictory tests', 'contradictory tests', contradictory, (random) => makeProject(random, { red: 1 })),
  bad('impossible target', 'impossible target', impossible, (random) => makeProject(random, { red: 2 + random.below(3) })),
  bad('cheating', 'cheating', cheater),
]

/** A flaky gate has no honest twin in its agent: its twin is the same work with gates that can be trusted. */
export const TWINS: readonly Kind[] = PATHOLOGIES.map(({ name, make, project, reviewed }): Kind => ({
  is: 'twin',
  name: `${name}, then honest`,
  make: atFirst(make, honest(0.75)),
  project: (random) => ({ ...project(random), flaky: [] }),
  ...(reviewed && { reviewed }),
}))

export const HONEST: readonly Kind[] = CHANCES.flatMap((p) =>
  BREAKS.map((b): Kind => ({ is: 'honest', name: `honest, p ${p}, breaks ${b}`, p, b, make: honest(p, b), project: plain })),
)

/** With a reviewer whose word counts, as users add one: gates first, then the review, then the seal. */
export function withReviewer(procedure: Procedure): Procedure {
  const { check } = procedure.phases
  if (check?.kind !== 'check') throw new Error('converge has a check')
  const on = { pass: 'accept', fail: 'implement', error: 'implement' }
  const review: Phase = { kind: 'ask', role: 'reviewer', yields: 'review', judges: true, prompt: [], on }
  return { ...procedure, phases: { ...procedure.phases, check: { ...check, on: { ...check.on, pass: 'review' } }, review } }
}

export const DEFAULT: Procedure = converge
