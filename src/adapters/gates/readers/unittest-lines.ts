// The lines of Python's `unittest`: names of tests, words for results, and tracebacks.
import type { Fault } from '../../../text/failures/test-run.js'
import { faultOf, pythonError } from './fault.js'

/** `unloadable` is a module that cannot be imported, `fixture` what stands around tests, such as `setUpClass`. */
export type UnittestName = { kind: 'test' | 'unloadable' | 'fixture' | 'other'; id: string; subtest: string }

const NAME = /^\s*(\S+) \(([\p{L}\p{N}_.<>]+)\)(?: (.*))?$/u
const FIXTURE = /^(?:setUp|tearDown)(?:Class|Module)$/
const UNLOADABLE = 'unittest.loader._FailedTest'

/** `test_a (pkg.Class.test_a)`, before Python 3.11 `test_a (pkg.Class)`; a failing subtest has its values behind it. */
export function unittestName(text: string): UnittestName | null {
  const [, name = '', place = '', subtest = ''] = NAME.exec(text) ?? []
  if (name === '') return null
  if (subtest !== '' && !/^[[(].*[\])]$/.test(subtest)) return null
  if (place.startsWith(UNLOADABLE)) return { kind: 'unloadable', id: name, subtest: '' }
  if (FIXTURE.test(name)) return { kind: 'fixture', id: `${place}.${name}`, subtest: '' }
  return { kind: 'test', id: place.endsWith(`.${name}`) ? place : `${place}.${name}`, subtest }
}

export function troubleKind(name: UnittestName): Fault['kind'] {
  return name.kind === 'unloadable' ? 'collection' : 'error'
}

const WORDS = /^(?:(ok)|(FAIL|ERROR|unexpected success)|(skipped (?:'.*'|".*")|expected failure))$/
const WORDS_AT_END = /(?:(ok)|(FAIL|ERROR|unexpected success)|(skipped (?:'.*'|".*")|expected failure))$/

/** What a test printed without a line break stands before its result. */
export function resultIn(text: string, where: 'alone' | 'after noise'): 'pass' | 'fail' | 'skip' | null {
  const found = WORDS.exec(text) ?? (where === 'after noise' ? WORDS_AT_END.exec(text) : null)
  if (found === null) return null
  return found[1] !== undefined ? 'pass' : found[2] !== undefined ? 'fail' : 'skip'
}

export function unittestFault(heading: string, subtest: string, traceback: string): Fault {
  if (heading === 'UNEXPECTED SUCCESS') return { kind: 'assertion', type: 'unexpected success', message: '', stack: '' }
  const error = pythonError(traceback)
  const message = subtest === '' ? error.message : `${subtest} ${error.message}`
  return faultOf(heading === 'FAIL' ? 'assertion' : 'error', { ...error, message })
}
