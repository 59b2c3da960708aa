// Reads the report of mocha's JSON reporter.
import type { Collector, Reader } from './collect.js'
import { documentReader, numberIn, objectIn, objectsIn, secondsIn, textIn, textsIn, type JsonObject } from './document.js'
import { faultOf, isAssertionType, javascriptError } from './fault.js'
import type { Names } from './names.js'
import type { Fault, TestCase } from '../../../text/test-run.js'

export function mochaReader(names: Names): Reader {
  return documentReader(names, 'is wrong', interpret)
}

function interpret(report: JsonObject, names: Names, collector: Collector): void {
  const stats = objectIn(report.stats)
  if (stats === null || !Array.isArray(report.tests)) return collector.doubt('the report is none of mocha: it has no stats and tests')
  const tests = objectsIn(report.tests)
  const pending = new Set(objectsIn(report.pending).map(keyOf))
  const listed = new Map<string, number>()
  let failed = 0
  for (const test of tests) {
    const status = statusOf(test, pending)
    if (status === 'fail') {
      failed += 1
      listed.set(keyOf(test), (listed.get(keyOf(test)) ?? 0) + 1)
    }
    const file = fileOf(test, names)
    const fault = status === 'fail' ? errorFault(test) : null
    collector.add({ id: names.id(file, titlesOf(test)), file, status, seconds: secondsIn(test.duration), fault }, 'another')
  }
  const hooks = objectsIn(report.failures).filter((failure) => !isListed(failure, listed))
  for (const hook of hooks) collector.trouble(names.id(fileOf(hook, names), titlesOf(hook)), errorFault(hook))
  checkStats(stats, { tests: tests.length, failures: failed + hooks.length }, collector)
}

function checkStats(stats: JsonObject, listed: { tests: number; failures: number }, collector: Collector): void {
  for (const what of ['tests', 'failures'] as const) {
    const counted = numberIn(stats[what])
    if (counted !== null && counted !== listed[what]) collector.doubt(`the report counts ${counted} ${what} and lists ${listed[what]}`)
  }
  if (textIn(stats.end) === '') collector.doubt('the run did not come to its end')
}

/** A hook that throws is listed among the failures and not among the tests. */
function isListed(failure: JsonObject, listed: Map<string, number>): boolean {
  const left = listed.get(keyOf(failure)) ?? 0
  if (left > 0) listed.set(keyOf(failure), left - 1)
  return left > 0
}

/** A retried test has one entry, its last try; the number of tries beside it does not make it fail. */
function statusOf(test: JsonObject, pending: ReadonlySet<string>): TestCase['status'] {
  if (Object.keys(objectIn(test.err) ?? {}).length > 0) return 'fail'
  return pending.has(keyOf(test)) && test.duration === undefined ? 'skip' : 'pass'
}

function keyOf(test: JsonObject): string {
  return `${textIn(test.file)}\0${textIn(test.fullTitle)}`
}

function fileOf(test: JsonObject, names: Names): string | null {
  const file = textIn(test.file)
  return file === '' ? null : names.file(file)
}

/** mocha itself joins the titles of suites with spaces, so that only the last one can be told apart. */
function titlesOf(test: JsonObject): string[] {
  const path = textsIn(test.titlePath)
  if (path.length > 0) return path
  const [title, full] = [textIn(test.title), textIn(test.fullTitle)]
  const suites = full.endsWith(title) ? full.slice(0, full.length - title.length).trim() : ''
  return suites === '' ? [title] : [suites, title]
}

function errorFault(test: JsonObject): Fault {
  const error = objectIn(test.err) ?? {}
  const stack = textIn(error.stack)
  const printed = javascriptError(stack)
  const type = textIn(error.name) || printed.type
  const text = { type, message: textIn(error.message) || printed.message, stack }
  if (error.code === 'ERR_MOCHA_TIMEOUT') return { kind: 'timeout', ...text }
  return faultOf(isAssertionType(type) || 'expected' in error ? 'assertion' : 'error', text)
}
