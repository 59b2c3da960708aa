// Tests of telling an answer from reasoning.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { piecesOutside, stripReasoning } from './reasoning.js'

describe('reasoning', () => {
  it.each([
    ['a block', '<think>hm</think>answer', 'answer'],
    ['several blocks', 'a <think>x</think>b<thinking>y</thinking> c', 'a b c'],
    ['nested blocks', '<think>a<think>b</think>c</think>answer', 'answer'],
    ['a block that never closes', 'answer\n<think>and then {"verdict": "pass"}', 'answer'],
    ['a nested block that never closes', 'answer<think>a<think>b</think>c', 'answer'],
    ['a block whose opening was left out', 'hm, let me see\n</think>\nanswer', 'answer'],
    ['odd letters and attributes', '<THINK kind="long">x</Think>answer', 'answer'],
    ['no tag that is only spoken of', 'It strips `<think>` and "</think>".', 'It strips `<think>` and "</think>".'],
    ['nothing', 'I think <b>so</b>', 'I think <b>so</b>'],
  ])('IS-03 is left aside: %s', (_what, text, rest) => {
    expect(stripReasoning(text)).toBe(rest)
  })
})

describe('pieces outside reasoning', () => {
  const words = (text: string): string[] => piecesOutside(text, /\[(\w*)\]|\[\[/g, (open) => (open[1] === undefined ? null : { value: open[1], end: open.index + open[0].length }))

  it.each([
    ['in order', '[a] and [b]', ['a', 'b']],
    ['none of reasoning', '[a]<think>[b]</think>[c]', ['a', 'c']],
    ['none of reasoning that never ends', '[a]<think>[b]', ['a']],
    ['none of nested reasoning', '<think>[a]<think>[b]</think>[c]</think>[d]', ['d']],
    ['none before a tag that closes what was never opened', '[a][b]</think>[c]', ['c']],
    ['what stands before an earlier tag', '[a]<think></think>[b]</think>[c]', ['a', 'c']],
    ['nothing at all when such a tag comes last', '[a]</think>', []],
  ])('are taken: %s', (_what, text, found) => {
    expect(words(text)).toEqual(found)
  })

  it('keep the tags they hold', () => {
    const quotes = (text: string): string[] => piecesOutside(text, /«/g, ({ index }) => ({ value: text.slice(index + 1, text.indexOf('»', index)), end: text.indexOf('»', index) + 1 }))
    expect(quotes('«a<think>b» <think>«c»</think> «d</think>e»')).toEqual(['a<think>b', 'd</think>e'])
  })

  it('agree with what is left when reasoning is taken out', () => {
    const parts = fc.array(fc.constantFrom('<think>', '</think>', '[a]', '[b]', ' ', '[[', 'x'), { maxLength: 12 }).map((list) => list.join(''))
    fc.assert(fc.property(parts, (text) => void expect(words(text)).toEqual(words(stripReasoning(text)))))
  })
})
