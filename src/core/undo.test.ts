// Tests of a person's choice of a tree: what is known of it is what the next candidate is measured by and told of.
import { describe, expect, it } from 'vitest'
import { after, failureOf, fails, loop, passes, play, repeated } from '../../test/support/core-cases.js'
import type { Best, Event } from './types.js'

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

describe('a tree that was sealed', () => {
  it('has its proof and its label again when a person comes back to it', () => {
    const finish = { outcome: 'converged' as const, code: 0, label: 'unverified' as const, why: 'w', delivers: 'start', resumesAt: null }
    const sealed = { proof: { tree: 'tree-1', pins: 'p', exceptions: ['x'] }, label: 'partly verified' as const }
    const back = after({ ...cut.session, finish }, { type: 'redone', from, to, sealed })
    expect(back).toMatchObject({ finish: { label: 'partly verified', delivers: 'tree-1' }, proof: sealed.proof })
  })
})

describe('a smaller tree that was sealed itself', () => {
  it('is what is delivered from then on, with its own proof and the label of the whole', () => {
    const proof = (tree: string) => ({ tree, pins: 'p', exceptions: [] })
    const finish = { outcome: 'converged' as const, code: 0, label: 'verified' as const, why: 'w', delivers: 'tree-2', resumesAt: null }
    const { report, judgement } = lastCheck(cut.events)
    const smaller = { ...report, tree: 'less', spent: { seconds: 5, tokens: 0, usd: 0 } }
    const before = { ...cut.session, tree: 'tree-2', finish, proof: proof('tree-2') }
    const minimised = after(before, { type: 'minimised', report: smaller, judgement: { ...judgement, verdict: 'pass', score: [0, 0, 0, 1], proof: proof('less') } })
    expect(minimised).toMatchObject({ tree: 'less', finish: { delivers: 'less', label: 'verified' }, proof: { tree: 'less' }, facing: [], best: { tree: 'less', failing: [] } })
    expect(minimised.spent.seconds).toBe(before.spent.seconds + 5)
    expect(minimised.undone).toEqual(before.undone)
  })
})

function lastCheck(events: readonly Event[]): Extract<Event, { type: 'observed' }> {
  const last = events.findLast((event) => event.type === 'observed')
  if (last?.type !== 'observed') throw new Error('nothing was observed')
  return last
}
