// Cuts a stream of text into lines, without terminal codes, and never holds more than one bounded line.
import { createSanitiser } from './sanitise.js'

export type LineFeed = { push(text: string): void; end(): void }

const LONGEST_LINE_CHARS = 64 * 1024

/** What of a line lies beyond the limit is dropped. */
export function lineFeed(onLine: (line: string) => void): LineFeed {
  const sanitiser = createSanitiser()
  const feed = rawLineFeed(onLine)
  return {
    push: (text) => feed.push(sanitiser.push(text)),
    end() {
      feed.push(sanitiser.end())
      feed.end()
    },
  }
}

/** The same for lines whose text is encoded, such as JSON: terminal codes inside are the reader's affair. */
export function rawLineFeed(onLine: (line: string) => void, longestChars = LONGEST_LINE_CHARS): LineFeed {
  let rest = ''
  const take = (text: string, from: number, to: number): void => {
    if (rest.length < longestChars) rest += text.slice(from, Math.min(to, from + longestChars - rest.length))
  }
  return {
    push(text) {
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        if (rest === '' && at - from <= longestChars) onLine(text.slice(from, at))
        else {
          take(text, from, at)
          const line = rest
          rest = ''
          onLine(line)
        }
        from = at + 1
      }
      take(text, from, text.length)
    },
    end() {
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
