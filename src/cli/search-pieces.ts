// Tries a change with ever fewer of its pieces, within bounds: what still holds, trial by trial.
import type { Piece } from '../adapters/workspace/pieces.js'
import type { Tree } from '../core/index.js'
import type { Clock } from '../ports.js'
import { searchLess } from '../text/minimise.js'

export type Bounds = { trials: number; seconds: number }

/** Said before a search, and enough for most. */
export const USUAL_BOUNDS: Bounds = { trials: 100, seconds: 600 }

export type Less = { kept: readonly Piece[]; tree: Tree }

export type Searched = {
  /** What held, each smaller than the one before. */
  found: readonly Less[]
  trials: number
  ended: 'no piece can go' | 'bounds' | 'interrupted'
}

export type Search = {
  pieces: readonly Piece[]
  make: (kept: readonly Piece[]) => Promise<Tree>
  /** What is out of the question costs no trial. */
  isOut: (tree: Tree) => Promise<boolean>
  /** Null when it was interrupted. */
  holds: (tree: Tree, trial: number) => Promise<boolean | null>
  bounds: Bounds
  clock: Pick<Clock, 'seconds'>
  onTrial: (trial: { number: number; kept: number; held: boolean; seconds: number }) => void
}

export async function searchPieces({ pieces, make, isOut, holds, bounds, clock, onTrial }: Search): Promise<Searched> {
  const began = clock.seconds()
  const known = new Map<Tree, boolean>()
  const found: Less[] = []
  const search = searchLess(pieces)
  let trials = 0
  let next = search.next()
  while (!next.done) {
    const tree = await make(next.value)
    if (!known.has(tree) && (await isOut(tree))) known.set(tree, false)
    if (!known.has(tree)) {
      const started = clock.seconds()
      if (trials >= bounds.trials || started - began >= bounds.seconds) return { found, trials, ended: 'bounds' }
      trials += 1
      const held = await holds(tree, trials)
      if (held === null) return { found, trials, ended: 'interrupted' }
      known.set(tree, held)
      onTrial({ number: trials, kept: next.value.length, held, seconds: clock.seconds() - started })
    }
    const isHeld = known.get(tree) === true
    if (isHeld) found.push({ kept: next.value, tree })
    next = search.next(isHeld)
  }
  return { found, trials, ended: 'no piece can go' }
}
