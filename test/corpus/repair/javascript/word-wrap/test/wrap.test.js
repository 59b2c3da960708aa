import assert from 'node:assert/strict'
import { test } from 'node:test'
import { align, columns, shorten, wrap } from '../src/wrap.js'

test('lines are filled up to the width', () => {
  assert.equal(wrap('the quick brown fox', 10), 'the quick\nbrown fox')
  assert.equal(wrap('aaaa bbbb cc', 9), 'aaaa bbbb\ncc')
  assert.equal(wrap('aaa bbb', 6), 'aaa\nbbb')
})

test('white space is taken as one space', () => {
  assert.equal(wrap('  a   b\nc ', 20), 'a b c')
})

test('a long word stands alone', () => {
  assert.equal(wrap('a incomprehensible b', 6), 'a\nincomprehensible\nb')
})

test('a long word can be cut', () => {
  assert.equal(wrap('abcdefghij', 4, { cut: true }), 'abcd\nefgh\nij')
})

test('paragraphs are kept apart', () => {
  assert.equal(wrap('one two\n\nthree', 4), 'one\ntwo\n\nthree')
})

test('the indent counts', () => {
  assert.equal(wrap('aa bb cc', 7, { indent: '  ' }), '  aa bb\n  cc')
})

test('lines are aligned', () => {
  assert.equal(align('ab', 5), 'ab   ')
  assert.equal(align('ab', 5, 'right'), '   ab')
  assert.equal(align('ab', 5, 'centre'), ' ab  ')
})

test('text is shortened between words', () => {
  assert.equal(shorten('hello big world', 11), 'hello big…')
  assert.equal(shorten('short', 5), 'short')
})

test('columns are as wide as their widest cell', () => {
  assert.deepEqual(columns([['a', 'bcd', 'e'], ['long', 'f', 'g']]), ['a     bcd  e', 'long  f    g'])
})
