// The output of one test program of Cargo: its tests, then what the failing ones printed, then its own count.
import type { TestCase } from '../../../text/test-run.js'
import { cargoFault } from './cargo-fault.js'
import type { Collector } from './collect.js'
import { detached, type Names } from './names.js'
import { keptLines, type KeptLines } from './tail.js'

export type Target = { take(line: string): 'more' | 'ended'; cutOff(): void }

export type TargetOptions = { names: Names; collector: Collector; label: string; kind: 'program' | 'doc' }

type Found = { name: string; status: TestCase['status']; output: KeptLines | null }

type State = TargetOptions & {
  tests: Map<string, Found>
  expected: number | null
  /** With `--nocapture`: a test whose result stands behind what it prints. */
  open: { name: string; output: KeptLines } | null
  section: 'tests' | 'failures'
  printing: KeptLines | null
}

const MOST_OUTPUT_LINES = 400
const TEST = /^test (.+?) \.\.\. ?(.*)$/
const STDOUT = /^---- (.+) stdout ----$/
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured;/

export function createTarget(options: TargetOptions): Target {
  const state: State = { ...options, tests: new Map(), expected: null, open: null, section: 'tests', printing: null }
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
  const test = first === 0x74 && line.startsWith('test ') ? TEST.exec(line) : null
  if (test !== null) takeTest(state, test[1] ?? '', test[2] ?? '')
  else takePrinted(state, line)
}

function takeTest(state: State, name: string, rest: string): void {
  const plain = detached(name.replace(/ - (?:should panic|compile|compile fail)$/, ''))
  const status = statusOf(rest)
  if (status !== null) state.tests.set(plain, { name: plain, status, output: null })
  state.open = status === null ? { name: plain, output: keptLines(MOST_OUTPUT_LINES) } : null
  state.open?.output.add(rest)
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
  if (word === undefined) output.add(line)
  else {
    state.tests.set(name, { name, status: word === 'ok' ? 'pass' : 'fail', output })
    state.open = null
  }
}

function takeFailureLine(state: State, line: string, first: number): void {
  const name = first === 0x2d ? STDOUT.exec(line)?.[1] : undefined
  const test = name === undefined ? undefined : state.tests.get(name)
  if (test) {
    state.printing = keptLines(MOST_OUTPUT_LINES)
    test.output = state.printing
  } else if (line === 'failures:') state.printing = null
  else state.printing?.add(line)
}

function takeResult(state: State, line: string): 'ended' {
  emit(state)
  const counts = RESULT.exec(line)
  const [passed = 0, failed = 0, ignored = 0, measured = 0] = (counts ?? []).slice(1).map(Number)
  const told = passed + failed + ignored + measured
  if (counts === null) state.collector.doubt(`${state.label}: its result cannot be read`)
  else if (state.tests.size < told) state.collector.doubt(`${state.label}: ${told} tests are counted and ${state.tests.size} named`)
  return 'ended'
}

/** Doc tests are told apart by the line they stand on, which changes with every edit above: their order in the file stays. */
function emit(state: State): void {
  const { names, collector, label, kind } = state
  const tests = [...state.tests.values()]
  if (kind === 'doc') tests.sort((one, other) => lineOf(one.name) - lineOf(other.name))
  for (const { name, status, output } of tests) {
    const [id, file] = kind === 'doc' ? docId(names, label, name) : [names.id(placed(names, label), [name]), null]
    collector.add({ id, file, status, fault: status === 'fail' ? cargoFault(name, output?.lines() ?? []) : null }, 'another')
  }
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
