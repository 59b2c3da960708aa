// Tests of reading `go test -json`, from real runs.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runOf } from './fixture.js'

const events = (...list: object[]) => list.map((event) => `${JSON.stringify(event)}\n`).join('')
const P = { Package: 'example.com/p' }

describe('events of go test', () => {
  it('are read into tests, subtests, and packages that could not be built or died', () => {
    const run = fixtureRun('go', 'go-all.jsonl')
    expect(run).toMatchObject({ complete: true, note: '' })
    const shop = 'example.com/shop'
    expect(brief(run)).toEqual([
      `pass ${shop}/cart::TestPass`,
      `fail ${shop}/cart::TestTotal | assertion : Total = 4, want 3`,
      `pass ${shop}/cart::TestTable/one`,
      `fail ${shop}/cart::TestTable/two_words | assertion : want 2`,
      `pass ${shop}/cart::TestTable/ünï/code`,
      `pass ${shop}/cart::TestTable/one#01`,
      `fail ${shop}/cart::TestTable | assertion : a subtest failed`,
      `skip ${shop}/cart::TestSkip`,
      `fail ${shop}/cart::TestDeep/a/b | assertion : deep`,
      `fail ${shop}/cart::TestDeep/a | assertion : a subtest failed`,
      `fail ${shop}/cart::TestDeep | assertion : a subtest failed`,
      `pass ${shop}/cart::TestParallel/0`,
      `pass ${shop}/cart::TestParallel/2`,
      `fail ${shop}/cart::TestParallel/1 | assertion : parallel bad`,
      `fail ${shop}/cart::TestParallel | assertion : a subtest failed`,
      `fail ${shop}/cart::ExampleTotal | assertion : got:`,
      `pass ${shop}/cart::ExampleOk`,
      `pass ${shop}/cart::TestNoNewline`,
      `pass ${shop}/crash::TestBefore`,
      `fail ${shop}/crash::TestCrash/inner | crash panic: assignment to entry in nil map`,
      `fail ${shop}/crash::TestCrash | assertion : a subtest failed`,
      `pass ${shop}/exit::TestA`,
      `pass ${shop}/hang::TestQuick`,
      `fail ${shop}/pausefail::TestExit0 | crash panic: unexpected call to os.Exit(0) during test`,
      `pass ${shop}/price::TestP`,
      `pass ${shop}/race::TestRace`,
      `fail ${shop}/hang::TestHang | timeout panic: test timed out after 2s`,
      expect.stringMatching(/^trouble example.com\/shop\/broken \| collection build failed: broken\/b.go:2:23: cannot use "x"/),
      `trouble ${shop}/exit | crash : the package failed though none of its tests did`,
      `trouble ${shop}/initpanic | crash panic: assignment to entry in nil map`,
      expect.stringMatching(/^trouble example.com\/shop\/vetfail \| collection build failed: vetfail\/v_test.go:3:28: fmt.Printf/),
    ])
  })

  it('keep the stack of a panic without the folder of the checkout', () => {
    const { cases } = fixtureRun('go', 'go-all.jsonl')
    const stack = cases.find((test) => test.id.endsWith('TestCrash/inner'))?.fault?.stack
    expect(stack).toContain('\tcrash/c_test.go:4\n')
    expect(stack).not.toContain('/checkout')
  })

  it('tell a data race', () => {
    const run = fixtureRun('go', 'go-race.jsonl')
    expect(brief(run)).toEqual(['fail example.com/shop/race::TestRace | error DATA RACE: race detected'])
    expect(run.cases[0]?.fault?.stack).toContain('race/r_test.go:3')
  })

  it('of a test that is run twice count as failing when it failed once', () => {
    const text = events({ Action: 'fail', ...P, Test: 'TestA' }, { Action: 'pass', ...P, Test: 'TestA' }, { Action: 'fail', ...P })
    expect(runOf('go', text).cases.map(({ id, status }) => `${status} ${id}`)).toEqual(['fail example.com/p::TestA'])
  })

  it('are incomplete when a package never ends, and say nothing of its open tests', () => {
    const run = runOf('go', events({ Action: 'run', ...P, Test: 'TestA' }, { Action: 'output', ...P, Test: 'TestA', Output: 'x\n' }))
    expect(run).toMatchObject({ cases: [], complete: false, note: 'the report ends before example.com/p did' })
    const text = fixtureText('go-race.jsonl').trimEnd()
    for (let at = 3; at < text.length; at += 97) expect(runOf('go', text.slice(0, at)), `cut at ${at}`).toMatchObject({ complete: false })
  })

  it.each([
    ['no test files', events({ Action: 'output', ...P, Output: '?   \texample.com/p\t[no test files]\n' }, { Action: 'skip', ...P })],
    ['no tests to run', events({ Action: 'output', ...P, Output: 'testing: warning: no tests to run\n' }, { Action: 'pass', ...P })],
  ])('with %s are a fault when nothing else ran', (_what, text) => {
    expect(brief(runOf('go', text))).toEqual(['trouble test run | no tests : no tests ran'])
  })

  it('of newer versions say in events what the compiler said', () => {
    const text = events(
      { ImportPath: 'example.com/p [example.com/p.test]', Action: 'build-output', Output: '# example.com/p [example.com/p.test]\n' },
      { ImportPath: 'example.com/p [example.com/p.test]', Action: 'build-output', Output: './a_test.go:3:2: undefined: x\n' },
      { ImportPath: 'example.com/p [example.com/p.test]', Action: 'build-fail' },
      { Action: 'output', ...P, Output: 'FAIL\texample.com/p [build failed]\n' },
      { Action: 'fail', ...P, Elapsed: 0, FailedBuild: 'example.com/p [example.com/p.test]' },
    )
    expect(brief(runOf('go', text))).toEqual(['trouble example.com/p | collection build failed: ./a_test.go:3:2: undefined: x'])
  })

  it('that never came leave what go said, or an empty report', () => {
    expect(brief(runOf('go', 'stat /checkout/nothere: directory not found\n'))).toEqual([
      'trouble go test | collection : stat nothere: directory not found',
    ])
    expect(runOf('go', '')).toMatchObject({ complete: false, note: 'the report is empty' })
  })

  it('keep a bounded part of endless output', () => {
    const line = `${JSON.stringify({ Action: 'output', ...P, Test: 'TestA', Output: `${'x'.repeat(2000)}\n` })}\n`
    const run = runOf('go', `${line.repeat(5000)}${events({ Action: 'fail', ...P, Test: 'TestA' }, { Action: 'fail', ...P })}`)
    expect(run.cases).toHaveLength(1)
    expect(JSON.stringify(run).length).toBeLessThan(15_000)
  })
})
