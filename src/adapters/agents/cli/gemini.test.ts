// Tests of Gemini CLI's dialect with what version 0.61.0 wrote.
import { describe, expect, it } from 'vitest'
import { readFixture } from './fixture.js'
import { gemini } from './gemini.js'

describe('Gemini CLI', () => {
  it('puts its answer together from pieces, and begins anew after a tool', () => {
    const { texts, usage } = readFixture(gemini, 'gemini-done.jsonl')
    expect(texts).toEqual(['I writ', 'I write it.', 'Done: b.txt', 'Done: b.txt is there.'])
    expect(usage?.model).toBe('gemini-2.5-pro')
  })

  it('is unavailable where the status in its result says that it was not let in', () => {
    expect(readFixture(gemini, 'gemini-login.jsonl').ended).toEqual({ kind: 'ended', how: 'unavailable', isLogin: true, note: 'The API key is not valid. (status 401)' })
  })

  it('fails with the error that came before a result without words, and counts what was used', () => {
    const { ended, usage } = readFixture(gemini, 'gemini-empty.jsonl')
    expect(ended).toMatchObject({ how: 'failed', note: expect.stringContaining('empty response') as string })
    expect(usage).toMatchObject({ input: 400, output: 80 })
  })

  it('tells of retries on standard error alone', () => {
    const { retries } = readFixture(gemini, 'gemini-retrying.log')
    expect(retries).toHaveLength(3)
    expect(retries[0]).toContain('Attempt 1 failed with status 500. Retrying with backoff')
    expect(retries[0]).not.toContain('{')
  })
})
