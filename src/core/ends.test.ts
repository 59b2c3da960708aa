// Tests of how a session ends: the floor, the budget, the proof, the best tree sealed first, and what is handed over.
import { describe, expect, it } from 'vitest'
import {
  adds, ask, cancels, check, costs, errs, fails, ladder, ledger, loop, moves, opening, passes, path, play, procedureOf, proves,
  repeated, seal, workspace, type Answer, type Played, type Script,
} from '../../test/support/core-cases.js'
import type { Budget, Procedure } from './types.js'

const t1 = fails('t1')

function within(budget: Budget, script: Script): Played {
  return play(loop({ budget }), script)
}

describe('the floor', () => {
  const phases = {
    make: opening({ pass: 'test', error: 'make' }),
    test: check({ pass: 'seal', fail: 'audit' }),
    audit: ask({ pass: 'make', fail: 'make', error: 'make' }, { role: 'auditor', yields: 'review' }),
    seal: seal({ pass: '@converged', fail: 'audit' }),
  }
  const floored = (iterations: number, part: Partial<Procedure> = {}): Procedure =>
    procedureOf(phases, { ...part, policies: { floor: { iterations, to: 'audit' }, ...part.policies } })

  it('holds a pass back from the seal until enough iterations were made', () => {
    const played = play(floored(3), { seal: [proves] })
    expect(path(played)).toEqual(['make', 'test', 'audit', 'make', 'test', 'audit', 'make', 'test', 'seal'])
    expect(played.decisions[1]).toMatchObject({ cause: 'floor', to: 'audit', why: 'test passed, but iteration 1 is below the floor of 3' })
    expect(played.session.finish).toMatchObject({ outcome: 'converged', label: 'verified' })
  })

  it('counts the pass it holds back as judged, and remembers the tree as held', () => {
    const played = play(floored(2), { make: [passes], audit: [] })
    expect(ledger(played)).toMatchObject([{ verdict: 'pass', held: true, better: true, stall: { level: 0 } }])
    expect(played.session.best).toMatchObject({ iteration: 1, heldByFloor: true })
  })

  it('counts iterations over the whole session, failing ones too', () => {
    expect(path(play(floored(2), { test: [t1, passes], seal: [proves] }))).toEqual(['make', 'test', 'audit', 'make', 'test', 'seal'])
  })

  it('of 1 holds nothing back', () => {
    expect(path(play(floored(1), { seal: [proves] }))).toEqual(['make', 'test', 'seal'])
  })

  it('leaves a failing check its route', () => {
    expect(play(floored(3), { make: [passes], test: [t1], audit: [] }).decisions.at(-1)?.cause).toBe('route')
  })

  it('holds back a good end where there is no seal', () => {
    const unsealed = { make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'make' }) }
    const played = play(procedureOf(unsealed, { policies: { floor: { iterations: 3, to: 'make' } } }))
    expect(played.session).toMatchObject({ iteration: 3, finish: { outcome: 'completed' } })
  })

  it('does not hold back a bad end', () => {
    const ends = { make: opening({ pass: 'test' }), test: check({ pass: '@failed' }) }
    expect(play(procedureOf(ends, { policies: { floor: { iterations: 3, to: 'make' } } })).session.finish?.outcome).toBe('failed')
  })

  it('comes before the ladder, which sees that nothing is stuck', () => {
    const policies = ladder([{ at: 2, to: '@stalled' }], ['plateau', 'repeats'])
    const played = play(floored(9, { policies }), { make: repeated(passes, 5) })
    expect(played.session).toMatchObject({ iteration: 6, finish: null, stall: { repeats: 0, plateau: 0 } })
  })
})

describe('a passing seal', () => {
  it('converges with a proof, fully verified or partly', () => {
    const full = { outcome: 'converged', code: 0, label: 'verified', why: 'seal: pass', delivers: 'tree-1', resumesAt: null }
    expect(play(loop(), { seal: [proves] }).session.finish).toEqual(full)
    expect(play(loop(), { seal: [adds(proves, { exceptions: ['text only'] })] }).session.finish?.label).toBe('partly verified')
  })

  it('only completes when nothing shows that the task was done', () => {
    const { session, decisions } = play(loop())
    expect(decisions.at(-1)?.cause).toBe('unproven')
    const why = 'seal: pass; nothing shows that the task itself was done'
    expect(session.finish).toMatchObject({ outcome: 'completed', code: 0, label: 'unverified', why })
  })

  it('keeps its proof through a commit', () => {
    const phases = { ...loop().phases, seal: seal({ pass: 'commit', fail: 'make' }), commit: workspace('commit', { pass: '@converged' }) }
    expect(play(procedureOf(phases), { seal: [proves] }).session.finish?.outcome).toBe('converged')
  })

  it('loses its proof with the next candidate', () => {
    const phases = { make: opening({ pass: 'seal' }), seal: seal({ pass: 'make', fail: 'make' }) }
    const { session } = play(procedureOf(phases), { make: [passes, moves('b')], seal: [proves] })
    expect(session.proof).toBeNull()
  })

  it('that is not bound to its tree is an error, tried again where that is allowed', () => {
    const phases = { make: opening({ pass: 'seal' }), seal: seal({ pass: '@converged', fail: 'make' }, { retries: 1 }) }
    const loose = adds(proves, { sealed: null })
    expect(play(procedureOf(phases), { seal: [loose, proves] }).session.finish?.outcome).toBe('converged')
    expect(play(procedureOf(phases), { seal: [loose, loose] }).session.finish).toMatchObject({ outcome: 'refused', code: 5 })
  })
})

