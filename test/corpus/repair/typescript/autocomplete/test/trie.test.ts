import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Trie } from '../src/trie.ts'

function filled(): Trie {
  const trie = new Trie()
  for (const [word, weight] of [['car', 5], ['cart', 2], ['care', 5], ['cat', 9], ['dog', 1]] as const) trie.add(word, weight)
  return trie
}

test('words are counted once', () => {
  const trie = filled()
  trie.add('CAR ')
  assert.equal(trie.size, 5)
  assert.equal(trie.weightOf('car'), 6)
})

test('prefixes are known', () => {
  assert.equal(filled().hasPrefix('ca'), true)
  assert.equal(filled().hasPrefix('cb'), false)
  assert.equal(filled().weightOf('ca'), 0)
})

test('the heaviest completions come first, equal ones by name', () => {
  assert.deepEqual(filled().complete('ca'), ['cat', 'car', 'care', 'cart'])
})

test('there are no more than asked for', () => {
  assert.deepEqual(filled().complete('ca', 2), ['cat', 'car'])
  assert.deepEqual(filled().complete('x'), [])
})

test('what completions have in common', () => {
  const trie = new Trie()
  trie.add('interview')
  trie.add('internal')
  assert.equal(trie.common('in'), 'inter')
  assert.equal(filled().common('d'), 'dog')
  assert.equal(filled().common('car'), 'car')
})

test('words near another one', () => {
  assert.deepEqual(filled().near('cot'), ['cat'])
  assert.deepEqual(filled().near('car'), ['cat'])
})

test('words are removed', () => {
  const trie = filled()
  assert.equal(trie.remove('cat'), true)
  assert.equal(trie.remove('cat'), false)
  assert.equal(trie.size, 4)
  assert.deepEqual(trie.complete('ca', 1), ['car'])
})

test('nothing is no word', () => {
  const trie = new Trie()
  trie.add('  ')
  assert.equal(trie.size, 0)
  assert.deepEqual(trie.complete(''), [])
})
