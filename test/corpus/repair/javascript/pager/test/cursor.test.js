import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRows, decodeCursor, encodeCursor, pageAfter } from '../src/cursor.js'

const rows = [
  { id: 1, createdAt: 100 },
  { id: 2, createdAt: 300 },
  { id: 3, createdAt: 200 },
  { id: 4, createdAt: 200 },
  { id: 5, createdAt: 50 },
]
const ids = (page) => page.items.map(({ id }) => id)

test('a cursor is read back', () => {
  assert.deepEqual(decodeCursor(encodeCursor({ id: 7, createdAt: 1234, title: 'x' })), { id: 7, createdAt: 1234 })
})

test('a cursor that was tampered with is refused', () => {
  assert.throws(() => decodeCursor('!!!'), TypeError)
  assert.throws(() => decodeCursor(Buffer.from('[1]').toString('base64url')), TypeError)
})

test('newer rows come first, then smaller ids', () => {
  assert.ok(compareRows(rows[1], rows[0]) < 0)
  assert.ok(compareRows(rows[2], rows[3]) < 0)
})

test('pages follow one another without repeating', () => {
  const first = pageAfter(rows, null, 2)
  assert.deepEqual(ids(first), [2, 3])
  const second = pageAfter(rows, first.next, 2)
  assert.deepEqual(ids(second), [4, 1])
  const third = pageAfter(rows, second.next, 2)
  assert.deepEqual(ids(third), [5])
  assert.equal(third.next, null)
})

test('a page that ends with the list has no next one', () => {
  assert.equal(pageAfter(rows, null, 5).next, null)
})

test('the rows given are left as they are', () => {
  const given = [{ id: 1, createdAt: 10 }, { id: 2, createdAt: 20 }]
  pageAfter(given, null, 1)
  assert.deepEqual(given.map(({ id }) => id), [1, 2])
})
