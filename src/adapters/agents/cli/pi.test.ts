// Tests of pi's dialect with what version 0.74.2 wrote.
import { describe, expect, it } from 'vitest'
import { readFixture } from './fixture.js'
import { pi } from './pi.js'

describe('pi', () => {
  it('adds up what each message cost', () => {
    expect(readFixture(pi, 'pi-done.jsonl').usage?.usd).toBeCloseTo(0.00134, 8)
  })

  it('has not ended while it tries again, and fails when it has tried for the last time', () => {
    const { ended, retries, usage } = readFixture(pi, 'pi-server-error.jsonl')
    expect(retries).toHaveLength(3)
    expect(ended).toEqual({ kind: 'ended', how: 'failed', note: '500 Something went wrong in the server.' })
    expect(usage).toBeNull()
    const read = pi.newReader()
    expect(read('{"type":"auto_retry_start","errorMessage":"x"}')[0]).toEqual({ kind: 'goes-on' })
  })

  it('fails when its last answer was cut off', () => {
    expect(readFixture(pi, 'pi-length.jsonl').ended).toMatchObject({ how: 'failed', note: 'its last answer ended with "length"' })
  })

  it('reads the end without the messages that it repeats, however many there are', () => {
    const read = pi.newReader()
    read('{"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[]}}')
    expect(read(`{"type":"agent_end","messages":[{"role":"user","content":"${'x'.repeat(2_000_000)}`)).toEqual([{ kind: 'ended', how: 'done', note: '' }])
    expect(read('{"type":"agent_end","messages":[{"role":"user","content":"cut o')).toEqual([])
  })
})
