// The warm Node process: every file of tests runs in a fresh thread, with node:test itself. Texts of programs, laid down beside the copies.

/** Reads jobs from standard input, one at a time. Processor time of the whole process is that of the one thread that runs. */
export const NODE_SERVER = String.raw`import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'

const [mark, settings] = process.argv.slice(2)
const { files, root, worker, reporter, flags } = JSON.parse(settings)
const LOOK_MILLISECONDS = 25
const FIRST_CPU_SECONDS = 20
const FIRST_WALL_SECONDS = 120
const passed = (tests) => new Set(tests.filter((test) => test.passed).map(({ id }) => id))

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line)
  const answer = job.kind === 'preload' ? {} : job.kind === 'first' ? await withTexts(job.texts, first) : await withText(join(root, job.path), job.text, () => attempt(job))
  process.stdout.write('\n' + mark + JSON.stringify(answer) + '\n')
}
process.exit(0)

async function first() {
  const began = process.cpuUsage()
  const runs = []
  for (const file of files) runs.push(await runFile(file, { cpu: FIRST_CPU_SECONDS, wall: FIRST_WALL_SECONDS, covers: true }))
  const { user, system } = process.cpuUsage(began)
  const loaded = {}
  for (const run of runs) for (const [path, lines] of Object.entries(run.loaded)) loaded[path] = [...new Set([...(loaded[path] ?? []), ...lines])]
  return { run: { tests: runs.flatMap(({ tests }) => tests), loaded }, hangs: runs.some(({ ended }) => !ended), cpu: (user + system) / 1e6 }
}

async function attempt({ targets, passing, few, limits }) {
  const aimed = new Set(targets.map((id) => id.split('::')[0]))
  const results = new Map()
  for (const file of files.filter((each) => aimed.has(each))) results.set(file, await runFile(file, { cpu: few[0], wall: few[1] }))
  let now = passed([...results.values()].flatMap(({ tests }) => tests))
  const fixed = targets.filter((id) => now.has(id))
  const note = [...results.values()].some(({ ended }) => !ended) ? 'did not end' : ''
  if (fixed.length === 0) return { fixed, broken: [], note }
  const others = files.filter((each) => !aimed.has(each))
  const broken = () => passing.filter((id) => !now.has(id) && [...results.keys()].includes(id.split('::')[0]))
  for (const file of others) {
    if (broken().length > 0) break
    results.set(file, await runFile(file, { cpu: limits[0], wall: limits[1] }))
    now = passed([...results.values()].flatMap(({ tests }) => tests))
  }
  return { fixed, broken: broken().slice(0, 20), note }
}

async function withTexts([next, ...rest], work) {
  return next ? withText(join(root, next.path), next.text, () => withTexts(rest, work)) : work()
}

async function withText(path, text, work) {
  const before = readFileSync(path)
  try {
    writeFileSync(path, text)
    return await work()
  } finally {
    writeFileSync(path, before)
  }
}

function runFile(file, { cpu, wall, covers = false }) {
  const began = process.cpuUsage()
  const until = performance.now() + wall * 1000
  const thread = new Worker(worker, {
    workerData: { file: join(root, file), root, covers },
    argv: [],
    execArgv: [...flags, '--test-reporter=' + reporter, '--test-reporter-destination=stdout'],
    resourceLimits: { maxOldGenerationSizeMb: 768 },
    stdin: true,
    stdout: true,
    stderr: true,
  })
  const tests = new Map()
  const told = { tests: [], loaded: {}, ended: true }
  const fail = (message) => tests.set('', { id: file, passed: false, message, lines: {} })
  const take = (message) => {
    if (message.kind === 'begun') noted(tests, file, message.name)
    if (message.kind === 'loaded') told.loaded = message.lines
    if (message.kind === 'lines') noted(tests, file, message.name).lines = message.lines
    if (message.kind === 'test') Object.assign(noted(tests, file, message.name), { passed: message.passed, message: message.message })
  }
  thread.stdout.resume()
  thread.stderr.resume()
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1e6 <= cpu && performance.now() < until) return
      told.ended = false
      void thread.terminate()
    }, LOOK_MILLISECONDS)
    thread.on('message', take)
    thread.on('error', (error) => fail(String(error?.stack ?? error)))
    thread.on('exit', (code) => {
      clearInterval(watch)
      // The test that was under way is the one that does not end.
      const open = [...tests.values()].filter((test) => test.passed === null)
      if (!told.ended && open.length === 0) fail('did not end')
      if (!told.ended) for (const test of open) Object.assign(test, { passed: false, message: 'did not end' })
      else if (code !== 0 && ![...tests.values()].some((test) => test.passed === false)) fail('ended with ' + code)
      resolve({ ...told, tests: [...tests.values()].filter((test) => test.passed !== null) })
    })
  })
}

function noted(tests, file, name) {
  if (!tests.has(name)) tests.set(name, { id: file + '::' + name, passed: null, message: '', lines: {} })
  return tests.get(name)
}
`

