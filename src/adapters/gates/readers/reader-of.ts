// A reader that is fed line by line.
import type { LineFeed } from '../../../text/line-feed.js'
import type { TestRun } from '../../../text/failures/test-run.js'
import type { Reader } from './collect.js'

/** A reader of lines: what its feed still holds is read before the end is told. */
export function readerOf(feed: LineFeed, end: () => TestRun): Reader {
  return {
    push: (text) => feed.push(text),
    end() {
      feed.end()
      return end()
    },
  }
}
