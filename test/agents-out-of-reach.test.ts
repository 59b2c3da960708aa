// Agents out of reach, through the CLI: another one instead, a limit that is waited for, and one that is not.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliSpeeches, writeStubAgent, type Behaviour, type StubAgent } from '../src/testing/agent-kit/index.js'
import { linesOf, makePlace, type Place } from './support/cli.js'

const HOUR = 3_600_000
const RUN = ['run', 'ooda', '--max-iterations', '1', '--agent', 'first']

/** The first agent is Claude Code, the second Codex, as far as their records go. */
const CLIS = { first: 'claude', second: 'codex' } as const

function stub(place: Place, name: keyof typeof CLIS, behaves: [Behaviour, ...Behaviour[]], writes: Record<string, string>): StubAgent {
  return writeStubAgent({ path: join(place.root, name), speech: cliSpeeches[CLIS[name]], behaves, until: Date.now() + HOUR, writes })
}

function settings(place: Place, { first, second }: { first: StubAgent; second?: StubAgent }): void {
  // As root Claude Code has to be told that it may do as it likes.
  const entry = `{ cli: claude, program: ${first.program}, env: { IS_SANDBOX: '1' }${second ? ', fallback: second' : ''} }`
  place.write('greenlatch.yaml', `agents:\n  first: ${entry}\n${second ? `  second: { cli: codex, program: ${second.program} }\n` : ''}`)
}

describe('an agent out of reach', () => {
  it('is replaced by its fallback, which finds nothing of what the first has left; that is kept and named', async () => {
    const place = makePlace()
    const [first, second] = [stub(place, 'first', ['limit'], { 'half.txt': 'half' }), stub(place, 'second', ['success'], { 'whole.txt': 'whole' })]
    settings(place, { first, second })
    const ended = await place.run(RUN)
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toMatch(/first cannot be reached \(.*session limit.*\): second is asked instead/)
    expect(ended.stderr).toMatch(/first wrote into the tree; put back: half\.txt \(kept as salvage\/\d+\)/)
    expect([first.starts().length, second.starts().length]).toEqual([1, 1])
    const { stdout } = await place.run(['diff'])
    expect([stdout.includes('whole.txt'), stdout.includes('half.txt')]).toEqual([true, false])
  })

  it('because of a limit is waited for, which is shown; Ctrl+C ends the wait with 130, and resume goes on', async () => {
    const place = makePlace()
    const first = stub(place, 'first', ['limit', 'success'], { 'a.txt': 'a' })
    settings(place, { first })
    const running = place.start(RUN)
    await running.says(/act: first: .*session limit.*; waiting until (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d/)
    running.send('SIGINT')
    const ended = await running.ended
    expect([ended.code, linesOf(ended.stderr).at(-1)]).toEqual([130, 'Interrupted. State saved. Resume with: greenlatch resume ooda'])
    expect(await place.run(['resume'])).toMatchObject({ code: 0 })
    expect(first.starts()).toHaveLength(2)
  })

  it('for longer than the session may last ends it at once with 7, and says when and how to go on', async () => {
    const place = makePlace()
    const first = stub(place, 'first', ['limit'], {})
    settings(place, { first })
    const ended = await place.run([...RUN, '--max-time', '10m'])
    expect([ended.code, first.starts().length]).toEqual([7, 1])
    expect(ended.stderr).toMatch(/session limit.*; that is over at .*\d\d:\d\d:\d\d, too late to be waited for: resume it then/)
    expect(linesOf(ended.stderr).at(-1)).toMatch(/^\s*go on: +greenlatch resume \S+$/)
  })
})
