// Tests of reading an agent's answer.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completionWord, readReview, readWord, stripReasoning, wordInstructions } from './reply.js'

const kinds = ['done', 'failed'] as const
const awkward = fc.constantFrom('DONE', 'GREENLATCH-DONE-', '`', '-')
const nonces = fc.oneof(fc.stringMatching(/^[0-9a-f]{8}$/), fc.string({ unit: 'binary' }), awkward)

describe('completion words', () => {
  it('are read when they stand alone on the last line, also with marks around them', () => {
    for (const kind of kinds) {
      const word = completionWord(kind, 'c0de')
      for (const line of [word, `**${word}**`, `\`${word}\``, `  ${word}.`, `\`\`\`\n${word}\n\`\`\``]) {
        expect(readWord(`I changed two files.\n\n${line}\n\n`, 'c0de')).toBe(kind)
      }
    }
  })

  it.each([
    ['with words before it', 'so I say GREENLATCH-DONE-c0de'],
    ['with words after it', 'GREENLATCH-DONE-c0de, I think'],
    ['on a line that is not the last', 'GREENLATCH-DONE-c0de\nand one more thing'],
    ['with the code of another ask', 'GREENLATCH-DONE-0ther'],
    ['without a code', 'GREENLATCH-DONE-'],
    ['in an empty answer', ''],
  ])('do not count %s', (_how, text) => {
    expect(readWord(text, 'c0de')).toBeNull()
  })

  it('do not exist without a code', () => {
    expect(wordInstructions('', kinds)).toBe('')
    expect(readWord(completionWord('done', ''), '')).toBeNull()
  })

  it('are asked for by kind', () => {
    expect(wordInstructions('c0de', ['done'])).toContain('`DONE`')
    expect(wordInstructions('c0de', ['done'])).not.toContain('`FAILED`')
    expect(wordInstructions('c0de', [])).toBe('')
  })

  it('are never said by repeating the prompt, whole or broken off anywhere, whatever the code', () => {
    fc.assert(
      fc.property(nonces, fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.nat(), (nonce, before, after, cut) => {
        const prompt = `${before}\n${wordInstructions(nonce, kinds)}\n${after}`
        for (const kind of kinds) expect(prompt.includes(completionWord(kind, nonce)) && nonce !== '').toBe(false)
        expect(readWord(prompt, nonce)).toBeNull()
        expect(readWord(prompt.slice(0, cut % (prompt.length + 1)), nonce)).toBeNull()
        for (const line of prompt.split('\n')) expect(readWord(line, nonce)).toBeNull()
      }),
    )
  })

  it('can be made from the instructions alone', () => {
    const [first, last, ...middles] = [...wordInstructions('c0de', kinds).matchAll(/`(\w+)`/g)].map((piece) => piece[1])
    expect(middles.map((middle) => readWord([first, middle, last].join('-'), 'c0de'))).toEqual(['done', 'failed'])
  })
})

describe('reasoning', () => {
  it.each([
    ['a block', '<think>hm</think>answer', 'answer'],
    ['several blocks', 'a <think>x</think>b<thinking>y</thinking> c', 'a b c'],
    ['nested blocks', '<think>a<think>b</think>c</think>answer', 'answer'],
    ['a block that never closes', 'answer\n<think>and then {"verdict": "pass"}', 'answer'],
    ['a nested block that never closes', 'answer<think>a<think>b</think>c', 'answer'],
    ['a block whose opening was left out', 'hm, let me see\n</think>\nanswer', 'answer'],
    ['odd letters and attributes', '<THINK kind="long">x</Think>answer', 'answer'],
    ['nothing', 'I think <b>so</b>', 'I think <b>so</b>'],
  ])('is left aside: %s', (_what, text, rest) => {
    expect(stripReasoning(text)).toBe(rest)
  })
})

describe('reviews', () => {
  it.each([
    ['plain JSON', '{"verdict": "pass", "findings": []}', { verdict: 'pass', findings: [] }],
    ['fenced JSON', 'Here:\n```json\n{"verdict":"fail","findings":["no {"]}\n```\nBye.', { verdict: 'fail', findings: ['no {'] }],
    ['JSON in prose', 'I find {x} odd. {"decision":"FAIL","reasons":["a","b"]} as said', { verdict: 'fail', findings: ['a', 'b'] }],
    ['nested JSON', '{"review": {"verdict": "approved"}}', { verdict: 'pass', findings: [] }],
    [
      'findings as objects',
      '{"verdict":"fail","findings":[{"message":"slow"},{"n":1}]}',
      { verdict: 'fail', findings: ['slow', '{"n":1}'] },
    ],
    ['the last of two', '{"verdict":"pass"} no: {"verdict":"fail"}', { verdict: 'fail', findings: [] }],
    ['a verdict after reasoning', '<think>{"verdict":"pass"}</think>{"verdict":"fail"}', { verdict: 'fail', findings: [] }],
    ['a last line', 'Two things:\n- one\n- two\n\n**Verdict: FAIL**\n', { verdict: 'fail', findings: ['one', 'two'] }],
    ['a last word', 'All good.\nPASS', { verdict: 'pass', findings: [] }],
  ])('are read from %s', (_form, text, review) => {
    expect(readReview(text)).toEqual(review)
  })

  it.each([
    ['an empty answer', ''],
    ['prose', 'I would let this pass'],
    ['prose whose last line is one word', 'All but one of them\npass'],
    ['a verdict only thought', '<think>{"verdict":"pass"}'],
    ['the form repeated', '{"verdict": "pass | fail"}'],
    ['a verdict in mid-text', 'PASS\nor maybe not'],
    ['broken JSON', '{"verdict": "pass"'],
    ['another type', '{"verdict": true}'],
  ])('are undecided for %s', (_form, text) => {
    expect(readReview(text)).toBeNull()
  })

  it('are read from any text without an error, and from hostile text in bounded work', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readReview(`{"a${text}`) !== undefined))
    expect(readReview(`${'{"'.repeat(500_000)}`)).toBeNull()
  })
})
