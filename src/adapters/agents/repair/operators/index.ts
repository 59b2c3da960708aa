// All operators over one source: every small change that could be the repair, each with how ordinary it is.
import type { Offered, Proposal } from '../types.js'
import { isDeadHere, type Node, type Unit } from '../tree.js'
import { isDead } from '../words.js'
import { otherArguments } from './arguments.js'
import { chains, exchangedChains } from './chains.js'
import { otherBinding, otherSigns, otherSteps, swappedSides } from './comparison.js'
import { earlyEnds } from './early-ends.js'
import { continuedLists, exchangedBetweenCalls, exchangedElements, exchangedIndices, roundedUp } from './elements.js'
import { endsBeforeResults, guardedStatements, otherNothing } from './guards.js'
import { inserted } from './insert.js'
import { keepings } from './keeping.js'
import { conjuncts, negations, otherConditions, turnedChoice } from './logic.js'
import { otherFunctions, otherMembers, otherVariables, ownProperty } from './names.js'
import { negated, otherLiterals, otherNumbers, steps } from './numbers.js'
import { otherOptions, ownCalls } from './own-calls.js'
import { exchangedParameters } from './parameters.js'
import { otherPatterns, restsAboveZero, sharedDefaults } from './patterns.js'
import { otherGuards, refusedInputs } from './refusals.js'
import { missingAwait, missingInLoop, missingReturn, movedStatements, otherChains, otherJumps, returnAtEnd } from './statements.js'
import { accumulated, counted, exchangedNames, extremes, filled, missingTerms, otherKeyword, otherValues } from './values.js'
import { copies, defaults, otherReceivers, otherSlices, shorterLoops, unfinishedTexts, unwrapped, wrapped } from './wrap.js'

type Operator = (unit: Unit, node: Node) => Proposal[]

const OPERATORS: readonly Operator[] = [
  otherSigns, swappedSides, otherSteps, otherBinding, otherNumbers, steps, otherLiterals, negated, otherVariables, otherFunctions,
  otherMembers, ownProperty,
  otherArguments, negations, conjuncts, turnedChoice, missingReturn, returnAtEnd, missingAwait, earlyEnds, movedStatements, missingInLoop,
  otherJumps, otherChains,
  wrapped, unwrapped, defaults, otherSlices, inserted, accumulated, chains, exchangedNames, filled, missingTerms, otherKeyword, otherValues,
  exchangedParameters, otherReceivers, unfinishedTexts, exchangedElements, continuedLists, exchangedIndices, exchangedBetweenCalls,
  roundedUp, guardedStatements, endsBeforeResults, otherNothing, ownCalls, otherOptions, extremes,
  otherPatterns, restsAboveZero, sharedDefaults, copies, otherConditions, shorterLoops, counted,
  keepings, otherGuards, refusedInputs, exchangedChains,
]

/** What is rarer never has its turn before something likelier has passed or the limit is reached. */
const LEAST_WEIGHT = 0.06

/** `wanted` says which places are looked at, by where they begin and end. */
export function proposalsIn(unit: Unit, wanted: (node: Node) => boolean): Offered[] {
  const found: Offered[] = []
  const look = (node: Node): void => {
    if (isDead(node) || isDeadHere(node)) return
    if (wanted(node)) OPERATORS.forEach((operator, by) => found.push(...ordinary(operator(unit, node)).map((proposal) => ({ ...proposal, by }))))
    for (const child of node.children) look(child)
  }
  look(unit.root)
  return found
}

function ordinary(proposals: readonly Proposal[]): Proposal[] {
  return proposals.filter(({ weight }) => weight >= LEAST_WEIGHT)
}
