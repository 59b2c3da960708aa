// Talking to a session from another process: pause, stop, hint and reply, and what is said when nobody can hear it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, isAlive, letGo, linesOf, makePlace, recordsOf, until, type Place, type Started } from './support/cli.js'

const KEEPS_PROMPT = 'cat > "$ROOT/prompt-$GREENLATCH_ITERATION"'
const WAITS = 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done'

/** A run whose first agent is at work and waits for the file `go`. */
async function running(place: Place): Promise<Started> {
  const agent = place.program('agent', KEEPS_PROMPT, WAITS)
  const started = place.start(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent])
  await until('the agent', () => place.starts('agent').length > 0)
  return started
}

/** Puts a file into the inbox as a careless program would, and tells when. */
function post(place: Place, name: string, text: string): number {
  const inbox = join(place.session(), 'inbox')
  mkdirSync(inbox, { recursive: true })
  writeFileSync(join(place.root, 'message'), text)
  const at = Date.now()
  renameSync(join(place.root, 'message'), join(inbox, name))
  return at
}

function named(id: string): string {
  return `${String(Date.now()).padStart(13, '0')}-${id}.json`
}

describe('pause and stop', () => {
  it.each([
    ['pause', 8, 'Paused', 'paused'],
    ['stop', 130, 'Stopped', 'stopped'],
  ])('%s lets the phase under way finish, then rests where resume goes on.', async (verb, code, word, event) => {
    const place = makePlace()
    expect((await place.run([verb, '--help'])).stdout.replaceAll(/\s+/g, ' ')).toContain(`exits with ${code}`)
    const run = await running(place)
    const told = await place.run([verb])
    expect(told.code).toBe(0)
    expect((await place.run(['status', '--short'])).stdout).toContain(`ooda running, ${verb}s after act · `)
    expect(told.stderr).toMatch(/when the phase under way is over/)
    expect(place.starts('agent').map(isAlive)).toEqual([true])
    letGo(place, 'go')
    const ended = await run.ended
    expect(ended.code).toBe(code)
    expect(linesOf(ended.stderr).at(-2)).toMatch(/^Iteration 1\/3 completed in /)
    expect(linesOf(ended.stderr).at(-1)).toBe(`${word}. State saved. Resume with: greenlatch resume ooda`)
    expect(recordsOf(place.session()).at(-1)?.events.map(({ type }) => type)).toEqual(['observed', 'decided', event])
    const resumed = await place.run(['resume'])
    expect(linesOf(resumed.stderr)).toContain('Iteration 2/3 starting...')
    expect(place.starts('agent')).toHaveLength(3)
  })

  it('stop --now ends the phase under way with its whole tree, and returns when that is done.', async () => {
    const place = makePlace()
    const run = await running(place)
    const told = await place.run(['stop', '--now'])
    expect(told.code).toBe(0)
    expect(told.stderr).toContain('is interrupted: what was under way is cut off\n  go on:  greenlatch resume')
    expect(place.starts('agent').map(isAlive)).toEqual([false])
    expect(await run.ended).toMatchObject({ code: 130 })
    expect((await place.run(['status', '--short'])).stdout).toContain('ooda interrupted')
    expect(eventsOf(place.session()).at(-1)).toMatchObject({ type: 'interrupted', cause: 'stop' })
    letGo(place, 'go')
    expect(await place.run(['resume'])).toMatchObject({ code: 0 })
  })

  it('stop --now takes effect within a second of the message.', async () => {
    const place = makePlace()
    const run = await running(place)
    const sent = post(place, named('00000000000000aa'), JSON.stringify({ kind: 'stop', id: '00000000000000aa', now: true }))
    await run.ended
    const taken = recordsOf(place.session()).at(-1)?.at ?? Infinity
    // One second, and some more for a machine that has much else to do.
    expect(taken - sent).toBeLessThan(4000)
    expect(readdirSync(join(place.session(), 'inbox'))).toEqual([])
  })

  it('a pause is taken within a second of the end of the phase.', async () => {
    const place = makePlace()
    const run = await running(place)
    await place.run(['pause'])
    const over = Date.now()
    letGo(place, 'go')
    await run.ended
    expect((recordsOf(place.session()).at(-1)?.at ?? Infinity) - over).toBeLessThan(4000)
  })
})

