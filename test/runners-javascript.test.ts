// Test runners of JavaScript behind a command gate: which tests there are, which fail, and that the command ends as it does without us.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareExit, check, logOf, summary, wrapped } from './support/runners.js'

const NOTE = `const note = (name) => process.env.RAN && require('node:fs').appendFileSync(process.env.RAN, name + '\\n')\n`
const BODY = `
describe('sum (a+b)', () => {
  it('adds [1] $^|', () => note('adds'))
  it('is wrong', () => { note('wrong'); assert.equal(1, 2) })
  it.skip('later', () => {})
})
it('adds [1] $^|', () => note('top'))
`
const ASSERT = `const assert = require('node:assert')\n`
const MODULE = `import assert from 'node:assert'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
`
const ONE = `it('one', () => {})\n`
const NODE = `const { describe, it } = require('node:test')\n`

/** `alone` is what runs when one test is wanted: Node can be told names only, and runs what stands beside them in a suite. */
type Case = { command: string; files: Record<string, string>; places: string; alone: string }

const CASES: Record<string, Case> = {
  'node:test': {
    command: 'node --test',
    files: { 'test/a.test.js': NODE + ASSERT + NOTE + BODY, 'test/b.test.js': `${NODE}${NOTE}it('one', () => note('other'))` },
    places: 'test/',
    alone: 'adds\nwrong\ntop\n',
  },
  vitest: {
    command: 'vitest run --globals',
    files: {
      'a.test.js': MODULE + NOTE + BODY,
      'b.test.js': ONE,
    },
    places: '',
    alone: 'adds\n',
  },
  jest: { command: 'jest', files: { 'a.test.js': ASSERT + NOTE + BODY, 'b.test.js': ONE }, places: '', alone: 'adds\n' },
  mocha: { command: 'mocha *.test.js', files: { 'a.test.js': ASSERT + NOTE + BODY, 'b.test.js': ONE }, places: '', alone: 'adds\n' },
}

describe.each(Object.entries(CASES))('%s', (name, { command, files, places, alone }) => {
  const bare = name === 'node:test' ? command : `node_modules/.bin/${command}`
  const folder = wrapped(command, files, bare)
  const [a, b] = [`${places}a.test.js`, `${places}b.test.js`]
  const expected = {
    exit: 'fail', known: true, complete: true,
    failing: [`${a}::sum (a+b) > is wrong`],
    ids: [`${a}::adds [1] $^|`, `${a}::sum (a+b) > adds [1] $^|`, `${a}::sum (a+b) > is wrong`, `${a}::sum (a+b) > later`, `${b}::one`],
    skipped: [`${a}::sum (a+b) > later`],
  }

  it('tells its tests by file and name, ends as it does without us, and still prints what people read.', async () => {
    const heard = await check(folder, bare)
    expect(summary(heard)).toEqual(expected)
    expect(heard.result.note).toBe(`exit ${bareExit(folder, bare)}; 1 of 5 tests failed`)
    expect(logOf(heard)).toContain('is wrong')
  })

  it.each([['npm test && npm run lint', '1'], ['make test', '2']])('tells the same behind %s.', async (wrapper, exit) => {
    const heard = await check(folder, wrapper)
    expect(summary(heard)).toEqual(expected)
    expect(heard.result.note).toBe(`exit ${exit}; 1 of 5 tests failed`)
  })

  it('runs the wanted test alone.', async () => {
    const ran = join(folder, 'ran')
    const only = [`${a}::sum (a+b) > adds [1] $^|`]
    const heard = await check(folder, 'npm test', { only, env: { RAN: ran } })
    expect(summary(heard)).toEqual({ exit: 'pass', known: true, complete: true, failing: [], ids: only, skipped: [] })
    expect(existsSync(ran) && readFileSync(ran, 'utf8')).toBe(alone)
  })
})
