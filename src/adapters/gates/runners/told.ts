// What the reports of one command say together, before the command's own exit status is held against it.
import { NO_TESTS, type Fault, type TestCase, type TestRun, type Trouble } from '../../../text/failures/test-run.js'
import type { Start } from './reports.js'

export type Told = {
  /** Whether at least one report with tests' names was there. */
  known: boolean
  complete: boolean
  cases: TestCase[]
  troubles: Trouble[]
  /** Runners that were started and left no report. */
  silent: number
  /** Whether assertions that are only printed belong to tests: a runner told of some, or Node was given a file of them. */
  hasTests: boolean
  notes: string[]
}

export const NOTHING_TOLD: Told = { known: false, complete: true, cases: [], troubles: [], silent: 0, hasTests: false, notes: [] }

/** Runners that end before they report when they find nothing to run. */
const SILENT_WHEN_EMPTY = new Set(['jest', 'mocha'])

/** `withoutTests`: how many runners said in their output that they found no tests. */
export function toldBy(starts: readonly Start[], withoutTests: number): Told {
  const missing = starts.filter(({ runner, run }) => run === null && runner !== 'file')
  const empty = missing.filter(({ runner }) => SILENT_WHEN_EMPTY.has(runner)).slice(0, withoutTests)
  const crashed = missing.filter((start) => !empty.includes(start))
  const merged = mergeRuns(starts.flatMap(({ run }) => run ?? []))
  return {
    ...merged,
    known: merged.known || empty.length > 0,
    complete: merged.complete && crashed.length === 0,
    troubles: withoutNeedless([...merged.troubles, ...empty.map(emptyTrouble), ...crashed.map(crashTrouble)], merged.cases.length),
    silent: crashed.length,
    hasTests: starts.length > 0,
    notes: [...merged.notes, ...crashed.map((start) => `${nameOf(start)} left no report`)],
  }
}

/** A test that two runs report under one name is one test, and fails when either does. */
export function mergeRuns(runs: readonly TestRun[]): Told {
  const cases = new Map<string, TestCase>()
  for (const test of runs.flatMap((run) => run.cases)) {
    const before = cases.get(test.id)
    if (before === undefined || WEIGHT[test.status] > WEIGHT[before.status]) cases.set(test.id, test)
  }
  return {
    known: runs.length > 0,
    complete: runs.every(({ complete }) => complete),
    cases: [...cases.values()],
    troubles: withoutNeedless(runs.flatMap(({ troubles }) => troubles), cases.size),
    silent: 0,
    hasTests: runs.length > 0,
    notes: runs.flatMap(({ note }) => (note === '' ? [] : [note])),
  }
}

const WEIGHT = { skip: 0, pass: 1, fail: 2 } as const

/** A package without tests is no fault beside others that have some. A file of tests that has none is one, whatever else there is. */
function withoutNeedless(troubles: readonly Trouble[], tests: number): Trouble[] {
  return troubles.filter(({ subject, fault }) => tests === 0 || fault.kind !== 'no tests' || !subject.startsWith('test run'))
}

function emptyTrouble({ folder }: Start): Trouble {
  return { subject: folder === '' ? 'test run' : `test run in ${folder}`, fault: faultOf('no tests', NO_TESTS) }
}

function crashTrouble(start: Start): Trouble {
  return { subject: nameOf(start), fault: faultOf('crash', 'ended without a report') }
}

export function faultOf(kind: Fault['kind'], message: string): Fault {
  return { kind, type: '', message, stack: '' }
}

function nameOf({ runner, folder }: Start): string {
  return folder === '' ? runner : `${runner} in ${folder}`
}