describe('the budget', () => {
  it('ends a session after exactly as many iterations', () => {
    const { session } = within({ iterations: 2 }, { test: repeated(t1, 3) })
    const why = '2 of 2 iterations done'
    expect(session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why, resumesAt: 'make' })
    expect(session.iteration).toBe(2)
  })

  it('of 0 or none is no limit', () => {
    for (const budget of [{ iterations: 0, seconds: 0 }, {}]) expect(within(budget, { test: repeated(t1, 30) }).session.iteration).toBe(31)
  })

  it.each<[string, Budget, Answer]>([
    ['10 of 10 seconds spent', { seconds: 10 }, costs(t1, 10)],
    ['12.35 of 10 seconds spent', { seconds: 10 }, costs(t1, 12.3456)],
    ['600 of 500 tokens spent', { tokens: 500 }, costs(t1, 1, { tokens: 600 })],
    ['2.5 of 2 usd spent', { usd: 2 }, costs(t1, 1, { usd: 2.5 })],
  ])('ends a session with %s', (why, budget, answer) => {
    expect(within(budget, { test: [answer] }).session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why, resumesAt: 'make' })
  })

  it('lets go on what has something left', () => {
    expect(within({ seconds: 10 }, { test: [costs(t1, 9.99)], make: [passes] }).session.finish).toBeNull()
  })

  it('I8 never cuts off a check, a seal or a commit', () => {
    const phases = { ...loop().phases, seal: seal({ pass: 'commit', fail: 'make' }), commit: workspace('commit', { pass: '@converged' }) }
    const { session } = play(procedureOf(phases, { budget: { seconds: 10, iterations: 1 } }), { make: [costs(passes, 99)], seal: [proves] })
    expect(session.finish?.outcome).toBe('converged')
  })

  it('binds asks that open no iteration by what is spent, not by iterations', () => {
    const phases = { ...loop().phases, test: check({ pass: 'seal', fail: 'look' }), look: ask({ pass: 'make' }, { yields: 'review' }) }
    const inTime = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { test: [t1] })
    expect([path(inTime), inTime.session.finish?.why]).toEqual([['make', 'test', 'look'], '1 of 1 iterations done'])
    const late = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { test: [costs(t1, 11)] })
    expect(late.session.finish).toMatchObject({ why: '11 of 10 seconds spent', resumesAt: 'look' })
  })

  it('binds what policies want, too', () => {
    const phases = { ...loop().phases, look: ask({ pass: 'make' }, { yields: 'review' }) }
    const policies = ladder([{ at: 1, to: 'look' }])
    const { session, decisions } = play(procedureOf(phases, { policies, budget: { seconds: 10 } }), { test: [costs(t1, 11)] })
    expect(decisions.at(-1)).toMatchObject({ cause: 'budget', rung: 0, fired: true })
    expect(session.finish?.resumesAt).toBe('look')
  })

  it('binds a retry by what is spent, not by iterations', () => {
    const phases = { make: opening({ pass: '@completed' }, { retries: 2 }) }
    const played = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { make: [costs(errs(), 1), costs(errs(), 10)] })
    expect(played.decisions.map(({ cause }) => cause)).toEqual(['retry', 'budget'])
  })

  it('leads, when iterations are spent, where the procedure says; what else is spent is always exhausted', () => {
    const budget = { iterations: 2, seconds: 10, then: 'completed' } as const
    const done = within(budget, { test: repeated(t1, 2) })
    expect(done.session.finish).toMatchObject({ outcome: 'completed', code: 0, why: '2 of 2 iterations done', resumesAt: null })
    expect(within(budget, { test: [costs(t1, 11)] }).session.finish?.outcome).toBe('exhausted')
  })

  it('tells every effect what is left of what is limited', () => {
    const { effects } = within({ seconds: 10, tokens: 100 }, { make: [costs(passes, 4, { tokens: 130 })], test: [] })
    expect(effects.map(({ left }) => left)).toEqual([{ seconds: 10, tokens: 100 }, { seconds: 6, tokens: 0 }])
    expect(within({ iterations: 3 }, { make: [] }).effects[0]?.left).toEqual({})
  })
})

