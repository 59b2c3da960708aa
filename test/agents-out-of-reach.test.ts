// Agents out of reach, through the CLI: another one instead, a limit that is waited for, and one that is not.
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cliSpeeches, writeStubAgent, type Behaviour, type StubAgent } from '../src/testing/agent-kit/index.js'
import { startModelServer } from '../src/testing/model-server/index.js'
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

/** Nobody listens there any more. */
async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

describe('an address of this machine where nobody listens', () => {
  it.each(['127.0.0.1', 'localhost'])('is refused before a session begins, with a way to another one: %s', async (host) => {
    const place = makePlace()
    const url = `http://${host}:${await deadPort()}/v1`
    const began = performance.now()
    const refused = await place.run(['run', 'ooda', 'mend it', '--max-iterations', '1', '--url', url])
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringMatching(/agent "chat" is not ready: nobody listens at \S+:\d+\n {2}next: greenlatch run ooda 'mend it' --max-iterations 1 --url "<address of a model>"\n$/) as string })
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(await place.run(['run', 'ooda', 'mend it', '--max-iterations', '1', '--url', url, '--dry-run'])).toMatchObject({ code: 0 })
  })

  it('leaves the work to whoever stands in', async () => {
    const place = makePlace()
    const server = await startModelServer({ script: { client: 'chat', turns: [{ text: 'Done.' }] } })
    onTestFinished(() => server.close())
    place.write('greenlatch.yaml', `agents:\n  first: { chat: "http://127.0.0.1:${await deadPort()}/v1", fallback: second }\n  second: { chat: "${server.url}" }\n`)
    const ended = await place.run(RUN)
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/first is left out \(nobody listens at \S+\): second is asked instead/)])
  })
})

describe('a fallback that could never stand in', () => {
  it.each([
    ['a person', 'hand', 'hand: { paste: true }', 'a person cannot be asked in the middle of a run'],
    ['one who can only talk, for one who edits files', 'near', 'near: { chat: "http://127.0.0.1:9/v1" }', 'one edits files and the other can only talk, so that they need different prompts'],
    ['one who only talks at the end of a chain', 'next', 'next: { command: "true", fallback: near }\n  near: { chat: "http://127.0.0.1:9/v1" }', '"near" cannot stand in for "first"'],
  ])('is refused before anything is asked: %s', async (_, fallback, entries, why) => {
    const place = makePlace()
    const agent = place.program('agent', 'true')
    place.write('greenlatch.yaml', `agents:\n  first: { command: ${agent}, fallback: ${fallback} }\n  ${entries}\n`)
    const { code, stderr } = await place.run(RUN)
    expect([code, place.starts('agent'), place.sessions()]).toEqual([2, [], []])
    expect(stderr).toContain(why)
  })
})

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

  it('from the beginning is said to be left out in the first lines; logs and status name who answered', async () => {
    const place = makePlace()
    const second = stub(place, 'second', ['success'], { 'a.txt': 'a' })
    settings(place, { first: { program: join(place.root, 'nowhere') } as StubAgent, second })
    const ended = await place.run(RUN)
    expect(linesOf(ended.stderr)[0]).toMatch(/^warning: first is left out \(\S+nowhere is not an executable program, here or on PATH\): second is asked instead$/)
    expect((await place.run(['logs'])).stdout).toMatch(/observed {2}pass in \S+ by second/)
    expect((await place.run(['status'])).stdout).toMatch(/^answered +second, once$/m)
    expect(await place.status()).toMatchObject({ answered: { second: 1 } })
  })

  it('because of a limit is shown by status: until when, and why; the wait is no active time', async () => {
    const place = makePlace()
    const first = stub(place, 'first', ['limit', 'success'], { 'a.txt': 'a' })
    settings(place, { first })
    const running = place.start(RUN)
    await running.says(/waiting until/)
    const id = place.session().split('/').at(-1) ?? ''
    const { stdout } = await place.run(['status', id])
    expect(stdout).toMatch(/^waits {6}until (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d: first: .*session limit/m)
    expect(await place.status()).toMatchObject({ waits: { until: expect.stringMatching(/^\d{4}-.*Z$/) as string, why: expect.stringContaining('session limit') as string } })
    running.send('SIGINT')
    await running.ended
    expect(await place.status()).toMatchObject({ waits: null })
  })

  it('for want of a login ends with the command that logs in', async () => {
    const place = makePlace()
    const program = place.program('codex', '[ "$1" = --version ] && echo 1.2.3 && exit', 'cat >/dev/null', `echo '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: Missing bearer"}}'`)
    place.write('greenlatch.yaml', `agents: { mine: { cli: codex, program: ${program} } }\n`)
    const ended = await place.run(['run', 'ooda', '--max-iterations', '1', '--agent', 'mine'])
    expect([ended.code, ended.stderr]).toEqual([7, expect.stringMatching(/log in: +codex login\n.*go on: +greenlatch resume \S+\n$/)])
  })
})

describe('a model that wants a key', () => {
  it('ends with the setting that names it', async () => {
    const server = await startModelServer({ script: { client: 'chat', turns: [{ fault: 'unauthorised' }] } })
    onTestFinished(() => server.close())
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '1', '--url', server.url])
    expect(ended.code).toBe(7)
    expect(ended.stderr).toMatch(/log in: +agents: \{ keyed: .* key: MODEL_KEY .* in greenlatch\.yaml, export MODEL_KEY=<key>, and take --agent keyed/)
    place.write('greenlatch.yaml', `agents: { near: { chat: ${server.url}, key: NEAR_KEY } }\nagent: near\n`)
    const keyed = await place.run(['run', 'ooda', '--max-iterations', '1', '--fresh'], { env: { NEAR_KEY: 'wrong' } })
    expect(keyed.stderr).toMatch(/log in: +export NEAR_KEY=<key>\n/)
  })
})
