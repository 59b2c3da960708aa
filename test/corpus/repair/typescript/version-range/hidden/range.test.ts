import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highest, satisfies } from '../src/range.ts'
import { compare, format, parseVersion } from '../src/version.ts'

const sorted = ['0.0.1', '0.1.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.1.0', '2.0.0', '10.0.0']

test('every pair is in order', () => {
  sorted.forEach((a, i) => {
    sorted.forEach((b, j) => {
      assert.equal(Math.sign(compare(parseVersion(a), parseVersion(b))), Math.sign(i - j), `${a} and ${b}`)
    })
  })
})

test('versions survive being written', () => {
  for (const text of sorted) assert.equal(format(parseVersion(text)), text)
  assert.equal(format(parseVersion(' v3.4.5 ')), '3.4.5')
})

test('what is no version is refused', () => {
  for (const text of ['', '1', '1.2.3.4', 'a.b.c', '1.2.3-', '-1.2.3']) assert.throws(() => parseVersion(text))
})

test('each comparator at its edge', () => {
  const edge = (operator: string): boolean[] => ['1.1.9', '1.2.0', '1.2.1'].map((version) => satisfies(version, `${operator}1.2.0`))
  assert.deepEqual(edge('>='), [false, true, true])
  assert.deepEqual(edge('<='), [true, true, false])
  assert.deepEqual(edge('>'), [false, false, true])
  assert.deepEqual(edge('<'), [true, false, false])
  assert.deepEqual(edge('='), [false, true, false])
  assert.deepEqual(edge(''), [false, true, false])
})

test('carets at every place', () => {
  const cases: [string, string, boolean][] = [['1.2.2', '^1.2.3', false], ['1.2.3', '^1.2.3', true], ['0.2.9', '^0.2.3', true], ['0.2.2', '^0.2.3', false], ['0.0.3', '^0.0.3', true], ['0.0.4', '^0.0.3', false], ['1.0.0', '^0.9.0', false]]
  for (const [version, range, expected] of cases) assert.equal(satisfies(version, range), expected, `${version} in ${range}`)
})

test('tildes at both ends', () => {
  assert.deepEqual(['1.2.2', '1.2.3', '1.2.99', '1.3.0', '2.2.3'].map((version) => satisfies(version, '~1.2.3')), [false, true, true, false, false])
})

test('wildcards of all forms', () => {
  for (const range of ['2', '2.x', '>=2.0.0 <3.0.0']) {
    assert.deepEqual(['1.9.9', '2.0.0', '2.9.9', '3.0.0'].map((version) => satisfies(version, range)), [false, true, true, false], range)
  }
  for (const range of ['2.1', '2.1.x']) {
    assert.deepEqual(['2.0.9', '2.1.0', '2.1.9', '2.2.0'].map((version) => satisfies(version, range)), [false, true, true, false], range)
  }
})

test('an empty range takes everything', () => {
  assert.equal(satisfies('4.5.6', ''), true)
  assert.equal(satisfies('4.5.6', 'x'), true)
  assert.deepEqual(['1.0.0', '2.0.0', '3.0.0'].map((version) => satisfies(version, '<2.0.0 || 3')), [true, false, true])
})

test('choosing leaves the list alone', () => {
  const versions = ['1.0.0', '3.0.0', '2.0.0']
  assert.equal(highest(versions, '<3.0.0'), '2.0.0')
  assert.deepEqual(versions, ['1.0.0', '3.0.0', '2.0.0'])
  assert.equal(highest(['1.0.0-rc.1', '1.0.0', '1.0.0-rc.2'], '<=1.0.0'), '1.0.0')
})
