// What a repair is made of: edits, the kind of change they are, and how ordinary it is.
import type { Unit } from './tree.js'

export type Edit = { start: number; end: number; text: string }

export type Kind =
  | 'comparison' | 'off by one' | 'wrong name' | 'arguments' | 'operator' | 'condition' | 'return' | 'await' | 'base case' | 'constant'
  | 'method' | 'guard' | 'moved statement' | 'wrap' | 'statement' | 'parameters' | 'unfinished text' | 'receiver' | 'refusal'

/** A change that one operator offers. `weight`: how ordinary it is, about 1 for the most ordinary. `at`: the place it is judged by. */
export type Proposal = { kind: Kind; weight: number; edits: readonly [Edit, ...Edit[]]; at: number }

/** `by`: which operator it comes from. */
export type Offered = Proposal & { by: number }

/** A proposal at its place among all others. `score` gives the order of trials, `worth` how likely it is by itself. */
export type Ranked = Offered & {
  unit: Unit
  line: number
  score: number
  worth: number
  factors: { suspect: number; small: number; hinted: number }
}

/** One that is worth a try: it parses, and none before it had its shape. */
export type Candidate = Ranked & { rank: number; text: string; shape: string }
