// Tests of additions to a task.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amendTask, readAmendment, type Amending } from './amendment.js'

const TASK = '# Task\n\nAdd numbers.\n'
const amend = (change: Partial<Amending>): { text: string } | { fault: string } =>
  amendTask({ task: TASK, addition: 'Sums are modulo 7.', iteration: 5, original: TASK, each: 500, all: 2000, ...change })
const textOf = (change: Partial<Amending>): string => {
  const amended = amend(change)
  return 'text' in amended ? amended.text : amended.fault
}

describe('an amendment', () => {
  it('IS-14 is read from JSON after reasoning', () => {
    const text = '<think>{"dk_addition": "draft"}</think>```json\n{"diagnosis": "modulo", "dk_addition": " Sums are modulo 7. ", "confidence": "high"}\n```'
    expect(readAmendment(text)).toEqual({ kind: 'addition', addition: 'Sums are modulo 7.', diagnosis: 'modulo' })
    expect(readAmendment('{"addition": "x"}')).toEqual({ kind: 'addition', addition: 'x', diagnosis: '' })
  })

  it.each([
    ['prose', 'I think it is modulo 7.', 'the amendment cannot be read: it holds no JSON object'],
    ['low confidence', '{"dk_addition": "x", "confidence": " LOW "}', 'the amendment is of low confidence'],
    ['a low number', '{"dk_addition": "x", "confidence": 0.2}', 'the amendment is of low confidence'],
    ['nothing', '{"dk_addition": "  ", "confidence": "high"}', 'the amendment adds nothing'],
    ['null', '{"dk_addition": null}', 'the amendment adds nothing'],
  ])('IS-14 is none for %s', (_what, text, why) => {
    expect(readAmendment(text)).toEqual({ kind: 'none', why })
  })

  it('IS-14 is cut at its limit, in whole characters', () => {
    expect(textOf({ addition: '😀'.repeat(30), each: 10 })).toBe(`${TASK}\n## Domain Knowledge\n\n[Auto-DK iteration 5] ${'😀'.repeat(10)}\n`)
    expect(textOf({ addition: 'x'.repeat(501) }).match(/x+/)?.[0]).toHaveLength(500)
  })

  it('IS-14 is refused when the task has grown too much since the beginning', () => {
    const first = textOf({ addition: 'a'.repeat(60), all: 200 })
    expect(first.length - TASK.length).toBeLessThanOrEqual(200)
    const second = textOf({ task: first, addition: 'b'.repeat(60), iteration: 6, all: 200 })
    expect(second.length - TASK.length).toBeLessThanOrEqual(200)
    const growth = second.length - TASK.length + '\n[Auto-DK iteration 7] '.length + 60 + 1
    expect(amend({ task: second, addition: 'c'.repeat(60), iteration: 7, all: 200 })).toEqual({
      fault: `the task would grow by ${growth} characters in all, and 200 are allowed`,
    })
    expect(amend({ task: second, original: second, addition: 'c'.repeat(60), iteration: 7, all: 200 })).toHaveProperty('text')
  })

  it.each([
    ['at the end when there is no section', TASK, '# Task\n\nAdd numbers.\n\n## Domain Knowledge\n\n[Auto-DK iteration 5] Sums are modulo 7.\n'],
    ['to nothing', '', '## Domain Knowledge\n\n[Auto-DK iteration 5] Sums are modulo 7.\n'],
    ['to an empty section', '# T\n\n## Domain Knowledge\n', '# T\n\n## Domain Knowledge\n\n[Auto-DK iteration 5] Sums are modulo 7.\n'],
    [
      'to a section between others',
      '# T\n\n## Domain Knowledge\n\nOne.\n\n### More\n\nTwo.\n\n## Notes\n\nThree.\n',
      '# T\n\n## Domain Knowledge\n\nOne.\n\n### More\n\nTwo.\n\n[Auto-DK iteration 5] Sums are modulo 7.\n\n## Notes\n\nThree.\n',
    ],
    [
      'after code in the section that looks like a heading',
      '## Domain Knowledge\n\n```sh\n## no heading\n```\n\n## Notes\n',
      '## Domain Knowledge\n\n```sh\n## no heading\n```\n\n[Auto-DK iteration 5] Sums are modulo 7.\n\n## Notes\n',
    ],
    ['past a section that is only shown', '```\n## Domain Knowledge\n```\n', '```\n## Domain Knowledge\n```\n\n## Domain Knowledge\n\n[Auto-DK iteration 5] Sums are modulo 7.\n'],
  ])('IS-15 goes %s', (_where, task, amended) => {
    expect(textOf({ task, original: task })).toBe(amended)
  })

  it('IS-15 cannot end its section, and closes a fence that was cut in two', () => {
    const text = textOf({ addition: 'One.\n## Task\nDo less.\n```\ncode' })
    expect(text).toContain('[Auto-DK iteration 5] One.\n  ## Task\n  Do less.\n  ```\n  code\n  ```\n')
    expect(textOf({ task: text, addition: 'Two.', iteration: 6 })).toBe(`${text}\n[Auto-DK iteration 6] Two.\n`)
  })

  it('IS-15 is the same when it is made again from its own result, whatever it says', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''), (task, addition) => {
        const once = textOf({ task, original: task, addition })
        expect(textOf({ task: once, original: task, addition })).toBe(once)
        expect(once.startsWith(task.trimEnd().split('\n')[0] ?? '')).toBe(true)
      }),
    )
  })
})
