// Tests of reading changes by parts out of an answer.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looseDiffs, readDiff, readSearches } from './edits.js'

const section = (from: string, to: string): string => `<<<<<<< SEARCH\n${from}=======\n${to}>>>>>>> REPLACE\n`

describe('search and replace', () => {
  it('is read section by section, with fences and empty lines between', () => {
    const text = `\n${section('a\nb\n', 'c\n')}\n\`\`\`\n${section('', 'd\n')}`
    expect(readSearches(text)).toEqual({
      parts: [
        { name: 'part 1', at: null, lines: [{ does: 'remove', text: 'a' }, { does: 'remove', text: 'b' }, { does: 'add', text: 'c' }] },
        { name: 'part 2', at: null, lines: [{ does: 'add', text: 'd' }] },
      ],
    })
  })

  it.each([
    ['never closes', '<<<<<<< SEARCH\na\n=======\nb\n', /^part 1 is not closed/],
    ['never opens', 'a\n=======\nb\n>>>>>>> REPLACE\n', /^part 1 is not closed/],
    ['has no divider', '<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n', /^part 1 can be read in more than one way/],
    ['has two dividers', section('Title\n=======\n', 'x\n'), /^part 1 can be read in more than one way/],
    ['opens twice', `<<<<<<< SEARCH\na\n${section('b\n', 'c\n')}`, /^part 1 can be read in more than one way/],
    ['has words between sections', `${section('a\n', 'b\n')}and then\n${section('c\n', 'd\n')}`, /^part 2 is not closed/],
    ['is empty', '\n', /^it holds no part/],
  ])('is refused when it %s', (_what, text, fault) => {
    expect(readSearches(text)).toEqual({ fault: expect.stringMatching(fault) as string })
  })
})

describe('a diff', () => {
  it('is read hunk by hunk, whatever lengths it claims, with or without names', () => {
    const hunks = '@@ -3,9 +3,1 @@ def x\n a\n-b\n+c\n\n\\ No newline at end of file\n@@\n-d\n+e\n'
    const parts = [
      { name: 'hunk 1', at: 2, lines: [{ does: 'keep', text: 'a' }, { does: 'remove', text: 'b' }, { does: 'add', text: 'c' }, { does: 'keep', text: '' }] },
      { name: 'hunk 2', at: null, lines: [{ does: 'remove', text: 'd' }, { does: 'add', text: 'e' }] },
    ]
    expect(readDiff(hunks, 'x.py')).toEqual({ parts })
    expect(readDiff(`diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\t2026\n${hunks}`, 'x.py')).toEqual({ parts })
    expect(readDiff('--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n', 'x.py')).toMatchObject({ parts: [{ at: 0, lines: [{ does: 'add', text: 'a' }] }] })
  })

  it('is refused when it has no hunk, a foreign line, a hunk without a change, or another name', () => {
    const faults = ['', 'some words\n', '@@ -1 +1 @@\n-a\nfree text\n', '@@ -1 +1 @@\n a\n', '--- a/y.py\n', '+++ /dev/null\n'].map((text) => readDiff(text, 'x.py'))
    expect(faults.map((read) => ('fault' in read ? read.fault : ''))).toEqual([
      'it holds no hunk; one begins with a line @@',
      'the line "some words" belongs to no hunk; one begins with a line @@',
      'hunk 1: the line "free text" begins with none of " ", "+" and "-"',
      'hunk 1 changes nothing',
      'it is about y.py; a block changes the one file that it names',
      'a diff takes no file away; write a line === DELETE x.py ===',
    ])
  })

  it('is found in its fence, one piece for each file, and not in reasoning', () => {
    const one = (name: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`
    const text = `Look:\n\`\`\`diff\ndiff --git a/x b/x\n${one('x')}diff --git a/y b/y\n${one('y')}\`\`\`\n<think>\n\`\`\`diff\n${one('z')}\`\`\`\n</think>`
    expect(looseDiffs(text)).toEqual([{ path: 'x', text: one('x') }, { path: 'y', text: one('y') }])
    expect(looseDiffs(`\`\`\`python\n${one('x')}\`\`\``)).toEqual([])
    expect(looseDiffs(`\`\`\`diff\n${one('x')}`)).toEqual([])
  })
})

describe('any text', () => {
  it('is read without an error and at little cost', () => {
    const pieces = fc.constantFrom('<<<<<<< SEARCH\n', '=======\n', '>>>>>>> REPLACE\n', '@@ -1 +1 @@\n', '--- a/x\n', '+++ b/x\n', '```diff\n', '```\n', '+', '-', ' ', '\n')
    const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))).map((list) => list.join(''))
    const readAll = (text: string): void => void [readSearches(text), readDiff(text, 'x'), looseDiffs(text)]
    fc.assert(fc.property(texts, readAll))
    for (const junk of ['<<<<<<< SEARCH\n', section('a\n', 'b\n'), '@@ -1 +1 @@\n', '```diff\n', '--- a\n+++ b\n']) readAll(junk.repeat(1_000_000 / junk.length))
  })
})
