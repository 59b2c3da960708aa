// Tests of the ladder: which rung answers a stall, how often, and what it asks of the next iteration.
import { describe, expect, it } from 'vitest'
import {
  asksOf, check, climbing, errs, fails, ladder, ledger, loop, moves, openedWith, opening, passes, path, play, procedureOf, repeated,
  type Played,
} from '../../test/support/core-cases.js'
import type { Opened, Posture, Rung, Signal } from './types.js'

const PLAIN: Posture = { stance: null, focus: null, scope: null, roles: {} }
const t1 = fails('t1')

function rungsOf(played: Played): (number | null)[] {
  return played.decisions.flatMap(({ rung }) => (rung === null ? [] : [rung]))
}

function firings(played: Played): number[] {
  return played.decisions.flatMap(({ fired, rung }) => (fired && rung !== null ? [rung] : []))
}

describe('the rung in force', () => {
  it('is the highest whose level is reached', () => {
    const played = play(climbing([{ at: 2 }, { at: 4 }]), { test: repeated(t1, 5) })
    expect(rungsOf(played)).toEqual([-1, 0, 0, 1, 1])
  })

  it('is passed over where somebody fills the role that it stands in for', () => {
    const rungs: Rung[] = [{ at: 2, stance: 'calm', without: 'consultant' }, { at: 2, stance: 'bold' }]
    const with2 = { test: repeated(t1, 2) }
    expect(rungsOf(play(openedWith(climbing(rungs), { roles: { implementer: 'x' } }), with2))).toEqual([-1, 0])
    expect(rungsOf(play(openedWith(climbing(rungs), { roles: { implementer: 'x', consultant: 'y' } }), with2))).toEqual([-1, 1])
  })

  it('is chosen by level, not by place in the list', () => {
    const played = play(climbing([{ at: 4 }, { at: 2 }]), { test: repeated(t1, 5) })
    expect(rungsOf(played)).toEqual([-1, 1, 1, 0, 0])
  })

  it('falls when there is progress', () => {
    const worse = fails('t1', 't2', 't3')
    const played = play(climbing([{ at: 2, stance: 'calm' }, { at: 3, stance: 'bold' }]), { test: [worse, worse, worse, t1, t1] })
    expect(rungsOf(played)).toEqual([-1, 0, 1, -1, 0])
    expect(asksOf(played).map((effect) => effect.posture.stance)).toEqual([null, null, 'calm', 'bold', null, 'calm'])
  })

  it('may jump over rungs when the level does', () => {
    const played = play(climbing([{ at: 1 }, { at: 2 }, { at: 3 }], ['plateau']), { test: [t1, t1, t1, t1] })
    expect(rungsOf(played)).toEqual([-1, 0, 1, 2])
    const late = play(climbing([{ at: 1 }, { at: 3 }]), { test: [t1, fails('t1', 't2'), t1, t1, t1] })
    expect(rungsOf(late)).toEqual([0, 0, 0, 0, 1])
  })

  it('is weighed once per judged iteration, and by nothing else', () => {
    const played = play(climbing([{ at: 1 }]), { make: [errs(), passes], test: [t1], aside: [] })
    expect(played.decisions.map(({ rung }) => rung)).toEqual([null, null, 0])
  })

  it('is none where the procedure has no ladder', () => {
    const played = play(loop(), { test: repeated(t1, 5) })
    expect(rungsOf(played)).toEqual([])
    expect(played.session.rung).toBe(-1)
  })

  it('listens to the listed signals only', () => {
    const twoInTurns = { make: ['a', 'b', 'a', 'b', 'a'].map(moves), test: [t1, fails('t2'), t1, fails('t2'), t1] }
    expect(rungsOf(play(climbing([{ at: 2 }], ['repeats']), twoInTurns))).toEqual([-1, -1, -1, -1, -1])
    expect(rungsOf(play(climbing([{ at: 2 }], ['revisits']), twoInTurns))).toEqual([-1, -1, -1, 0, 0])
  })
})

