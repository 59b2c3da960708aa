// The output of one test program of Cargo: its tests, then what the failing ones printed, then its own count.
import { MOST_CASES, type TestCase } from '../../../text/failures/test-run.js'
import { cargoFault } from './cargo-fault.js'
import type { Collector } from './collect.js'
import { detached, type Names } from './names.js'
import { keptLines, type KeptLines } from './tail.js'

export type Target = { take(line: string): 'more' | 'ended'; cutOff(): void }

export type TargetOptions = { names: Names; collector: Collector; label: string; kind: 'program' | 'doc' }

type Found = { readonly status: TestCase['status']; readonly output: KeptLines | null }

type State = TargetOptions & {
  /** By name. */
  tests: Map<string, Found>
  /** Tests beyond the limit, which are only counted. */
  more: number
  expected: number | null
  /** With `--nocapture`: a test whose result stands behind what it prints. */
  open: { name: string; output: KeptLines } | null
  section: 'tests' | 'failures'
  printing: KeptLines | null
}

const MOST_OUTPUT_LINES = 400
const ENDING = ' ...'
const ANNOTATION = / - (?:should panic|compile|compile fail)$/
/** One for all of a kind: there are many. */
const FOUND = { pass: { status: 'pass', output: null }, fail: { status: 'fail', output: null }, skip: { status: 'skip', output: null } } as const
const STDOUT = /^---- (.+) stdout ----$/
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured;/

export function createTarget(options: TargetOptions): Target {
  const state: State = { ...options, tests: new Map(), more: 0, expected: null, open: null, section: 'tests', printing: null }
  return {
    take: (line) => take(state, line),
    cutOff() {
      emit(state)
      state.collector.doubt(`${state.label}: the results end before the target did`)
    },
  }
}

function take(state: State, line: string): 'more' | 'ended' {
  const first = line.charCodeAt(0)
  if (first === 0x74 && line.startsWith('test result: ')) return takeResult(state, line)
  if (state.section === 'tests') takeTestLine(state, line, first)
  else takeFailureLine(state, line, first)
  return 'more'
}

function takeTestLine(state: State, line: string, first: number): void {
  if (line === 'failures:') {
    state.section = 'failures'
    return
  }
  if (first === 0x72 && state.expected === null) {
    const count = /^running (\d+) tests?$/.exec(line)?.[1]
    if (count !== undefined) state.expected = Number(count)
    return
  }
  const end = first === 0x74 && line.startsWith('test ') ? line.indexOf(ENDING, 6) : -1
  if (end >= 0) takeTest(state, line.slice(5, end), line.slice(end + ENDING.length).replace(/^ /, ''))
  else takePrinted(state, line)
}

function takeTest(state: State, name: string, rest: string): void {
  const plain = name.includes(' - ') ? name.replace(ANNOTATION, '') : name
  const status = statusOf(rest)
  if (status !== null) setTest(state, plain, FOUND[status])
  state.open = status === null ? { name: detached(plain), output: keptLines(MOST_OUTPUT_LINES) } : null
  state.open?.output.add(detached(rest))
}

function setTest(state: State, name: string, found: Found): void {
  if (found.status === 'fail' || state.tests.size < MOST_CASES) state.tests.set(detached(name), found)
  else state.more += 1
}

function statusOf(word: string): TestCase['status'] | null {
  if (word === 'ok' || /^ok <[\d.]+s>$/.test(word) || word.startsWith('bench:')) return 'pass'
  if (word === 'FAILED' || /^FAILED (?:<[\d.]+s>|\(time limit exceeded\).*)$/.test(word)) return 'fail'
  return word === 'ignored' || word.startsWith('ignored, ') ? 'skip' : null
}

function takePrinted(state: State, line: string): void {
  if (state.open === null) return
  const { name, output } = state.open
  const word = /(?:^|[^\w])(ok|FAILED)$/.exec(line)?.[1]
  if (word === undefined) output.add(detached(line))
  else {
    setTest(state, name, word === 'ok' ? FOUND.pass : { status: 'fail', output })
    state.open = null
  }
}

function takeFailureLine(state: State, line: string, first: number): void {
  const name = first === 0x2d ? STDOUT.exec(line)?.[1] : undefined
  const test = name === undefined ? undefined : state.tests.get(name)
  if (test && name !== undefined) {
    state.printing = keptLines(MOST_OUTPUT_LINES)
    state.tests.set(name, { status: test.status, output: state.printing })
  } else if (line === 'failures:') state.printing = null
  else state.printing?.add(detached(line))
}

function takeResult(state: State, line: string): 'ended' {
  emit(state)
  const counts = RESULT.exec(line)
  const [passed = 0, failed = 0, ignored = 0, measured = 0] = (counts ?? []).slice(1).map(Number)
  const [told, named] = [passed + failed + ignored + measured, state.tests.size + state.more]
  if (counts === null) state.collector.doubt(`${state.label}: its result cannot be read`)
  else if (named < told) state.collector.doubt(`${state.label}: ${told} tests are counted and ${named} named`)
  return 'ended'
}

/** Doc tests are told apart by the line they stand on, which changes with every edit above: their order in the file stays. */
function emit(state: State): void {
  const { names, collector, label, kind } = state
  const tests = kind === 'doc' ? [...state.tests].toSorted(([one], [other]) => lineOf(one) - lineOf(other)) : state.tests
  for (const [name, { status, output }] of tests) {
    const [id, file] = kind === 'doc' ? docId(names, label, name) : [names.id(placed(names, label), [name]), null]
    collector.add({ id, file, status, fault: status === 'fail' ? cargoFault(name, output?.lines() ?? []) : null }, 'another')
  }
  collector.more(state.more)
}

/** Cargo says a target's file relative to its package, which it does not name: good for an id, not for a path. */
function placed(names: Names, label: string): string {
  return names.prefix === '' ? label : `${names.prefix}/${label}`
}

function docId(names: Names, label: string, name: string): [id: string, file: string | null] {
  const [, path = '', item = ''] = /^(\S+) - (.*?) ?\(line \d+\)$/.exec(name) ?? []
  if (path === '') return [names.id(placed(names, label), [name]), null]
  const file = names.file(path)
  return [`${file} (${label})::${item === '' ? 'crate' : item}`, file]
}

function lineOf(name: string): number {
  return Number(/\(line (\d+)\)$/.exec(name)?.[1] ?? 0)
}
