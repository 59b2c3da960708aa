// Finds the word somebody most likely meant when they typed one that is not known.

const LONGEST_WORD = 64

/** The candidate closest to `word` by edits, ignoring case; null when none is close enough to be a plausible slip. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length === 0 || word.length > LONGEST_WORD) return null
  const wanted = word.toLowerCase()
  let best: string | null = null
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const distance = slips(wanted, candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Edits between the words, or Infinity when there are too many. A cut-off word counts as one slip. */
function slips(wanted: string, candidate: string): number {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))
  if (Math.abs(wanted.length - candidate.length) <= allowed) {
    const distance = editDistance(wanted, candidate)
    if (distance <= allowed && distance < Math.max(wanted.length, candidate.length)) return distance
  }
  return wanted.length >= 3 && candidate.startsWith(wanted) ? 1.5 : Infinity
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
