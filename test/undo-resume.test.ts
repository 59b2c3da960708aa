// A session that goes on from a state a person has chosen: that state is what counts, and what is said of it is true.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

/** `n` in the file of that name is how many cases fail. */
async function tried(shop: Workshop, ...numbers: number[]): Promise<void> {
  const gate = shop.program('gate', 'for i in $(seq $(cat n)); do echo "FAIL case-$i"; done; test "$(cat n)" = 0')
  const agent = shop.scripted(numbers.map((number) => ({ write: { n: `${number}\n` } })))
  const run = ['run', 'converge', 'x', '--max-iterations', '2', '--agent', agent, '--gate', `fail=${gate}`]
  expect((await shop.run(run)).code).toBe(4)
}

describe('a state that was chosen and gone on from', () => {
  it('GL-02 is the mark for what comes after: its failures are told, a worse candidate is taken back, and it is what is handed over.', async () => {
    const shop = makeWorkshop({ n: '9\n' })
    await tried(shop, 3, 2, 5, 4)
    expect((await shop.run(['undo', '--to', '1'])).stdout).toBe('iteration 1 (unverified)\n')
    expect((await shop.run(['resume', '--max-iterations', '4'])).code).toBe(4)
    const events = eventsOf(shop.session())
    const chosen = events.flatMap((event) => (event.type === 'undone' ? [event] : []))
    expect(chosen).toMatchObject([{ to: { iteration: 1 }, best: { iteration: 1, score: [0, 1, expect.any(Number), 2] } }])
    expect(readFileSync(join(shop.session(), 'iteration-3/implement-prompt.md'), 'utf8')).toContain('FAIL case-3')
    const restored = events.flatMap((event) => (event.type === 'decided' && event.decision.restore ? [event.decision.restore.iteration] : []))
    expect(restored).toEqual([1])
    expect((await shop.run(['diff', '--', 'n'])).stdout).toContain('+3\n')
  })

  it('GL-02 is measured by the baseline when it is the start.', async () => {
    const shop = makeWorkshop({ n: '4\n' })
    await tried(shop, 3, 2, 7, 6)
    await shop.run(['undo', '--to', 'start'])
    expect((await shop.run(['resume', '--max-iterations', '4'])).code).toBe(4)
    expect(readFileSync(join(shop.session(), 'iteration-3/implement-prompt.md'), 'utf8')).toContain('FAIL case-4')
    expect((await shop.run(['diff'])).stdout).toBe('')
  })
})
