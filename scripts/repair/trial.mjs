// One search for one bug, in a process of its own: the job comes on standard input, the answer goes to standard output.
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { repairOnce } from './engine.mjs'

/** What a search may take beyond its own limit before it is stopped. */
const GRACE_SECONDS = 30

const job = JSON.parse(await text(process.stdin))
const controller = new AbortController()
const timer = setTimeout(() => controller.abort(), (job.limits.seconds + GRACE_SECONDS) * 1000)
const engine = await import(pathToFileURL(job.bundle).href)
const answer = await repairOnce({ ...job, engine, signal: controller.signal })
clearTimeout(timer)
process.stdout.write(`\nanswer ${JSON.stringify(answer)}\n`)
