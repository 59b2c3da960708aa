// Reads `go test -json`: one event a line, and the plain text in which Go says that a package cannot be built.
import type { TestRun } from '../../../text/failures/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { textIn } from './document.js'
import { eventIn, type GoEvent } from './go-event.js'
import { goFault } from './go-fault.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import { readerOf } from './reader-of.js'
import { detached, type Names } from './names.js'
import { keptLines, type KeptLines } from './tail.js'

type Running = { test: string; output: KeptLines; lastLine: string }

type Package = {
  name: string
  /** Tests that have begun and not ended, but for the latest: with one test after the other the map is never touched, which is much cheaper. */
  running: Map<string, Running>
  latest: Running | null
  /** What was printed outside any test. */
  output: KeptLines
  /** Tests inside which another one failed. */
  failedBelow: Set<string>
  failed: number
  isEnded: boolean
}

type State = {
  collector: Collector
  packages: Map<string, Package>
  latest: Package | null
  /** What the compiler printed, by package. */
  builds: Map<string, KeptLines>
  /** The package the compiler is speaking of. */
  building: string
  events: number
}

const LONGEST_LINE_CHARS = 1024 * 1024
const MOST_OUTPUT_LINES = 300
const MOST_BUILD_LINES = 60
const MOST_RUNNING = 100_000

export function goReader(names: Names): Reader {
  const state: State = { collector: createCollector(names), packages: new Map(), latest: null, builds: new Map(), building: '', events: 0 }
  const feed = rawLineFeed((line) => takeLine(state, line), LONGEST_LINE_CHARS)
  return readerOf(feed, () => end(state))
}

function takeLine(state: State, line: string): void {
  const event = eventIn(line)
  if (event === null) return takePlain(state, line)
  state.events += 1
  if (event.action.startsWith('build-')) return takeBuild(state, event)
  if (event.package === '') return
  const into = packageOf(state, event.package)
  if (event.test === '') takePackage(state, into, event)
  else takeTest(state, into, event)
}

function packageOf(state: State, name: string): Package {
  if (state.latest?.name === name) return state.latest
  const known = state.packages.get(name)
  state.latest = known ?? {
    name: detached(name), running: new Map(), latest: null, output: keptLines(MOST_OUTPUT_LINES),
    failedBelow: new Set(), failed: 0, isEnded: false,
  }
  if (known === undefined) state.packages.set(state.latest.name, state.latest)
  return state.latest
}

function takeTest(state: State, into: Package, event: GoEvent): void {
  switch (event.action) {
    case 'output':
      return takeOutput(into, event.test, event.output)
    case 'pass':
    case 'fail':
    case 'skip':
      return endTest(state, into, event.test, event.action, event.seconds)
    default:
      runningOf(into, event.test)
  }
}

function runningOf(into: Package, test: string): Running {
  if (into.latest?.test === test) return into.latest
  const known = into.running.get(test)
  if (known !== undefined) return known
  if (into.latest !== null && into.running.size < MOST_RUNNING) into.running.set(into.latest.test, into.latest)
  into.latest = { test: detached(test), output: keptLines(MOST_OUTPUT_LINES), lastLine: '' }
  return into.latest
}

/** Takes it from those that are running. */
function endedOf(into: Package, test: string): Running | undefined {
  const { latest } = into
  if (latest?.test === test) {
    into.latest = null
    return latest
  }
  const running = into.running.get(test)
  if (running !== undefined) into.running.delete(test)
  return running
}

/** Lines with which Go itself marks where tests begin, wait and go on. */
const MARK = /^=== (?:RUN|PAUSE|CONT|NAME)\b/

function takeOutput(into: Package, test: string, output: string): void {
  if (output.startsWith('=== ') && MARK.test(output)) return
  const running = runningOf(into, test)
  running.lastLine = detached(output)
  running.output.add(running.lastLine)
}

function endTest(state: State, into: Package, test: string, status: 'pass' | 'fail' | 'skip', seconds: number | null): void {
  const running = endedOf(into, test)
  if (status === 'fail') {
    into.failed += 1
    for (let at = test.lastIndexOf('/'); at > 0; at = test.lastIndexOf('/', at - 1)) into.failedBelow.add(detached(test.slice(0, at)))
  }
  const fault = status === 'fail' ? goFault(running?.output.lines() ?? [], into.failedBelow.has(test) ? 'inside' : 'own') : null
  state.collector.add({ id: `${into.name}::${test}`, file: null, status, seconds, fault }, 'again')
}

