// Tests of going back: who restores the best tree, when, and what the next prompt is then made from.
import { describe, expect, it } from 'vitest'
import { after, asksOf, check, climbing, failureOf, fails, ledger, loop, moves, opening, passes, play, procedureOf, proves, repeated } from '../../test/support/core-cases.js'

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
    expect(session.refuted).toEqual([{ iteration: 2, failing: 2, changed: '', note: 't1, t2' }])
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

describe('GL-02 the start tree', () => {
  const phases = {
    base: check({ pass: 'make', fail: 'make' }, { baseline: true }),
    make: opening({ pass: 'test' }),
    test: check({ pass: '@completed', fail: 'make' }),
  }
  const judged = (before: typeof t1, test: (typeof t1)[]) =>
    play(procedureOf(phases, { final: 'best', budget: { iterations: test.length }, policies: { ratchet: { patience: 1 } } }), { base: [before], test })

  it('is what a first worse candidate goes back to', () => {
    const played = judged(t1, [fails('t1', 't2'), t1])
    expect(played.decisions[2]).toMatchObject({ restore: { tree: 'start', iteration: 0 } })
    expect(played.decisions[2]?.why).toMatch(/back to the start, the best so far$/)
    expect(ledger(played)[0]).toMatchObject({ better: false, worse: true, stall: { repeats: 1, plateau: 0 } })
  })

  it('is what is delivered when nothing was better', () => {
    expect(judged(t1, [fails('t1', 't2')]).session.finish).toMatchObject({ outcome: 'exhausted', delivers: 'start' })
    expect(judged(passes, [t1, t1]).session.finish).toMatchObject({ outcome: 'exhausted', delivers: 'start' })
    expect(judged(fails('t1', 't2'), [t1]).session.finish).toMatchObject({ outcome: 'exhausted', delivers: 'tree-1' })
  })

  it('takes no first try away where it has nothing to prove', () => {
    expect(judged(passes, [t1, t1]).decisions.every(({ restore }) => restore === null)).toBe(true)
  })
})

describe('a person who puts a tree back', () => {
  const from = { iteration: 2, tree: 'tree-2' }
  const to = { iteration: 1, tree: 'tree-1' }

  it('GL-02 gets that tree delivered, can go forward again, and loses the proof of another tree', () => {
    const { session } = play(loop(), { test: [t1, passes], seal: [proves] })
    expect(session.finish).toMatchObject({ outcome: 'converged', delivers: 'tree-2', label: 'verified' })
    const undone = after(session, { type: 'undone', from, to })
    expect(undone).toMatchObject({ tree: 'tree-1', undone: [from], finish: { delivers: 'tree-1', label: 'unverified' } })
    expect(after(undone, { type: 'redone', from: to, to: from })).toMatchObject({ tree: 'tree-2', undone: [], finish: { delivers: 'tree-2' } })
    expect(after(session, { type: 'accepted', tree: 'tree-2', note: '' }).accepted).toBe('tree-2')
  })
})

describe('RB-09 a breach of scope', () => {
  const breach = failureOf('scope: secret.txt', { gate: 'scope', class: 'scope' })
  const breaking = () => ({ tree: 'a', failures: [breach] })

  it('fails the iteration at its first check, whatever the gates say, and only that one', () => {
    const played = play(loop(), { make: [breaking, moves('b')], test: [passes, passes], seal: [] })
    expect(played.judgements.map(({ verdict, breach: named }) => [verdict, named])).toEqual([
      ['pass', null], ['fail', 'scope: secret.txt'], ['pass', null], ['pass', null],
    ])
    expect(ledger(played)[0]?.score).toEqual([1, 1, 1, 0])
    expect(played.session.facing.map(({ subject }) => subject)).toEqual(['scope: secret.txt'])
  })

  it('ends the run when it is the same one as often as the limit says', () => {
    const played = play(loop({ policies: { breaches: { limit: 3 } } }), { make: repeated(breaking, 3), test: repeated(passes, 3) })
    expect(played.session).toMatchObject({ iteration: 3, finish: { outcome: 'refused', code: 6 } })
  })
})

describe('the same candidate', () => {
  it('IS-10 twice in a row is noticed by its tree and counted until another comes', () => {
    const counts = (trees: string[]): number => play(loop(), { make: trees.map(moves), test: repeated(t1, trees.length) }).session.identical
    expect([['a'], ['a', 'a'], ['a', 'a', 'a'], ['a', 'a', 'b'], ['start']].map(counts)).toEqual([0, 1, 2, 0, 1])
  })
})
