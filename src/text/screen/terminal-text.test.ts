// Tests of what is written to a terminal and what comes from one: frames, keys, and a line that is being written.
import { describe, expect, it } from 'vitest'
import { edited, editorLine, NOTHING_WRITTEN, typedIn, type Editing } from './editor.js'
import { frameBetween, painted } from './paint.js'
import { inAscii } from './signs.js'

const after = (chunk: string): Editing => typedIn(chunk).reduce(edited, NOTHING_WRITTEN)

describe('a frame', () => {
  it('writes only the lines that have changed, each at its place, in one go', () => {
    expect(frameBetween(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\u001B[?2026h\u001B[?7l\u001B[2;1H\u001B[Kx\u001B[?7h\u001B[?2026l')
    expect(frameBetween(['a', 'b'], ['a', 'b'])).toBe('')
  })

  it('writes all lines of a screen of which nothing is known', () => {
    expect(frameBetween(null, ['a', '']).split('H\u001B[K')).toHaveLength(3)
  })

  it('has colours only where they are wanted, and ends each of them', () => {
    const line = [{ text: 'state ' }, { text: 'RUNNING', tone: 'strong' as const }]
    expect(painted(line, true)).toBe('state \u001B[1mRUNNING\u001B[0m')
    expect(painted(line, false)).toBe('state RUNNING')
  })
})

describe('keys', () => {
  it('come by name, text as text, and what means nothing not at all', () => {
    expect(typedIn('h\r\u001B[A\u001B\u0003')).toEqual([
      { kind: 'text', text: 'h' }, { kind: 'key', name: 'enter' }, { kind: 'key', name: 'up' }, { kind: 'key', name: 'escape' }, { kind: 'key', name: 'interrupt' },
    ])
    expect(typedIn('\u001B[200~\u001B[<0;3;4M\u001B[15~\u0000')).toEqual([])
  })
})

describe('a line that is being written', () => {
  it.each([
    ['look at it', { text: 'look at it', at: 10 }],
    ['abc\u007Fd', { text: 'abd', at: 3 }],
    ['look here\u0017there', { text: 'look there', at: 10 }],
    ['gone\u0015new', { text: 'new', at: 3 }],
    ['ac\u001B[Db', { text: 'abc', at: 2 }],
    ['bc\u001B[Ha\u001B[F!', { text: 'abc!', at: 4 }],
    ['abc\u001B[H\u001B[3~', { text: 'bc', at: 0 }],
    ['👍👍\u007F', { text: '👍', at: 2 }],
    ['👍\u001B[D\u001B[C', { text: '👍', at: 2 }],
    ['\u007F\u001B[D\u001B[3~', { text: '', at: 0 }],
  ])('is, after %j, %j', (chunk, expected) => {
    expect(after(chunk)).toEqual(expected)
  })

  it('does not grow without bound', () => {
    expect(after('x'.repeat(5000)).text).toHaveLength(2000)
  })

  it('is shown around its caret', () => {
    expect(editorLine('hint:', { text: 'abc', at: 1 }, 40, '|')).toBe('hint: a|bc')
    expect(editorLine('hint:', { text: 'abcdefghij', at: 10 }, 12, '|')).toBe('hint: ghij|')
  })
})

describe('text for a terminal that knows only ASCII', () => {
  it('has words for our signs and question marks for the rest, line by line', () => {
    expect(inAscii('5→3 failing · no better ×2 …\n日')).toBe('5->3 failing - no better x2 ...\n?')
  })
})
