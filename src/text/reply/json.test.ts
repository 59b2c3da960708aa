// Tests of finding JSON in an answer.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastObject } from './json.js'

const withA = (text: string): unknown => lastObject(text, (object) => 'a' in object).value
const trouble = (text: string): string => lastObject(text, (object) => 'a' in object).trouble

describe('JSON in an answer', () => {
  it.each([
    ['bare', '{"a": 1}', { a: 1 }],
    ['in a fence', 'Here it is:\n```json\n{"a": 1}\n```\nGood luck.', { a: 1 }],
    ['in prose', 'I say {"a": 1}, and if {x} holds { y }', { a: 1 }],
    ['after code', 'function f() { if (x) { return "}" } }\n{"a": {"b": "}"}}', { a: { b: '}' } }],
    ['inside another object', '{"reply": {"a": 1}}', { a: 1 }],
    ['the last of several', '{"a": 1} {"a": 2} {"b": 3}', { a: 2 }],
    ['with escaped quotes', '{"a": "say \\"}\\" now"}', { a: 'say "}" now' }],
    ['with line breaks in a string', '{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    ['with a comma too many', '{"a": [1, 2, ], }', { a: [1, 2] }],
    ['after reasoning', '<think>{"a": 1}</think>{"a": 2}', { a: 2 }],
    ['not in reasoning', '{"a": 1}<think>{"a": 2}', { a: 1 }],
    ['with reasoning tags in a string', '{"a": "<think>"} {"a": "</think>"}', { a: '</think>' }],
  ])('IS-04 is found %s', (_where, text, value) => {
    expect(withA(text)).toEqual(value)
  })

  it.each([
    ['', 'it holds no JSON object'],
    ['a sentence with {braces}', 'it holds no JSON object'],
    ['<think>{"a": 1}', 'it holds no JSON object'],
    ['```json\n{"a": [1, {"b": 2}', 'its JSON breaks off before the end'],
    ['{"a": nothing}', 'its JSON cannot be read'],
    ['{"b": {"c": 1}}', 'its JSON is another object'],
  ])('IS-04 is not found in %j, and why is said', (text, why) => {
    expect(trouble(text)).toBe(why)
  })

  it('IS-04 is found wherever it stands, whatever is around it', () => {
    const prose = fc.string({ unit: 'binary' }).map((text) => text.replace(/[{"<\\]/g, ''))
    fc.assert(
      fc.property(prose, fc.jsonValue(), prose, (before, value, after) => {
        const wanted = JSON.parse(JSON.stringify({ a: value })) as unknown
        expect(withA(`${before}${JSON.stringify(wanted)}${after}`)).toEqual(wanted)
        expect(withA(`${before}\n\`\`\`json\n${JSON.stringify(wanted, null, 2)}\n\`\`\`\n${after}`)).toEqual(wanted)
      }),
    )
  })

  it('never throws, and costs little on hostile text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void lastObject(`{"a${text}`, () => true)))
    for (const junk of ['{"', '{ ', '{}', '{"a":', '{"a":{', '"{', '\\"{"', '{"a":"', '<think>{"']) {
      const steps = { count: 0 }
      lastObject(junk.repeat(1_000_000 / junk.length), () => (steps.count += 1) < 0)
      expect(steps.count).toBeLessThan(2_000_000)
    }
  })
})
