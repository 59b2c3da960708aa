// Tests of attempts: what is tried again and when, what is not, and that limits and signals really end a request.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { FaultKind } from '../../../testing/model-server/index.js'
import { askAt, serverWith } from './fixture.js'

const GOOD = { text: 'the answer' }

/** An address that nobody listens at. */
async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('an attempt that failed', () => {
  it('IS-19 is made four times, after 2, 8 and 32 seconds, where nobody can be reached', async () => {
    const url = await deadAddress()
    const { answer, waits, activities } = await askAt(url)
    expect(waits).toEqual([2, 8, 32])
    const where = url.replace('http://', '')
    expect(answer).toMatchObject({ ending: 'unavailable', note: `cannot reach ${where} (ECONNREFUSED); given up after 4 attempts`, text: '', spent: { tokens: 0 } })
    expect(activities.filter(({ kind }) => kind === 'retry')).toMatchObject([
      { note: `cannot reach ${where} (ECONNREFUSED); attempt 2 of 4 in 2 s` }, { note: expect.stringContaining('3 of 4 in 8 s') as string }, { note: expect.stringContaining('4 of 4 in 32 s') as string },
    ])
  })

  it.each(['reset', 'cut', 'no-terminal', 'server-error', 'bad-gateway', 'unavailable', 'gateway-timeout', 'overloaded', 'rate-limited', 'error-midway', 'empty-body', 'truncated-json'] satisfies FaultKind[])(
    'IS-19 is made again after %s, and the answer is that of the last one alone',
    async (fault) => {
      const server = await serverWith([{ text: 'half an answer', fault, times: 3 }, GOOD])
      const { answer, waits } = await askAt(server.url)
      expect(answer).toMatchObject({ ending: 'done', text: 'the answer' })
      expect(waits).toEqual([2, 8, 32])
      expect(server.requests).toHaveLength(4)
    },
  )

  it('IS-19 is made again when nothing comes for too long, before the answer or in the middle of it', async () => {
    for (const fault of ['hang', 'hang-midway'] as const) {
      const server = await serverWith([{ text: 'half an answer', fault }, GOOD])
      const { answer, waits } = await askAt(server.url, { limits: { wallSeconds: 60, silenceSeconds: 0.2, outputBytes: 100_000 } })
      expect([answer.ending, answer.text, waits]).toEqual(['done', 'the answer', [2]])
      await expect.poll(() => server.requests[0]?.ending).toBe('left')
    }
  })

  it('waits for no time that is beyond all limits', async () => {
    const never = await serverWith([{ fault: 'unavailable', headers: { 'retry-after': '99999999999999999' } }, GOOD])
    expect(await askAt(never.url)).toMatchObject({ waits: [2], answer: { ending: 'done' } })
  })

  it('IS-19 waits as long as the server says, in seconds or until a date', async () => {
    const seconds = await serverWith([{ fault: 'rate-limited-seconds', retryAfterSeconds: 7 }, GOOD])
    expect((await askAt(seconds.url)).waits).toEqual([7])
    const date = await serverWith([{ fault: 'rate-limited-date', retryAfterSeconds: 20 }, GOOD])
    const [waited = 0] = (await askAt(date.url)).waits
    expect(waited).toBeGreaterThan(10)
    expect(waited).toBeLessThanOrEqual(20)
    const past = await serverWith([{ fault: 'unavailable', headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } }, GOOD])
    expect((await askAt(past.url)).waits).toEqual([0])
  })

  it('IS-19 is left to the session when the server wants a long time, which is told', async () => {
    const server = await serverWith([{ fault: 'rate-limited-seconds', retryAfterSeconds: 3600 }])
    const before = Date.now()
    const { answer, waits } = await askAt(server.url)
    expect([answer.ending, waits, server.requests.length]).toEqual(['unavailable', [], 1])
    expect(answer.until).toBeGreaterThanOrEqual(before + 3600_000)
  })

  it.each([
    ['bad-request', 'failed', 'HTTP 400: The request is not valid.'],
    ['context-too-long', 'failed', 'HTTP 400: The prompt is too long: 250000 tokens, and the maximum context length is 200000 tokens.'],
    ['too-large', 'failed', 'HTTP 413: The request is larger than is allowed.'],
    ['unauthorised', 'unavailable', 'HTTP 401: The API key is not valid.'],
    ['forbidden', 'unavailable', 'HTTP 403: This key may not use the model.'],
    ['not-found', 'unavailable', 'HTTP 404: The model does not exist.'],
    ['quota-used-up', 'unavailable', 'HTTP 429: You have used up your quota.'],
    ['wrong-content-type', 'unavailable', /answers with text\/html; charset=utf-8, which is no model's answer$/],
    ['invalid-json', 'failed', /^an event of its stream is no JSON/],
    ['empty-answer', 'failed', 'the answer is empty'],
    ['refusal', 'failed', 'the model refuses: I cannot help with that.'],
    ['malformed-call', 'failed', 'the model called a tool, and none was offered'],
  ] as [FaultKind, string, string | RegExp][])('IS-19 ends at once and says why after %s', async (fault, ending, note) => {
    const server = await serverWith({ ...GOOD, fault })
    const { answer, waits } = await askAt(server.url)
    expect([answer.ending, answer.text, waits, server.requests.length]).toEqual([ending, '', [], 1])
    expect(answer.note).toMatch(note)
  })
})