describe('a hint', () => {
  it('goes into the next prompt and no other, and is told when it is taken.', async () => {
    const place = makePlace()
    const run = await running(place)
    expect((await place.run(['hint', 'look at the parser'])).stderr).toContain('taken when the phase under way is over')
    letGo(place, 'go')
    const ended = await run.ended
    expect(linesOf(ended.stderr)).toContain('Hint taken for the next iteration: look at the parser')
    expect([1, 2, 3].map((n) => place.read(`prompt-${n}`).includes('- look at the parser'))).toEqual([false, true, false])
  })

  it('can be left while nobody runs the session, and is taken with resume.', async () => {
    const place = makePlace()
    await place.run(['open', 'ooda', '--max-iterations', '2', '--ai-cmd', place.program('agent', KEEPS_PROMPT)])
    const left = await place.run(['hint', 'mind the gap'])
    expect(left).toMatchObject({ code: 0 })
    expect(left.stderr).toMatch(/no process is running the session; taken with: greenlatch resume \S+/)
    await place.run(['resume'])
    expect([1, 2].map((n) => place.read(`prompt-${n}`).includes('- mind the gap'))).toEqual([true, false])
  })

  it('that comes twice under one id is taken once, and the other is named.', async () => {
    const place = makePlace()
    const run = await running(place)
    const message = JSON.stringify({ kind: 'hint', id: '00000000000000bb', text: 'once only' })
    post(place, `0000000000001-00000000000000bb.json`, message)
    post(place, `0000000000002-00000000000000bb.json`, message)
    letGo(place, 'go')
    const ended = await run.ended
    expect(eventsOf(place.session()).filter((event) => event.type === 'hinted')).toHaveLength(1)
    expect(ended.stderr).toContain('message 0000000000002-00000000000000bb.json was set aside in inbox/rejected')
    expect(ended.stderr).toContain('message 00000000000000bb was sent before')
  })
})

describe('a message that is none', () => {
  it.each([
    ['has a name of its own', 'note.txt', 'hello'],
    ['is not JSON', '0000000000001-00000000000000cc.json', '{ "kind": '],
    ['is of no known kind', '0000000000001-00000000000000cc.json', '{"kind":"dance","id":"00000000000000cc"}'],
    ['lacks what its kind needs', '0000000000001-00000000000000cc.json', '{"kind":"hint","id":"00000000000000cc"}'],
    ['says another id than its name', '0000000000001-00000000000000cc.json', '{"kind":"pause","id":"00000000000000dd"}'],
  ])('because it %s is set aside and named, and the run goes on.', async (_why, name, text) => {
    const place = makePlace()
    const run = await running(place)
    post(place, name, text)
    letGo(place, 'go')
    const ended = await run.ended
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain(`WARNING: message ${name} was set aside in inbox/rejected: `)
    expect(readFileSync(join(place.session(), 'inbox/rejected', name), 'utf8')).toBe(text)
    expect(place.starts('agent')).toHaveLength(3)
  })
})

