// Reads the JSON report of jest and of vitest, which has the same shape and other habits.
import { sanitise } from '../../../text/sanitise.js'
import type { Fault } from '../../../text/failures/test-run.js'
import type { Collector, Reader } from './collect.js'
import {
  documentReader, numberIn, objectIn, objectsIn, secondsIn, textIn, textsIn, type DocumentPlan, type JsonObject,
} from './document.js'
import { faultOf, isAssertionType, isEmptyFile, javascriptError, withCause } from './fault.js'
import type { Names } from './names.js'

type Runner = 'jest' | 'vitest'

export function jestReader(names: Names): Reader {
  return documentReader(names, 'is wrong', (collector) => planFor(names, collector))
}

function planFor(names: Names, collector: Collector): DocumentPlan {
  /** Files that come before it is known which runner speaks. */
  const early: JsonObject[] = []
  let listed = 0
  const take = (file: JsonObject, document: JsonObject): void => {
    listed += takeFile(file, 'numRuntimeErrorTestSuites' in document ? 'jest' : 'vitest', names, collector)
  }
  return {
    lists: ['testResults'],
    values: ['numTotalTests', 'numRuntimeErrorTestSuites', 'wasInterrupted'],
    take(_list, entry, document) {
      const file = objectIn(entry)
      if (file === null) return
      if ('numTotalTests' in document) take(file, document)
      else early.push(file)
    },
    end(document) {
      for (const file of early) take(file, document)
      if (document.testResults === undefined) return collector.doubt('the report is none of jest or vitest: it has no testResults')
      if (document.wasInterrupted === true) collector.doubt('the run was interrupted')
      checkTotal(document, listed, collector)
    },
  }
}

function checkTotal(document: JsonObject, listed: number, collector: Collector): void {
  const total = numberIn(document.numTotalTests)
  if (total !== null && total !== listed) collector.doubt(`the report counts ${total} tests and lists ${listed}`)
}

/** Returns how many tests it lists. */
function takeFile(file: JsonObject, runner: Runner, names: Names, collector: Collector): number {
  const path = names.file(textIn(file.name))
  const tests = objectsIn(file.assertionResults)
  let unfinished = 0
  let failed = 0
  for (const test of tests) {
    const status = statusOf(textIn(test.status), runner)
    if (status === 'unfinished') unfinished += 1
    else if (status !== 'fail' && collector.isFull()) collector.more(1)
    else {
      if (status === 'fail') failed += 1
      const titles = textsIn(test.ancestorTitles)
      titles.push(textIn(test.title))
      const fault = status === 'fail' ? testFault(test) : null
      collector.add({ id: names.id(path, titles), file: path, status, seconds: secondsIn(test.duration), fault }, 'another')
    }
  }
  if (unfinished > 0) {
    collector.trouble(path, { kind: 'crash', type: '', message: 'the process ended before the tests of this file did', stack: '' })
    collector.doubt(`${path}: ${unfinished} tests were not finished`)
  }
  if (textIn(file.status) === 'failed') takeFileFault(file, path, { tests: tests.length, failed }, collector)
  return tests.length
}

/** For jest `pending` is a skipped test; for vitest it is one that was running or waiting when its process died. */
function statusOf(word: string, runner: Runner): 'pass' | 'fail' | 'skip' | 'unfinished' {
  switch (word) {
    case 'passed':
      return 'pass'
    case 'failed':
      return 'fail'
    case 'skipped':
    case 'todo':
    case 'disabled':
    case 'focused':
      return 'skip'
    case 'pending':
      return runner === 'jest' ? 'skip' : 'unfinished'
    default:
      return 'unfinished'
  }
}

function testFault(test: JsonObject): Fault {
  const error = javascriptError(textsIn(test.failureMessages)[0] ?? '')
  // vitest 4 shows the name of its own marker where it should say that a limit was reached.
  if (error.message === 'STACK_TRACE_ERROR') return { kind: 'timeout', ...error, message: 'the test or its hook timed out' }
  const isMatcher = objectsIn(test.failureDetails).some((details) => objectIn(details.matcherResult) !== null)
  const told = { ...error, message: withDifference(error.message, textIn(test.diff)), stack: withCause(error.stack, textIn(test.cause)) }
  return faultOf(isMatcher || isAssertionType(error.type) ? 'assertion' : 'error', told)
}

/** vitest shortens what it compares in the message and shows the whole in a difference of its own. */
function withDifference(message: string, difference: string): string {
  return difference === '' || message.includes(difference) ? message : `${message}\n${difference}`
}

const UNLOADED = '● Test suite failed to run'

/** A file fails by itself when it cannot be loaded, has no test, or when a hook around its tests throws. */
function takeFileFault(file: JsonObject, path: string, count: { tests: number; failed: number }, collector: Collector): void {
  const message = sanitise(textIn(file.message))
  const at = message.indexOf(UNLOADED)
  const hook = textIn(file.hook)
  if (hook !== '') return collector.trouble(path, faultOf('error', javascriptError(hook)))
  if (count.tests > 0 && at < 0) {
    const note = 'the file failed outside its tests: a hook or a suite; the report does not say why'
    if (count.failed === 0) collector.trouble(path, { kind: 'error', type: '', message: note, stack: '' })
    return
  }
  const said = (at < 0 ? message : message.slice(at + UNLOADED.length).split(/\n {2}● /, 1)[0] ?? '').replace(/^ {4}/gm, '').trim()
  const error = withoutExcerpt(javascriptError(/\nDetails:\n\n([^]*)/.exec(said)?.[1] ?? said))
  const kind = isEmptyFile(error.message) ? 'no tests' : count.tests === 0 ? 'collection' : 'error'
  collector.trouble(path, { kind, ...error, message: error.message === '' ? 'the file could not be loaded' : error.message })
}

/** jest shows the source around the place, which changes with every line above it. */
function withoutExcerpt<T extends { message: string }>(error: T): T {
  return { ...error, message: (error.message.split(/\n *>? *\d+ \|/, 1)[0] ?? '').trim() }
}
