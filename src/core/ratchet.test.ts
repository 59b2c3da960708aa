// Tests of going back: who restores the best tree, when, and what the next prompt is then made from.
import { describe, expect, it } from 'vitest'
import { after, asksOf, climbing, fails, loop, moves, passes, play, proves, repeated } from '../../test/support/core-cases.js'

const t1 = fails('t1')

describe('the best tree comes back', () => {
  const worse = fails('t1', 't2')

  it('when a rung says so and is reached, even from an equal tree', () => {
    const played = play(climbing([{ at: 2, restore: true }]), { make: ['a', 'b', 'c'].map(moves), test: [t1, t1, t1] })
    expect(played.decisions.map(({ restore }) => restore)).toEqual([null, null, null, { tree: 'a', iteration: 1 }, null, null])
    expect(played.decisions[3]?.why).toMatch(/; back to iteration 1, the best so far$/)
    expect(asksOf(played)[2]?.tree).toBe('a')
  })

  it('with a rung that leads somewhere', () => {
    const played = play(climbing([{ at: 2, restore: true, to: 'aside' }]), { make: ['a', 'b'].map(moves), test: [t1, t1], aside: [] })
    expect(asksOf(played).at(-1)).toMatchObject({ phase: 'aside', tree: 'a' })
  })

  it('after as many worse iterations in a row as the ratchet has patience', () => {
    const restored = (patience: number, test = [t1, worse, worse, worse, worse]): boolean[] => {
      const played = play(loop({ policies: { ratchet: { patience } } }), { test })
      return played.decisions.filter((_, index) => index % 2 === 1).map(({ restore }) => restore !== null)
    }
    expect(restored(1)).toEqual([false, true, true, true, true])
    expect(restored(2)).toEqual([false, false, true, false, true])
    expect(restored(2, [t1, worse, t1, worse, worse])).toEqual([false, false, false, false, true])
  })

  it('never without a ratchet or a rung', () => {
    const played = play(loop(), { test: [t1, worse, worse] })
    expect(played.decisions.every(({ restore }) => restore === null)).toBe(true)
  })

  it('not when the session stands on it already, not for a retry, and not at an end', () => {
    const ratchet = { policies: { ratchet: { patience: 1 } } }
    const standing = play(loop(ratchet), { make: [moves('a'), moves('a')], test: [t1, worse] })
    expect(standing.decisions.at(-1)?.restore).toBeNull()
    const ending = play(loop({ ...ratchet, budget: { iterations: 2 } }), { test: [t1, worse] })
    expect(ending.decisions.at(-1)).toMatchObject({ restore: null, finish: { outcome: 'exhausted' } })
    expect(ending.session.tree).toBe('tree-2')
  })

  it('with its own failures for the next prompt, and the refuted tries', () => {
    const { session } = play(loop({ policies: { ratchet: { patience: 1 } } }), { test: [t1, worse], make: repeated(passes, 2) })
    expect(session.facing.map(({ subject }) => subject)).toEqual(['t1'])
    expect(session.refuted).toEqual([{ iteration: 1, failing: 1, note: 't1' }, { iteration: 2, failing: 2, note: 't1, t2' }])
  })

  it('without its proof: what was proved was another tree', () => {
    const { session } = play(loop(), { seal: [proves] })
    const decision = { to: 'make', cause: 'route', why: 'x', repeats: false, rung: null, fired: false, posture: null } as const
    const restore = { tree: 'other', iteration: 1 }
    const event = { type: 'decided', decision: { ...decision, resets: false, restore, finish: null, pending: null } } as const
    expect(session.proof).not.toBeNull()
    expect(after(session, event).proof).toBeNull()
  })
})
