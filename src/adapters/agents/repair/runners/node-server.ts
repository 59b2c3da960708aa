// The warm Node process. Text of a program, laid down beside the copies; its threads stand in node-threads.ts.

/**
 * Reads jobs from standard input, one at a time. Processor time of the whole process is that of the one thread that runs. Coverage is
 * taken in a fresh thread for each file; candidates take turns in one that stays, if it says of the sources what a fresh one says.
 */
export const NODE_SERVER = String.raw`import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'

const [mark, settings] = process.argv.slice(2)
// Tests run, and are named, from 'root'; sources are named from 'top', where the whole copy begins.
const { files, root, top, fresh, serving, hooks, reporter, flags } = JSON.parse(settings)
const LOOK_MILLISECONDS = 25
const FIRST_CPU_SECONDS = 20
const FIRST_WALL_SECONDS = 120
/** Every turn leaves its modules behind. */
const MOST_TURNS = 400
const passed = (tests) => new Set(tests.filter((test) => test.passed).map(({ id }) => id))
let stays = null

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line)
  process.stdout.write('\n' + mark + JSON.stringify(await done(job)) + '\n')
}
process.exit(0)

function done(job) {
  if (job.kind === 'preload') return {}
  if (job.kind === 'what if') return withTexts(job.texts, () => whatIf(job.limits))
  return job.kind === 'first' ? withTexts(job.texts, first) : withText(join(top, job.path), job.text, () => attempt(job))
}

async function first() {
  const limits = { cpu: FIRST_CPU_SECONDS, wall: FIRST_WALL_SECONDS }
  const [runs, cpu] = await timed(() => inTurn((file) => runFresh(file, limits)))
  const loaded = {}
  const entries = runs.flatMap((run) => Object.entries(run.loaded))
  for (const [path, lines] of entries) loaded[path] = [...new Set([...(loaded[path] ?? []), ...lines])]
  const tests = runs.flatMap((run) => run.tests)
  const hangs = runs.some(({ ended }) => !ended)
  if (hangs) return { run: { tests, loaded }, hangs, cpu, staying: false }
  // The first turn loads what later ones find loaded.
  await inTurn((file) => runStaying(file, limits))
  const [again, cpuStaying] = await timed(() => inTurn((file) => runStaying(file, limits)))
  const staying = [...passed(tests)].toSorted().join('\n') === [...passed(again.flatMap((run) => run.tests))].toSorted().join('\n')
  return { run: { tests, loaded }, hangs, cpu: staying ? cpuStaying : cpu, staying }
}

async function whatIf([cpu, wall]) {
  const runs = []
  for (const file of files) {
    const run = await runFresh(file, { cpu, wall }, true)
    if (!run.ended) return null
    runs.push(run)
  }
  return runs.flatMap((run) => run.tests).map(({ id, passed, seen, gave }) => ({ id, passed, seen: seen ?? {}, gave: passed ? {} : (gave ?? {}) }))
}

async function inTurn(run) {
  const results = []
  for (const file of files) results.push(await run(file))
  return results
}

async function timed(work) {
  const began = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(began)
  return [result, (user + system) / 1e6]
}

async function attempt({ targets, passing, limits: [cpu, wall], staying }) {
  const run = (file) => (staying ? runStaying(file, { cpu, wall }) : runFresh(file, { cpu, wall }))
  const aimed = new Set(targets.map((id) => id.split('::')[0]))
  const results = new Map()
  for (const file of files.filter((each) => aimed.has(each))) results.set(file, await run(file))
  let now = passed([...results.values()].flatMap(({ tests }) => tests))
  const fixed = targets.filter((id) => now.has(id))
  const note = [...results.values()].some(({ ended }) => !ended) ? 'did not end' : ''
  if (fixed.length === 0) return { fixed, broken: [], note }
  const others = files.filter((each) => !aimed.has(each))
  const broken = () => passing.filter((id) => !now.has(id) && results.has(id.split('::')[0]))
  for (const file of others) {
    if (broken().length > 0) break
    results.set(file, await run(file))
    now = passed([...results.values()].flatMap(({ tests }) => tests))
  }
  return { fixed, broken: broken().slice(0, 20), note }
}

async function withTexts([next, ...rest], work) {
  return next ? withText(join(top, next.path), next.text, () => withTexts(rest, work)) : work()
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

function threadOf(program, workerData) {
  const thread = new Worker(program, {
    workerData,
    argv: [],
    execArgv: [...flags, '--test-reporter=' + reporter, '--test-reporter-destination=stdout'],
    resourceLimits: { maxOldGenerationSizeMb: 768 },
    stdin: true,
    stdout: true,
    stderr: true,
  })
  thread.stdout.resume()
  thread.stderr.resume()
  return thread
}

/** Calls 'over' once when a limit is reached. */
function watched({ cpu, wall }, over) {
  const began = process.cpuUsage()
  const until = performance.now() + wall * 1000
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1e6 <= cpu && performance.now() < until) return
    clearInterval(watch)
    over()
  }, LOOK_MILLISECONDS)
  return () => clearInterval(watch)
}

function runFresh(file, limits, asksWhatIf = false) {
  const thread = threadOf(fresh, { file: join(root, file), top, asksWhatIf })
  const tests = new Map()
  const told = { tests: [], loaded: {}, ended: true }
  const fail = (message) => tests.set('', { id: file, passed: false, message, lines: {} })
  return new Promise((resolve) => {
    const unwatch = watched(limits, () => {
      told.ended = false
      void thread.terminate()
    })
    thread.on('message', (message) => {
      if (message.kind === 'begun') noted(tests, file, message.name)
      if (message.kind === 'loaded') told.loaded = message.lines
      if (message.kind === 'lines') noted(tests, file, message.name).lines = message.lines
      if (message.kind === 'seen') Object.assign(noted(tests, file, message.name), { seen: message.seen, gave: message.gave })
      if (message.kind === 'test') Object.assign(noted(tests, file, message.name), { passed: message.passed, message: message.message })
    })
    thread.on('error', (error) => fail(String(error?.stack ?? error)))
    thread.on('exit', (code) => {
      unwatch()
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

/** A turn in the thread that stays; one that does not end it takes with it. */
function runStaying(file, limits) {
  if (stays === null || stays.turns === MOST_TURNS) begin()
  const own = stays
  const turn = (own.turns += 1)
  const tests = []
  return new Promise((resolve) => {
    const finish = (ended) => {
      unwatch()
      if (own.drained && stays === own) end()
      own.hear = () => {}
      own.gone = () => {}
      resolve({ tests, loaded: {}, ended })
    }
    const unwatch = watched(limits, () => {
      end()
      finish(false)
    })
    own.hear = (message) => {
      if (message.turn !== turn) return
      if (message.kind === 'test') tests.push({ id: file + '::' + message.name, passed: message.passed })
      if (message.kind === 'turn') finish(true)
    }
    own.gone = () => finish(true)
    own.thread.postMessage({ turn, file: join(root, file) })
  })
}

function begin() {
  end()
  const own = { thread: threadOf(serving, { top, hooks }), turns: 0, drained: false, hear: () => {}, gone: () => {} }
  own.thread.on('message', (message) => (message.kind === 'drained' ? (own.drained = true) : own.hear(message)))
  own.thread.on('error', () => {})
  own.thread.on('exit', () => {
    if (stays === own) stays = null
    own.gone()
  })
  stays = own
}

function end() {
  const own = stays
  stays = null
  void own?.thread.terminate()
}
`
