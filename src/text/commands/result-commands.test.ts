// Tests of what is typed to see, take and go on with what a session leaves: nothing that it would refuse.
import { describe, expect, it } from 'vitest'
import { errs, fails, openedWith, passes, play, proves, type Script } from '../../../test/support/core-cases.js'
import type { Session } from '../../core/types.js'
import { converge } from '../../procedures/converge.js'
import { cycle } from '../../procedures/cycle.js'
import { missingTestText } from '../failures/near-ids.js'
import { onwardFrom, resultCommands } from './result-commands.js'

function ended(script: Script, setup: Record<string, unknown> = {}): Session {
  return play(openedWith(converge, { gates: ['unit'], setup }), { baseline: [fails('a')], ...script }).session
}

const good: Script = { implement: [passes], check: [passes], accept: [proves] }

describe('what a session leaves', () => {
  it('is accepted once, taken back where it stands in the user’s own folder, and merged where it was committed', () => {
    const session = ended(good)
    const see = 'greenlatch diff session'
    expect(resultCommands(session)).toEqual({ see, take: { kind: 'accept', command: 'greenlatch accept session' } })
    expect(resultCommands({ ...session, accepted: session.finish?.delivers ?? '' })).toEqual({ see, take: null })
    expect(resultCommands(ended(good, { place: { inPlace: true } }))?.take?.command).toBe('greenlatch undo session --to start')
    const opened = openedWith(cycle, { gates: ['unit'], setup: { place: { branch: 'feature/it 1' } } })
    const committed = play(opened, { baseline: [fails('a')], code: [passes], test: [passes], audit: [passes], seal: [proves] }).session
    expect(resultCommands(committed)).toEqual({ see: "git show 'feature/it 1'", take: { kind: 'merge', command: "git merge 'feature/it 1'" } })
  })

  it('is nothing to see or to take where nothing came of it', () => {
    expect(resultCommands(ended({ implement: [errs(), errs(), errs()] }))).toBeNull()
  })
})

describe('the way on', () => {
  it('is to resume, with what has to be raised', () => {
    const session = ended({ implement: Array.from({ length: 9 }, () => errs()) })
    expect(onwardFrom(session, ' --max-iterations 9', '')).toEqual({ kind: 'resume', commands: ['greenlatch resume session --max-iterations 9'] })
    expect(onwardFrom(ended(good), '', '')).toBeNull()
  })

  it('is to begin anew where the baseline could not be taken, since the gates of a session stay as they are', () => {
    expect(onwardFrom(ended({ baseline: [errs('gate')] }), '', '')).toEqual({ kind: 'anew', commands: ['greenlatch run converge "<the task>" --gate "<a command that runs>"'] })
    const typed = { typed: ['mend it', '--gate', 'npm test', '--max-time=5m', '--target', 'adds typo'] }
    expect(onwardFrom(ended({ baseline: [errs('gate')] }, typed), '', '')?.commands).toEqual(['greenlatch run \'mend it\' --max-time=5m --target \'adds typo\' --gate "<a command that runs>"'])
    const unknown = (why: string, setup: Record<string, unknown>): string[] | undefined => {
      const session = ended({ baseline: [errs('gate')] }, setup)
      return onwardFrom({ ...session, finish: session.finish && { ...session.finish, why } }, '', 'unknown test')?.commands
    }
    const why = `baseline: error (${missingTestText('target', 'adds typo', ['adds typo "2", 3'])})`
    expect(unknown(why, typed)).toEqual(["greenlatch run 'mend it' --gate 'npm test' --max-time=5m --target 'adds typo \"2\", 3'"])
    expect(unknown(why, { typed: ['--target=adds typo', '--json'] })).toEqual(["greenlatch run '--target=adds typo \"2\", 3' --json"])
    expect(unknown(missingTestText('excuse', 'a::x', ['a::xy']), { typed: ['mend it'] })).toEqual(["greenlatch run 'mend it' --excuse a::xy"])
    expect(unknown(missingTestText('excuse', 'a::x', ['nothing']), typed)).toEqual(['greenlatch run \'mend it\' --gate \'npm test\' --max-time=5m --target "<test>"'])
    expect(onwardFrom(ended({ baseline: [errs('gate')] }), '', 'unknown test')?.commands).toEqual(['greenlatch run converge "<the task>" --target "<test>"'])
  })

  it('is somebody else where whoever was asked has nothing more to try, or was refused for what it did, and none where nothing fails', () => {
    const over = ended({ implement: [errs('over')] })
    expect(onwardFrom(over, ' --max-iterations 9', 'nothing left to try')).toEqual({ kind: 'resume', commands: ['greenlatch resume session --max-iterations 9 --agent paste'] })
    expect(onwardFrom(over, '', 'search out of candidates')?.commands).toEqual(['greenlatch resume session --agent paste'])
    expect(onwardFrom(over, '', 'search out of time')?.commands).toEqual(['greenlatch resume session'])
    expect(onwardFrom(over, '', 'cheating')).toEqual({ kind: 'resume', commands: ['greenlatch resume session --agent paste'] })
    expect(onwardFrom(over, '', 'nothing fails')).toBeNull()
  })

  it('is to resume where a gate that had run does not run any more, on no state of the files', () => {
    const broken = ended({ implement: [passes], check: [errs('gate'), errs('gate')] })
    expect(onwardFrom(broken, '', '')).toEqual({ kind: 'resume', commands: ['greenlatch resume session'] })
  })
})
