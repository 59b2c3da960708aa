import { describe, expect, it } from 'vitest'
import { spoken } from './spoken.js'

describe('a line of progress as a sentence', () => {
  it.each([
    ['  2  check          1.0s  3→4 failing  REVERTED to 1', 'Iteration 2, check took 1 seconds: from 3 to 4 failing, reverted to 1.'],
    ['     baseline      2m16s  5 failing · 1 flaky, set aside', 'Baseline took 2 minutes 16 seconds: 5 failing, 1 flaky, set aside.'],
    ['  3  check          1.5s  3 failing  no better ×2 · → minimal change', 'Iteration 3, check took 1.5 seconds: 3 failing, no better 2 times, now minimal change.'],
    ['converge · session x · agent y · 1 gate: test', 'Converge, session x, agent y, 1 gate: test.'],
    ['    … implement for 2m00s, no output for 1m00s', 'Implement for 2m00s, no output for 1m00s.'],
    ['  go on:  greenlatch resume x', 'Go on: greenlatch resume x'],
    ['', ''],
  ])('of %j is %j', (line, sentence) => {
    expect(spoken(line)).toBe(sentence)
  })
})
