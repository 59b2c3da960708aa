// Keeps the first and the last lines of something that may never end.

export type KeptLines = { add(line: string): void; lines(): string[] }

/** Both halves of `most`; a line that is too long is cut. */
export function keptLines(most: number, longestChars = 1000): KeptLines {
  const half = Math.ceil(most / 2)
  const first: string[] = []
  let last: string[] = []
  return {
    add(line) {
      const short = line.length > longestChars ? line.slice(0, longestChars) : line
      if (first.length < half) first.push(short)
      else if (last.push(short) >= 2 * half) last = last.slice(-half)
    },
    lines: () => [...first, ...last.slice(-half)],
  }
}
