// Tests of Qwen Code's dialect with what version 0.15.10 wrote.
import { describe, expect, it } from 'vitest'
import { readFixture } from './fixture.js'
import { qwen } from './qwen.js'

describe('Qwen Code', () => {
  it('is not believed when it calls an error of its model a success', () => {
    expect(readFixture(qwen, 'qwen-login.jsonl').ended).toEqual({ kind: 'ended', how: 'failed', note: 'API Error: 401 The API key is not valid.' })
    const { ended, usage } = readFixture(qwen, 'qwen-refused.jsonl')
    expect(ended).toMatchObject({ how: 'failed' })
    expect(usage).toMatchObject({ input: 600, cachedInput: 400, output: 50 })
  })

  it('is believed when its answer only speaks of such an error', () => {
    const told = qwen.newReader()(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'I print "[API Error: 401]" now.', usage: {} }))
    expect(told.at(-1)).toMatchObject({ kind: 'ended', how: 'done' })
  })
})
