// Tests of taking secrets out of text and streams.
import { describe, expect, it } from 'vitest'
import { redactedStream, redactor, secretsIn } from './redact.js'

const SECRET = 'sk-0123456789/"quoted"'

function streamed(text: string, at: readonly number[], values: readonly string[]): string {
  const stream = redactedStream(values)
  const bytes = Buffer.from(text)
  const pieces = [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
  return Buffer.concat([...pieces.map((piece) => stream.push(piece)), stream.end()]).toString()
}

describe('secrets in text', () => {
  it('are replaced wherever they stand, also as JSON writes them, the longest first', () => {
    const redact = redactor([SECRET, 'sk-0123456789'])
    expect(redact(`a ${SECRET} b ${JSON.stringify({ x: SECRET })} c sk-0123456789`)).toBe('a *** b {"x":"***"} c ***')
    expect(redact('sk-0123456789\\/\\"quoted\\"')).toBe('***')
  })

  it('are replaced where the text was shortened in the middle of one', () => {
    const redact = redactor([SECRET])
    expect([redact(`a ${SECRET.slice(0, 9)}`), redact(`a ${SECRET.slice(0, 9)}…`), redact('a sk-'), redact('a…'), redact('')]).toEqual(['a ***', 'a ***…', 'a sk-', 'a…', ''])
  })

  it('are none where they are too short to be told from chance', () => {
    expect(redactor(['true', '1', '', undefined])('it is true: 1')).toBe('it is true: 1')
    expect(streamed('it is true: 1', [4], ['true'])).toBe('it is true: 1')
  })
})

describe('secrets in a stream', () => {
  it('are replaced wherever it is cut into pieces', () => {
    const text = `before ${SECRET} and sk-01, then ${SECRET}${SECRET} after`
    for (let first = 0; first <= text.length; first++)
      for (let second = first; second <= text.length; second += 7)
        expect(streamed(text, [first, second], [SECRET, 'sk-0123456789'])).toBe('before *** and sk-01, then ****** after')
  })

  it('hold nothing back but what may be the beginning of one, and leave all other bytes as they are', () => {
    const stream = redactedStream([SECRET])
    expect(stream.push(Buffer.from('line\n')).toString()).toBe('line\n')
    expect(stream.push(Buffer.from('then s')).toString()).toBe('then ')
    expect(stream.push(Buffer.from([0xff, 0x00])).toString('latin1')).toBe('s\u00ff\u0000')
    expect(stream.end().length).toBe(0)
  })

  it('do not come out by half where the stream ends in the middle of one', () => {
    expect(streamed(`x ${SECRET.slice(0, -1)}`, [5], [SECRET])).toBe('x ***')
    expect(streamed('x sk', [3], [SECRET])).toBe('x sk')
  })
})

describe('variables of an agent', () => {
  it('hold a secret unless neither their name nor their value looks like one', () => {
    const ordinary = { NODE_ENV: 'production', HOME: '/home/me', BASE_URL: 'http://127.0.0.1:8080/v1', NODE_OPTIONS: '--max-old-space-size=4096', PORT: '1234567', NONE: undefined }
    expect(secretsIn({ ...ordinary, MY_TOKEN: 'production', CODE: 'swordfish-17', PROXY: 'http://me:word@host' })).toEqual(['production', 'swordfish-17', 'http://me:word@host'])
  })
})
