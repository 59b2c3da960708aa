// Reads the plain output of any command: every line that says what is wrong is trouble.
import { failingLines } from '../../../text/failures/failing-lines.js'
import { createCollector, type Reader } from './collect.js'
import type { Names } from './names.js'

const PIECE_CHARS = 1024 * 1024
const MOST_FAILURES = 500

export function plainReader(names: Names): Reader {
  const collector = createCollector(names)
  const found = new Set<string>()
  let rest = ''
  const take = (text: string): void => {
    if (found.size >= MOST_FAILURES) return
    for (const { subject, message } of failingLines(names.withoutRoots(text))) {
      if (found.has(subject)) continue
      found.add(subject)
      collector.trouble(subject, { kind: 'error', type: '', message, stack: '' })
    }
  }
  return {
    push(text) {
      const all = rest + text
      const end = all.length < PIECE_CHARS ? 0 : all.lastIndexOf('\n') + 1
      if (end > 0) take(all.slice(0, end))
      // A single line longer than a piece is no message for people.
      rest = end === 0 && all.length > 2 * PIECE_CHARS ? '' : all.slice(end)
    },
    end() {
      take(rest)
      return collector.finish('is fine')
    },
  }
}
