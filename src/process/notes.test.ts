// Tests of times as people read them.
import { describe, expect, it } from 'vitest'
import { inTime } from './notes.js'

describe('a time', () => {
  it('is rounded before it is divided, so that no unit is full.', () => {
    expect([0.25, 9.97, 59.4, 59.6, 90, 119.6, 3599.7, 3661].map(inTime)).toEqual(['0.3 s', '10 s', '59 s', '1 min', '1 min 30 s', '2 min', '1 h', '1 h 1 min'])
  })
})
