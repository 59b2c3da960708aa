// Reads what `cargo test` prints, standard error merged in: targets, their tests, and what the compiler says.
import type { TestRun } from '../../../text/failures/test-run.js'
import { createBuild, type Build } from './cargo-build.js'
import { createTarget, type Target } from './cargo-target.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { lineFeed } from '../../../text/line-feed.js'
import { readerOf } from './reader-of.js'
import type { Names } from './names.js'

type State = {
  names: Names
  collector: Collector
  build: Build
  target: Target | null
  /** What the last target is called, after its tests have ended. */
  lastLabel: string
  targets: number
  lines: number
}

export function cargoReader(names: Names): Reader {
  const collector = createCollector(names)
  const state: State = { names, collector, build: createBuild(names, collector), target: null, lastLabel: '', targets: 0, lines: 0 }
  const feed = lineFeed((line) => takeLine(state, line))
  return readerOf(feed, () => end(state))
}

/** Lines of cargo itself are indented or begin with its own words, and no test's result looks like them. */
function takeLine(state: State, line: string): void {
  state.lines += 1
  const first = line.charCodeAt(0)
  if (first === 0x20 && (line.startsWith('Running ', 5) || line.startsWith('Doc-tests ', 3)) && openTarget(state, line)) return
  if (first === 0x65 && takeCargoError(state, line)) return
  const { target } = state
  if (target === null) state.build.take(line)
  else if (target.take(line) === 'ended') state.target = null
  if (first === 0x20 && line.startsWith("  process didn't exit successfully")) takeCrash(state, line)
}

const RUNNING = /^ {5}Running (?:unittests )?(?:(\S+) \((.+)\)|(\S+))$/
const DOC_TESTS = /^ {3}Doc-tests (\S+)$/

function openTarget(state: State, line: string): boolean {
  const doc = DOC_TESTS.exec(line)?.[1]
  const [, source, binary, only] = RUNNING.exec(line) ?? []
  const program = binary ?? only
  if (doc === undefined && program === undefined) return false
  closeTarget(state)
  state.build.end()
  state.targets += 1
  const crate = doc ?? crateOf(program ?? '')
  const label = doc !== undefined ? `${crate} doc` : source === undefined ? crate : `${source} (${crate})`
  state.lastLabel = label
  state.target = createTarget({ names: state.names, collector: state.collector, label, kind: doc === undefined ? 'program' : 'doc' })
  return true
}

/** `target/debug/deps/shop_cart-145b3f473f3853c6` */
function crateOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/-[0-9a-f]{16}(?:\.exe)?$/, '')
}

/** How cargo says that a target's process failed. After it the compiler may speak again. */
function takeCargoError(state: State, line: string): boolean {
  if (!/^error: (?:(?:test|doctest) failed, to rerun pass|\d+ targets? failed)/.test(line)) return false
  closeTarget(state)
  return true
}

function takeCrash(state: State, line: string): void {
  const status = /\(((?:signal|exit status|exit code): .+)\)\s*$/.exec(line)?.[1] ?? ''
  // 101 is what a target with failing tests ends with.
  if (status === '' || /^exit (?:status|code): 101$/.test(status)) return
  const message = `the test process ended early (${status})`
  state.collector.trouble(state.lastLabel === '' ? 'cargo test' : state.lastLabel, { kind: 'crash', type: '', message, stack: '' })
}

function closeTarget(state: State): void {
  if (state.target !== null) state.target.cutOff()
  state.target = null
}

function end(state: State): TestRun {
  if (state.target !== null) state.target.cutOff()
  else state.build.end()
  const hasErrors = state.build.failed()
  if (state.lines === 0) state.collector.doubt('the report is empty')
  else if (state.targets === 0 && !hasErrors) state.collector.doubt('the report names no test target')
  return state.collector.finish('is wrong')
}
