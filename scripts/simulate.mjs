// `npm run simulate`: 10,000 simulated sessions through the real engine. Writes docs/convergence.md, exits 1 when a bound is broken.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions, wholeNumber } from './options.mjs'
import { root } from './results.mjs'
import { loadSource } from './source.mjs'

const MOST_SECONDS = 60

const options = readOptions('simulate', {
  check: { says: 'writes nothing' },
  fast: { says: 'takes a small sample and writes nothing' },
  seed: { value: 'N', otherwise: '1', says: 'takes other sessions' },
})
const seed = wholeNumber(options, 'seed')

const { boundsOf, curveOf, documentOf, EVERY_ROLE, FAST, LIMITS, ONE_ROLE, simulate, WHOLE } = await loadSource('src/simulate/index.ts')
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
