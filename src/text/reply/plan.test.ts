// Tests of reading plans and audits of tests.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAudit } from './audit.js'
import { readAnyPlan, readTestPlan } from './plan.js'

const tests = [{ path: 'tests/test_add.py', content: 'assert add(1, 2) == 3' }]
const plan = [{ path: 'src/add.py', change: 'write add' }]
const read = (value: unknown): unknown => readTestPlan(JSON.stringify(value))
const faultOf = (value: unknown): string => {
  const said = readTestPlan(typeof value === 'string' ? value : JSON.stringify(value))
  return said.kind === 'fault' ? said.fault.replace('a JSON object with "tests" and "plan" is wanted: ', '') : ''
}

describe('plans with tests', () => {
  const expected = {
    kind: 'plan',
    text: '# Plan\n\n1. `src/add.py`: write add\n\nTests: `tests/test_add.py`\n',
    paths: ['src/add.py'],
    tests: [{ path: 'tests/test_add.py', text: 'assert add(1, 2) == 3\n' }],
  }

  it.each([
    ['as they are asked for', { tests, plan }],
    ['with other names', { tests: [{ file: tests[0]?.path, code: tests[0]?.content }], plan: [{ file: 'src/add.py', description: 'write add' }] }],
    ['with maps of paths', { tests: { 'tests/test_add.py': tests[0]?.content }, plan: { 'src/add.py': 'write add' } }],
    ['with one entry instead of a list', { tests: { name: tests[0]?.path, text: tests[0]?.content }, plan: { path: 'src/add.py', task: 'write add' } }],
    ['with sentences', { tests, plan: ['src/add.py: write add'] }],
    ['inside another object', { answer: { tests, plan } }],
  ])('IS-04 are read %s', (_how, value) => {
    expect(read(value)).toEqual(expected)
    expect(readTestPlan(`<think>{"tests": []}</think>Here:\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\nThat is all.`)).toEqual(expected)
  })

  it('IS-04 keep steps without a file and steps of several lines', () => {
    expect(read({ tests, plan: ['read the task', { file: 'b.py', steps: ['one', 'two'] }] })).toMatchObject({
      text: '# Plan\n\n1. read the task\n2. `b.py`: one\n   two\n\nTests: `tests/test_add.py`\n',
      paths: ['b.py'],
    })
  })

  it.each([
    ['prose', 'I would first write a test.', 'it holds no JSON object'],
    ['what is cut off', JSON.stringify({ tests, plan }).slice(0, -3), 'its JSON breaks off before the end'],
    ['a plan only thought', `<think>${JSON.stringify({ tests, plan })}`, 'it holds no JSON object'],
    ['no tests', { plan }, '"tests" is missing'],
    ['no plan', { tests }, '"plan" is missing'],
    ['empty lists', { tests: [], plan: [] }, '"tests" is empty; "plan" is empty'],
    ['null', { tests: null, plan }, '"tests" is empty'],
    ['a test without a path', { tests: [{ content: 'x' }], plan }, 'tests[0] has no path'],
    ['a test without content', { tests: [{ path: 'a.py', content: ' \n' }], plan }, 'tests[0] (a.py) has no content'],
    ['a test that is a text', { tests: ['def test(): pass'], plan }, 'tests[0] has no path'],
    ['a step that says nothing', { tests, plan: [{ path: 'a.py' }] }, 'plan[0] (a.py) says no change'],
  ])('IS-04 name exactly what is wrong with %s', (_what, value, fault) => {
    expect(faultOf(value)).toBe(fault)
  })

  it('IS-04 are read from any value without an error', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => void read({ tests: one, plan: other })))
  })
})

describe('plans of any form', () => {
  it('are any text that is not empty, without its reasoning', () => {
    expect(readAnyPlan('<think>hm</think>\n1. Do it.\n')).toEqual({ kind: 'plan', text: '1. Do it.\n', paths: [], tests: [] })
    expect(readAnyPlan('<think>hm')).toEqual({ kind: 'fault', fault: 'the plan is empty' })
  })

  it('are steps where they are JSON, with or without tests', () => {
    expect(readAnyPlan(JSON.stringify({ plan }))).toMatchObject({ text: '# Plan\n\n1. `src/add.py`: write add\n', paths: ['src/add.py'], tests: [] })
    expect(readAnyPlan(JSON.stringify({ plan, tests }))).toMatchObject({ tests: [{ path: 'tests/test_add.py' }] })
  })
})

describe('audits of tests', () => {
  it.each([
    ['right', '{"tests_correct": true, "issues": []}', { kind: 'right', trouble: '' }],
    ['right, whatever else it brings', `{"tests_correct": true, "tests": ${JSON.stringify(tests)}}`, { kind: 'right', trouble: '' }],
    [
      'corrected',
      `<think>hm</think>{"tests_correct": false, "issues": ["adds", {"description": "twice"}], "tests": ${JSON.stringify(tests)}}`,
      { kind: 'corrected', issues: 'adds; twice', tests: [{ path: 'tests/test_add.py', text: 'assert add(1, 2) == 3\n' }] },
    ],
    ['corrected without saying so', `{"tests": ${JSON.stringify(tests)}}`, { kind: 'corrected', issues: 'the tests were wrong' }],
  ])('IS-17 find the tests %s', (_what, text, audit) => {
    expect(readAudit(text)).toMatchObject(audit)
  })

  it.each([
    ['prose', 'The tests look fine to me.', 'cannot be read'],
    ['a broken answer', '{"tests_correct": false, "tests": [', 'cannot be read'],
    ['no correction', '{"tests_correct": false, "issues": ["wrong sum"]}', 'it brings none that are right; they stay: wrong sum'],
    ['half a correction', '{"tests_correct": "false", "tests": [{"path": "a.py"}]}', 'tests[0] (a.py) has no content; they stay'],
  ])('IS-17 leave the tests as they are for %s, and say so', (_what, text, trouble) => {
    const audit = readAudit(text)
    expect(audit.kind === 'right' && audit.trouble).toContain(trouble)
  })

  it('IS-17 are read from any value without an error', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => void readAudit(JSON.stringify({ tests_correct: false, tests: one, issues: other }))))
  })
})
