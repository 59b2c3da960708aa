// Tests of how a session ends well or gives up: the floor, the proof, the best tree sealed first, and what is handed over.
import { describe, expect, it } from 'vitest'
import {
  adds, ask, cancels, check, costs, errs, fails, ladder, ledger, loop, moves, opening, passes, path, play, procedureOf, proves,
  repeated, seal, workspace, type Answer, type Script,
} from '../../test/support/core-cases.js'
import type { Procedure } from './types.js'

const t1 = fails('t1')

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

  it('holds back @converged, too, where a seal was reached past it', () => {
    const around = { ...loop().phases, test: check({ pass: 'make', fail: 'seal' }) }
    const script = { test: [t1, t1], seal: [proves, proves] }
    const played = play(procedureOf(around, { policies: { floor: { iterations: 2, to: 'make' } } }), script)
    expect(played.decisions.map(({ cause }) => cause)).toEqual(['route', 'route', 'floor', 'route', 'route', 'route'])
    expect(played.session.finish?.outcome).toBe('converged')
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
    const why = '11 of 10 seconds spent; the best tree, held back only by the floor, was not accepted (seal: fail)'
    expect(played.session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why, resumesAt: 'make' })
    expect(played.decisions.at(-1)?.why).toBe(why)
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
    const { session, decisions } = play(loop({ policies: stalling }), { ...script, seal: [t1] })
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3 })
    expect(decisions.at(-2)).toMatchObject({ cause: 'best', rung: 0, fired: true })
    expect(decisions.at(-1)).toMatchObject({ to: '@stalled', restore: null, repeats: false, pending: null })
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

  it('is not committed when its seal passes without a proof', () => {
    const phases = { ...loop().phases, seal: seal({ pass: 'commit', fail: 'make' }), commit: workspace('commit', { pass: '@converged' }) }
    const played = play(procedureOf(phases, { policies, budget: spent }), { test: [costs(passes, 11)] })
    expect(path(played)).toEqual(['make', 'test', 'seal'])
    expect(played.session.finish?.outcome).toBe('exhausted')
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

  it('knows nothing of a start whose baseline was cancelled before it ended', () => {
    const phases = { baseline: check({ pass: 'make', fail: 'make' }, { baseline: true }), ...loop().phases }
    const { session } = play(procedureOf(phases), { baseline: [cancels] })
    expect(session).toMatchObject({ finish: { outcome: 'cancelled' }, origin: null, baseline: null, best: null })
  })

  it('is the start where nothing was made', () => {
    const { session } = play(loop({ final: 'best' }), { make: [cancels] })
    expect(session.finish).toMatchObject({ outcome: 'cancelled', delivers: 'start' })
  })
})
