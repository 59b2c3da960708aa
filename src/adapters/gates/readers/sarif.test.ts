// Tests of reading SARIF.
import { describe, expect, it } from 'vitest'
import { brief, runOf } from './fixture.js'
import { createNames } from './names.js'
import { sarifReader } from './sarif.js'

const at = (uri: string, startLine: number) => [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }]
const FINDING = { ruleId: 'no-eval', level: 'error', message: { text: 'eval is used' }, locations: at('src/a%20b.js', 3) }
const result = (rest: object) => ({ ...FINDING, ...rest })
const TOOL = { driver: { name: 'lint', rules: [{ id: 'sql', defaultConfiguration: { level: 'error' } }] } }
const log = (results: object[], rest: object = {}) => JSON.stringify({ version: '2.1.0', runs: [{ tool: TOOL, results, ...rest }] })

describe('SARIF', () => {
  it('gives one trouble for each rule, file and message, whatever the line', () => {
    const run = runOf('sarif', log([
      result({}), result({ locations: at('file:///checkout/src/a%20b.js', 9) }), result({ message: { text: 'other\nmore' } }),
      { ruleIndex: 0, message: { text: 'injection' }, locations: at('/checkout/src/b.js', 1) },
      { message: { text: 'no place' }, level: 'error' },
    ]))
    expect(brief(run)).toEqual([
      'trouble src/a b.js::no-eval > eval is used | error no-eval: eval is used',
      'trouble src/a b.js::no-eval > other | error no-eval: other',
      'trouble src/b.js::sql > injection | error sql: injection',
      'trouble no place | error : no place',
    ])
    expect(run).toMatchObject({ complete: true, cases: [] })
    expect(run.troubles[0]?.fault.stack).toBe('src/a b.js:3')
  })

  it('counts only errors, unless more is asked for, and nothing that is suppressed or in order', () => {
    const text = log([
      result({ level: 'warning' }), result({ level: undefined }), result({ level: 'note' }), result({ kind: 'pass' }),
      result({ suppressions: [{ kind: 'inSource' }] }),
      result({ suppressions: [{ kind: 'external', status: 'rejected' }], message: { text: 'still wrong' } }),
    ])
    expect(brief(runOf('sarif', text))).toEqual(['trouble src/a b.js::no-eval > still wrong | error no-eval: still wrong'])
    const reader = sarifReader(createNames({ roots: [] }), 'note')
    reader.push(log([result({ level: 'note', message: { text: 'a' } }), result({ level: 'warning', message: { text: 'b' } })]))
    expect(reader.end().troubles).toHaveLength(2)
  })

  it('without results is fine, and is incomplete when the tool failed or when it is no SARIF', () => {
    expect(runOf('sarif', log([]))).toEqual({ cases: [], more: 0, troubles: [], complete: true, note: '' })
    expect(runOf('sarif', log([], { invocations: [{ executionSuccessful: false }] })).note).toBe('lint says that it did not finish')
    expect(runOf('sarif', '{"runs":').complete).toBe(false)
    expect(runOf('sarif', '{}').note).toBe('the report is no SARIF: it has no runs')
  })
})