describe('an answer', () => {
  it('that was cut off at its limit is none, and says that less would do', async () => {
    const server = await serverWith({ text: 'x'.repeat(100), fault: 'length' })
    const { answer } = await askAt(server.url)
    expect(answer).toMatchObject({ ending: 'failed', cut: true, text: '', note: 'the answer broke off at the most tokens it may have (4,096): write less, and change files by parts' })
  })

  it('that is told to be over twice is one, and so is one whose end was lost after its last word', async () => {
    const server = await serverWith([{ ...GOOD, fault: 'duplicate-terminal', usage: { input: 5, output: 6 } }])
    expect((await askAt(server.url)).answer).toMatchObject({ ending: 'done', text: 'the answer', spent: { tokens: 11 } })
  })

  it('that is longer than its limit is ended and not taken', async () => {
    const server = await serverWith({ text: 'x'.repeat(200_000) })
    const limits = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 50_000 }
    for (const entry of [{}, { stream: false as const }]) {
      expect((await askAt(server.url, { limits, entry })).answer).toMatchObject({ ending: 'failed', text: '', note: expect.stringMatching(/^the answer is longer than 50000 bytes/) as string })
    }
  })
})

describe('a request', () => {
  it('is ended by the wall-clock limit, though the answer goes on', async () => {
    const server = await serverWith({ text: 'word '.repeat(10), fault: 'endless', pauseSeconds: 0.01 })
    const { answer } = await askAt(server.url, { limits: { wallSeconds: 0.3, silenceSeconds: 60, outputBytes: 10_000_000 } })
    expect(answer).toMatchObject({ ending: 'timeout', text: '' })
    await expect.poll(() => server.requests[0]?.ending).toBe('left')
  })

  it('is not made again when no time is left for the wait', async () => {
    const server = await serverWith({ fault: 'server-error' })
    const { answer, waits } = await askAt(server.url, { limits: { wallSeconds: 1, silenceSeconds: 60, outputBytes: 100_000 } })
    expect([answer.ending, waits, server.requests.length]).toEqual(['unavailable', [], 1])
    expect(answer.note).toBe('HTTP 500: Something went wrong in the server.; no time is left for another attempt')
  })

  it('is ended by a signal: before it, while it hangs, and in the wait for the next attempt', async () => {
    const server = await serverWith({ fault: 'hang' })
    expect((await askAt(server.url, { signal: AbortSignal.abort() })).answer.ending).toBe('aborted')
    expect(server.requests.length).toBe(0)
    const stop = new AbortController()
    const asked = askAt(server.url, { signal: stop.signal })
    await expect.poll(() => server.requests.length).toBe(1)
    stop.abort()
    expect((await asked).answer.ending).toBe('aborted')
    await expect.poll(() => server.requests[0]?.ending).toBe('left')
    const failing = await serverWith({ fault: 'server-error' })
    const later = new AbortController()
    // The real wait: it would last two seconds.
    const onActivity = (activity: { kind: string }): void => void (activity.kind === 'retry' && later.abort())
    const { answer } = await askAt(failing.url, { signal: later.signal, onActivity, options: { wait: undefined } as object })
    expect([answer.ending, failing.requests.length]).toEqual(['aborted', 1])
  })
})
