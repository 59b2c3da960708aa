// Tests of goose's dialect with what version 1.52.0 wrote.
import { describe, expect, it } from 'vitest'
import { readFixture } from './fixture.js'
import { goose } from './goose.js'

describe('goose', () => {
  it.each([
    ['goose-server-error.jsonl', /^Ran into this error: Server error: Server error \(500/],
    ['goose-no-connection.jsonl', /^Network error: Could not connect/],
    ['goose-refused.jsonl', /^Ran into this error: Request failed: Bad request \(400\)/],
    ['goose-context.jsonl', /^Unable to continue: Context limit/],
    ['goose-login.jsonl', /Authentication failed/],
    ['goose-length.jsonl', /cut off at the limit/],
  ])('is not believed when it completes with an error in place of an answer: %s', (name, says) => {
    const { ended } = readFixture(goose, name)
    expect(ended).toMatchObject({ how: 'failed' })
    expect(ended?.note).toMatch(says)
  })

  it('counts what was used before it failed', () => {
    expect(readFixture(goose, 'goose-refused.jsonl').usage).toMatchObject({ input: 600, cachedInput: 400, output: 50 })
  })

  it('is believed when its model begins with such words', () => {
    const read = goose.newReader()
    read(JSON.stringify({ type: 'message', message: { id: '1', role: 'assistant', content: [{ type: 'text', text: 'Network error handling is done.' }], metadata: { inference: {} } } }))
    expect(read('{"type":"complete","total_tokens":null}')).toEqual([{ kind: 'ended', how: 'done', note: '' }])
  })
})
