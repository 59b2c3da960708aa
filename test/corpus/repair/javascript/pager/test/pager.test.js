import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clampSize, pageCount, pageLinks, paginate, rangeLabel } from '../src/pager.js'

const letters = [...'abcdefg']

test('a size is read from text', () => {
  assert.equal(clampSize('50'), 50)
  assert.equal(clampSize(10), 10)
})

test('a size is kept between 1 and 100', () => {
  assert.equal(clampSize('0'), 1)
  assert.equal(clampSize(-3), 1)
  assert.equal(clampSize('1000'), 100)
})

test('a size that is no number falls back', () => {
  assert.equal(clampSize(undefined), 20)
  assert.equal(clampSize('many', 5), 5)
})

test('pages are counted, a full last page is no extra one', () => {
  assert.equal(pageCount(7, 3), 3)
  assert.equal(pageCount(6, 3), 2)
  assert.equal(pageCount(0, 3), 1)
})

test('the first page', () => {
  assert.deepEqual(paginate(letters, { size: 3 }), {
    items: ['a', 'b', 'c'], page: 1, pages: 3, total: 7, hasPrevious: false, hasNext: true,
  })
})

test('the last page may be short', () => {
  const last = paginate(letters, { page: 3, size: 3 })
  assert.deepEqual(last.items, ['g'])
  assert.equal(last.hasPrevious, true)
  assert.equal(last.hasNext, false)
})

test('pages out of range are brought into it', () => {
  assert.equal(paginate(letters, { page: 9, size: 3 }).page, 3)
  assert.equal(paginate(letters, { page: 0, size: 3 }).page, 1)
})

test('an empty list is one empty page', () => {
  const { items, page, pages, hasNext } = paginate([])
  assert.deepEqual({ items, page, pages, hasNext }, { items: [], page: 1, pages: 1, hasNext: false })
})

test('labels say which rows are shown', () => {
  assert.equal(rangeLabel(1, 10, 25), '1-10 of 25')
  assert.equal(rangeLabel(3, 10, 25), '21-25 of 25')
  assert.equal(rangeLabel(3, 10, 21), '21 of 21')
})

test('the label of an empty list', () => {
  assert.equal(rangeLabel(1, 10, 0), 'no results')
})

test('few pages are all linked', () => {
  assert.deepEqual(pageLinks(1, 1), [1])
  assert.deepEqual(pageLinks(2, 3), [1, 2, 3])
})

test('many pages leave gaps', () => {
  assert.deepEqual(pageLinks(6, 12), [1, null, 5, 6, 7, null, 12])
  assert.deepEqual(pageLinks(1, 9), [1, 2, null, 9])
})

test('a gap of one page is linked instead', () => {
  assert.deepEqual(pageLinks(4, 9), [1, 2, 3, 4, 5, null, 9])
})
