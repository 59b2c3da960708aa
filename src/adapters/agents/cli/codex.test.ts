// Tests of Codex's dialect with what version 0.166.0 wrote.
import { describe, expect, it } from 'vitest'
import { codex } from './codex.js'
import { readFixture } from './fixture.js'

describe('Codex', () => {
  it('tells of its retries; a warning is no failure', () => {
    const { retries, ended } = readFixture(codex, 'codex-no-connection.jsonl')
    expect(retries[0]).toBe('Reconnecting... waiting for network (Connection failed: error sending request)')
    expect(ended).toBeNull()
  })

  it('fails in its own words when its server failed each time', () => {
    const { ended, retries } = readFixture(codex, 'codex-server-error.jsonl')
    expect(retries).toHaveLength(5)
    expect(ended).toMatchObject({ how: 'failed', note: expect.stringContaining('high demand') as string })
  })

  it('names a usage limit and its end in words', () => {
    expect(readFixture(codex, 'codex-limit.jsonl').ended?.note).toMatch(/hit your usage limit.* try again at \d+:\d\d [AP]M/)
  })

  it('fails with the words of its server, without the JSON around them', () => {
    expect(readFixture(codex, 'codex-refused.jsonl').ended).toEqual({ kind: 'ended', how: 'failed', note: 'The request is not valid.' })
  })
})
