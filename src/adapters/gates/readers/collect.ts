// Gathers what a reader finds into one run: limits, tests that are reported twice, and runs without any test.
import {
  LONGEST_MESSAGE_CHARS, LONGEST_STACK_CHARS, MOST_CASES, NO_TESTS, type Fault, type TestCase, type TestRun, type Trouble,
} from '../../../text/failures/test-run.js'
import { detached, plainId, type Names } from './names.js'

/** What every reader is: text in pieces of any size, then one run. */
export type Reader = { push(text: string): void; end(): TestRun }

export type Reported = {
  id: string
  file: string | null
  status: TestCase['status']
  seconds?: number | null
  fault?: Fault | null
}

/**
 * What it means when an id comes twice. `again`: this runner's names are unlike each other within a run, so it is the same test
 * once more (repeated, or failing a second time in its teardown): a failure counts, whatever the other time was, because nobody
 * says that the good one replaces it. `another`: two tests may share a name, so it is the next one of that name.
 * Runners that retry tell so within one entry, which then holds the last word; readers take that as it is.
 */
export type Twice = 'again' | 'another'

export type Collector = {
  add(test: Reported, twice: Twice): void
  /** Whether tests that do not fail are only counted from now on. */
  isFull(): boolean
  /** Tests that are only counted. */
  more(tests: number): void
  trouble(subject: string, fault: Fault): void
  /** The report is cut off, or contradicts itself. */
  doubt(note: string): void
  finish(empty: 'is wrong' | 'is fine'): TestRun
}

const MOST_TROUBLES = 500
/** Failing tests are kept beyond `MOST_CASES`: a failure that is only counted would look like a pass. */
const MOST_LATE_FAILURES = 10_000
/** Beyond this much text of faults only their first lines are kept. Far fewer are ever shown. */
const MOST_FAULT_CHARS = 8_000_000
/** Beyond this many nothing but that there was one. */
const MOST_FAULTS = 20_000
const SHORT_MESSAGE_CHARS = 240
const MOST_NOTES = 5
const LONGEST_TYPE_CHARS = 200
const NO_DETAILS: Fault = { kind: 'error', type: '', message: 'nothing more was reported', stack: '' }
const ONE_OF_MANY: Fault = { ...NO_DETAILS, message: 'too many failures to keep what each of them says' }

type State = {
  cases: TestCase[]
  places: Map<string, number>
  counts: Map<string, number>
  troubles: Trouble[]
  notes: Set<string>
  /** One text for all tests of a file, and for all faults of a type. */
  files: Map<string, string>
  types: Map<string, string>
  more: number
  faults: number
  faultChars: number
}

export function createCollector(names: Names): Collector {
  const state: State = {
    cases: [], places: new Map(), counts: new Map(), troubles: [], notes: new Set(), files: new Map(), types: new Map(), more: 0, faults: 0, faultChars: 0,
  }
  return {
    add: (test, twice) => addCase(state, names, test, twice),
    isFull: () => state.cases.length >= MOST_CASES,
    more: (tests) => void (state.more += tests),
    trouble(subject, fault) {
      if (state.troubles.length < MOST_TROUBLES) state.troubles.push({ subject: plainId(subject), fault: kept(state, names, fault) })
    },
    doubt: (note) => void (state.notes.size < MOST_NOTES && state.notes.add(names.text(note, SHORT_MESSAGE_CHARS))),
    finish: (empty) => finish(state, names, empty),
  }
}

function addCase(state: State, names: Names, test: Reported, twice: Twice): void {
  const most = test.status === 'fail' ? MOST_CASES + MOST_LATE_FAILURES : MOST_CASES
  if (state.cases.length >= most) {
    state.more += 1
    return
  }
  const id = plainId(test.id)
  const before = state.places.get(id)
  if (before !== undefined && twice === 'again') return mergeCase(state, names, state.cases[before], test)
  const own = before === undefined ? id : nextOfName(state, id)
  state.places.set(own, state.cases.length)
  const { status, seconds = null } = test
  const file = test.file === null ? null : oneOf(state.files, test.file)
  state.cases.push({ id: own, file, status, seconds, fault: status === 'fail' ? keptOrNull(state, names, test.fault) : null })
}

function oneOf(texts: Map<string, string>, text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  const own = detached(text)
  texts.set(own, own)
  return own
}

function nextOfName(state: State, id: string): string {
  let count = state.counts.get(id) ?? 1
  let next: string
  do {
    count += 1
    next = `${id} #${count}`
  } while (state.places.has(next))
  state.counts.set(id, count)
  return next
}

const WEIGHT = { skip: 0, pass: 1, fail: 2 } as const

function mergeCase(state: State, names: Names, before: TestCase | undefined, test: Reported): void {
  if (before === undefined) return
  if (WEIGHT[test.status] > WEIGHT[before.status]) before.status = test.status
  if (before.status === 'fail' && before.fault === null) before.fault = keptOrNull(state, names, test.fault)
  before.file ??= test.file
  const seconds = test.seconds ?? null
  if (seconds !== null) before.seconds = (before.seconds ?? 0) + seconds
}

function keptOrNull(state: State, names: Names, fault: Fault | null | undefined): Fault | null {
  return fault === null || fault === undefined ? null : kept(state, names, fault)
}

function kept(state: State, names: Names, fault: Fault): Fault {
  state.faults += 1
  if (state.faults > MOST_FAULTS) return ONE_OF_MANY
  const isFull = state.faultChars > MOST_FAULT_CHARS
  const message = names.text(fault.message, isFull ? SHORT_MESSAGE_CHARS : LONGEST_MESSAGE_CHARS)
  const stack = isFull ? '' : names.text(fault.stack, LONGEST_STACK_CHARS)
  state.faultChars += message.length + stack.length
  const type = oneOf(state.types, names.text(fault.type, LONGEST_TYPE_CHARS).replaceAll('\n', ' '))
  return { kind: fault.kind, type, message, stack }
}

function finish(state: State, names: Names, empty: 'is wrong' | 'is fine'): TestRun {
  const { cases, more, troubles, notes } = state
  for (const test of cases) if (test.status === 'fail') test.fault ??= NO_DETAILS
  if (empty === 'is wrong' && cases.length === 0 && more === 0 && troubles.length === 0 && notes.size === 0) {
    const subject = names.prefix === '' ? 'test run' : `test run in ${names.prefix}`
    troubles.push({ subject, fault: { kind: 'no tests', type: '', message: NO_TESTS, stack: '' } })
  }
  return { cases, more, troubles, complete: notes.size === 0, note: [...notes].join('; ') }
}
