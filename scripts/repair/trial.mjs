// Searches, one after the other, in a process of their own: jobs come on standard input, answers go to standard output, a line each.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { repairOnce, trialsOnce } from './engine.mjs'
import { openKept } from './kept.mjs'

/** What a search may take beyond its own limit before it is stopped. */
const GRACE_SECONDS = 30

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line)
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), (job.limits.seconds + GRACE_SECONDS) * 1000)
  const engine = await import(pathToFileURL(job.bundle).href)
  const kept = job.isFresh ? writing(openKept(job.place)) : openKept(job.place)
  const work = job.mode === 'speed' ? trialsOnce : repairOnce
  const answer = await work({ ...job, engine, kept, signal: controller.signal }).catch((error) => ({ error: String(error?.stack ?? error) }))
  clearTimeout(timer)
  process.stdout.write(`\nanswer ${JSON.stringify(answer)}\n`)
}

/** Nothing that was known before is used, so that times are true; what is found out is kept all the same. */
function writing(kept) {
  return { ...kept, once: async (key, work) => kept.keep(key, await work()) }
}
