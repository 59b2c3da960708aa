// Simulated sessions through deaths, full disks and jumps of the clock: the real shell and engine, everything else from a seed.
import { loadSource } from '../source.mjs'

export async function simulateFaults(sessions, firstSeed) {
  const { simulate } = await loadSource('test/support/simulation/play.ts')
  const totals = { sessions, crashes: 0, refusals: 0, calls: 0, attempts: 0, faults: [], outcomes: {} }
  const began = process.cpuUsage()
  for (let seed = firstSeed; seed < firstSeed + sessions; seed += 1) {
    const done = await simulate(seed)
    for (const key of ['crashes', 'refusals', 'calls', 'attempts']) totals[key] += done[key]
    totals.outcomes[done.outcome] = (totals.outcomes[done.outcome] ?? 0) + 1
    for (const breach of done.breaches) totals.faults.push(`seed ${seed}: ${breach} (${done.trail.join(', ')})`)
  }
  const { user, system } = process.cpuUsage(began)
  return { ...totals, seconds: (user + system) / 1e6 }
}
