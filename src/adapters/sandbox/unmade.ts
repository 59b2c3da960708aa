// The result of a process whose sandbox could not be made: nothing of it has run.
import type { ProcessResult } from '../../process/types.js'

type Made = 'sandbox' | 'container'

export function unmade(what: Made, why: string): ProcessResult {
  const nothing = { text: '', bytes: 0, cut: false }
  return { ...unmadeAfter(what, why), signal: null, seconds: 0, stdout: nothing, stderr: nothing, leftovers: 0 }
}

/** The same where the program that makes it was started, and has said why. */
export function unmadeAfter(what: Made, why: string): Pick<ProcessResult, 'ending' | 'exitCode' | 'note'> {
  return { ending: 'unstartable', exitCode: null, note: `the ${what} cannot be made: ${why}` }
}
