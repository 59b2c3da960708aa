// Works through a list on all processors at once, in order of the results.
import { availableParallelism } from 'node:os'

export async function inLanes(items, work, onProgress, lanes = availableParallelism()) {
  const results = []
  let next = 0
  let done = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) {
      results[at] = await work(items[at], at)
      onProgress(++done, items.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(items.length, lanes) }, lane))
  return results
}
