// Proves what a session that has ended says last: what still fails, and every way on.
import { describe, expect, it } from 'vitest'
import { failureOf, fails, loop, moves, openedWith, passes, play } from '../../../test/support/core-cases.js'
import { apply, type Best, type Finish, type Session } from '../../core/index.js'
import { knownFailures } from './known-failures.js'
import { nextLines } from './next-commands.js'

const opened = apply(null, openedWith(loop({ budget: { iterations: 2 } })))
const finish: Finish = { outcome: 'stalled', code: 3, label: 'unverified', why: 'x', delivers: 'tree-2', resumesAt: 'make' }
const failing = (...subjects: string[]): Best => ({ iteration: 2, tree: 'tree-2', score: [0, 1, 2, 0], failing: subjects.map((subject) => failureOf(subject)), heldByFloor: false })
const ended = (more: Partial<Session>): Session => ({ ...opened, id: 's', iteration: 2, tree: 'tree-2', candidate: 'tree-2', finish, ...more })

describe('the last lines', () => {
  it('name what still fails, the first three of it, and the command that goes on, with the bound that has to be raised.', () => {
    expect(nextLines(ended({ best: failing('a', 'b', 'c', 'd', 'e') }), 'impossible target')).toEqual([
      'failing:  a, b, c and 2 more',
      'pattern:  impossible target',
      'why:      greenlatch explain s',
      'see it:   greenlatch diff s',
      'take it:  greenlatch accept s',
      'go on:    greenlatch resume s --max-iterations 4',
    ])
  })

  it('name no try where none was better than the start: it may be worse.', () => {
    const lines = nextLines(ended({ finish: { ...finish, delivers: 'start' }, start: 'start', facing: [failureOf('a')] }))
    expect(lines).toEqual([
      'failing:  a',
      'why:      greenlatch explain s',
      'see it:   greenlatch logs s',
      'go on:    greenlatch resume s --max-iterations 4',
    ])
  })

  it('say of a gate that does not run in a sandbox what may be hidden from it.', () => {
    const lines = nextLines(ended({ setup: { confinement: { name: 'bubblewrap' } } }), 'gate cannot run')
    expect(lines[0]).toMatch(/^sandbox: +it ran in the sandbox bubblewrap, which hides home folders.*sandbox\.read/)
    expect(nextLines(ended({}), 'gate cannot run').join()).not.toContain('sandbox')
  })

  it('name the way back where the result is in the user’s own folder already.', () => {
    const done: Finish = { ...finish, outcome: 'completed', code: 0, resumesAt: null }
    const lines = nextLines(ended({ finish: done, setup: { place: { inPlace: true } } }))
    expect(lines).toEqual(['see it:        greenlatch diff s', 'take it back:  greenlatch undo s --to start'])
  })
})

describe('what is known of the tree at hand', () => {
  const known = (session: Session): string[] | null => knownFailures(session)?.map(({ subject }) => subject) ?? null

  it('is nothing before the first check, and nothing of a candidate that is yet to be checked.', () => {
    expect(known(opened)).toBeNull()
    expect(known(play(loop(), { make: [moves('a')], test: [] }).session)).toBeNull()
    expect(known(play(loop(), { make: [moves('a'), moves('b')], test: [fails('t1')] }).session)).toBeNull()
  })

  it('is what the check said of it, also where another one is the best.', () => {
    expect(known(play(loop(), { make: [moves('a'), moves('b')], test: [fails('t1'), fails('t1', 't2')] }).session)).toEqual(['t1', 't2'])
    expect(known(play(loop(), { make: [moves('a')], test: [passes], seal: [passes] }).session)).toEqual([])
  })
})
