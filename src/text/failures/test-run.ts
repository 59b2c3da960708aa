// What a test runner reported, in one shape for all runners.

/** Said of a run without any test, wherever that is told. */
export const NO_TESTS = 'no tests ran'

/** What a failing test, or a run that went wrong, says of itself. All texts are bounded and free of terminal codes. */
export type Fault = {
  /** `timeout`: a limit of the runner or of ours. `crash`: the process, not a test, gave way. `collection`: a file could not be loaded. */
  kind: 'assertion' | 'error' | 'collection' | 'crash' | 'timeout' | 'no tests'
  /** The type of the error as the language names it, such as AssertionError; empty when nobody said. */
  type: string
  message: string
  /** The stack or traceback as it was printed; empty when there is none. */
  stack: string
}

/** One test. Its id is the same in every run and unlike any other of the gate. */
export type TestCase = {
  id: string
  /** Relative to the folder the gate judges. */
  file: string | null
  status: 'pass' | 'fail' | 'skip'
  seconds: number | null
  fault: Fault | null
}

/** What went wrong outside any test. The subject names the file or the program. */
export type Trouble = { subject: string; fault: Fault }

export type TestRun = {
  /** In the order they were reported; beyond `MOST_CASES` they are only counted. */
  cases: TestCase[]
  more: number
  troubles: Trouble[]
  /** False when the report is cut off, too large or contradicts itself; `note` then says why. */
  complete: boolean
  note: string
}

/** How many tests of one run are kept by name. */
export const MOST_CASES = 200_000
/** How much of a message and of a stack is kept. */
export const LONGEST_MESSAGE_CHARS = 2000
export const LONGEST_STACK_CHARS = 8000

/** The forms in which runners report. `lines` is a compiler's, linter's or any other command's plain output. */
export type ReportFormat = 'junit' | 'tap' | 'jest' | 'mocha' | 'go' | 'cargo' | 'unittest' | 'sarif' | 'lines'
