// Signals to a run: what they end, what they leave, and what a second one does.
import { existsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, isAlive, letGo, linesOf, makePlace, sendTogether, until, type Place } from './support/cli.js'

function numberIn(place: Place, name: string): Promise<number> {
  return until(name, () => Number(place.read(name)) || null)
}

describe('a signal', () => {
  /** An agent with a child, and with a grandchild that left session and parent. */
  const FAMILY = [
    'cat >/dev/null',
    'sleep 300 & echo $! > "$ROOT/child.pid"',
    '(setsid sh -c \'echo $$ > "$1/grandchild.pid"; exec sleep 300\' sh "$ROOT" >/dev/null 2>&1 &)',
    'wait',
  ]

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('RO-15 %s ends the whole tree of the agent, saves, prints how to resume, and exits with %i.', async (signal, code) => {
    const place = makePlace()
    const running = place.start(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', place.program('agent', ...FAMILY)])
    const family = [await numberIn(place, 'child.pid'), await numberIn(place, 'grandchild.pid'), ...place.starts('agent')]
    expect(family.map(isAlive)).toEqual([true, true, true])
    running.send(signal)
    const ended = await running.ended
    expect(ended).toMatchObject({ code, signal: null })
    expect(family.map(isAlive)).toEqual([false, false, false])
    expect(linesOf(ended.stderr).at(-1)).toBe('Interrupted. State saved. Resume with: greenlatch resume ooda')
    expect(eventsOf(place.session()).at(-1)).toMatchObject({ type: 'interrupted', cause: 'signal', note: signal })
    expect(await place.status()).toMatchObject({ status: 'interrupted', iteration: 0 })
  })

  it('RO-15 while a gate runs ends its tree too, and the effect is begun once more with resume.', async () => {
    const place = makePlace()
    const gate = place.program('gate', '[ -e "$ROOT/go" ] && exit 0', 'sleep 300 & echo $! > "$ROOT/child.pid"', 'wait')
    const running = place.start(['run', 'converge', '--gate', gate, '--agent', place.scripted([{ write: { 'a.txt': 'a' } }])])
    const child = await numberIn(place, 'child.pid')
    running.send('SIGINT')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(isAlive(child)).toBe(false)
    const id = ended.stdout.trim().split('\t')[2]
    expect(ended.stderr).toContain(`greenlatch resume ${id}`)
    letGo(place, 'go')
    expect(await place.run(['resume'])).toMatchObject({ code: 0 })
  })

  it('RO-15 that comes when an agent has just ended leaves that iteration completed, and resume begins the next.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', '[ "$GREENLATCH_ITERATION" = 1 ] && exit 0', 'sleep 300')
    // Reading a large file to see what the agent changed takes long enough to be met by the signal.
    place.write('large', '')
    truncateSync(join(place.repo, 'large'), 150_000_000)
    const running = place.start(['run', 'ooda', '--max-iterations', '9', '--ai-cmd', agent])
    const [first = 0] = await until('the first agent', () => (place.starts('agent').length > 0 ? place.starts('agent') : null))
    await until('its end to be noticed', () => !existsSync(`/proc/${first}`))
    running.send('SIGINT')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(linesOf(ended.stderr).filter((line) => / completed in /.test(line))).toHaveLength(1)
    expect(linesOf(ended.stderr).at(-1)).toContain('Resume with: greenlatch resume ooda')
    expect(await place.status()).toMatchObject({ status: 'interrupted', iteration: 1 })
    truncateSync(join(place.repo, 'large'), 0)
    const resumed = place.start(['resume', 'ooda'])
    await resumed.says(/Iteration 2\/9 starting/)
  })

  it('RO-15 forces when it comes a second time: a deaf agent is gone at once, the session can be resumed.', async () => {
    const place = makePlace()
    const deaf = ['trap : TERM', 'cat > "$ROOT/ready"', 'while :; do sleep 0.05; done']
    const running = place.start(['run', 'ooda', '--ai-cmd', place.program('agent', ...deaf)])
    await until('the agent', () => place.read('ready') !== '')
    // Two that are alike would be one. Sent one after the other, the second could come when the two seconds of grace are over.
    await sendTogether(running.pid, 'SIGINT', 'SIGTERM')
    const { code, stderr } = await running.ended
    expect([130, 143]).toContain(code)
    expect(stderr).toContain('\nforced\n')
    expect(place.starts('agent').map(isAlive)).toEqual([false])
    expect(eventsOf(place.session()).map(({ type }) => type)).toEqual(['opened', 'asked'])
    expect(await place.status()).toMatchObject({ status: 'interrupted' })
  })
})
