import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { History } from '../src/history.ts'
import type { Command } from '../src/history.ts'

function append(text: string, more: Partial<Command<string>> = {}): Command<string> {
  return { label: `append ${text}`, apply: (value) => value + text, revert: (value) => value.slice(0, -text.length), ...more }
}

function typed(text: string, at: number): Command<string> {
  return append(text, { label: 'typing', joinKey: 'typing', at })
}

const double: Command<string> = {
  label: 'double',
  apply: (value) => value + value,
  revert: (value) => value.slice(0, value.length / 2),
}

let history: History<string>
beforeEach(() => {
  history = new History('')
})

describe('undo and redo', () => {
  it('runs commands', () => {
    assert.equal(history.run(append('a')), 'a')
    assert.equal(history.run(append('b')), 'ab')
  })

  it('goes back and forth', () => {
    history.run(append('a'))
    history.run(append('b'))
    assert.equal(history.undo(), 'append b')
    assert.equal(history.value, 'a')
    assert.equal(history.redo(), 'append b')
    assert.equal(history.value, 'ab')
  })

  it('stops at both ends', () => {
    assert.equal(history.undo(), null)
    assert.equal(history.redo(), null)
    assert.equal(history.value, '')
  })

  it('forgets what was undone after a new command', () => {
    history.run(append('a'))
    history.undo()
    history.run(append('b'))
    assert.equal(history.redo(), null)
    assert.equal(history.value, 'b')
  })

  it('lists labels in the order in which they would come', () => {
    for (const letter of 'abcd') history.run(append(letter))
    history.undo()
    history.undo()
    assert.deepEqual(history.labels(), { undo: ['append a', 'append b'], redo: ['append c', 'append d'] })
  })

  it('goes back to a number of steps', () => {
    for (const letter of 'abcd') history.run(append(letter))
    assert.equal(history.undoTo(1), 3)
    assert.equal(history.value, 'a')
    assert.equal(history.undoTo(5), 0)
  })

  it('keeps no more steps than the limit', () => {
    history = new History('', { limit: 2 })
    for (const letter of 'abc') history.run(append(letter))
    assert.deepEqual(history.labels().undo, ['append b', 'append c'])
    assert.equal(history.undoTo(0), 2)
    assert.equal(history.value, 'a')
  })
})

describe('typing', () => {
  it('is one step while it goes on', () => {
    history.run(typed('a', 0))
    history.run(typed('b', 400))
    history.run(typed('c', 900))
    history.undo()
    assert.equal(history.value, '')
    history.redo()
    assert.equal(history.value, 'abc')
  })

  it('is a new step after a pause', () => {
    history.run(typed('a', 0))
    history.run(typed('b', 501))
    history.undo()
    assert.equal(history.value, 'a')
  })

  it('is not joined to anything else', () => {
    history.run(append('a'))
    history.run(append('b'))
    history.run(typed('c', 1))
    assert.equal(history.labels().undo.length, 3)
  })

  it('is a new step after saving', () => {
    history.run(typed('a', 0))
    history.markSaved()
    history.run(typed('b', 1))
    history.undo()
    assert.equal(history.value, 'a')
    assert.equal(history.isDirty, false)
  })
})

describe('transactions', () => {
  it('are one step', () => {
    history.transaction('both', () => {
      history.run(append('ab'))
      history.run(double)
    })
    assert.equal(history.value, 'abab')
    assert.equal(history.undo(), 'both')
    assert.equal(history.value, '')
    history.redo()
    assert.equal(history.value, 'abab')
  })

  it('are taken back when they fail', () => {
    history.run(append('x'))
    assert.throws(() => history.transaction('bad', () => {
      history.run(append('a'))
      history.run(append('bc'))
      throw new Error('no')
    }), /no/)
    assert.equal(history.value, 'x')
    assert.deepEqual(history.labels().undo, ['append x'])
  })

  it('may stand inside one another', () => {
    history.transaction('outer', () => {
      history.run(append('a'))
      history.transaction('inner', () => history.run(append('b')))
    })
    assert.deepEqual(history.labels().undo, ['outer'])
  })

  it('without commands leave no step', () => {
    history.transaction('nothing', () => {})
    assert.deepEqual(history.labels().undo, [])
  })
})

describe('saving', () => {
  it('starts saved and gets dirty', () => {
    assert.equal(history.isDirty, false)
    history.run(append('a'))
    assert.equal(history.isDirty, true)
  })

  it('is clean again where it was saved', () => {
    history.run(append('a'))
    history.markSaved()
    history.run(append('b'))
    assert.equal(history.isDirty, true)
    history.undo()
    assert.equal(history.isDirty, false)
    history.undo()
    assert.equal(history.isDirty, true)
  })

  it('cannot be clean when the saved step is out of reach', () => {
    history = new History('', { limit: 1 })
    history.run(append('a'))
    history.run(append('b'))
    history.undo()
    assert.equal(history.isDirty, true)
  })
})
