// Reads JUnit XML of any writer as it comes.
import type { Fault, TestRun } from '../../../text/failures/test-run.js'
import { createCollector, type Collector, type Reader } from './collect.js'
import { isEmptyFile } from './fault.js'
import { junitFault, type JunitProblem } from './junit-fault.js'
import { createNaming, type JunitCase, type Naming } from './junit-names.js'
import type { Names } from './names.js'
import { attributeOf, createXmlReader, type Attributes } from './xml.js'

const LONGEST_TEXT_CHARS = 64 * 1024

type State = {
  collector: Collector
  suites: { name: string; file: string }[]
  /** Made once for all tests of a suite. */
  suiteNames: readonly string[]
  test: (JunitCase & { skipped: string | null }) | null
  /** The first problem of the test, or of a suite outside any test. */
  problem: JunitProblem | null
  /** How many elements are open whose content does not matter. */
  ignored: number
  isTextKept: boolean
  naming: (test: JunitCase) => Naming
  isPytest: boolean
  isJunit: boolean
  /** What the suites say they count, and what is shown. */
  counted: number
  shown: number
}

export function junitReader(names: Names): Reader {
  const collector = createCollector(names)
  const state: State = {
    collector, naming: createNaming(names), suites: [], suiteNames: [], test: null, problem: null,
    ignored: 0, isTextKept: false, isPytest: false, isJunit: false, counted: 0, shown: 0,
  }
  const xml = createXmlReader({
    open: (name, attributes) => open(state, name, attributes),
    isTextWanted: () => state.ignored === 0 && state.isTextKept,
    text: (piece) => keepText(state, piece),
    close: (name) => close(state, name),
  })
  return { push: (text) => xml.push(text), end: () => end(state, xml.end()) }
}

function open(state: State, name: string, attributes: Attributes): void {
  if (state.ignored > 0) {
    state.ignored += 1
    return
  }
  switch (name) {
    case 'testsuites':
    case 'testsuite':
      return openSuite(state, name, attributes)
    case 'testcase':
      state.test = caseOf(state, attributes)
      state.problem = null
      return
    case 'failure':
    case 'error':
      state.isTextKept = state.problem === null
      state.problem ??= { element: name, type: attributeOf(attributes, 'type') ?? '', message: attributeOf(attributes, 'message') ?? '', text: '' }
      return
    case 'skipped':
      if (state.test) state.test.skipped = attributeOf(attributes, 'message') ?? ''
      return
    default:
      // Output, properties and earlier tries of a retried test: what counts is the last word, which stands beside them.
      state.ignored = 1
  }
}

function openSuite(state: State, element: 'testsuites' | 'testsuite', attributes: Attributes): void {
  state.isJunit = true
  const name = attributeOf(attributes, 'name') ?? ''
  if (/^pytest(?: tests)?$/.test(name)) state.isPytest = true
  if (element === 'testsuites') return
  state.suites.push({ name, file: attributeOf(attributes, 'file') ?? attributeOf(attributes, 'filepath') ?? '' })
  nameSuites(state)
  for (const count of ['failures', 'errors']) state.counted += Number(attributeOf(attributes, count) ?? 0) || 0
}

function nameSuites(state: State): void {
  state.suiteNames = state.suites.map((suite) => suite.name)
}

function caseOf(state: State, attributes: Attributes): NonNullable<State['test']> {
  return {
    name: attributeOf(attributes, 'name') ?? '',
    classname: attributeOf(attributes, 'classname') ?? attributeOf(attributes, 'class') ?? '',
    file: attributeOf(attributes, 'file') ?? attributeOf(attributes, 'filepath') ?? state.suites.findLast((suite) => suite.file !== '')?.file ?? '',
    suites: state.suiteNames,
    seconds: secondsOf(attributeOf(attributes, 'time')),
    isPytest: state.isPytest,
    skipped: isNotRun(attributes) ? '' : null,
  }
}

const NOT_RUN = /^(?:notrun|disabled|skipped|suppressed)$/

/** GoogleTest and CTest say it in an attribute. */
function isNotRun(attributes: Attributes): boolean {
  const [status, result] = [attributeOf(attributes, 'status'), attributeOf(attributes, 'result')]
  return (status !== undefined && NOT_RUN.test(status)) || (result !== undefined && NOT_RUN.test(result))
}

function secondsOf(time: string | undefined): number | null {
  if (time === undefined || time === '') return null
  const seconds = Number(time.includes(',') ? time.replaceAll(',', '') : time)
  return Number.isFinite(seconds) ? seconds : null
}

function keepText(state: State, piece: string): void {
  const { problem } = state
  if (problem !== null && problem.text.length < LONGEST_TEXT_CHARS) problem.text += piece.slice(0, LONGEST_TEXT_CHARS - problem.text.length)
}

function close(state: State, name: string): void {
  if (state.ignored > 0) {
    state.ignored -= 1
    return
  }
  switch (name) {
    case 'testsuite':
      state.suites.pop()
      nameSuites(state)
      return
    case 'testcase':
      closeCase(state)
      state.test = null
      state.problem = null
      return
    case 'failure':
    case 'error':
      state.isTextKept = false
      if (state.test === null) closeSuiteProblem(state)
      return
    default:
  }
}

function closeSuiteProblem(state: State): void {
  const { problem } = state
  state.problem = null
  if (problem === null) return
  state.shown += 1
  state.collector.trouble(state.suites.at(-1)?.name ?? 'test run', faultIn(state, problem))
}

function faultIn(state: State, problem: JunitProblem): Fault {
  return junitFault(problem, state.isPytest ? 'pytest' : 'any')
}

function containerFault(fault: Fault): Fault {
  if (fault.kind === 'crash' || fault.kind === 'timeout') return fault
  return { ...fault, kind: isEmptyFile(fault.message) ? 'no tests' : 'collection' }
}

function closeCase(state: State): void {
  const { test, problem, collector } = state
  if (test === null) return
  if (problem !== null) state.shown += 1
  const naming = state.naming(test)
  switch (naming.kind) {
    case 'nameless':
      // pytest leaves such a case when it is stopped in the middle of a test.
      if (problem === null) collector.doubt('the run was stopped before its end')
      else collector.trouble(naming.subject, faultIn(state, problem))
      return
    case 'container':
      // It has an entry only when something is wrong with it; skipped or fine, it is no test.
      if (problem !== null) collector.trouble(naming.subject, containerFault(faultIn(state, problem)))
      return
    case 'test': {
      const { id, file, twice } = naming
      // A test that is to be skipped or is still to be written may fail: the runner itself does not count that.
      const status = test.skipped !== null ? 'skip' : problem === null ? 'pass' : 'fail'
      collector.add({ id, file, status, seconds: test.seconds, fault: problem === null ? null : faultIn(state, problem) }, twice)
    }
  }
}

function end(state: State, ending: 'ended' | 'open' | 'empty' | 'broken'): TestRun {
  const { collector } = state
  if (ending === 'open') collector.doubt('the report is cut off')
  else if (ending === 'empty') collector.doubt('the report is empty')
  else if (ending === 'broken') collector.doubt('the report is no well-formed XML')
  else if (!state.isJunit) collector.doubt('the report is no JUnit XML')
  if (state.counted > 0 && state.shown === 0) collector.doubt(`the report counts ${state.counted} failures and shows none`)
  return collector.finish('is wrong')
}
