// Tests of a person's choice of a tree: what is known of it is what the next candidate is measured by and told of.
import { describe, expect, it } from 'vitest'
import { after, failureOf, fails, loop, passes, play, repeated } from '../../test/support/core-cases.js'
import type { Best } from './types.js'

const from = { iteration: 2, tree: 'tree-2' }
const to = { iteration: 1, tree: 'tree-1' }
const known: Best = { ...to, score: [0, 1, 2, 0], failing: [failureOf('t1'), failureOf('t2')], heldByFloor: false }
const cut = play(loop({ policies: { ratchet: { patience: 1 } }, budget: { iterations: 2 } }), { make: repeated(passes, 2), test: [fails('t1', 't2'), fails('t3')] })

describe('a tree that a person has chosen', () => {
  it.each(['undone', 'redone'] as const)('is the best one from then on when it was judged, with its own failures (%s)', (type) => {
    const { best, facing } = after(cut.session, { type, from, to, best: known })
    expect(best).toEqual(known)
    expect(facing.map(({ subject }) => subject)).toEqual(['t1', 't2'])
  })

  it('has neither failures nor a place in the order when nobody has judged it', () => {
    expect(after(cut.session, { type: 'undone', from, to })).toMatchObject({ best: null, facing: [] })
  })
})
