// Threads of the warm Node process, which run tests with node:test itself. Texts of programs, laid down beside the copies.

/** Runs one file of tests and tells which lines each test went through, or what other values would have changed in it. */
export const NODE_FRESH = String.raw`import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect, isDeepStrictEqual } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'

const { file, top, asksWhatIf } = workerData
const [DIFFERS, THROWS, ODD] = [1, 2, 4]
const [TRUTH, LOOKS] = [1, 2]
const MOST_LOOKS = 300
const MOST_VALUES = 8
const LONGEST_VALUE = 80
process.exitCode = 0
await (asksWhatIf ? watchValues() : watchLines())
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

async function watchValues() {
  const { afterEach, beforeEach } = await import('node:test')
  const names = []
  let [seen, gave, looks, isAsking] = [{}, {}, new Map(), false]
  beforeEach((test) => {
    if (names.length === 0) [seen, gave, looks] = [{}, {}, new Map()]
    names.push(test.name)
  })
  afterEach((test) => {
    const name = test.fullName ?? names.join(' > ')
    names.pop()
    parentPort.postMessage({ kind: 'seen', name, seen, gave })
  })
  /** Other values are asked for after the own one was made, so that nothing they do comes before it. */
  globalThis.__greenlatchWhatIf = (first, by, own, others) => {
    const kept = []
    const keep = (at, value) => (kept[at] = { value }).value
    if (isAsking) return own(keep)
    const made = outcome(() => own(keep))
    // What was never called gave nothing to tell again, and what is used up by looking at it is left alone.
    const again = (at) => (kept[at] && !usesUp(kept[at]) ? kept[at].value : refuse())
    const count = (looks.get(first) ?? 0) + 1
    looks.set(first, count)
    isAsking = true
    for (const [at, other] of others.entries()) {
      // What is asked too often is not known to be the same.
      if (count > MOST_LOOKS || usesUp(made)) seen[first + at] |= DIFFERS
      else if (count <= MOST_VALUES || !(seen[first + at] & DIFFERS)) {
        const told = outcome(() => other(again))
        // Looking at a value may run code of its own.
        const bits = outcome(() => compared(made, told, by))
        seen[first + at] |= bits.isThrown ? DIFFERS : bits.value
        if (count <= MOST_VALUES) outcome(() => note(gave, first + at, told))
      }
    }
    isAsking = false
    if (made.isThrown) throw made.value
    return made.value
  }
}

function usesUp({ value }) {
  return typeof outcome(() => value?.next).value === 'function'
}

/** As a failure would print it. */
function note(gave, number, { isThrown, value }) {
  const isPlain = typeof value === 'number' || typeof value === 'string' || Array.isArray(value)
  if (isThrown || !isPlain || value.length > LONGEST_VALUE) return
  const text = inspect(value, { breakLength: Infinity, depth: 2 })
  const known = (gave[number] ??= [])
  if (text.length <= LONGEST_VALUE && !known.includes(text)) known.push(text)
}

const UNKNOWN = Symbol('unknown')

function refuse() {
  throw UNKNOWN
}

function outcome(make) {
  try {
    return { isThrown: false, value: make() }
  } catch (value) {
    return { isThrown: true, value }
  }
}

function compared(own, other, by) {
  if (other.value === UNKNOWN) return DIFFERS
  if (own.isThrown || other.isThrown) return own.isThrown && other.isThrown ? 0 : DIFFERS | (other.isThrown ? THROWS : 0)
  if (by === TRUTH) return Boolean(own.value) === Boolean(other.value) ? 0 : DIFFERS
  if (Object.is(own.value, other.value) || (by === LOOKS && isDeepStrictEqual(own.value, other.value))) return 0
  const isNothing = own.value === undefined || own.value === null || Number.isNaN(own.value)
  return DIFFERS | (!isNothing && kindOf(own.value) !== kindOf(other.value) ? ODD : 0)
}

function kindOf(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return 'nothing'
  return Array.isArray(value) ? 'array' : typeof value
}

function taken(session) {
  let scripts = []
  session.post('Profiler.takePreciseCoverage', (_error, answer) => (scripts = answer?.result ?? []))
  const lines = {}
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue
    const path = relative(top, fileURLToPath(url))
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

/** Runs files of tests in turn, each as a suite whose modules are loaded anew: a new thread takes ten times as long as small tests do. */
export const NODE_SERVING = String.raw`import { createRequire, register } from 'node:module'
import { sep } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const { top, hooks } = workerData
const { cache } = createRequire(import.meta.url)
const isOwn = (path) => path.startsWith(top + sep) && !path.includes(sep + 'node_modules' + sep)
process.exitCode = 0
register(pathToFileURL(hooks).href, { data: { top: pathToFileURL(top + sep).href } })

// A test that waits for what never comes ends a process, because nothing is left to do; so it must end this thread, which is told first.
process.on('beforeExit', () => parentPort.postMessage({ kind: 'drained' }))

parentPort.on('message', ({ turn, file }) => {
  parentPort.unref()
  for (const path of Object.keys(cache)) if (isOwn(path)) delete cache[path]
  void describe('turn ' + turn, async () => {
    await import(pathToFileURL(file).href + '?greenlatch=' + turn)
  })
})
`

/** Modules of the project belong to a turn, told by a mark that nobody else sees: other hooks are asked for plain addresses. */
export const NODE_HOOKS = String.raw`const MARK = '?greenlatch='
let top = ''

export function initialize(data) {
  top = data.top
}

const plain = (address) => address?.split(MARK)[0]

export async function resolve(specifier, context, next) {
  const turn = specifier.split(MARK)[1] ?? context.parentURL?.split(MARK)[1]
  const found = await next(plain(specifier), { ...context, parentURL: plain(context.parentURL) })
  const isOwn = turn !== undefined && found.url.startsWith(top) && !found.url.includes('/node_modules/')
  return isOwn ? { ...found, url: found.url + MARK + turn } : found
}

export async function load(url, context, next) {
  return next(plain(url), context)
}
`

/** Told by node:test itself, in the thread that runs the tests. Where files take turns, each is a suite around its tests. */
export const NODE_REPORTER = String.raw`import { parentPort, workerData } from 'node:worker_threads'

const outer = workerData.hooks === undefined ? 0 : 1

export default async function* report(events) {
  const path = []
  for await (const { type, data } of events) {
    if (type === 'test:start') path.splice(data.nesting, Infinity, data.name)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const names = [...path.slice(0, data.nesting), data.name]
    const turn = outer === 1 ? Number(names[0].slice('turn '.length)) : 0
    if (data.nesting < outer) {
      parentPort.ref()
      parentPort.postMessage({ kind: 'turn', turn })
      continue
    }
    const isPassed = type === 'test:pass' || data.todo !== undefined
    const error = data.details?.error
    const message = isPassed ? '' : String(error?.cause?.stack ?? error?.stack ?? error).slice(0, 4000)
    parentPort.postMessage({ kind: 'test', turn, name: names.slice(outer).join(' > '), passed: isPassed, message })
  }
}
`
