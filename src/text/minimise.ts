// The search for less: which pieces of a change can be left out while something still holds. It is told so, trial by trial.

/** What belongs to the same file is tried together before it is tried apart. */
type Piece = { file: string }

/**
 * Yields pieces to keep and is told whether that still holds; what held last is what is left of them. When it comes to its end, no single
 * piece of those can be left out. That all of them together hold is taken for granted.
 */
export function* searchLess<P extends Piece>(pieces: readonly P[]): Generator<readonly P[], readonly P[], boolean> {
  const files = [...new Set(pieces.map(({ file }) => file))]
  const left = yield* leaveOut(files.map((file) => pieces.filter((piece) => piece.file === file)))
  return (yield* leaveOut(left.flat().map((piece) => [piece]))).flat()
}

/** Delta debugging: first all, then halves, then ever smaller runs; runs of one until none of them can go. */
function* leaveOut<P>(groups: readonly (readonly P[])[]): Generator<readonly P[], readonly (readonly P[])[], boolean> {
  let kept = groups
  let size = kept.length
  while (kept.length > 0) {
    const before = kept.length
    for (let at = 0; at < kept.length; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (yield rest.flat()) kept = rest
      else at += size
    }
    if (size === 1 && kept.length === before) break
    size = Math.max(1, Math.ceil(Math.min(size, kept.length) / 2))
  }
  return kept
}
