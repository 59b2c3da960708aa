// Reads an audit of tests: that they are right, or how they have to be.
import type { TextFile } from '../../ports.js'
import { isObject, lastObject, type JsonObject } from './json.js'
import { filesIn, lineOf, textIn, textOf } from './values.js'

/** `trouble` says why an answer could not be taken as it stands: the tests are then held to be right. */
export type Audit = { kind: 'right'; trouble: string } | { kind: 'corrected'; tests: TextFile[]; issues: string }

const CORRECT = ['tests_correct', 'testsCorrect', 'correct'] as const
const ISSUES = ['issues', 'findings', 'reasons', 'diagnosis'] as const
const LONGEST_ISSUES_CHARS = 200

export function readAudit(text: string): Audit {
  const { value, trouble } = lastObject(text, (object) => isCorrect(object) !== null || 'tests' in object)
  if (value === null) return { kind: 'right', trouble: `the audit cannot be read (${trouble}); the tests are held to be right` }
  if (isCorrect(value) === true) return { kind: 'right', trouble: '' }
  const { files, faults } = filesIn(value['tests'], 'tests')
  const issues = lineOf(issuesOf(value), LONGEST_ISSUES_CHARS)
  if (files.length > 0 && faults.length === 0) return { kind: 'corrected', tests: files, issues: issues || 'the tests were wrong' }
  const why = faults[0] ?? 'it brings none that are right'
  return { kind: 'right', trouble: `the audit finds the tests wrong, but ${why}; they stay${issues === '' ? '' : `: ${issues}`}` }
}

function isCorrect(object: JsonObject): boolean | null {
  const said = CORRECT.map((name) => object[name]).find((value) => value !== undefined)
  if (typeof said === 'boolean') return said
  return said === 'true' ? true : said === 'false' ? false : null
}

function issuesOf(value: JsonObject): string {
  const list = ISSUES.map((name) => value[name]).find((entry) => Array.isArray(entry) || typeof entry === 'string')
  const described = (entry: unknown): string => (isObject(entry) ? textIn(entry, ['description', 'message', 'issue']) : '')
  const texts = (Array.isArray(list) ? list : [list]).map((entry) => textOf(entry) || described(entry))
  return texts.filter((text) => text !== '').join('; ')
}
