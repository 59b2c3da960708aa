// Proves that the sentences of pictures count what they name, and name what they count.
import { describe, expect, it } from 'vitest'
import { convergenceSentence, sizesSentence } from './sentences.js'
import type { Row, View } from './view.js'

const viewOf = (check: object | null): View => ({ head: { baseline: 1, best: { iteration: 0, failing: 1 } }, rows: [{ check }] }) as unknown as View
const sized = (diffLines: number): Row => ({ diffLines }) as Row

describe('the sentence of a picture', () => {
  it('names what each number of the last check counts.', () => {
    expect(convergenceSentence(viewOf({ failing: 2, breaches: 2 }))).toBe('1 failing before the work, 2 failing, 2 breaches in the last check, at best 1 (the start).')
    expect(convergenceSentence(viewOf({ failing: 0, breaches: 0 }))).toBe('1 failing before the work, nothing failing in the last check, at best 1 (the start).')
    expect(convergenceSentence(viewOf(null))).toBe('Nothing has been checked yet.')
  })

  it('has one line, and lines where there are more.', () => {
    expect(sizesSentence([sized(1)], null)).toBe('The largest change had 1 line; there is no limit.')
    expect(sizesSentence([sized(1), sized(1200)], 4000)).toBe('The largest change had 1,200 lines of 4,000 allowed.')
    expect(sizesSentence([], null)).toBe('Nothing has been changed yet.')
  })
})