function takePackage(state: State, into: Package, event: GoEvent): void {
  switch (event.action) {
    case 'output':
      into.output.add(detached(event.output.trimEnd()))
      return
    case 'pass':
    case 'fail':
    case 'skip':
      return endPackage(state, into, event.action, textIn(event.rest?.FailedBuild))
    default:
  }
}

const LAST_WORD = /--- (PASS|FAIL|SKIP): (.+) \((\d+(?:\.\d+)?)s\)\s*$/

/**
 * A test that printed without a line break hides from Go's own converter the line in which its result stands, so that its event
 * never comes: the result is then at the end of its last line.
 */
function endPackage(state: State, into: Package, status: 'pass' | 'fail' | 'skip', failedBuild: string): void {
  into.isEnded = true
  for (const { test, lastLine } of [...into.running.values(), ...(into.latest === null ? [] : [into.latest])]) {
    const [, word, name, seconds] = LAST_WORD.exec(lastLine) ?? []
    if (word !== undefined && name === test) endTest(state, into, test, word.toLowerCase() as 'pass' | 'fail' | 'skip', Number(seconds))
    else if (status === 'pass') endTest(state, into, test, 'pass', null)
    else endTest(state, into, test, 'fail', null)
  }
  into.running.clear()
  if (status === 'fail' && into.failed === 0) packageTrouble(state, into, failedBuild)
  into.failedBelow.clear()
  into.failed = 0
}

function packageTrouble(state: State, into: Package, failedBuild: string): void {
  const output = into.output.lines().filter((line) => !/^(?:FAIL|PASS|ok {2})(?:\s|$)/.test(line))
  if (failedBuild !== '' || into.output.lines().some((line) => /\[(?:build|setup) failed\]$/.test(line))) {
    return buildTrouble(state, into.name, failedBuild === '' ? into.name : failedBuild)
  }
  const fault = goFault(output, 'own')
  const message = fault.message === '' ? 'the package failed though none of its tests did' : fault.message
  state.collector.trouble(into.name, { ...fault, kind: fault.kind === 'timeout' ? 'timeout' : 'crash', message })
}

function takeBuild(state: State, { action, output, rest }: GoEvent): void {
  const name = packageName(textIn(rest?.ImportPath))
  if (action === 'build-output') buildOf(state, name).add(detached(output.trimEnd()))
}

/** Without the word in brackets that says for whose test it is built. */
function packageName(path: string): string {
  return path.split(' ', 1)[0] ?? path
}

function buildOf(state: State, name: string): KeptLines {
  const known = state.builds.get(name)
  if (known !== undefined) return known
  const made = keptLines(MOST_BUILD_LINES)
  if (state.builds.size < 1000) state.builds.set(name, made)
  return made
}

function takePlain(state: State, line: string): void {
  if (line.startsWith('{"')) return state.collector.doubt('the report has a line that is cut off')
  const text = line.trimEnd()
  const failed = /^FAIL\s+(\S+) \[(?:build|setup) failed\]$/.exec(text)?.[1]
  if (failed !== undefined) {
    packageOf(state, failed).isEnded = true
    return buildTrouble(state, failed, failed)
  }
  const heading = /^# (\S+)/.exec(text)?.[1]
  if (heading !== undefined) state.building = detached(heading)
  else if (text !== '' && text !== 'FAIL') buildOf(state, state.building).add(detached(text))
}

function buildTrouble(state: State, subject: string, build: string): void {
  const lines = (state.builds.get(packageName(build)) ?? state.builds.get(''))?.lines().filter((line) => !line.startsWith('# ')) ?? []
  const message = lines.length === 0 ? 'the package could not be built' : lines.slice(0, 10).join('\n')
  state.collector.trouble(subject, { kind: 'collection', type: 'build failed', message, stack: lines.join('\n') })
}

function end(state: State): TestRun {
  for (const into of state.packages.values()) if (!into.isEnded) state.collector.doubt(`the report ends before ${into.name} did`)
  const said = [...state.builds.values()].flatMap((kept) => kept.lines())
  if (state.events === 0 && state.packages.size === 0) {
    if (said.length === 0) state.collector.doubt('the report is empty')
    else state.collector.trouble('go test', { kind: 'collection', type: '', message: said.slice(0, 10).join('\n'), stack: said.join('\n') })
  }
  return state.collector.finish('is wrong')
}
