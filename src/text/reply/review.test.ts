// Tests of reading reviews and their findings.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failuresOf, findingsOf } from './findings.js'
import { readAdvice, readReview } from './review.js'

const short = (text: string): unknown => {
  const review = readReview(text)
  return review && { verdict: review.verdict, findings: review.findings.map(({ description }) => description) }
}
const printOf = (finding: unknown): string | undefined => failuresOf(findingsOf([finding]))[0]?.fingerprint

describe('reviews', () => {
  it.each([
    ['plain JSON', '{"verdict": "pass", "findings": []}', { verdict: 'pass', findings: [] }],
    ['fenced JSON', 'Here:\n```json\n{"verdict":"fail","findings":["no {"]}\n```\nBye.', { verdict: 'fail', findings: ['no {'] }],
    ['JSON in prose', 'I find {x} odd. {"decision":"FAIL","reasons":["a","b"]} as said', { verdict: 'fail', findings: ['a', 'b'] }],
    ['nested JSON', '{"review": {"verdict": "approved"}}', { verdict: 'pass', findings: [] }],
    ['findings as objects', '{"verdict":"fail","findings":[{"message":"slow"},{"n":1}]}', { verdict: 'fail', findings: ['slow', '{"n":1}'] }],
    ['the last of two', '{"verdict":"pass"} no: {"verdict":"fail"}', { verdict: 'fail', findings: [] }],
    ['a verdict after reasoning', '<think>{"verdict":"pass"}</think>{"verdict":"fail"}', { verdict: 'fail', findings: [] }],
    ['parts of which one fails', '{"checks":[{"verdict":"fail","findings":["x"]},{"verdict":"pass"}]}', { verdict: 'fail', findings: ['x'] }],
    ['parts that all pass', '{"checks":[{"verdict":"pass"},{"verdict":"pass"}]}', { verdict: 'pass', findings: [] }],
    ['parts of a verdict in other words', '{"verdict":"needs work","checks":[{"verdict":"fail"},{"verdict":"pass"}]}', { verdict: 'fail', findings: [] }],
    ['a list for each file', '[{"path":"a","verdict":"fail","findings":["x"]}, {"path":"b","verdict":"pass"}]', { verdict: 'fail', findings: ['x'] }],
    ['a line for each file', '{"path":"a","verdict":"fail"}\n{"path":"b","verdict":"pass"}', { verdict: 'fail', findings: [] }],
    ['the last word after a draft', 'At first {"verdict":"fail"}, but looking again: {"verdict":"pass"}', { verdict: 'pass', findings: [] }],
    ['a last line', 'Two things:\n- one\n- two\n\n**Verdict: FAIL**\n', { verdict: 'fail', findings: ['one', 'two'] }],
    ['a last word', 'All good.\nPASS', { verdict: 'pass', findings: [] }],
  ])('are read from %s', (_form, text, review) => {
    expect(short(text)).toEqual(review)
  })

  it.each([
    ['an empty answer', ''],
    ['prose', 'I would let this pass'],
    ['prose whose last line is one word', 'All but one of them\npass'],
    ['a verdict only thought', '<think>{"verdict":"pass"}'],
    ['the form repeated', '{"verdict": "pass | fail"}'],
    ['a verdict in mid-text', 'PASS\nor maybe not'],
    ['broken JSON', '{"verdict": "pass"'],
    ['another type', '{"verdict": true}'],
    ['a verdict in other words over parts that pass', '{"verdict":"needs work","checks":[{"verdict":"pass"}]}'],
    ['a verdict that breaks off after parts that pass', '{"verdict":"fail","checks":[{"name":"a","verdict":"pass"},{"name":"b","ver'],
    ['a verdict whose finding quotes another one', '{"verdict":"fail","findings":["the file says {"verdict":"pass"} in it"]}'],
    ['a last word that was not looked at', `{"verdict":"pass"} ${'{"'.repeat(2001)} {"verdict":"fail"}`],
    ['advice without a verdict', '{"diagnosis": "wrong sign"}'],
  ])('are undecided for %s', (_form, text) => {
    expect(readReview(text)).toBeNull()
  })

  it('IS-18 may be advice alone: a diagnosis, steps, and code of their own or of steps', () => {
    const said = { diagnosis: 'wrong sign', plan: [{ path: 'a.py', change: 'turn it', code: 'a = 1' }, 'then run it'], code: [{ file: 'b.py', text: 'b = 2' }] }
    expect(readAdvice(`So:\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\``)).toEqual({
      verdict: null,
      findings: [],
      diagnosis: 'wrong sign',
      code: [{ path: 'b.py', text: 'b = 2\n' }, { path: 'a.py', text: 'a = 1\n' }],
      steps: [{ path: 'a.py', change: 'turn it' }, { path: '', change: 'then run it' }],
    })
    expect(readAdvice('nothing to say')).toBeNull()
  })

  it('are read from any text without an error, and from hostile text in bounded work', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readReview(`{"a${text}`) !== undefined))
    expect(readReview('{"'.repeat(500_000))).toBeNull()
  })
})

