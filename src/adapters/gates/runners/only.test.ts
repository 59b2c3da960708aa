// Tests of the wanted tests in the words of each runner.
import { describe, expect, it } from 'vitest'
import { onlyLists } from './only.js'

const ROOT = '/checkout'
const matches = (list: string, name: string): boolean => new RegExp(list).test(name)

describe('patterns for runners of JavaScript', () => {
  it('fit the name as runners join it, and no other.', () => {
    const { javascript = '' } = onlyLists(['a.test.js::sum (a+b) > adds [1] $^|'], ROOT)
    expect(matches(javascript, 'sum (a+b) adds [1] $^|')).toBe(true)
    for (const other of ['sum (a+b) adds [1] $^| more', 'more sum (a+b) adds [1] $^|', 'adds [1] $^|', 'sum aab adds 1 $^|']) {
      expect(matches(javascript, other)).toBe(false)
    }
  })

  it('fit names that hold what parts them, or a line break, or end like a count.', () => {
    const { javascript = '' } = onlyLists(['a::is 1 > 0', 'a::two lines', 'a::twice #2'], ROOT)
    for (const name of ['is 1 > 0', 'two\nlines', 'twice', 'twice #2']) expect(matches(javascript, name)).toBe(true)
  })

  it('have each name of a path for Node, which looks at one level at a time, between slashes.', () => {
    const { node = '' } = onlyLists(['a::one > two/three'], ROOT)
    const inner = /^\/(.*)\/$/.exec(node)?.[1] ?? ''
    for (const name of ['one', 'two/three', 'one two/three']) expect(matches(inner, name)).toBe(true)
    expect(matches(inner, 'three')).toBe(false)
  })

  it('are left out when they are too long for a command line.', () => {
    const ids = Array.from({ length: 3000 }, (_none, at) => `a.test.js::a test with a name that is rather long, number ${at}`)
    expect(onlyLists(ids, ROOT)).toMatchObject({ javascript: '', node: '', pytest: '', files: '/checkout/a.test.js\n' })
  })
})

describe('lists for other runners', () => {
  it('tell Go as many levels as every wanted test has.', () => {
    expect(onlyLists(['m::TestA/one_(x)', 'm::TestB/two'], ROOT)['go']).toBe('^(?:TestA|TestB)$/^(?:one_\\(x\\)|two)$')
    expect(onlyLists(['m::TestA/one', 'm::TestB'], ROOT)['go']).toBe('^(?:TestA|TestB)$')
    expect(onlyLists(['a.test.js::no test of Go'], ROOT)['go']).toBe('')
  })

  it('tell Cargo names without their target, and nothing when one is told apart by a line number.', () => {
    expect(onlyLists(['src/lib.rs (sum)::tests::adds'], ROOT)['cargo']).toBe('tests::adds\n')
    expect(onlyLists(['src/lib.rs (sum)::tests::adds', 'src/lib.rs (sum doc)::one'], ROOT)['cargo']).toBe('')
  })

  it('tell unittest names without the folder, and pytest the ids as they are.', () => {
    expect(onlyLists(['pkg::tests.test_a.TestA.test_b'], ROOT)['unittest']).toBe('tests.test_a.TestA.test_b\n')
    const id = 'a/test_a.py::TestA::test_b[x y]'
    expect(onlyLists([id], ROOT)).toMatchObject({ pytest: `${id}\n`, unittest: '' })
  })
})
