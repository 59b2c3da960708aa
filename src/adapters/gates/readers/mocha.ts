// Reads the report of mocha's JSON reporter.
import type { Collector, Reader, Reported } from './collect.js'
import { documentReader, numberIn, objectIn, secondsIn, textIn, textsIn, type DocumentPlan, type JsonObject } from './document.js'
import { faultOf, isAssertionType, javascriptError, withCause } from './fault.js'
import type { Names } from './names.js'
import { MOST_CASES, type Fault } from '../../../text/failures/test-run.js'

/** A test of which it is known only at the end whether it was skipped: the list of those comes after it. */
type Told = Reported & { key: string; isTimed: boolean }

export function mochaReader(names: Names): Reader {
  return documentReader(names, 'is wrong', (collector) => planFor(names, collector))
}

function planFor(names: Names, collector: Collector): DocumentPlan {
  const tests: Told[] = []
  const pending = new Set<string>()
  const failures: JsonObject[] = []
  const lists: Record<string, (entry: JsonObject) => void> = {
    tests: (entry) => void tests.push(toldOf(entry, names)),
    pending: (entry) => void pending.add(keyOf(entry)),
    failures: (entry) => void (failures.length < MOST_CASES && failures.push(entry)),
  }
  return {
    lists: Object.keys(lists),
    values: ['stats'],
    take(list, entry) {
      const test = objectIn(entry)
      if (test !== null) lists[list]?.(test)
    },
    end(document) {
      const stats = objectIn(document.stats)
      if (stats === null || document.tests === undefined) return collector.doubt('the report is none of mocha: it has no stats and tests')
      const hooks = addTests(tests, pending, failures, collector)
      for (const hook of hooks) collector.trouble(names.id(fileOf(hook, names), titlesOf(hook)), errorFault(hook))
      const failed = tests.filter(({ status }) => status === 'fail').length
      checkStats(stats, { tests: tests.length, failures: failed + hooks.length }, collector)
    },
  }
}

/** Returns the failures that are none of a test: a hook that throws is listed among the failures and not among the tests. */
function addTests(tests: readonly Told[], pending: ReadonlySet<string>, failures: readonly JsonObject[], collector: Collector): JsonObject[] {
  const failed = new Map<string, number>()
  for (const { key, isTimed, ...test } of tests) {
    if (test.status === 'fail') failed.set(key, (failed.get(key) ?? 0) + 1)
    collector.add(test.status === 'pass' && !isTimed && pending.has(key) ? { ...test, status: 'skip' } : test, 'another')
  }
  return failures.filter((failure) => !isListed(failure, failed))
}

/** A retried test has one entry, its last try; the number of tries beside it does not make it fail. */
function toldOf(test: JsonObject, names: Names): Told {
  const file = fileOf(test, names)
  const isFailed = Object.keys(objectIn(test.err) ?? {}).length > 0
  return {
    id: names.id(file, titlesOf(test)),
    file,
    status: isFailed ? 'fail' : 'pass',
    seconds: secondsIn(test.duration),
    fault: isFailed ? errorFault(test) : null,
    key: keyOf(test),
    isTimed: test.duration !== undefined,
  }
}

function checkStats(stats: JsonObject, listed: { tests: number; failures: number }, collector: Collector): void {
  for (const what of ['tests', 'failures'] as const) {
    const counted = numberIn(stats[what])
    if (counted !== null && counted !== listed[what]) collector.doubt(`the report counts ${counted} ${what} and lists ${listed[what]}`)
  }
  if (textIn(stats.end) === '') collector.doubt('the run did not come to its end')
}

function isListed(failure: JsonObject, listed: Map<string, number>): boolean {
  const left = listed.get(keyOf(failure)) ?? 0
  if (left > 0) listed.set(keyOf(failure), left - 1)
  return left > 0
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
  const text = { type, message: textIn(error.message) || printed.message, stack: withCause(stack, textIn(error.cause)) }
  if (error.code === 'ERR_MOCHA_TIMEOUT') return { kind: 'timeout', ...text }
  return faultOf(isAssertionType(type) || 'expected' in error ? 'assertion' : 'error', text)
}
