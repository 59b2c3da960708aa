// All operators over one source: every small change that could be the repair, each with how ordinary it is.
import type { Proposal } from '../types.js'
import { isDeadHere, type Node, type Unit } from '../tree.js'
import { isDead } from '../words.js'
import { otherArguments } from './arguments.js'
import { otherBinding, otherSigns, otherSteps, swappedSides } from './comparison.js'
import { inserted } from './insert.js'
import { conjuncts, negations, turnedChoice } from './logic.js'
import { otherFunctions, otherMembers, otherVariables, ownProperty } from './names.js'
import { negated, otherLiterals, otherNumbers, steps } from './numbers.js'
import { earlyEnds, missingAwait, missingInLoop, missingReturn, movedStatements, otherChains, otherJumps, returnAtEnd } from './statements.js'
import { accumulated, chains, exchangedNames, filled, missingTerms, otherKeyword, otherValues } from './values.js'
import { defaults, otherSlices, unwrapped, wrapped } from './wrap.js'

type Operator = (unit: Unit, node: Node) => Proposal[]

const OPERATORS: readonly Operator[] = [
  otherSigns, swappedSides, otherSteps, otherBinding, otherNumbers, steps, otherLiterals, negated, otherVariables, otherFunctions, otherMembers, ownProperty,
  otherArguments, negations, conjuncts, turnedChoice, missingReturn, returnAtEnd, missingAwait, earlyEnds, movedStatements, missingInLoop, otherJumps, otherChains,
  wrapped, unwrapped, defaults, otherSlices, inserted, accumulated, chains, exchangedNames, filled, missingTerms, otherKeyword, otherValues,
]

/** `wanted` says which places are looked at, by where they begin and end. */
export function proposalsIn(unit: Unit, wanted: (node: Node) => boolean): Proposal[] {
  const found: Proposal[] = []
  const look = (node: Node): void => {
    if (isDead(node) || isDeadHere(node)) return
    if (wanted(node)) for (const operator of OPERATORS) found.push(...operator(unit, node))
    for (const child of node.children) look(child)
  }
  look(unit.root)
  return found
}
