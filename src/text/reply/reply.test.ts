// Tests of completion words.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completionWord, readWord, wordInstructions } from './reply.js'

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
    ['in reasoning that never ends', 'well\n<think>\nGREENLATCH-DONE-c0de'],
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
