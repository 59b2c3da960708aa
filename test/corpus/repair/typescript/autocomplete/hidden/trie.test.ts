import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Trie } from '../src/trie.ts'

const words = ['a', 'ab', 'abc', 'abd', 'b', 'ba', 'bad', 'bed', 'bet', 'zebra', 'zen', 'zero', 'zest']

function all(): Trie {
  const trie = new Trie()
  words.forEach((word, at) => trie.add(word, (at * 7) % 5))
  return trie
}

test('completions are those that begin alike', () => {
  for (const prefix of ['', 'a', 'ab', 'be', 'z', 'ze', 'zero', 'q']) {
    const expected = words.filter((word) => word.startsWith(prefix))
      .map((word) => ({ word, weight: (words.indexOf(word) * 7) % 5 }))
      .sort((x, y) => y.weight - x.weight || (x.word < y.word ? -1 : 1))
      .map(({ word }) => word)
    assert.deepEqual(all().complete(prefix, 99), expected)
    assert.deepEqual(all().complete(prefix), expected.slice(0, 5))
  }
})

test('weights are kept and added up', () => {
  const trie = all()
  words.forEach((word, at) => assert.equal(trie.weightOf(word), (at * 7) % 5))
  trie.add('Zebra', 10)
  assert.equal(trie.weightOf('ZEBRA'), 13)
  assert.equal(trie.size, words.length)
  assert.equal(trie.weightOf('nothing'), 0)
})

test('a word of no weight is a word', () => {
  const trie = new Trie()
  trie.add('x', 0)
  assert.deepEqual([trie.size, trie.complete('')], [1, ['x']])
  trie.add('x', 0)
  assert.equal(trie.size, 1)
})

test('one without a weight has one', () => {
  const trie = new Trie()
  trie.add('w')
  trie.add('w')
  assert.equal(trie.weightOf('w'), 2)
})

test('prefixes in full', () => {
  for (const prefix of ['', 'z', 'zes', 'zest', 'BA']) assert.equal(all().hasPrefix(prefix), true)
  for (const prefix of ['zests', 'c', 'bb']) assert.equal(all().hasPrefix(prefix), false)
})

test('common parts stop at words and forks', () => {
  assert.equal(all().common('zeb'), 'zebra')
  assert.equal(all().common('z'), 'ze')
  assert.equal(all().common('a'), 'a')
  assert.equal(all().common('none'), 'none')
})

test('near words differ in exactly one place', () => {
  assert.deepEqual(all().near('bad'), ['bed'])
  assert.deepEqual(all().near('bat'), ['bad', 'bet'])
  assert.deepEqual(all().near('zexo'), ['zero'])
  assert.deepEqual(all().near('xy'), [])
  assert.deepEqual(all().near('c'), ['a', 'b'])
})

test('removed words stay prefixes', () => {
  const trie = all()
  assert.equal(trie.remove('AB'), true)
  assert.deepEqual(trie.complete('ab'), ['abc', 'abd'])
  assert.equal(trie.remove('ze'), false)
  assert.equal(trie.remove('unknown'), false)
  assert.equal(trie.size, words.length - 1)
  trie.add('ab', 50)
  assert.equal(trie.complete('a')[0], 'ab')
  assert.equal(trie.weightOf('ab'), 50)
})
