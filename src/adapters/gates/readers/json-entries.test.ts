// Tests of reading JSON as it comes: any cutting of the text, what is passed over, and what is no document.
import { describe, expect, it } from 'vitest'
import { createJsonEntries, type JsonObject } from './json-entries.js'

function read(pieces: readonly string[]): { entries: unknown[]; document: JsonObject | null } {
  const entries: unknown[] = []
  const reader = createJsonEntries({ lists: ['a', 'b'], values: ['n', 'o', 'text'], take: (list, entry) => void entries.push([list, entry]) })
  for (const piece of pieces) reader.push(piece)
  return { entries, document: reader.end() }
}

const DOCUMENT = String.raw`{
  "n": 1, "skip": {"a": [1, {"b": "]}"}], "x": "\\"}, "text": "ü\\\\\"},]", "a": [{"x": [1, 2, {"y": "],\""}]}, "s", [[]], null],
  "b" : [ ] , "o": { "p": [1, 2] }, "skipped": [{"a": [9]}, "]"], "last": true }
`
const READ = {
  entries: [['a', { x: [1, 2, { y: '],"' }] }], ['a', 's'], ['a', [[]]], ['a', null]],
  document: { n: 1, text: 'ü\\\\"},]', a: [], b: [], o: { p: [1, 2] } },
}

describe('a JSON document', () => {
  it('gives the entries of the wanted lists and the wanted values, and nothing of what only looks like them', () => {
    expect(read([DOCUMENT])).toEqual(READ)
  })

  it('is read the same wherever it is cut', () => {
    for (let at = 0; at <= DOCUMENT.length; at += 1) expect(read([DOCUMENT.slice(0, at), DOCUMENT.slice(at)]), `cut at ${at}`).toEqual(READ)
    expect(read([...DOCUMENT])).toEqual(READ)
  })

  it('may have other lines before it, in pieces of any size', () => {
    const text = `a note {\n{ not yet\n\n${DOCUMENT}`
    expect(read([text])).toEqual(READ)
    expect(read([...text])).toEqual(READ)
    expect(read(['\uFEFF  ', DOCUMENT])).toEqual(READ)
  })

  it('is none wherever it ends too early, and where something follows it', () => {
    const end = DOCUMENT.trimEnd().length
    for (let at = 0; at < end; at += 1) expect(read([DOCUMENT.slice(0, at)]).document, `cut at ${at}`).toBeNull()
    expect(read([DOCUMENT, '{}']).document).toBeNull()
    expect(read(['[]']).document).toBeNull()
    expect(read(['{"n": 1, "a": [nonsense]}']).document).toBeNull()
  })

  it('does not take longer for a line without an end, nor for one that is nothing but backslashes', () => {
    const pieces = Array.from({ length: 300 }, () => 'x'.repeat(65_536))
    expect(read(pieces).document).toBeNull()
    const slashes = Array.from({ length: 300 }, () => '\\'.repeat(65_536))
    expect(read(['{"text": "', ...slashes, '"}']).document?.text).toHaveLength(300 * 32_768)
  })
})
