// `npm run bench:page`: how large a long report is, how soon it is there, what it takes in memory, and what an idle screen costs.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { cleanUp, loadMaker } from './page-session.mjs'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

const GOALS = { iterations: 2000, seconds: 2, megabytes: 60, share: 1 }
const CLI = join(root, 'dist', 'greenlatch.cjs')

const options = readOptions('bench:page', { quick: { says: 'takes small sizes and writes nothing' } })
const { iterations, openings, idleSeconds } = options.quick ? { iterations: 40, openings: 1, idleSeconds: 2 } : { iterations: GOALS.iterations, openings: 5, idleSeconds: 20 }
const [load = 0] = loadavg()
const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-page-'))
try {
  const report = await measureReport()
  const idle = await measureIdle()
  const text = documentOf(report, idle)
  console.log(text)
  if (!options.quick) writeFileSync(join(root, 'docs', 'performance-page.md'), text)
} finally {
  await cleanUp()
  rmSync(place, { recursive: true, force: true })
}

async function measureReport() {
  const { sessionOf } = await loadMaker()
  const { run } = await sessionOf(iterations)
  const file = join(place, 'report.html')
  await run(['report', '--html', file])
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  const inspector = await browser.newBrowserCDPSession()
  const busy = async () => (await inspector.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  const seconds = []
  const worked = []
  let heap = 0
  for (let n = 0; n < openings; n++) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    const before = await busy()
    const from = performance.now()
    await page.goto(pathToFileURL(file).href)
    await page.locator('#panel-H').waitFor()
    // Drawn, not only there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    seconds.push((performance.now() - from) / 1000)
    worked.push((await busy()) - before)
    const debug = await page.context().newCDPSession(page)
    await debug.send('Performance.enable')
    const { metrics } = await debug.send('Performance.getMetrics')
    heap = Math.max(heap, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0)
    await page.close()
  }
  await browser.close()
  return { bytes: statSync(file).size, seconds: seconds.toSorted((a, b) => a - b), worked: worked.toSorted((a, b) => a - b), heap }
}

/** The share of one core that a run takes while its agent is silent and its screen is drawn. */
async function measureIdle() {
  const repo = join(place, 'repo')
  mkdirSync(join(repo, '.git'), { recursive: true })
  const env = { PATH: process.env.PATH, HOME: place, GREENLATCH_STATE_HOME: join(place, 'state'), GREENLATCH_SANDBOX: 'none', LANG: 'C.UTF-8', TERM: 'xterm-256color' }
  const command = `stty cols 80 rows 24; exec '${process.execPath}' '${CLI}' run ooda wait --ui live --ai-cmd 'sleep 600'`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd: repo, env, stdio: ['pipe', 'ignore', 'inherit'] })
  try {
    await sleep(5000)
    const pid = ownerOf(join(place, 'state'))
    const before = ticksOf(pid)
    const from = performance.now()
    await sleep(idleSeconds * 1000)
    return (ticksOf(pid) - before) / ((performance.now() - from) / 1000)
  } finally {
    child.stdin.write('\u0003\u0003')
    await new Promise((done) => void child.once('exit', done))
  }
}

function ownerOf(state) {
  const path = readdirSync(state, { recursive: true }).find((name) => name.endsWith('status.json'))
  return JSON.parse(readFileSync(join(state, path), 'utf8')).pid
}

/** Hundredths of a second of processor time, so that by second they are per cent of a core. */
function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function documentOf({ bytes, seconds, worked, heap }, idle) {
  const middleOf = (values) => values[Math.floor(values.length / 2)] ?? 0
  const middle = middleOf(seconds)
  const mark = (value, goal) => (value <= goal ? 'kept' : 'MISSED')
  const megabytes = (amount) => amount / 1_000_000
  return `# Page and screen: figures

Made by \`npm run bench:page\` on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, Debian's chromium. A session of ${iterations} iterations with 40 failures listed in each; times are those of ${openings} openings in a browser that runs already, until all panels are drawn. ${load.toFixed(1)} processes wanted to run at the same time when it began: where that is more than there are cores, the processor time says more than the clock.

| what | measured | goal | |
|---|---:|---:|---|
| report in a file | ${megabytes(bytes).toFixed(1)} MB | ${GOALS.megabytes} MB | ${mark(megabytes(bytes), GOALS.megabytes)} |
| opened and drawn, median (worst) | ${middle.toFixed(2)} s (${(seconds.at(-1) ?? 0).toFixed(2)} s) | ${GOALS.seconds} s | ${mark(middle, GOALS.seconds)} |
| processor time of the whole browser for that, median | ${middleOf(worked).toFixed(2)} s | | |
| memory of its script afterwards | ${megabytes(heap).toFixed(1)} MB | ${GOALS.megabytes} MB | ${mark(megabytes(heap), GOALS.megabytes)} |
| screen of a run whose agent is silent, share of a core | ${idle.toFixed(2)} % | ${GOALS.share} % | ${mark(idle, GOALS.share)} |

That a dashboard with fifty running sessions misses no record is a test: \`test/serve-many.test.ts\`.
`
}
