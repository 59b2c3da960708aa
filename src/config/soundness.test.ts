// Tests of every reason why a procedure may not run.
import { describe, expect, it } from 'vitest'
import { ask, check, ladder, loop, opening, procedureOf, seal, workspace } from '../../test/support/core-cases.js'
import { problemsOf } from './soundness.js'
import type { Phase, Policies, Procedure } from '../core/types.js'

function problems(phases: Record<string, Phase>, part: Partial<Procedure> = {}): string[] {
  return problemsOf(procedureOf(phases, part))
}

function withPolicies(policies: Policies, part: Partial<Procedure> = {}): string[] {
  return problemsOf(loop({ policies, ...part }))
}

function dangling(who: string, to: string): string {
  return `${who} leads to "${to}", which is neither a phase nor an outcome`
}

function without(phase: string): string[] {
  return [`phase "${phase}" leads to @converged without a sealed check before it`]
}

describe('a procedure may not run', () => {
  it('unless it is sound, as this one is', () => {
    expect(problemsOf(loop())).toEqual([])
  })

  it('when a verdict or a word leads to what is neither a phase nor an outcome', () => {
    expect(problems({ make: opening({ pass: 'chek' }) })).toEqual([dangling('phase "make"', 'chek')])
    expect(problems({ make: opening({ pass: '@done' }) })).toEqual([dangling('phase "make"', '@done')])
    expect(problems({ make: opening({ pass: 'make' }, { words: { done: 'end' } }) })).toEqual([dangling('phase "make"', 'end')])
  })

  it('when a policy leads to what is neither a phase nor an outcome, or straight to @converged', () => {
    expect(withPolicies(ladder([{ at: 1, to: 'amend' }]))).toEqual([dangling('a policy', 'amend')])
    expect(withPolicies({ floor: { iterations: 2, to: 'audit' } })).toEqual([dangling('a policy', 'audit')])
    expect(withPolicies(ladder([{ at: 1, to: '@converged' }]))).toEqual(['a policy leads to @converged, which only a sealed check can do'])
  })

  it('when a phase is never reached; a way by word or policy is enough', () => {
    const aside = ask({ pass: 'make', fail: 'make', error: 'make' }, { yields: 'review' })
    const phases = { ...loop().phases, aside }
    expect(problems(phases)).toEqual(['phase "aside" is never reached'])
    expect(problems(phases, { policies: ladder([{ at: 2, to: 'aside' }]) })).toEqual([])
    expect(problems(phases, { policies: { floor: { iterations: 2, to: 'aside' } } })).toEqual([])
    expect(problems({ ...phases, make: opening({ pass: 'test', error: 'make' }, { words: { done: 'aside' } }) })).toEqual([])
  })

  it.each<[Policies, string]>([
    [{ setbacks: { limit: 0, counts: [] } }, 'setbacks.limit'],
    [{ infrastructure: { limit: -1 } }, 'infrastructure.limit'],
    [{ breaches: { limit: 1.5 } }, 'breaches.limit'],
    [{ ratchet: { patience: 0 } }, 'ratchet.patience'],
    [{ floor: { iterations: 0, to: 'make' } }, 'floor.iterations'],
    [ladder([{ at: 0 }]), 'a rung\'s "at"'],
    [ladder([{ at: 1, times: 0 }]), 'a rung\'s "times"'],
  ])('with a number below 1 or a fraction in %j', (policies, what) => {
    expect(withPolicies(policies)).toEqual([`${what} must be a whole number of at least 1`])
  })

  it('when a rung takes a stance that has no text', () => {
    expect(withPolicies(ladder([{ at: 2, stance: 'wild' }]))).toEqual(['a rung takes the stance "wild", which has no text'])
    expect(withPolicies(ladder([{ at: 2, stance: 'calm' }]))).toEqual([])
  })

  it('when the floor is above the maximum; no maximum is above every floor', () => {
    const floor = { floor: { iterations: 6, to: 'make' } }
    expect(withPolicies(floor, { budget: { iterations: 5 } })).toEqual(['the floor of 6 iterations is above the maximum of 5'])
    for (const budget of [{ iterations: 6 }, { iterations: 0 }, {}]) expect(withPolicies(floor, { budget })).toEqual([])
  })

  it('unless every target is known, as each of the seven outcomes is', () => {
    const ends = ['completed', 'stalled', 'exhausted', 'refused', 'failed', 'cancelled'].map((outcome) => `@${outcome}`)
    for (const end of ends) expect(problems({ make: opening({ pass: 'make', cancelled: end }) })).toEqual([])
    expect(problems({ make: opening({ pass: 'make', cancelled: 'look' }), look: ask({ pass: 'make' }) })).toEqual([])
  })

  it('when a ladder could never be climbed, or ends well', () => {
    const ladder = { signals: ['repeats' as const], rungs: [{ at: 3, to: '@stalled' }] }
    expect(withPolicies({ ladder })).toEqual([])
    expect(withPolicies({ ladder: { ...ladder, signals: [] } })[0]).toMatch(/no signals/)
    expect(withPolicies({ ladder: { ...ladder, rungs: [{ at: 3, to: '@completed' }] } })[0]).toMatch(/not a good end/)
  })

  it('when the floor leads to what it should hold back', () => {
    const to = (target: string): string[] => withPolicies({ floor: { iterations: 2, to: target } })
    expect(to('@completed')).toEqual(['the floor leads to what it should hold back'])
    expect(to('seal')).toContain('the floor leads to what it should hold back')
    expect(to('@stalled')).toEqual([])
  })

  it('when it leads to a word that every object knows', () => {
    expect(problems({ make: opening({ pass: 'constructor' }) })).toEqual([dangling('phase "make"', 'constructor')])
  })
})

