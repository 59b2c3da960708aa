import assert from 'node:assert/strict'
import { test } from 'node:test'
import { History } from '../src/history.ts'
import type { Command } from '../src/history.ts'

type List = readonly number[]

function push(value: number, more: Partial<Command<List>> = {}): Command<List> {
  return {
    label: `push ${value}`,
    apply: (list) => [...list, value],
    revert: (list) => {
      assert.equal(list.at(-1), value)
      return list.slice(0, -1)
    },
    ...more,
  }
}

const typing = (value: number, at: number, joinKey = 'row'): Command<List> => push(value, { joinKey, at })

function filled(count: number, options = {}): History<List> {
  const history = new History<List>([], options)
  for (let value = 1; value <= count; value += 1) history.run(push(value))
  return history
}

test('all the way back and all the way forth', () => {
  const history = filled(5)
  while (history.undo() !== null);
  assert.deepEqual(history.value, [])
  while (history.redo() !== null);
  assert.deepEqual(history.value, [1, 2, 3, 4, 5])
})

test('labels on both sides', () => {
  const history = filled(4)
  history.undoTo(1)
  assert.deepEqual(history.labels(), { undo: ['push 1'], redo: ['push 2', 'push 3', 'push 4'] })
})

test('a new command cuts off what was undone', () => {
  const history = filled(3)
  history.undoTo(1)
  history.run(push(9))
  assert.deepEqual(history.labels(), { undo: ['push 1', 'push 9'], redo: [] })
  assert.deepEqual(history.value, [1, 9])
})

test('a transaction cuts off what was undone too', () => {
  const history = filled(2)
  history.undo()
  history.transaction('t', () => history.run(push(7)))
  assert.equal(history.redo(), null)
})

test('steps back are counted', () => {
  const history = filled(6)
  assert.equal(history.undoTo(4), 2)
  assert.equal(history.undoTo(4), 0)
  assert.equal(history.undoTo(0), 4)
  assert.equal(history.undoTo(0), 0)
})

test('the limit counts steps', () => {
  const history = filled(10, { limit: 3 })
  assert.equal(history.labels().undo.length, 3)
  history.undoTo(0)
  assert.deepEqual(history.value, [1, 2, 3, 4, 5, 6, 7])
})

test('typing is joined from one to the next, not from the first', () => {
  const history = new History<List>([], { joinWithin: 10 })
  for (const at of [0, 10, 20, 31]) history.run(typing(at, at))
  assert.equal(history.labels().undo.length, 2)
  history.undo()
  assert.deepEqual(history.value, [0, 10, 20])
  history.undo()
  assert.deepEqual(history.value, [])
})

test('only the same key is joined', () => {
  const history = new History<List>([])
  history.run(typing(1, 0, 'a'))
  history.run(typing(2, 0, 'b'))
  history.run(push(3))
  history.run(push(4))
  assert.equal(history.labels().undo.length, 4)
})

test('typing after a save is a step', () => {
  const history = new History<List>([])
  history.run(typing(1, 0))
  history.run(typing(2, 1))
  history.markSaved()
  history.run(typing(3, 2))
  history.run(typing(4, 3))
  assert.equal(history.isDirty, true)
  history.undo()
  assert.deepEqual(history.value, [1, 2])
  assert.equal(history.isDirty, false)
})

test('transactions are undone backwards and redone forwards', () => {
  const history = filled(1)
  history.transaction('three', () => {
    for (const value of [7, 8, 9]) history.run(push(value))
  })
  assert.equal(history.undo(), 'three')
  assert.deepEqual(history.value, [1])
  assert.equal(history.redo(), 'three')
  assert.deepEqual(history.value, [1, 7, 8, 9])
})

test('a failed transaction leaves nothing and blocks nothing', () => {
  const history = filled(1)
  const fail = (): void => {
    history.run(push(2))
    history.run(push(3))
    throw new RangeError('stop')
  }
  assert.throws(() => history.transaction('bad', fail), RangeError)
  assert.deepEqual(history.value, [1])
  history.run(push(4))
  history.run(push(5))
  assert.equal(history.undo(), 'push 5')
  assert.deepEqual(history.value, [1, 4])
})

test('a transaction without commands keeps what was undone', () => {
  const history = filled(2)
  history.undo()
  history.transaction('none', () => {})
  assert.equal(history.redo(), 'push 2')
})

test('inner transactions belong to the outer', () => {
  const history = filled(0)
  history.transaction('outer', () => {
    history.transaction('inner', () => history.run(push(1)))
    history.run(push(2))
  })
  assert.equal(history.undo(), 'outer')
  assert.deepEqual(history.value, [])
})

test('saved at the beginning, in the middle and by redo', () => {
  const history = filled(2)
  assert.equal(history.isDirty, true)
  history.undoTo(0)
  assert.equal(history.isDirty, false)
  history.redo()
  history.markSaved()
  history.redo()
  assert.equal(history.isDirty, true)
  history.undo()
  assert.equal(history.isDirty, false)
})

test('another branch is not the saved one', () => {
  const history = filled(2)
  history.markSaved()
  history.undo()
  history.run(push(2))
  assert.equal(history.isDirty, true)
})

test('a saved beginning that was dropped stays unreachable', () => {
  const history = filled(3, { limit: 2 })
  history.undoTo(0)
  assert.equal(history.isDirty, true)
})