describe('a rung that leads somewhere', () => {
  it('is taken instead of the route when it is reached from below, once', () => {
    const played = play(climbing([{ at: 2, to: 'aside' }]), { test: repeated(t1, 4) })
    expect(path(played)).toEqual(['make', 'test', 'make', 'test', 'aside', 'make', 'test', 'make', 'test', 'make', 'test'])
    expect(firings(played)).toEqual([0])
    expect(played.decisions.find(({ cause }) => cause === 'ladder')?.why).toBe('the same failures 2 times, so on to aside')
  })

  it('fires again after the stall fell below it', () => {
    const two = fails('t1', 't2')
    const played = play(climbing([{ at: 2, to: 'aside' }]), { test: [two, two, t1, t1] })
    expect(firings(played)).toEqual([0, 0])
  })

  it('does not fire on the way down', () => {
    const all: Signal[] = ['repeats', 'plateau']
    const played = play(climbing([{ at: 2, to: 'aside' }, { at: 3, stance: 'bold' }], all), { test: [t1, t1, t1, fails('t1', 't2')] })
    expect(rungsOf(played)).toEqual([-1, 0, 1, 1])
    const down = play(climbing([{ at: 1, to: 'aside' }, { at: 2 }]), { test: [t1, t1, fails('t2')] })
    expect([rungsOf(down), firings(down)]).toEqual([[0, 1, 0], [0, 1]])
  })

  it('can end the session, which can go on where the route led', () => {
    const { session } = play(climbing([{ at: 3, to: '@stalled' }]), { test: repeated(t1, 3) })
    const why = 'the same failures 3 times, so the ladder ends here'
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3, why, resumesAt: 'make' })
    expect(session.iteration).toBe(3)
  })

  it('says which signal it answers', () => {
    const script = { make: repeated(moves('a'), 3), test: repeated(t1, 3), aside: [] }
    const whyOf = (signals: Signal[]): string | undefined => play(climbing([{ at: 2, to: 'aside' }], signals), script).decisions.at(-1)?.why
    expect(whyOf(['repeats', 'plateau'])).toMatch(/^the same failures 2 times/)
    expect(whyOf(['revisits'])).toMatch(/^back at a state seen before, 2 times/)
    expect(whyOf(['plateau'])).toMatch(/^no better for 2 iterations/)
  })

  it('and ends the session, where the route would have ended it too, can go on with the phase that was judged', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: '@failed' }) }
    const { session } = play(procedureOf(phases, { policies: ladder([{ at: 1, to: '@stalled' }]) }), { test: [t1] })
    expect(session.finish).toMatchObject({ outcome: 'stalled', resumesAt: 'test' })
  })
})

describe('a rung with a number of times', () => {
  const last: Rung = { at: 2, to: '@stalled' }

  it('is used up, and the next of the same level takes over', () => {
    const played = play(climbing([{ at: 2, to: 'aside', resets: true, times: 1 }, last]), { test: repeated(t1, 4) })
    expect(firings(played)).toEqual([0, 1])
    expect([played.session.iteration, played.session.finish?.outcome]).toEqual([4, 'stalled'])
  })

  it('of 2 is used twice', () => {
    const played = play(climbing([{ at: 2, to: 'aside', resets: true, times: 2 }, last]), { test: repeated(t1, 6) })
    expect(firings(played)).toEqual([0, 0, 1])
    expect(played.session.uses).toEqual([2, 1])
  })

  it('leaves a lower one in force once it is used up', () => {
    const played = play(climbing([{ at: 1 }, { at: 2, resets: true, times: 1 }]), { test: repeated(t1, 5) })
    expect(rungsOf(played)).toEqual([0, 1, 0, 0, 0])
  })

  it('stays in force while the stall lasts, and is used once by that', () => {
    const played = play(climbing([{ at: 2, stance: 'calm', times: 1 }]), { test: repeated(t1, 4) })
    expect(rungsOf(played)).toEqual([-1, 0, 0, 0])
    expect(played.session.uses).toEqual([1])
  })

  it('is first in the list among equals', () => {
    const played = play(climbing([{ at: 2, stance: 'calm' }, { at: 2, stance: 'bold' }]), { test: repeated(t1, 3) })
    expect(rungsOf(played)).toEqual([-1, 0, 0])
  })

  it('that leads somewhere makes room once it is used up, even where the stall goes on without a reset', () => {
    const played = play(climbing([{ at: 2, to: 'aside', times: 1 }, last]), { test: repeated(t1, 3) })
    expect(firings(played)).toEqual([0, 1])
    expect([played.session.iteration, played.session.finish?.outcome]).toEqual([3, 'stalled'])
  })
})

