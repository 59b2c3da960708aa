// Proves that lines for a narrow terminal are broken between words, and that commands are not broken at all.
import { describe, expect, it } from 'vitest'
import { wrapped } from './wrap.js'

const LINE = 'STALLED (unverified) · the same failures 5 times, so the ladder ends here · 5 iterations, 11.0s'

describe('a line that is too long', () => {
  it('is broken between words, and goes on below its own text.', () => {
    expect(wrapped(LINE, 40)).toBe('STALLED (unverified) · the same failures\n  5 times, so the ladder ends here · 5\n  iterations, 11.0s')
    expect(wrapped('    … check for 1m00s, no output for 1m00s', 30)).toBe('    … check for 1m00s, no\n      output for 1m00s')
  })

  it('stays whole when it is a command, one long word, or goes to no terminal.', () => {
    const commands = ['  take it back:  git revert -m 1 0123456789', '  next: greenlatch resume 20250101-120000-abcde', 'x'.repeat(60)]
    for (const line of commands) expect(wrapped(line, 30)).toBe(line)
    expect(wrapped(LINE, undefined)).toBe(LINE)
  })

  it('leaves the others as they are.', () => {
    expect(wrapped(`one\n\n${'word '.repeat(8)}end\n`, 30)).toBe('one\n\nword word word word word word\n  word word end\n')
  })
})
