// Tests of finding secrets by their shape alone, in text and in streams that are cut anywhere.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactedStream, redactor } from './redact.js'

const redact = redactor([])
const RANDOM = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d'
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEpAIBAAKCAQEA7bq', 'aGVsbG8gd29ybGQ=', '-----END RSA PRIVATE KEY-----'].join('\n')

describe('a secret by its shape', () => {
  it.each([
    `sk-proj-${RANDOM}`, `sk-ant-api03-${RANDOM}`, `ghp_${RANDOM.slice(0, 36)}`, `github_pat_${RANDOM}_${RANDOM}`, `glpat-${RANDOM.slice(0, 20)}`, `xoxb-1234567890-${RANDOM}`,
    'AKIAQ3EGRZ7VX2LN5TPW', `AIza${RANDOM.slice(0, 35)}`, `npm_${RANDOM.slice(0, 36)}`, `hf_${RANDOM}`, `sk_live_${RANDOM}`, `SG.${RANDOM}.${RANDOM}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${RANDOM}`,
  ])('%s is hidden wherever it stands.', (token) => {
    expect(redact(`before token=${token}, after`)).toBe('before token=***, after')
    expect(redact(JSON.stringify({ error: `bad ${token}` }))).toBe('{"error":"bad ***"}')
    for (let pad = 0; pad < 17; pad++) expect(redact(`${' '.repeat(pad)}${token}`)).toBe(`${' '.repeat(pad)}***`)
  })

  it('is hidden in an address, in a header and as a key in PEM.', () => {
    expect(redact('postgres://me:s3cret-word@db/x and https://example.org/a:b@c')).toBe('postgres://me:***@db/x and https://example.org/a:b@c')
    expect(redact(`Authorization: Bearer ${RANDOM}.x`)).toBe('Authorization: Bearer ***')
    expect(redact(`a\n${KEY}\nb`)).toBe('a\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nb')
  })

  it.each([
    'sk-fading-circle-wrapper-of-many-words', 'AKIAIOSFODNN7EXAMPLE', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678', '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'src/adapters/workspace/checkout-12.test.ts', 'http://127.0.0.1:8080/v1', 'Bearer token expected', 'node:internal/modules/cjs/loader:1080', '',
  ])('is not seen in %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  it('is hidden wherever a stream is cut, and nothing else is lost.', () => {
    const text = `one ghp_${RANDOM.slice(0, 36)} two\n${KEY}\nhttps://me:pass-w0rd@host/ three Bearer ${RANDOM} four\n`
    const whole = redact(text)
    expect(whole).toBe('one *** two\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nhttps://me:***@host/ three Bearer *** four\n')
    const bytes = Buffer.from(text)
    for (let at = 0; at <= bytes.length; at++) {
      const stream = redactedStream([])
      expect(Buffer.concat([stream.push(bytes.subarray(0, at)), stream.push(bytes.subarray(at)), stream.end()]).toString()).toBe(whole)
    }
    const stream = redactedStream([])
    expect(Buffer.concat([...bytes].map((byte) => stream.push(Buffer.from([byte]))).concat(stream.end())).toString()).toBe(whole)
  })

  it('is hidden among words of any length, wherever the stream is cut, and they are left.', () => {
    const token = fc.constantFrom(`sk-proj-${RANDOM}`, 'AKIAQ3EGRZ7VX2LN5TPW', `xoxb-${RANDOM.slice(0, 16)}`, `sk_live_${RANDOM.slice(0, 16)}`).map((text) => ({ text, left: '***' }))
    const word = fc.stringMatching(/^[a-z0-9_.-]{0,40}$/).map((text) => ({ text: `o${text}`, left: `o${text}` }))
    const piece = fc.tuple(fc.oneof(word, word, token), fc.constantFrom(' ', '\n', '/', ', ', '("', '\u00e9'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(900), { maxLength: 5 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.map(([{ text }, gap]) => text + gap).join(''))
        const left = pieces.map(([part, gap]) => part.left + gap).join('')
        expect(redact(bytes.toString())).toBe(left)
        const stream = redactedStream([])
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const out = places.slice(1).map((end, at) => stream.push(bytes.subarray(places[at], end)))
        expect(Buffer.concat([...out, stream.end()]).toString()).toBe(left)
      }),
      { numRuns: 1000 },
    )
  })
})
