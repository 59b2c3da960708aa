// Tests of the colours of lines: what has one, and that nothing else is changed.
import { describe, expect, it } from 'vitest'
import { coloured } from './stream-colours.js'

describe('the colours of lines', () => {
  it.each([
    ['CONVERGED (verified) · done', '\u001B[32mCONVERGED\u001B[0m (verified) · done'],
    ['STALLED (unverified) · no better', '\u001B[33mSTALLED\u001B[0m (unverified) · no better'],
    ['REFUSED (unverified) · scope', '\u001B[31mREFUSED\u001B[0m (unverified) · scope'],
    ['warning: it is late', '\u001B[33mwarning:\u001B[0m it is late'],
    ['  2  check   1.0s  3→4 failing  REVERTED to 1', '  2  check   1.0s  3→4 failing  \u001B[33mREVERTED to 1\u001B[0m'],
    ['  1  check   1.0s  3→2 failing  best', '  1  check   1.0s  3→2 failing  \u001B[32mbest\u001B[0m'],
    ['greenlatch: no such thing\n  next: greenlatch run', '\u001B[31mgreenlatch:\u001B[0m no such thing\n  next: greenlatch run'],
    ['the best of all, CONVERGED', 'the best of all, CONVERGED'],
  ])('of %j', (line, shown) => {
    expect(coloured(line)).toBe(shown)
  })
})
