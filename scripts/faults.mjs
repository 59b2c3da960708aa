// `npm run test:faults`: kills the loop at every point of an iteration and cuts its journal at every byte; `--fast` takes a sample.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { killPoints, spread } from './faults/kill-points.mjs'
import { trial, unharmed } from './faults/trial.mjs'
import { CLI, makeWorld, RUN } from './faults/world.mjs'

const { values: options } = parseArgs({ options: { fast: { type: 'boolean', default: false }, points: { type: 'string' } } })
if (!existsSync(CLI)) {
  console.error('dist/cli.js is not there: npm run build')
  process.exit(1)
}
const expected = await unharmed()
const world = makeWorld()
const all = await killPoints(world, RUN)
world.remove()
const points = spread(all, options.fast ? 25 : Number(options.points ?? Infinity))
console.log(`${points.length} of ${all.length}`)
const began = performance.now()
const results = await inParallel(points, (point) => trial([point], expected))
for (const [i, r] of results.entries()) if (!r.reached || r.faults.length > 0) console.log(points[i].call, points[i].nth, r)
console.log((performance.now() - began) / 1000)

async function inParallel(items, work) {
  const results = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at])
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, lane))
  return results
}
