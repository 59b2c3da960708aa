// `npm run simulate`: 10,000 simulated sessions through the real engine. Writes docs/convergence.md, exits 1 when a bound is broken.
// `--check` writes nothing; `--fast` takes a small sample; `--seed` takes other sessions.
import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './results.mjs'

const MOST_SECONDS = 60

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})
const seed = Number(options.seed)
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed: expected a whole number, found ${options.seed}`)

const { boundsOf, curveOf, documentOf, EVERY_ROLE, FAST, LIMITS, ONE_ROLE, simulate, WHOLE } = await loadSimulator()
const began = process.cpuUsage()
const simulation = simulate(EVERY_ROLE, options.fast ? FAST : WHOLE, seed)
const { user, system } = process.cpuUsage(began)
const seconds = (user + system) / 1e6
const within = `${simulation.sessions.toLocaleString('en')} sessions within ${MOST_SECONDS} s of processor time`
const time = { text: within, figure: `${seconds.toFixed(0)} s`, isKept: seconds <= MOST_SECONDS }
const bounds = [...boundsOf(simulation, LIMITS), time]
const alone = simulate(ONE_ROLE, { bad: 1, twins: 1, honest: options.fast ? 20 : 200 }, seed)
const curve = curveOf(EVERY_ROLE, options.fast ? { bad: 2, honest: 10, seed } : { bad: 12, honest: 150, seed })
const text = documentOf({ simulation, bounds, alone, curve, seconds })
console.log(text)
if (!options.check && !options.fast) writeFileSync(join(root, 'docs', 'convergence.md'), text)
process.exitCode = bounds.every(({ isKept }) => isKept) ? 0 : 1

/** The simulator with the engine as it stands, bundled for this one run. */
async function loadSimulator() {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-simulate-'))
  const outfile = join(folder, 'simulate.mjs')
  try {
    await build({
      absWorkingDir: root, entryPoints: ['src/simulate/index.ts'], outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