describe('I5 a procedure that could go round without opening an iteration', () => {
  const phases = {
    make: opening({ pass: 'test' }),
    test: check({ pass: 'seal', fail: 'audit' }),
    audit: ask({ pass: 'seal', fail: 'make' }, { yields: 'review' }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  }

  it('is refused when verdicts close the round, and the round is named', () => {
    const round = { make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'fix' }), fix: ask({ pass: 'test' }) }
    expect(problems(round)).toEqual(['test → fix → test goes round without opening an iteration, so no budget could end it'])
    expect(problems({ test: check({ pass: '@completed', error: 'test' }) })[0]).toMatch(/^test → test goes round/)
  })

  it('is sound when an ask on the round opens an iteration', () => {
    const round = { make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'fix' }), fix: opening({ pass: 'test' }) }
    expect(problems(round)).toEqual([])
  })

  it('is refused when a completion word closes the round', () => {
    const look = ask({ pass: 'make', fail: 'make' }, { yields: 'review', words: { failed: 'look' } })
    expect(problems({ make: opening({ pass: 'look' }), look })[0]).toMatch(/^look → look goes round/)
  })

  it('is refused when a rung closes the round', () => {
    expect(problems(phases)).toEqual([])
    expect(problems(phases, { policies: ladder([{ at: 2, to: 'test' }]) })[0]).toMatch(/^test → seal → test goes round/)
  })

  it('is refused when the floor closes the round', () => {
    expect(problems(phases, { policies: { floor: { iterations: 2, to: 'audit' } } })[0]).toMatch(/^seal → audit → seal goes round/)
    expect(problems(phases, { policies: { floor: { iterations: 2, to: 'make' } } })).toEqual([])
  })

  it('is refused when the floor closes the round behind a phase that judges nothing', () => {
    const polish = ask({ pass: '@completed', fail: 'make' }, { yields: 'review' })
    const round = { make: opening({ pass: 'test' }), test: check({ pass: 'polish', fail: 'make' }), polish }
    expect(problems(round, { policies: { floor: { iterations: 3, to: 'make' } } })).toEqual([])
    expect(problems(round, { policies: { floor: { iterations: 3, to: 'polish' } } })[0]).toMatch(/^polish → polish goes round/)
  })
})