describe('a reply', () => {
  async function waiting(place: Place): Promise<string> {
    const ended = await place.run(['run', 'ooda', '--max-iterations', '2', '--agent', 'paste'])
    expect(ended.code).toBe(8)
    const path = join(place.session(), 'iteration-1/act-response.md')
    expect(linesOf(ended.stderr)).toContainEqual(`Put the answer into ${path} or hand it in with: greenlatch reply`)
    expect(linesOf(ended.stderr).at(-1)).toBe('Then go on with: greenlatch resume ooda')
    return path
  }

  it('is taken from a file or from standard input, word for word, and resume goes on with it.', async () => {
    const place = makePlace()
    const path = await waiting(place)
    place.write('answer.md', 'My answer: fünf.\n')
    expect(await place.run(['reply', '--file', 'answer.md'])).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe('My answer: fünf.\n')
    expect(await place.run(['resume'])).toMatchObject({ code: 8 })
    expect(await place.run(['reply'], { stdin: 'the second\n' })).toMatchObject({ code: 0 })
    expect(await place.run(['resume'])).toMatchObject({ code: 0 })
    expect(eventsOf(place.session()).filter((event) => event.type === 'observed')).toHaveLength(2)
  })

  it('to an ask that has one already is refused, and the first one stays.', async () => {
    const place = makePlace()
    const path = await waiting(place)
    const first = '=== FILE a.txt ===\na\n=== END ===\n'
    await place.run(['reply'], { stdin: first })
    const second = await place.run(['reply'], { stdin: 'the second\n' })
    expect(second.code).toBe(2)
    expect(second.stderr).toContain("has the implementer's answer to act in iteration 1 already; it was not replaced")
    expect(readFileSync(path, 'utf8')).toBe(first)
    const resumed = await place.run(['resume'])
    expect(resumed.code).toBe(8)
    expect(resumed.stderr).not.toContain('WARNING')
    expect(eventsOf(place.session()).filter((event) => event.type === 'observed')).toHaveLength(1)
  })

  it('may be longer than a message.', async () => {
    const place = makePlace()
    const path = await waiting(place)
    const long = 'a long answer\n'.repeat(100_000)
    expect(await place.run(['reply'], { stdin: long })).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).toBe(long)
  })

  it('is refused when the session waits for nobody: it has ended, or an agent is at work.', async () => {
    const place = makePlace()
    const run = await running(place)
    const early = await place.run(['reply'], { stdin: 'hello' })
    expect(early.code).toBe(2)
    expect(early.stderr).toContain('is running and waits for nobody')
    letGo(place, 'go')
    await run.ended
    const late = await place.run(['reply'], { stdin: 'hello' })
    expect(late.code).toBe(2)
    expect(late.stderr).toContain('is completed and waits for nobody')
  })

  it('that is handed in is told by status, which asks for no other and offers to go on.', async () => {
    const place = makePlace()
    const path = await waiting(place)
    const before = (await place.run(['status'])).stdout
    expect(before).toMatch(/^state +waiting$/m)
    expect(before).toMatch(/^next: +greenlatch reply \S+ --file <file> && greenlatch resume \S+$/m)
    await place.run(['reply'], { stdin: 'an answer\n' })
    const after = (await place.run(['status'])).stdout
    expect(after).toMatch(/^state +answered$/m)
    expect(after).toMatch(/^next: +greenlatch resume /m)
    expect(after).not.toContain('reply')
    expect(await place.status()).toMatchObject({ state: 'answered', status: 'paused' })
    writeFileSync(path, ' \n')
    expect(await place.status()).toMatchObject({ state: 'waiting' })
  })
})

describe('a dead owner', () => {
  it.each(['pause', 'stop'])('is said by %s, which then leaves no message behind.', async (verb) => {
    const place = makePlace()
    const run = await running(place)
    run.send('SIGKILL')
    await run.ended
    const refused = await place.run([verb])
    expect(refused.code).toBe(2)
    const forGood = verb === 'stop' ? ' \\(greenlatch stop \\S+ --cancel ends it for good\\)' : ''
    const said = '^greenlatch: no process is running session \\S+; it is interrupted'
    expect(refused.stderr).toMatch(new RegExp(`${said}${forGood}\\n {2}next: greenlatch resume \\S+\\n$`))
    expect(existsSync(join(place.session(), 'inbox'))).toBe(false)
    letGo(place, 'go')
    expect(await place.run(['resume'])).toMatchObject({ code: 0 })
  })

  it.each(['pause', 'stop', 'hint'])('and an ended session are not the same: %s says how it ended.', async (verb) => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    const refused = await place.run([verb, ...(verb === 'hint' ? ['x'] : [])])
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(/has ended: completed\n {2}next: greenlatch status/)
  })
})

