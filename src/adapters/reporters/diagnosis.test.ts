// Proves that a session which has ended leaves its diagnosis, and that one which has not leaves none.
import { describe, expect, it } from 'vitest'
import { fails, openedWith, play, proves, repeated, type Played, type Script } from '../../../test/support/core-cases.js'
import type { Session } from '../../core/types.js'
import type { Notice } from '../../ports.js'
import { converge } from '../../procedures/converge.js'
import { DIAGNOSIS_FILE, keepDiagnosis } from './diagnosis.js'

const began = (session: Session): Notice => ({ kind: 'began', session, resumed: true, at: 0 })
const ended = (session: Session): Notice => ({ kind: 'ended', session, how: { kind: 'finished' }, at: 0 })

function keeperOf({ events }: Played) {
  const keeper = keepDiagnosis()
  keeper.take(events)
  return keeper
}

const session = (script: Script, iterations = 20): Played => {
  return play(openedWith({ ...converge, budget: { iterations } }, { gates: ['unit'] }), { baseline: [fails('a')], ...script })
}

describe('the diagnosis of a session', () => {
  it('is a page once it has ended, with the flags that raise what was spent', () => {
    const stuck = session({ check: repeated(fails('a'), 4) }, 4)
    const { [DIAGNOSIS_FILE]: page } = keeperOf(stuck).fileAt(began(stuck.session))
    expect(page).toMatch(/^# Session session: exhausted\n\n {4}It ended exhausted \(unverified\) after 4 iterations: 4 of 4 iterations done\.\n/)
    expect(page).toContain('\n    greenlatch resume session --max-iterations 8\n')
  })

  it('is short where it went well, and nothing while it goes on', () => {
    const good = session({ accept: [proves] })
    const { [DIAGNOSIS_FILE]: page = '' } = keeperOf(good).fileAt(began(good.session))
    expect([page.includes('## Pattern'), page.split('\n').length < 20]).toEqual([false, true])
    const open = session({ implement: [] })
    expect(keeperOf(open).fileAt(began(open.session))).toEqual({})
  })

  it('gives its name to the last notice of a session that went wrong, and to no other', () => {
    const stuck = session({ implement: repeated(() => ({ tree: 'start' }), 12), check: repeated(fails('a'), 12) })
    expect(keeperOf(stuck).named(ended(stuck.session))).toMatchObject({ kind: 'ended', pattern: 'no edits' })
    expect(keeperOf(stuck).named(began(stuck.session))).toEqual(began(stuck.session))
    const good = session({ accept: [proves] })
    expect(keeperOf(good).named(ended(good.session))).toEqual(ended(good.session))
  })
})
