// I1–I9 in a simulated world: the process dies between any two calls, the disk fills up, the clock jumps, and the session still ends right.
import { expect, it } from 'vitest'
import { simulate, type Simulated } from './support/simulation/play.js'

const SESSIONS = 400

it(`I1 I2 I3 I4 I5 I6 I8 I9 hold in ${SESSIONS} simulated sessions through deaths, full disks and jumps of the clock`, async () => {
  const all: Simulated[] = []
  for (let seed = 0; seed < SESSIONS; seed += 1) all.push(await simulate(seed))
  const bad = all.filter(({ breaches }) => breaches.length > 0)
  expect(bad.map(({ seed, breaches, trail }) => `seed ${seed}: ${breaches.join('; ')} (${trail.join(', ')})`)).toEqual([])
  const sum = (key: 'crashes' | 'refusals'): number => all.reduce((total, one) => total + one[key], 0)
  expect(sum('crashes')).toBeGreaterThan(SESSIONS)
  expect(sum('refusals')).toBeGreaterThan(20)
  expect(new Set(all.map(({ outcome }) => outcome))).toContain('converged')
})