/** Runs one file of tests, and where it is asked to, tells which lines each test went through. */
export const NODE_WORKER = String.raw`import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const { file, root, covers } = workerData
process.exitCode = 0
if (covers) await watchLines()
await import(pathToFileURL(file).href)

async function watchLines() {
  const { Session } = await import('node:inspector')
  const { afterEach, beforeEach } = await import('node:test')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  let isLoaded = false
  const names = []
  beforeEach((test) => {
    const lines = taken(session)
    if (!isLoaded) parentPort.postMessage({ kind: 'loaded', lines })
    isLoaded = true
    names.push(test.name)
    parentPort.postMessage({ kind: 'begun', name: test.fullName ?? names.join(' > ') })
  })
  afterEach((test) => {
    const name = test.fullName ?? names.join(' > ')
    names.pop()
    parentPort.postMessage({ kind: 'lines', name, lines: taken(session) })
  })
}

function taken(session) {
  let scripts = []
  session.post('Profiler.takePreciseCoverage', (_error, answer) => (scripts = answer?.result ?? []))
  const lines = {}
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue
    const path = relative(root, fileURLToPath(url))
    if (path.startsWith('..') || path.includes('node_modules')) continue
    const found = linesOf(readFileSync(fileURLToPath(url), 'utf8'), functions)
    if (found.length > 0) lines[path] = found
  }
  return lines
}

/** A line was gone through when the innermost range around its first character was. */
function linesOf(source, functions) {
  const ranges = functions.flatMap((each) => each.ranges)
  const found = []
  let start = 0
  for (const [at, line] of source.split('\n').entries()) {
    const first = start + line.search(/\S|$/)
    const last = start + line.trimEnd().length
    const around = ranges.filter((range) => range.startOffset <= first && range.endOffset >= Math.min(last, first + 1))
    const innermost = around.toSorted((one, other) => one.endOffset - one.startOffset - (other.endOffset - other.startOffset))[0]
    const within = ranges.some((range) => range.count > 0 && range.startOffset >= first && range.startOffset < last)
    if (line.trim() !== '' && ((innermost && innermost.count > 0) || within)) found.push(at + 1)
    start += line.length + 1
  }
  return found
}
`

/** Told by node:test itself, in the thread that runs the tests. */
export const NODE_REPORTER = String.raw`import { parentPort } from 'node:worker_threads'

export default async function* report(events) {
  const path = []
  for await (const { type, data } of events) {
    if (type === 'test:start') path.splice(data.nesting, Infinity, data.name)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const name = [...path.slice(0, data.nesting), data.name].join(' > ')
    const isPassed = type === 'test:pass' || data.todo !== undefined
    const error = data.details?.error
    const message = isPassed ? '' : String(error?.cause?.stack ?? error?.stack ?? error).slice(0, 4000)
    parentPort.postMessage({ kind: 'test', name, passed: isPassed, message })
  }
}
`
