// Proves which command takes a result back, by where it was brought to.
import { describe, expect, it } from 'vitest'
import type { Places } from './places.js'
import { takeBackCommand } from './take-back.js'

const iterations = [{ number: 1, from: 't0', to: 't1' }, { number: 2, from: 't1', to: 't2' }]
const places: Places = { session: 's', start: 't0', iterations, best: null, salvage: [{ name: 'salvage/1', tree: 'k1' }], moved: null, ended: null, accepted: null, minimised: null, judged: new Map(), passed: new Set(), sealed: new Map() }
const COMMIT = 'a'.repeat(40)

describe('what was accepted', () => {
  it.each([
    ['a commit', `commit ${COMMIT} on main`, 't2', `git revert ${COMMIT}`],
    ['a merge', `merge commit ${COMMIT} on main`, 't2', `git revert -m 1 ${COMMIT}`],
    ['a branch', `branch try/it, commit ${COMMIT}`, 't2', 'git branch -D try/it'],
    ['files', 'the files of /home/me/my repo', 't2', "greenlatch diff s --iter 2..start | git -C '/home/me/my repo' apply"],
    ['files of something salvaged', 'the files of x', 'k1', "greenlatch diff s --iter salvage/1..start | git -C '/home/me/my repo' apply"],
  ])('as %s is taken back by a command that fits.', (_, note, tree, command) => {
    expect(takeBackCommand(places, { note, tree }, '/home/me/my repo')).toBe(command)
  })
})
