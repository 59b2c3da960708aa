// Tests of agents that break the rules: they hang, flood, die, leave things behind or speak something else.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isAlive, makeStage } from './fixture.js'

const LIMITS = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1024 * 1024 }

describe('an agent that dies', () => {
  it('that counts backwards gives no money back', async () => {
    const stage = makeStage()
    const cost = (amount: number) => ({ update: { sessionUpdate: 'usage_update', used: 9, size: 10, cost: { amount, currency: 'USD' } } })
    const answer = await stage.ask({ steps: [cost(0.5), cost(-3), cost(0.1)] })
    expect([answer.ending, answer.spent.usd]).toEqual(['done', 0.5])
  })

  it('that names its tool calls with what cannot become text is answered all the same', async () => {
    const stage = makeStage()
    const toolCallId = { toString: null, valueOf: null }
    const options = [{ optionId: 'yes', kind: 'allow_once', name: 'Yes' }]
    const answer = await stage.ask({ steps: [
      { update: { sessionUpdate: 'tool_call', toolCallId, title: 'odd', kind: 'edit', status: 'pending' } },
      { permission: { toolCall: { toolCallId }, options } },
      { say: 'through' },
    ] })
    expect(answer).toMatchObject({ ending: 'done', text: 'through' })
    expect(stage.heard().find(({ method }) => method === 'session/request_permission')).toMatchObject({ result: { outcome: { outcome: 'selected', optionId: 'yes' } } })
  })

  it('is answered although whoever listens fails at everything', async () => {
    const stage = makeStage()
    const onActivity = (): never => {
      throw new Error('the listener is broken')
    }
    const answer = await stage.ask({ steps: [{ update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'edit', kind: 'edit' } }, { write: ['a.txt', 'a'] }, { say: 'through' }] }, { request: { onActivity } })
    expect(answer).toMatchObject({ ending: 'done', text: 'through' })
  })

  it('before it has said a word has failed with its last complaint, or is unavailable when that tells of a limit', async () => {
    const failed = await makeStage().ask({ crash: 'panic: no such luck' })
    expect(failed).toMatchObject({ ending: 'failed', note: 'ended during initialize (exit 1): panic: no such luck' })
    expect(readFileSync(failed.files[0] ?? '', 'utf8')).toBe('panic: no such luck\n')
    expect(await makeStage().ask({ crash: '429 rate limit' })).toMatchObject({ ending: 'unavailable' })
  })

  it('when a session is wanted, or in the middle of its turn, has failed, and what it said is kept', async () => {
    expect(await makeStage().ask({ crashAtSession: 3 })).toMatchObject({ ending: 'failed', note: 'ended during session/new (exit 3)' })
    const halfway = await makeStage().ask({ steps: [{ say: 'half of ' }, { exit: 0 }] })
    expect(halfway).toMatchObject({ ending: 'failed', note: 'ended during session/prompt (exit 0)', text: 'half of ' })
  })
})

describe('an agent that does not come to an end', () => {
  it('is cancelled at the wall-clock limit, and its own stop reason then counts for nothing', async () => {
    const stage = makeStage()
    const answer = await stage.ask({ steps: [{ say: 'hm' }, { hang: true }] }, { request: { limits: { ...LIMITS, wallSeconds: 4 } } })
    expect(answer).toMatchObject({ ending: 'timeout', note: expect.stringContaining('wall-clock limit'), text: 'hm' })
    expect(stage.heard().at(-1)).toEqual({ cancelled: true })
  })

  it('is cancelled when it is silent too long, but not while a command it runs through us has output', async () => {
    const silent = await makeStage().ask({ steps: [{ hang: true }] }, { request: { limits: { ...LIMITS, silenceSeconds: 1 } } })
    expect(silent).toMatchObject({ ending: 'silence', note: expect.stringContaining('silence limit') })
    const command = 'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.5; done'
    const busy = await makeStage().ask({ steps: [{ terminal: { command } }] }, { request: { limits: { ...LIMITS, silenceSeconds: 4 } } })
    expect(busy.ending).toBe('done')
  })

  it('is ended with its whole tree when it ignores being cancelled, deaf to signals too', async () => {
    const stage = makeStage()
    const stop = new AbortController()
    const script = { ignoresCancel: true, isDeaf: true, steps: [{ orphan: true }, { hang: true }] }
    const asked = stage.ask(script, { signal: stop.signal })
    while (!stage.heard().some((entry) => 'orphan' in entry)) await sleep(20)
    stop.abort()
    expect(await asked).toMatchObject({ ending: 'aborted', note: expect.stringContaining('stopped on request') })
    expect(stage.heard().at(-1)).toEqual({ cancelled: true })
    expect(isAlive(Number(stage.heard().find((entry) => 'orphan' in entry)?.['orphan']))).toBe(false)
  })

  it('that stays after the end of its input is ended, and its turn counts all the same', async () => {
    expect(await makeStage().ask({ stays: true, steps: [{ say: 'done' }] })).toMatchObject({ ending: 'done', note: 'end_turn', text: 'done' })
  })

  it('that leaves a process behind has it ended, and the answer says so', async () => {
    const stage = makeStage()
    const answer = await stage.ask({ steps: [{ orphan: true }] })
    expect(answer).toMatchObject({ ending: 'done', note: expect.stringMatching(/^end_turn; \d processes left running and ended$/) })
    expect(isAlive(Number(stage.heard().find((entry) => 'orphan' in entry)?.['orphan']))).toBe(false)
  })

  it('is not asked at all when we are stopped before it has begun', async () => {
    const stage = makeStage()
    expect(await stage.ask({}, { signal: AbortSignal.abort() })).toMatchObject({ ending: 'aborted' })
    expect(stage.heard()).toEqual([])
  })

  it('is refused whatever it wants once it has been cancelled', async () => {
    const stage = makeStage()
    const options = [{ optionId: 'once', name: 'Once', kind: 'allow_once' }]
    const late = [{ untilCancelled: true }, { permission: { toolCall: { toolCallId: 't', kind: 'edit' }, options } }, { write: ['late.txt', 'x'] }, { terminal: { command: 'true' } }]
    const stop = new AbortController()
    const asked = stage.ask({ ignoresCancel: true, steps: late }, { signal: stop.signal })
    while (!stage.heard().some((entry) => 'prompt' in entry)) await sleep(20)
    stop.abort()
    await asked
    const told = stage.heard().filter(({ method }) => method !== undefined)
    expect(told[0]).toMatchObject({ result: { outcome: { outcome: 'cancelled' } } })
    expect(told.slice(1).map(({ error }) => error)).toEqual([expect.stringContaining('the turn is cancelled'), expect.stringContaining('the turn is cancelled')])
  })
})

