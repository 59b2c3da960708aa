// Tests of opencode's dialect with what version 1.18.33 wrote.
import { describe, expect, it } from 'vitest'
import { readFixture } from './fixture.js'
import { opencode } from './opencode.js'

describe('opencode', () => {
  it('adds up what each step cost', () => {
    expect(readFixture(opencode, 'opencode-done.jsonl').usage?.usd).toBeCloseTo(0.00134, 8)
  })

  it('fails by its error record, and keeps what was used before it', () => {
    const { ended, usage } = readFixture(opencode, 'opencode-refused.jsonl')
    expect(ended).toEqual({ kind: 'ended', how: 'failed', note: 'The request is not valid.' })
    expect(usage).toMatchObject({ input: 600, cachedInput: 400, output: 50 })
  })

  it('is unavailable where the status says that it was not let in', () => {
    expect(readFixture(opencode, 'opencode-login.jsonl').ended).toMatchObject({ how: 'unavailable', note: 'The API key is not valid. (status 401)' })
  })

  it('fails when its last answer was cut off', () => {
    expect(readFixture(opencode, 'opencode-length.jsonl').ended).toMatchObject({ how: 'failed', note: 'its last step ended with "length"' })
  })

  it('tells of retries in its log alone, where other trouble is logged too', () => {
    const { retries } = readFixture(opencode, 'opencode-retrying.log')
    expect(retries).toEqual(Array.from({ length: 2 }, () => 'its model does not answer: Something went wrong in the server.'))
  })
})
