// Holds what the reports say against how the command ended: only when both are well has a check passed.
import type { GateResult } from '../../../core/types.js'
import { counted } from '../../../text/amounts.js'
import { NO_TESTS, type TestCase, type Trouble } from '../../../text/failures/test-run.js'
import { faultOf, type Told } from './told.js'

type Exit = GateResult['exit']

export type Verdict = {
  exit: Exit
  /** Whether the reports go to the end of the run. */
  complete: boolean
  cases: TestCase[]
  troubles: Trouble[]
  /** Whether the lines of the output are needed to say what is wrong. */
  reads: 'the output' | 'the reports'
  notes: string[]
}

export function verdictOf(told: Told, exit: Exit, assertions: readonly string[]): Verdict {
  const failing = told.cases.filter(({ status }) => status === 'fail')
  const troubles = troublesOf(told, exit, assertions)
  const isWrong = failing.length > 0 || troubles.length > 0
  const isUntold = told.silent > 0 || !told.known || !isWrong
  return {
    exit: exit === 'pass' && isWrong ? 'fail' : exit,
    complete: told.complete,
    cases: told.cases,
    troubles,
    reads: isUntold && (exit === 'fail' || exit === 'timeout') ? 'the output' : 'the reports',
    notes: [...countsOf(told, failing.length), ...(troubles.some(({ fault }) => fault.kind === 'no tests') ? [NO_TESTS] : []), ...told.notes],
  }
}

/** A runner that a limit has cut off could not report, which is no fault of its own. */
function troublesOf(told: Told, exit: Exit, assertions: readonly string[]): Trouble[] {
  const cutOff = exit === 'timeout' ? ['crash', 'no tests'] : []
  const own = told.troubles.filter(({ fault }) => !cutOff.includes(fault.kind))
  const isDoubtful = exit === 'pass' && !told.complete && told.silent === 0
  const doubt = isDoubtful ? [{ subject: 'report', fault: faultOf('crash', told.notes.join('; ')) }] : []
  const printed = exit === 'pass' ? assertions.map(assertionTrouble) : []
  const all = [...own, ...doubt, ...printed]
  return all.filter((trouble, at) => all.findIndex((other) => isSame(trouble, other)) === at)
}

function assertionTrouble(message: string): Trouble {
  return { subject: 'console.assert', fault: { kind: 'assertion', type: 'console.assert', message, stack: '' } }
}

function isSame(one: Trouble, other: Trouble): boolean {
  return one.subject === other.subject && one.fault.message === other.fault.message
}

function countsOf({ known, cases }: Told, failing: number): string[] {
  if (!known || cases.length === 0) return []
  return [failing === 0 ? counted(cases.length, 'test') : `${failing} of ${counted(cases.length, 'test')} failed`]
}

/**
 * The same for a run of some tests alone: what the others did is nobody's business. Exit and troubles of the whole command are, too,
 * once each wanted test has reported; before that they tell why one has not.
 */
export function verdictOnly(told: Told, exit: Exit, wanted: readonly string[]): Verdict {
  const ids = new Set(wanted)
  const cases = told.cases.filter(({ id, status }) => ids.has(id) && status !== 'skip')
  const failing = cases.filter(({ status }) => status === 'fail').length
  const missing = ids.size - cases.length
  const files = new Set(wanted.map((id) => id.split('::', 1)[0]))
  const troubles = missing === 0 ? [] : told.troubles.filter(({ subject, fault }) => fault.kind !== 'no tests' && files.has(subject))
  const settled = exit === 'error' || exit === 'timeout' ? exit : failing > 0 || missing > 0 ? 'fail' : 'pass'
  return {
    exit: settled,
    complete: missing === 0,
    cases,
    troubles,
    reads: 'the reports',
    notes: missing === 0 ? [] : [`${missing} of ${counted(ids.size, 'wanted test')} not reported`],
  }
}