describe('an agent that speaks something else', () => {
  it('between its messages is understood, and the lines that were none are counted and named', async () => {
    const script = { banner: 'Welcome to \u001b[31mstub\n\n[1,2]\n{"half":\n"text"\n', steps: [{ raw: '{"jsonrpc":"2.0","id":"nobody","result":{}}\n' }, { say: 'hi' }] }
    const answer = await makeStage().ask(script)
    expect(answer).toMatchObject({ ending: 'done', text: 'hi', note: 'end_turn; 5 lines left out that were no messages (Welcome to stub)' })
  })

  it('and nothing but that has failed, also when its last message is only half there', async () => {
    const answer = await makeStage().ask({ steps: [{ raw: '{"jsonrpc":"2.0","id":2,"result":{"stopRea' }, { exit: 0 }] })
    expect(answer).toMatchObject({ ending: 'failed', note: expect.stringContaining('; 1 line left out that was no message ({"jsonrpc"') })
  })

  it('in updates that make no sense is understood where it makes some', async () => {
    const updates = [null, 7, { sessionUpdate: 'dance' }, { sessionUpdate: 'tool_call' }, { sessionUpdate: 'agent_message_chunk', content: 'x' }, { sessionUpdate: 'usage_update', cost: 1 }]
    const answer = await makeStage().ask({ steps: [...updates.map((update) => ({ update })), { say: 'fine' }] })
    expect(answer).toMatchObject({ ending: 'done', note: 'end_turn', text: 'fine' })
  })

  it('in a message beyond all bounds has failed, and the note says so', async () => {
    const answer = await makeStage().ask({ steps: [{ long: 9 * 1024 * 1024 }, { hang: true }] })
    expect(answer).toMatchObject({ ending: 'failed', note: expect.stringContaining('a message of more than 8 MiB') })
  })

  it('without an end floods neither the memory nor the disk', async () => {
    const stage = makeStage()
    const before = process.memoryUsage().rss
    const answer = await stage.ask({ steps: [{ flood: 40_000 }] })
    expect(answer.ending).toBe('done')
    expect(answer.text.length).toBeLessThanOrEqual(4 * 1024 * 1024)
    expect(statSync(answer.files[0] ?? '').size).toBeLessThanOrEqual(LIMITS.outputBytes)
    expect(stage.activities).toContainEqual({ kind: 'cut', note: expect.stringContaining('went past its limit') })
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  })

  it('in requests without taking their answers is not read any further, and ends by the silence limit', async () => {
    const stage = makeStage()
    writeFileSync(join(stage.cwd, 'big.txt'), 'x'.repeat(1024 * 1024))
    const answer = await stage.ask({ steps: [{ pester: ['big.txt', 20_000] }, { hang: true }] }, { request: { limits: { ...LIMITS, silenceSeconds: 2 } } })
    expect(answer).toMatchObject({ ending: 'silence' })
    expect(stage.answers().length).toBeLessThan(20)
  })
})