describe('I9 a deciding check', () => {
  const make = opening({ pass: 'seal' })

  it('runs all gates: one that it leaves out would be called proved', () => {
    const leaves = ['phase "seal" is sealed and leaves gates out: its "gates" need "@configured"']
    expect(problems({ make, seal: seal({ pass: '@converged', fail: 'make' }, { gates: ['lint'] }) })).toEqual(leaves)
    expect(problems({ make, seal: seal({ pass: '@converged', fail: 'make' }, { gates: [] }) })).toEqual(leaves)
    expect(problems({ make, seal: seal({ pass: '@converged', fail: 'make' }, { gates: ['extra', '@configured'] }) })).toEqual([])
  })

  it('judges: a breach that it does not count would pass', () => {
    const silent = seal({ pass: '@converged', fail: 'make' }, { judges: false })
    expect(problems({ make, seal: silent })).toEqual(['phase "seal" is sealed and does not judge, so breaches would pass'])
  })
})

describe('I7 a baseline', () => {
  const late = ['phase "base" takes a baseline after "make" has changed files, so what that broke would be excused']
  const base = check({ pass: 'make', fail: 'make' }, { baseline: true })

  it('comes before every candidate, whether a verdict, a word or a rung leads back to it', () => {
    const test = check({ pass: '@completed', fail: 'make' })
    expect(problems({ base, make: opening({ pass: 'test' }), test })).toEqual([])
    expect(problems({ base, make: opening({ pass: 'test', error: 'base' }), test })).toEqual(late)
    expect(problems({ base, make: opening({ pass: 'test' }, { words: { failed: 'base' } }), test })).toEqual(late)
    expect(problems({ base, make: opening({ pass: 'test' }), test }, { policies: ladder([{ at: 2, to: 'base' }]) })).toEqual(late)
  })

  it('may follow a plan, whose tests are what has to be proved', () => {
    const plan = ask({ pass: 'base' }, { yields: 'plan' })
    expect(problems({ plan, base, make: opening({ pass: '@completed' }) })).toEqual([])
  })
})

describe('I9 @converged', () => {
  const make = opening({ pass: 'seal' })
  const sealed = seal({ pass: 'commit', fail: 'make' })
  const commit = workspace('commit', { pass: '@converged' })

  it('may follow a passing seal, also by way of a branch and a commit', () => {
    expect(problems({ make, seal: sealed, commit })).toEqual([])
    const branch = workspace('branch', { pass: 'commit' })
    expect(problems({ make, seal: seal({ pass: 'branch', fail: 'make' }), branch, commit })).toEqual([])
  })

  it('may not follow a check that is not sealed, an ask, or a completion word', () => {
    expect(problems({ make: opening({ pass: 'test' }), test: check({ pass: '@converged' }) })).toEqual(without('test'))
    expect(problems({ make: opening({ pass: '@converged' }) })).toEqual(without('make'))
    expect(problems({ make: opening({ pass: 'make' }, { words: { done: '@converged' } }) })).toEqual(without('make'))
  })

  it('may not follow a seal that fails, directly or by way of a commit', () => {
    expect(problems({ make, seal: seal({ pass: '@completed', fail: '@converged' }) })).toEqual(without('seal'))
    expect(problems({ make, seal: seal({ pass: 'commit', fail: 'commit' }), commit })).toEqual(without('commit'))
  })

  it('may not follow a workspace phase that can move the tree, nor a commit that something else than a seal leads to', () => {
    expect(problems({ make, seal: sealed, commit: workspace('materialise', { pass: '@converged' }) })).toEqual(without('commit'))
    expect(problems({ make: opening({ pass: 'seal', error: 'commit' }), seal: sealed, commit })).toEqual(without('commit'))
  })

  it('may not follow a commit that a word, a policy or the start leads to', () => {
    const phases = { make, seal: sealed, commit }
    expect(problems({ ...phases, make: opening({ pass: 'seal' }, { words: { done: 'commit' } }) })).toEqual(without('commit'))
    expect(problems(phases, { policies: ladder([{ at: 2, to: 'commit' }]) })).toEqual(without('commit'))
    const first = workspace('commit', { pass: '@converged', error: 'make' })
    expect(problems({ ...phases, commit: first }, { start: 'commit' })).toEqual(without('commit'))
  })
})
