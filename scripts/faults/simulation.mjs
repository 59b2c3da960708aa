// Simulated sessions through deaths, full disks and jumps of the clock: the real shell and engine, everything else from a seed.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from '../results.mjs'

/** A file of the sources or tests, with all that it imports, as it stands; beside what was built, since the page is looked for there. */
export async function loadSource(entry) {
  const folder = mkdtempSync(join(root, 'dist', '.source-'))
  try {
    const outfile = join(folder, 'source.mjs')
    const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
    await build({ absWorkingDir: root, entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', banner, logLevel: 'error' })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

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
