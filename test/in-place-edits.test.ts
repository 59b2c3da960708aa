// In the user's own folder: what they write there between two sittings is theirs, and nothing takes it away unasked.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from './support/cli.js'
import { makeWorkshop, refusal, type Workshop } from './support/repositories.js'

async function exhausted(): Promise<Workshop> {
  const shop = makeWorkshop({ n: '9\n' })
  const gate = shop.program('gate', 'for i in $(seq $(cat n)); do echo "FAIL case-$i"; done; test "$(cat n)" = 0')
  const agent = shop.scripted([{ write: { n: '5\n' } }, { write: { n: '4\n' } }, { write: { n: '3\n' } }])
  const ended = await shop.run(['run', 'converge', 'x', '--in-place', '--max-iterations', '2', '--agent', agent, '--gate', gate])
  expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/^ {2}take it back: +greenlatch undo \S+ --to start$/m)])
  return shop
}

describe('what the user has written into the folder of a session', () => {
  it('is not touched by resume, which names it and both ways on; one goes on with it.', async () => {
    const shop = await exhausted()
    shop.put({ mine: 'by hand\n', n: '7\n' })
    const before = shop.everything()
    const [code, message, next] = refusal(await shop.run(['resume', '--max-iterations', '3']))
    expect([code, message]).toEqual([2, expect.stringMatching(/^you have changed "mine", "n" in the folder since .*\(kept as salvage\/\d+\); to go on without that: greenlatch undo \S+ --to \S+$/)])
    expect(shop.everything()).toEqual(before)
    const [undo = '', resume = ''] = next.split(' && ')
    expect((await shop.run(undo.split(' ').slice(1))).code).toBe(0)
    expect([shop.file('mine'), shop.file('n')]).toEqual(['by hand\n', '7\n'])
    expect(resume).toMatch(/^greenlatch resume \S+ --max-iterations 3$/)
    expect((await shop.run(resume.split(' ').slice(1))).code).toBe(4)
    expect([shop.file('mine'), shop.file('n')]).toEqual(['by hand\n', '3\n'])
  })

  it('is put away when that is asked for, and can be brought back.', async () => {
    const shop = await exhausted()
    shop.put({ mine: 'by hand\n' })
    const [, message] = refusal(await shop.run(['resume', '--max-iterations', '3']))
    const [, undo = ''] = /: greenlatch (undo \S+ --to \S+)$/.exec(message) ?? []
    const undone = await shop.run(undo.split(' '))
    expect([undone.code, existsSync(join(shop.repo, 'mine'))]).toEqual([0, false])
    expect((await shop.run(['resume', '--max-iterations', '3'])).code).toBe(4)
    const [, back = ''] = /bring it back: +greenlatch (.+)$/m.exec(undone.stderr) ?? []
    expect((await shop.run(back.split(' '))).code).toBe(0)
    expect(shop.file('mine')).toBe('by hand\n')
  })

  it('is told from what an agent left that was cut off: that alone stops no resume.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const agent = shop.program('agent', 'echo half > half; test -e "$ROOT/go" || sleep 60')
    const run = ['run', 'ooda', 'x', '--in-place', '--max-iterations', '1', '--ai-cmd', agent]
    const cut = async (args: string[]): Promise<void> => {
      const count = shop.starts('agent').length
      const running = shop.start(args)
      await until('the agent', () => shop.starts('agent').length > count && existsSync(join(shop.repo, 'half')))
      running.send('SIGINT')
      expect((await running.ended).code).toBe(130)
    }
    await cut(run)
    await cut(['resume'])
    shop.put({ mine: 'by hand\n' })
    expect(refusal(await shop.run(['resume']))).toEqual([2, expect.stringContaining('you have changed'), expect.any(String)])
    expect(shop.file('mine')).toBe('by hand\n')
  })
})