describe('stop --cancel', () => {
  it('ends a session for good that nobody runs, without its agent, and says so everywhere.', async () => {
    const place = makePlace()
    const run = await running(place)
    run.send('SIGKILL')
    await run.ended
    rmSync(join(place.root, 'agent'))
    const cancelled = await place.run(['stop', '--cancel'])
    expect(cancelled).toMatchObject({ code: 0 })
    expect(cancelled.stderr).toMatch(/^session \S+ is cancelled\n {2}its files: {2}greenlatch path \S+\n$/)
    expect(await place.status()).toMatchObject({ state: 'cancelled', status: 'aborted', finish: { outcome: 'cancelled', code: 11 } })
    expect(await place.run(['status', '--wait'])).toMatchObject({ code: 11 })
    expect((await place.run(['status'])).stdout).toMatch(/^state +cancelled · unverified · exit 11$/m)
    expect((await place.run(['resume'])).stderr).toContain('it ended cancelled; there is nothing to resume')
    const fresh = await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    expect(fresh).toMatchObject({ code: 0 })
    expect(place.sessions()).toHaveLength(2)
  })

  it('ends one that waits, and counts what a cut-off effect had cost.', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--max-iterations', '2', '--agent', 'paste'])
    expect(JSON.parse((await place.run(['stop', '--cancel', '--json'])).stdout)).toMatchObject({ state: 'cancelled' })
    expect(eventsOf(place.session()).slice(-2)).toMatchObject([
      { type: 'observed', report: { verdict: 'cancelled', note: 'cancelled by a person' } },
      { type: 'decided', decision: { to: '@cancelled' } },
    ])
    expect(await place.run(['reply'], { stdin: 'late' })).toMatchObject({ code: 2 })
  })

  it('stops a session that is running first, with its whole tree.', async () => {
    const place = makePlace()
    const run = await running(place)
    expect(await place.run(['stop', '--cancel'])).toMatchObject({ code: 0 })
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(place.starts('agent').map(isAlive)).toEqual([false])
    expect(await place.status()).toMatchObject({ state: 'cancelled' })
    expect((await place.run(['stop', '--cancel'])).stderr).toContain('has ended: cancelled')
  })

  it('says of a session whose baseline never ended that nothing was checked, in every place.', async () => {
    const place = makePlace()
    const gate = place.program('gate', 'sleep 60')
    const run = place.start(['run', 'converge', 'a task', '--ai-cmd', 'true', '--gate', gate])
    await until('the gate runs', () => place.starts('gate').length > 0)
    run.send('SIGINT')
    await run.ended
    expect(await place.run(['stop', '--cancel'])).toMatchObject({ code: 0 })
    const told = await Promise.all([['status'], ['sessions'], ['explain'], ['report']].map(async (words) => (await place.run(words)).stdout))
    expect(told.filter((text) => text.includes('nothing failing'))).toEqual([])
    expect(told.slice(0, 2).join('')).toMatch(/stands on +start \(not checked\)\nfailing +not checked\n[^]*stands on start \(not checked\)/)
    expect(await place.status()).toMatchObject({ failing: null })
    expect(JSON.parse((await place.run(['explain', '--json'])).stdout)).toMatchObject({ best: null, pattern: null, failing: [] })
    expect(JSON.parse(readFileSync(join(place.session(), 'status.json'), 'utf8'))).toMatchObject({ state: 'cancelled', failing: null, pid: null })
  })

  it('ends one that was opened and never run.', async () => {
    const place = makePlace()
    await place.run(['open', 'ooda', '--ai-cmd', 'true'])
    expect(await place.run(['stop', '--cancel'])).toMatchObject({ code: 0 })
    expect(await place.status()).toMatchObject({ state: 'cancelled', iteration: 0 })
  })
})

describe('a session in the background', () => {
  it('goes on by itself after --detach, is waited for by status --wait, and its exit code is told.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', WAITS, 'exit 1')
    const detached = await place.run(['run', 'ooda', '--failure-threshold', '2', '--ai-cmd', agent, '--detach'])
    expect(detached.code).toBe(0)
    const id = detached.stdout.trim()
    expect(place.session().endsWith(id)).toBe(true)
    expect(await place.status()).toMatchObject({ session: id, status: 'running', pid: expect.any(Number) })
    const waiting = place.start(['status', '--wait', '--short'])
    letGo(place, 'go')
    expect(await waiting.ended).toMatchObject({ code: 7 })
  })
})
