import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRows, decodeCursor, encodeCursor, pageAfter } from '../src/cursor.js'
import { clampSize, MAX_PAGE_SIZE, pageCount, pageLinks, paginate, rangeLabel } from '../src/pager.js'

test('sizes at the limits', () => {
  assert.deepEqual(['1', '100', '101', '99', '-1'].map((size) => clampSize(size)), [1, 100, MAX_PAGE_SIZE, 99, 1])
  assert.equal(clampSize(null, 7), 7)
  assert.equal(clampSize('12px'), 12)
})

test('counts of pages', () => {
  assert.deepEqual([1, 9, 10, 11, 20, 21].map((total) => pageCount(total, 10)), [1, 1, 1, 2, 2, 3])
})

test('all pages together are the list', () => {
  for (let length = 1; length < 25; length += 1) {
    const items = Array.from({ length }, (_, at) => at)
    for (let size = 1; size < 9; size += 1) {
      const { pages } = paginate(items, { size })
      const all = Array.from({ length: pages }, (_, at) => paginate(items, { page: at + 1, size }))
      assert.deepEqual(all.flatMap((page) => page.items), items)
      assert.deepEqual(all.map(({ hasNext }) => hasNext), all.map((_, at) => at < pages - 1))
      assert.deepEqual(all.map(({ hasPrevious }) => hasPrevious), all.map((_, at) => at > 0))
    }
  }
})

test('the size is twenty unless told', () => {
  const page = paginate(Array.from({ length: 41 }, (_, at) => at), { page: 2 })
  assert.equal(page.items.length, 20)
  assert.equal(page.items[0], 20)
  assert.equal(page.pages, 3)
  assert.equal(page.total, 41)
})

test('pages far outside', () => {
  assert.deepEqual(paginate([1, 2, 3], { page: -5, size: 2 }).items, [1, 2])
  assert.deepEqual(paginate([1, 2, 3], { page: 50, size: 2 }).items, [3])
})

test('labels of full and short pages', () => {
  assert.equal(rangeLabel(2, 5, 10), '6-10 of 10')
  assert.equal(rangeLabel(2, 5, 8), '6-8 of 8')
  assert.equal(rangeLabel(1, 1, 3), '1 of 3')
  assert.equal(rangeLabel(1, 50, 0), 'no results')
})

test('links in the middle of many pages', () => {
  assert.deepEqual(pageLinks(50, 100), [1, null, 49, 50, 51, null, 100])
  assert.deepEqual(pageLinks(50, 100, 2), [1, null, 48, 49, 50, 51, 52, null, 100])
})

test('links near the ends', () => {
  assert.deepEqual(pageLinks(10, 10), [1, null, 9, 10])
  assert.deepEqual(pageLinks(3, 5), [1, 2, 3, 4, 5])
  assert.deepEqual(pageLinks(8, 11), [1, null, 7, 8, 9, 10, 11])
  assert.deepEqual(pageLinks(1, 2), [1, 2])
})

test('cursors are safe in addresses', () => {
  const cursor = encodeCursor({ id: 99, createdAt: 1700000000123 })
  assert.match(cursor, /^[\w-]+$/)
  assert.deepEqual(decodeCursor(cursor), { createdAt: 1700000000123, id: 99 })
})

test('cursors of another shape are refused', () => {
  for (const text of ['{}', '[]', '[1,2,3]', 'null', '5']) {
    assert.throws(() => decodeCursor(Buffer.from(text).toString('base64url')), /invalid cursor/)
  }
})

test('a row equals itself', () => {
  assert.equal(compareRows({ id: 3, createdAt: 5 }, { id: 3, createdAt: 5 }), 0)
  assert.ok(compareRows({ id: 1, createdAt: 5 }, { id: 9, createdAt: 6 }) > 0)
})

test('walking by cursor meets every row once', () => {
  const rows = Array.from({ length: 17 }, (_, id) => ({ id, createdAt: (id * 7) % 5 }))
  const before = [...rows]
  for (const size of [1, 2, 5, 16, 17, 40]) {
    const seen = []
    let next = null
    for (let pages = 0; pages < 20; pages += 1) {
      const page = pageAfter(rows, next, size)
      assert.ok(page.items.length <= size)
      seen.push(...page.items)
      next = page.next
      if (next === null) break
    }
    assert.deepEqual(seen, [...before].sort(compareRows))
  }
  assert.deepEqual(rows, before)
})

test('a row that came in later moves nothing', () => {
  const rows = [{ id: 1, createdAt: 10 }, { id: 2, createdAt: 20 }, { id: 3, createdAt: 30 }]
  const { next } = pageAfter(rows, null, 1)
  const later = pageAfter([...rows, { id: 4, createdAt: 40 }], next, 1)
  assert.deepEqual(later.items.map(({ id }) => id), [2])
  assert.notEqual(later.next, null)
})
