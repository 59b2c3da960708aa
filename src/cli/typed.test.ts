// Proves that a refusal of `run` names the command that was typed, with the flag that was missing.
import { describe, expect, it } from 'vitest'
import { ManyFaults } from '../config/many-faults.js'
import { Refusal } from '../errors.js'
import { withTyped } from './typed.js'

function next(named: string, ...words: string[]): string {
  return (withTyped(new Refusal(2, 'x', named), words) as Refusal).next
}

describe('the next command after a refused run', () => {
  it.each([
    ['greenlatch run --dirty include, or --dirty ignore', ['run', 'make it', '--gate', 'npm test'], "greenlatch run 'make it' --gate 'npm test' --dirty include"],
    ['greenlatch run --dirty include (as it stands)', ['-C', 'a b', 'open', 'x'], "greenlatch -C 'a b' open x --dirty include"],
    ['greenlatch run --gate "<your test command>"', ['run', 'x', '--gate', ''], 'greenlatch run x --gate "<your test command>"'],
    ['greenlatch run --gate "<your test command>"', ['run', 'x', '--gate=', '--json'], 'greenlatch run x --json --gate "<your test command>"'],
    ['greenlatch run ooda --agent <another>', ['run', 'ooda', 'x', '--ai-cmd', 'nosuch', '--fresh'], 'greenlatch run ooda x --fresh --agent <another>'],
    ['greenlatch run ooda --agent codex', ['run', 'ooda', 'x', '--ai-cmd-alias', 'claude', '--model', 'opus', '--fresh'], 'greenlatch run ooda x --fresh --agent codex'],
    ['greenlatch run --agent paste', ['run', 'x', '--url=http://127.0.0.1:1', '--model=m'], 'greenlatch run x --agent paste'],
    ['greenlatch run --model opus --agent claude', ['run', 'x', '--ai-cmd', 'true', '--model', 'opus'], 'greenlatch run x --model opus --agent claude'],
    ['greenlatch run --agent reviewer=paste', ['run', 'tdd', 'x', '--agent', 'implementer=codex'], 'greenlatch run tdd x --agent implementer=codex --agent reviewer=paste'],
    ['greenlatch run --agent reviewer=a', ['run', 'x', '--agent', 'reviewer=a', '--agent', 'reviewer=b', '--json'], 'greenlatch run x --json --agent reviewer=a'],
    ['greenlatch run --fresh', ['run', '--', '--odd'], 'greenlatch run --fresh -- --odd'],
    ['greenlatch run --max-cost 0', ['run', 'x', '--max-cost', '3'], 'greenlatch run x --max-cost 0'],
    ['greenlatch open --profile <plain or a path>', ['open', 'artifact', 'x', '--profile', 'plian', '--ai-cmd', 'a b'], "greenlatch open artifact x --ai-cmd 'a b' --profile <plain or a path>"],
    ['greenlatch open --param entity=<value>', ['run', 'x', '--param', 'a=b'], 'greenlatch run x --param a=b --param entity=<value>'],
    ['greenlatch run --task <file>', ['run', 'cycle', '--gate', 'npm test'], "greenlatch run cycle --gate 'npm test' --task <file>"],
  ])('%s is, with what was typed, %j.', (named, words, typed) => {
    expect(next(named, ...words)).toBe(typed)
  })

  it('leaves out a parameter that there is not.', () => {
    const refusal = new ManyFaults('the profile "x" needs entity', ['the profile "x" has no parameter "entitty"'], 'greenlatch open --param entity=<value>')
    const words = ['open', 'artifact', '--param', 'entitty=Order', '--param', 'scope=all']
    const next = 'greenlatch open artifact --param scope=all --param entity=<value>'
    expect(withTyped(refusal, words)).toMatchObject({ next, others: refusal.others })
  })

  it.each(['greenlatch run --help', 'greenlatch run ooda', 'greenlatch config', 'git status'])('%s stays as it is.', (named) => {
    expect(next(named, 'run', 'x', '--json')).toBe(named)
  })

  it('is left alone in what is no refusal.', () => {
    const error = new Error('a bug')
    expect(withTyped(error, ['run'])).toBe(error)
  })
})
