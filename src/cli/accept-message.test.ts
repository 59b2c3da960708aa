// Proves how the message of an accepted result is made from the task.
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../test/support/core-cases.js'
import type { Session } from '../core/index.js'
import { commitMessage } from './accept-message.js'

const session = { id: '20250101-120000-abcde', procedure: { name: 'ooda' }, gates: ['types', 'unit'], finished: 3, finish: null } as unknown as Session

function subject(task: string | null, given?: string): string {
  return commitMessage(session, { state: 'completed' }, task, given).split('\n')[0] ?? ''
}

describe('the first line', () => {
  it.each([
    ['make the tests pass', 'fix: make the tests pass'],
    ['Fix the crash in the parser.', 'fix: fix the crash in the parser'],
    ['Add a flag --json', 'feat: add a flag --json'],
    ['tidy the parser', 'refactor: tidy the parser'],
    ['Document the flags', 'docs: document the flags'],
    ['update dependencies', 'chore: update dependencies'],
    ['README says too little', 'chore: README says too little'],
    ['feat(cli)!: another way', 'feat(cli)!: another way'],
    ['# A heading\n\nand more', 'chore: a heading'],
    ['\n\n  - first point\n', 'chore: first point'],
  ])('of the task %j is %j.', (task, line) => {
    expect(subject(task)).toBe(line)
  })

  it('names the session where there is no task.', () => {
    expect(subject(null)).toBe('chore: result of ooda session 20250101-120000-abcde')
    expect(subject(' \n ')).toBe(subject(null))
  })

  it('of a state that fails claims nothing, and says what fails however long the task is.', () => {
    const stand = { name: 'iteration 1', failing: [failureOf('a'), failureOf('b')], isChosen: true }
    const line = (task: string): string => commitMessage(session, { state: 'converged', stand }, task).split('\n')[0] ?? ''
    expect(line('Make the tests pass.')).toBe('chore: towards make the tests pass (2 failing)')
    expect(line('fix(parser): the crash')).toBe('chore: towards the crash (2 failing)')
    expect(line('mend '.repeat(40))).toMatch(/^chore: towards mend .*… \(2 failing\)$/)
    expect(line('mend '.repeat(40)).length).toBeLessThanOrEqual(72)
  })

  it('is cut at a word when it is too long, and a long word is cut too.', () => {
    const line = subject(`implement ${'something '.repeat(20)}`)
    expect(line).toMatch(/^feat: implement (something )+something…$/)
    expect(line.length).toBeLessThanOrEqual(72)
    expect(subject('x'.repeat(200)).length).toBeLessThanOrEqual(72)
  })

  it('holds nothing that a terminal would obey.', () => {
    expect(subject('add \u001b[31mred\u202e words')).toBe('feat: add red words')
  })
})

describe('the rest', () => {
  it('tells outcome, gates and session as trailers, below a message of one’s own too.', () => {
    const account = 'Greenlatch-Outcome: completed, unverified, 3 iterations\nGreenlatch-Gates: types, unit\nGreenlatch-Session: 20250101-120000-abcde\n'
    expect(commitMessage(session, { state: 'completed' }, 'x')).toBe(`chore: x\n\n${account}`)
    expect(commitMessage(session, { state: 'completed' }, 'x', '  mine\n\nwhy\n')).toBe(`mine\n\nwhy\n\n${account}`)
  })

  it.each([
    [null, 'not checked'],
    [[], 'nothing failing'],
    [[failureOf('a'), failureOf('b')], '2 failing'],
  ])('says which state it is and what the checks said of it: %j is %s.', (failing, said) => {
    const message = commitMessage(session, { state: 'stalled', stand: { name: 'iteration 1', failing, isChosen: false } }, 'x')
    expect(message).toContain(`\nGreenlatch-Outcome: stalled, unverified, 3 iterations\nGreenlatch-Result: iteration 1, ${said}\n`)
  })
})
