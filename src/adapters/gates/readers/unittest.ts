// Reads what Python's `unittest` prints with `-v`.
import type { TestRun } from '../../../text/failures/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { lineFeed } from '../../../text/line-feed.js'
import { readerOf } from './reader-of.js'
import type { Names } from './names.js'
import { keptLines, type KeptLines } from './tail.js'
import { resultIn, troubleKind, unittestFault, unittestName, type UnittestName } from './unittest-lines.js'

type Section = { name: UnittestName; heading: string; inHead: boolean; lines: KeptLines }

type State = {
  names: Names
  collector: Collector
  /** A test whose result is still to come. */
  open: UnittestName | null
  section: Section | null
  isUnderRule: boolean
  named: number
  skipped: number
  failed: number
  ran: number | null
  verdict: 'ok' | 'failed' | null
  lines: number
}

const RULE = '='.repeat(70)
const THIN_RULE = '-'.repeat(70)
const MOST_SECTION_LINES = 400

export function unittestReader(names: Names): Reader {
  const state: State = {
    names, collector: createCollector(names), open: null, section: null, isUnderRule: false,
    named: 0, skipped: 0, failed: 0, ran: null, verdict: null, lines: 0,
  }
  const feed = lineFeed((line) => takeLine(state, line))
  return readerOf(feed, () => end(state))
}

function takeLine(state: State, line: string): void {
  state.lines += 1
  if (line === RULE) {
    closeSection(state)
    state.isUnderRule = true
    return
  }
  const heading = state.isUnderRule ? /^(FAIL|ERROR|UNEXPECTED SUCCESS): (.*)$/.exec(line) : null
  state.isUnderRule = false
  if (heading !== null) return openSection(state, heading[1] ?? '', heading[2] ?? '')
  if (state.section !== null) return takeSectionLine(state, state.section, line)
  if (state.ran !== null) return takeVerdict(state, line)
  if (line.startsWith('Ran ')) takeCount(state, line)
  else takeTestLine(state, line)
}

/** A test that has no result of its own shares its line with the next one. */
function takeTestLine(state: State, line: string): void {
  const parts = line.split(' ... ')
  const names = (parts.length > 1 ? parts.slice(0, -1) : parts).flatMap((part) => unittestName(part) ?? [])
  const result = resultIn(parts.at(-1) ?? '', state.open === null && names.length === 0 ? 'alone' : 'after noise')
  const [first] = names
  if (line.startsWith('  ') && first !== undefined) {
    if (result !== null) endTest(state, first, result)
    return
  }
  for (const name of names) openTest(state, name)
  if (result === null) return
  if (state.open !== null) endTest(state, state.open, result)
  state.open = null
}

/** Before Python 3.11 a test whose subtests fail has no result of its own: its section at the end tells. */
function openTest(state: State, name: UnittestName): void {
  if (state.open?.kind === 'test') state.named += 1
  state.open = name
}

function endTest(state: State, name: UnittestName, status: 'pass' | 'fail' | 'skip'): void {
  if (name.kind === 'unloadable') state.named += 1
  if (name.kind !== 'test') return
  if (name.subtest === '') state.named += 1
  if (status === 'skip') state.skipped += 1
  if (status === 'fail') state.failed += 1
  state.collector.add({ id: state.names.id(null, [name.id]), file: null, status }, 'again')
}

function openSection(state: State, heading: string, text: string): void {
  closeSection(state)
  const name = unittestName(text) ?? { kind: 'other' as const, id: text, subtest: '' }
  state.section = { name, heading, inHead: true, lines: keptLines(MOST_SECTION_LINES) }
}

function takeSectionLine(state: State, section: Section, line: string): void {
  const hasTraceback = section.heading !== 'UNEXPECTED SUCCESS'
  if (line !== THIN_RULE) {
    if (!section.inHead) section.lines.add(line)
  } else if (section.inHead && hasTraceback) section.inHead = false
  else closeSection(state)
}

function closeSection(state: State): void {
  const { section } = state
  if (section === null) return
  state.section = null
  const { name, heading, lines } = section
  const fault = unittestFault(heading, name.subtest, lines.lines().join('\n').trim())
  if (name.kind === 'test') {
    state.failed += 1
    state.collector.add({ id: state.names.id(null, [name.id]), file: null, status: 'fail', fault }, 'again')
  } else state.collector.trouble(state.names.id(null, [name.id]), { ...fault, kind: troubleKind(name) })
}

function takeCount(state: State, line: string): void {
  const count = /^Ran (\d+) tests? in /.exec(line)?.[1]
  if (count !== undefined) state.ran = Number(count)
}

function takeVerdict(state: State, line: string): void {
  if (/^OK\b|^NO TESTS RAN\b/.test(line)) state.verdict = 'ok'
  else if (/^FAILED\b/.test(line)) state.verdict = 'failed'
}

function end(state: State): TestRun {
  const { collector, ran, verdict, failed, skipped } = state
  const hadSection = state.section !== null
  closeSection(state)
  if (state.open?.kind === 'test') state.named += 1
  if (state.lines === 0) collector.doubt('the report is empty')
  else if (ran === null || verdict === null || hadSection) collector.doubt('the report is cut off before its last line')
  else if (state.named < ran || state.named - skipped > ran) collector.doubt(`${ran} tests ran and ${state.named} are named`)
  if (verdict === 'ok' && failed > 0) collector.doubt('tests failed though the report ends with OK')
  return collector.finish('is wrong')
}