describe('the best tree that only the floor held back', () => {
  const policies = { floor: { iterations: 9, to: 'make' } }
  const spent = { seconds: 10 }

  it('is restored and sealed before the session is exhausted, and converges when it passes', () => {
    const script = { test: [passes, costs(t1, 11)], seal: [proves] }
    const played = play(loop({ policies, budget: spent }), script)
    expect(path(played)).toEqual(['make', 'test', 'make', 'test', 'seal'])
    expect(played.decisions[3]).toMatchObject({ cause: 'best', to: 'seal', restore: { tree: 'tree-1', iteration: 1 }, finish: null })
    expect(played.decisions[3]?.why).toBe(
      '11 of 10 seconds spent; iteration 1 had passed and was held back only by the floor, so it is sealed first',
    )
    expect(played.session.finish).toMatchObject({ outcome: 'converged', delivers: 'tree-1' })
  })

  it('is then verified in part, because the floor was not reached', () => {
    const { session } = play(loop({ policies, budget: spent }), { test: [costs(passes, 11)], seal: [proves] })
    expect(session.finish).toMatchObject({ outcome: 'converged', label: 'partly verified' })
  })

  it('ends as it would have ended when its seal fails, once', () => {
    const played = play(loop({ policies, budget: spent }), { test: [passes, costs(t1, 11)], seal: [t1, proves] })
    expect(path(played).filter((phase) => phase === 'seal')).toHaveLength(1)
    expect(played.session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why: '11 of 10 seconds spent', resumesAt: 'make' })
  })

  it.each<[string, Answer]>([
    ['breaks', errs('gate')],
    ['is cancelled', cancels],
  ])('ends as it would have ended when its seal %s', (_, answer) => {
    expect(play(loop({ policies, budget: spent }), { test: [costs(passes, 11)], seal: [answer] }).session.finish?.outcome).toBe('exhausted')
  })

  it('is sealed before the session stalls, too', () => {
    const stalling = { ...policies, ...ladder([{ at: 2, to: '@stalled' }]) }
    const script = { test: [passes, t1, t1] }
    expect(play(loop({ policies: stalling }), { ...script, seal: [proves] }).session.finish?.outcome).toBe('converged')
    expect(play(loop({ policies: stalling }), { ...script, seal: [t1] }).session.finish).toMatchObject({ outcome: 'stalled', code: 3 })
  })

  it('may be tried again and committed, as any other seal', () => {
    const phases = {
      ...loop().phases,
      seal: seal({ pass: 'commit', fail: 'make' }, { retries: 1 }),
      commit: workspace('commit', { pass: '@converged' }),
    }
    const played = play(procedureOf(phases, { policies, budget: spent }), { test: [costs(passes, 11)], seal: [errs('gate'), proves] })
    expect(path(played)).toEqual(['make', 'test', 'seal', 'seal', 'commit'])
    expect(played.session.finish?.outcome).toBe('converged')
  })

  it('is not sealed before other ends, nor when the best was not held back', () => {
    const refused = play(loop({ policies: { ...policies, infrastructure: { limit: 1 } } }), { make: [passes, errs('infrastructure')] })
    expect(path(refused)).toEqual(['make', 'test', 'make'])
    expect(path(play(loop({ budget: spent }), { test: [costs(t1, 11)] }))).toEqual(['make', 'test'])
  })
})

describe('what is handed over', () => {
  const worseLast: Script = { test: [t1, fails('t1', 't2')] }

  it('is the best tree or the last, as the procedure says; the session itself stays where it is', () => {
    const best = play(loop({ final: 'best', budget: { iterations: 2 } }), worseLast).session
    expect([best.finish?.delivers, best.tree]).toEqual(['tree-1', 'tree-2'])
    expect(play(loop({ final: 'last', budget: { iterations: 2 } }), worseLast).session.finish?.delivers).toBe('tree-2')
  })

  it('is the proved tree when the session converged, whatever was preferred before', () => {
    const small = adds(passes, { diffLines: 1 })
    const large = adds(proves, { diffLines: 9 })
    const policies = { floor: { iterations: 2, to: 'make' } }
    const script = { make: [moves('a'), moves('b')], test: [small, large], seal: [large] }
    const played = play(loop({ final: 'best', policies }), script)
    expect(played.session.best?.tree).toBe('a')
    expect(played.session.finish).toMatchObject({ outcome: 'converged', delivers: 'b' })
  })

  it('is the start where nothing was made', () => {
    const { session } = play(loop({ final: 'best' }), { make: [cancels] })
    expect(session.finish).toMatchObject({ outcome: 'cancelled', delivers: 'start' })
  })
})
