import assert from 'node:assert/strict'
import { test } from 'node:test'
import { align, columns, shorten, wrap } from '../src/wrap.js'

const text = 'It was a bright cold day in the parish, and all the clocks were being wound by someone who had never owned one.'

test('no line is longer than the width and no word is lost', () => {
  for (let width = 8; width < 60; width += 1) {
    const lines = wrap(text, width).split('\n')
    assert.ok(lines.every((line) => line.length <= width))
    assert.equal(lines.join(' '), text)
  }
})

test('lines are as full as they can be', () => {
  for (let width = 8; width < 60; width += 5) {
    const lines = wrap(text, width).split('\n')
    for (let at = 0; at + 1 < lines.length; at += 1) {
      const [next] = lines[at + 1].split(' ')
      assert.ok(lines[at].length + 1 + next.length > width)
    }
  }
})

test('nothing stays nothing', () => {
  assert.equal(wrap('', 5), '')
  assert.equal(wrap('   ', 5), '')
})

test('cut words share lines with others', () => {
  assert.equal(wrap('ab cdefghi j', 4, { cut: true }), 'ab\ncdef\nghi\nj')
  assert.equal(wrap('abcd', 4, { cut: true }), 'abcd')
})

test('an indent without room is refused', () => {
  assert.throws(() => wrap('a', 2, { indent: '  ' }), RangeError)
  assert.equal(wrap('a b', 3, { indent: '  ' }), '  a\n  b')
})

test('lines with blanks between them separate paragraphs', () => {
  assert.equal(wrap('a\n  \nb c', 10), 'a\n\nb c')
})

test('lines that are too long are not cut by aligning', () => {
  assert.equal(align('abcdef', 3, 'right'), 'abcdef')
  assert.equal(align('abc', 3, 'centre'), 'abc')
  assert.equal(align('a', 4, 'centre'), ' a  ')
  assert.equal(align('', 2, 'left'), '  ')
})

test('shortened text fits and has its mark', () => {
  for (let width = 5; width < text.length; width += 3) {
    const short = shorten(text, width)
    assert.ok(short.length <= width && short.endsWith('…'))
  }
  assert.equal(shorten('abcdefghij', 5), 'abcd…')
  assert.equal(shorten('exactly', 7), 'exactly')
  assert.equal(shorten('abc defghij', 7, '...'), 'abc...')
  assert.equal(shorten('abcd efgh', 5), 'abcd…')
})

test('ragged rows and other gaps', () => {
  assert.deepEqual(columns([['a'], ['b', 'cc'], ['ddd', 'e', 'f']], 1), ['a', 'b   cc', 'ddd e  f'])
  assert.deepEqual(columns([]), [])
})
