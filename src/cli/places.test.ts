// Proves which places of a session a name means, and what is said of a name that means none.
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import { nameOf, placeNamed, spanNamed, type Places } from './places.js'

/** The second iteration was not kept: the third stood on the first again, and the fourth changed nothing. */
const places: Places = {
  session: 's',
  start: 't0',
  iterations: [
    { number: 1, from: 't0', to: 't1' },
    { number: 2, from: 't1', to: 't2' },
    { number: 3, from: 't1', to: 't3' },
    { number: 4, from: 't3', to: 't3' },
  ],
  best: { iteration: 1, tree: 't1' },
  salvage: [{ name: 'salvage/1', tree: 'k1' }, { name: 'salvage/2', tree: 't0' }],
  moved: null, ended: null,
  accepted: null,
  minimised: null,
  judged: new Map(),
  passed: new Set(),
  sealed: new Map(),
}

function messageOf(work: () => unknown): string {
  try {
    return `no refusal: ${JSON.stringify(work())}`
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error)
  }
}

describe('a place', () => {
  it.each([
    ['0', 'start', 't0'],
    ['start', 'start', 't0'],
    ['2', 'iteration 2', 't2'],
    ['best', 'iteration 1', 't1'],
    ['last', 'iteration 4', 't3'],
    ['salvage/1', 'salvage/1', 'k1'],
  ])('called %s is %s.', (word, name, tree) => {
    expect(placeNamed(places, word)).toMatchObject({ name, tree })
  })

  it.each(['5', '-1', '', 'salvage/3', 'Start', 'iteration 1', '1..2'])('is not called %j, and it is said which there are.', (word) => {
    expect(messageOf(() => placeNamed(places, word))).toBe(`session s has no place "${word}": it has start, 1 to 4, best, last, salvage/1, salvage/2`)
  })

  it('of a session that has made nothing is the start alone.', () => {
    const none: Places = { ...places, iterations: [], best: null, salvage: [] }
    expect(placeNamed(none, 'last').name).toBe('start')
    expect(messageOf(() => placeNamed(none, 'best'))).toContain('it has start, last')
  })

  it('that several iterations made has the name of the newest, or of the best; one that only left it as it was has not made it, and one that nobody made has its own.', () => {
    expect(nameOf(places, { tree: 't3', iteration: 9 })).toEqual({ name: 'iteration 3', iteration: 3, tree: 't3' })
    const again: Places = { ...places, iterations: [...places.iterations, { number: 5, from: 't3', to: 't2' }, { number: 6, from: 't2', to: 't1' }] }
    expect(nameOf(again, { tree: 't2', iteration: 9 }).name).toBe('iteration 5')
    expect(nameOf(again, { tree: 't1', iteration: 9 }).name).toBe('iteration 1')
    expect(nameOf(places, { tree: '0123456789abcdef', iteration: 9 }).name).toBe('tree 0123456789ab')
  })
})

describe('a span', () => {
  it('of one iteration is what it did itself, from the tree it was given.', () => {
    expect(spanNamed(places, '3')).toMatchObject({ from: { name: 'iteration 1', tree: 't1' }, to: { name: 'iteration 3', tree: 't3' } })
    expect(spanNamed(places, 'best')).toMatchObject({ from: { name: 'start' }, to: { name: 'iteration 1' } })
  })

  it('of one iteration begins with one before it, though one after it made the same.', () => {
    const again: Places = { ...places, best: null, iterations: [...places.iterations, { number: 5, from: 't3', to: 't1' }] }
    expect(spanNamed(again, '2')).toMatchObject({ from: { name: 'iteration 1' }, to: { name: 'iteration 2' } })
    expect(spanNamed(again, '5')).toMatchObject({ from: { name: 'iteration 3' }, to: { name: 'iteration 5' } })
  })

  it('of two places is between them, in either direction.', () => {
    expect(spanNamed(places, '2..3')).toMatchObject({ from: { tree: 't2' }, to: { tree: 't3' } })
    expect(spanNamed(places, 'last..salvage/1')).toMatchObject({ from: { tree: 't3' }, to: { tree: 'k1' } })
  })

  it('of something salvaged is from the start.', () => {
    expect(spanNamed(places, 'salvage/1')).toMatchObject({ from: { name: 'start' }, to: { tree: 'k1' } })
  })

  it.each(['0', 'start', '..', '1..', '..2', '1...2'])('is not %j.', (text) => {
    expect(messageOf(() => spanNamed(places, text))).not.toContain('no refusal')
  })
})
