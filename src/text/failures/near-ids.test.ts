// Tests of the ids that are named in place of one that is not there.
import { describe, expect, it } from 'vitest'
import { nearIds } from './near-ids.js'

const IDS = ['test/sum.test.js::adds two numbers', 'test/sum.test.js::adds three numbers', 'test/list.test.js::sorts', 'test/list.test.js::is empty at first']

describe('ids near to one that is not there', () => {
  it.each([
    ['adds two numbers', [IDS[0]]],
    ['ADDS', [IDS[1], IDS[0]]],
    ['test/sum.test.js::adds to numbers', [IDS[0], IDS[1], IDS[2]]],
    ['list*sorts', [IDS[2]]],
    ['nothing alike', []],
    ['', []],
    ['*', []],
  ])('of %j are %j', (pattern, near) => {
    expect(nearIds(pattern, IDS).slice(0, near.length || 3)).toEqual(near)
  })
})