describe('a rung that resets', () => {
  it('starts counting afresh, with the first posture and roles', () => {
    const low: Rung = { at: 2, stance: 'bold', roles: { implementer: 'consultant' } }
    const rungs: Rung[] = [low, { at: 3, stance: 'calm', to: 'aside', resets: true }]
    const played = play(climbing(rungs), { test: repeated(t1, 5) })
    expect(ledger(played).map(({ stall }) => stall.repeats)).toEqual([1, 2, 3, 1, 2])
    expect(asksOf(played).map(({ phase, posture }) => [phase, posture.stance])).toEqual([
      ['make', null], ['make', null], ['make', 'bold'], ['aside', null], ['make', null], ['make', null], ['make', 'bold'],
    ])
  })

  it('forgets the states it has seen, but neither the best nor what was used', () => {
    const revisits = climbing([{ at: 1, to: 'aside', resets: true }], ['revisits'])
    const { session } = play(revisits, { make: repeated(moves('a'), 2), test: repeated(t1, 2) })
    expect(session).toMatchObject({ seen: [], key: '', rung: -1, uses: [1], best: { iteration: 1 } })
  })
})

function alone(rungs: Rung[]): Opened {
  return openedWith(climbing(rungs), { roles: { implementer: 'x' } })
}

describe('a rung that nobody can fill', () => {
  it('is skipped: the phase it leads to asks a role without an agent', () => {
    expect(rungsOf(play(alone([{ at: 1 }, { at: 2, to: 'aside' }]), { test: repeated(t1, 3) }))).toEqual([0, 0, 0])
  })

  it('is skipped: it hands a role to one without an agent', () => {
    const rungs: Rung[] = [{ at: 2, roles: { implementer: 'consultant' } }, { at: 2, to: '@stalled' }]
    expect(firings(play(alone(rungs), { test: repeated(t1, 2) }))).toEqual([1])
    expect(firings(play(climbing(rungs), { test: repeated(t1, 2) }))).toEqual([0])
  })
})

describe('the posture', () => {
  const rung: Rung = { at: 2, stance: 'calm', focus: 'one', scope: { files: 5, lines: 200 }, roles: { implementer: 'consultant' } }

  it('is what the rung in force says, for every ask from then on', () => {
    const played = play(climbing([rung]), { test: repeated(t1, 3) })
    const posture = { stance: 'calm', focus: 'one', scope: { files: 5, lines: 200 }, roles: { implementer: 'consultant' } }
    expect(asksOf(played).map((effect) => effect.posture)).toEqual([PLAIN, PLAIN, posture, posture])
  })

  it('hands a role over, and the effect says who was meant and who answers', () => {
    const played = play(climbing([rung]), { test: repeated(t1, 2) })
    expect(asksOf(played).at(-1)).toMatchObject({ role: 'implementer', answers: 'consultant' })
    expect(asksOf(played)[0]).toMatchObject({ role: 'implementer', answers: 'implementer' })
  })

  it('is plain again after a pass', () => {
    const policies = { floor: { iterations: 9, to: 'make' } }
    const played = play(climbing([rung], ['repeats'], policies), { test: [t1, t1, passes], make: repeated(passes, 3) })
    expect([played.session.posture, played.session.rung]).toEqual([PLAIN, -1])
  })

  it('has nothing left of a lower rung when a higher one says less', () => {
    const played = play(climbing([rung, { at: 3, stance: 'bold' }]), { test: repeated(t1, 3) })
    expect(played.session.posture).toEqual({ ...PLAIN, stance: 'bold' })
  })
})
