// Finds many strings in bytes at once, quickly: most bytes are never looked at.
import type { Span } from './secret-shapes.js'

export type Finder = (bytes: Buffer) => Span[]

/**
 * Two bytes at the end of a window as long as the shortest string tell how far the window may be moved without passing over any of
 * them. Of those that begin at the same place the first in the list is taken.
 */
export function finderOf(strings: readonly Buffer[]): Finder {
  if (strings.length === 0) return () => []
  const width = Math.min(...strings.map(({ length }) => length))
  const shifts = new Uint8Array(65_536).fill(Math.min(255, width - 1))
  for (const string of strings) {
    for (let at = 1; at < width; at++) {
      const pair = pairAt(string, at)
      shifts[pair] = Math.min(shifts[pair] as number, width - 1 - at)
    }
  }
  return (bytes) => {
    const spans: Span[] = []
    for (let last = width - 1; last < bytes.length; ) {
      const shift = shifts[((bytes[last - 1] as number) << 8) | (bytes[last] as number)] as number
      const at = last - width + 1
      const found = shift === 0 ? strings.find((string) => bytes[at] === string[0] && isAt(bytes, at, string)) : undefined
      if (found) spans.push({ at, end: at + found.length })
      last += found ? found.length : Math.max(1, shift)
    }
    return spans
  }
}

function pairAt(string: Buffer, at: number): number {
  return ((string[at - 1] as number) << 8) | (string[at] as number)
}

function isAt(bytes: Buffer, at: number, string: Buffer): boolean {
  return at + string.length <= bytes.length && bytes.compare(string, 0, string.length, at, at + string.length) === 0
}