describe('findings', () => {
  it('AC-08 have category, severity, path, line, snippet, description and fix, by their usual names', () => {
    const full = { category: 'Security', severity: 'error', path: 'src/db.ts', line: 12, snippet: 'sql + id', description: 'SQL from input', fix: 'bind it' }
    const other = { type: 'security', level: 'HIGH', file: './src/db.ts', line_number: '12', code: 'sql + id', message: 'SQL from input', suggestion: 'bind it' }
    const expected = { category: 'security', severity: 'error', path: 'src/db.ts', line: 12, snippet: 'sql + id', description: 'SQL from input', fix: 'bind it' }
    expect(findingsOf([full, other, { ...full, path: 'src/db.ts:12', line: undefined }])).toEqual([expected, expected, expected])
  })

  it('AC-08 are read from sentences that begin with a place', () => {
    const [first, second, third] = findingsOf(['src/a.ts:7: no check', '`src/b.ts` - too long', 'no tests'])
    expect(first).toMatchObject({ path: 'src/a.ts', line: 7, description: 'no check', severity: 'warning' })
    expect(second).toMatchObject({ path: 'src/b.ts', description: 'too long' })
    expect(third).toMatchObject({ path: '', description: 'no tests' })
  })

  it.each([
    ['critical', 'error'], ['High', 'error'], ['blocker', 'error'], ['medium', 'warning'], ['warn', 'warning'],
    ['low', 'note'], ['info', 'note'], ['nit', 'note'], ['', 'warning'], ['purple', 'warning'], ['constructor', 'warning'],
  ])('AC-08 of severity %j count as %s', (severity, mapped) => {
    expect(findingsOf([{ severity, description: 'x' }])[0]?.severity).toBe(mapped)
  })

  it('AC-08 become failures with a subject, the finding, and one for each fault', () => {
    const finding = { category: 'security', severity: 'error', path: 'src/db.ts', line: 12, snippet: 'q', description: 'SQL from input', fix: 'bind it' }
    const failures = failuresOf(findingsOf([finding, { ...finding, line: 40 }]))
    expect(failures).toHaveLength(1)
    const { description: _said, ...rest } = finding
    expect(failures[0]).toMatchObject({ gate: 'review', class: 'behaviour', subject: 'security: src/db.ts: SQL from input', message: 'SQL from input', finding: { ...rest, line: 40 } })
  })

  it.each([
    ['another line', { line: 99 }],
    ['a line in the text', { description: 'on line 40 the value is read' }],
    ['a place in the text', { description: 'on line 7  the value\nis read' }],
    ['other letters', { description: 'On line 3 the value is read' }],
    ['another severity and fix', { severity: 'note', fix: 'other', snippet: 'y' }],
  ])('AC-08 keep their fingerprint for %s', (_what, change) => {
    const finding = { category: 'bug', path: 'a.py', line: 1, description: 'on line 12 the value is read', severity: 'error', fix: 'x' }
    expect(printOf({ ...finding, ...change })).toBe(printOf(finding))
    expect(printOf(finding)).toMatch(/^2:/)
  })

  it.each([
    ['another path', { path: 'b.py' }],
    ['another category', { category: 'style' }],
    ['another description', { description: 'the value is written' }],
  ])('AC-08 change their fingerprint for %s', (_what, change) => {
    const finding = { category: 'bug', path: 'a.py', description: 'the value is read' }
    expect(printOf({ ...finding, ...change })).not.toBe(printOf(finding))
  })

  it('AC-08 are bounded and safe to print, whatever they hold', () => {
    const long = { category: 'c'.repeat(5000), path: 'p'.repeat(5000), description: `\u001b[31m${'d'.repeat(9000)}`, snippet: 's'.repeat(9000), fix: 'f'.repeat(9000) }
    const [failure] = failuresOf(findingsOf(Array.from({ length: 500 }, () => long)))
    expect(JSON.stringify(failure).length).toBeLessThan(6000)
    expect(JSON.stringify(failure)).not.toContain('\\u001b')
    expect(findingsOf(Array.from({ length: 500 }, () => 'x'))).toHaveLength(100)
    fc.assert(fc.property(fc.jsonValue(), (value) => void failuresOf(findingsOf(value))))
  })
})
