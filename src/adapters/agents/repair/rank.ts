// Orders candidates: how suspicious their place is, how ordinary the change, how small. The same seed gives the same order.
import { hash64 } from '../../../text/hash64.js'
import type { Hint } from './hints.js'
import type { Suspicion } from './localise.js'
import { proposalsIn } from './operators/index.js'
import { lineOf, statementAround, type Node, type Unit } from './tree.js'
import type { Proposal, Ranked } from './types.js'

export type Ranking = { units: readonly Unit[]; suspicion: Suspicion; hint: Hint; seed: number }

/** Best first. Different edits may still come to the same text. */
export function rank({ units, suspicion, hint, seed }: Ranking): Ranked[] {
  const found = units.flatMap((unit) => rankedIn(unit, suspicion, hint))
  const luck = new Map(found.map((each) => [each, hash64(`${seed} ${each.unit.path} ${JSON.stringify(each.edits)}`)]))
  return found.toSorted((one, other) => other.score - one.score || ((luck.get(one) ?? '') < (luck.get(other) ?? '') ? -1 : 1))
}

function rankedIn(unit: Unit, suspicion: Suspicion, hint: Hint): Ranked[] {
  const suspectAt = suspicionOf(unit, suspicion)
  return proposalsIn(unit, (node) => suspectAt(node) > 0).map((proposal) => {
    const suspect = suspectAt({ start: proposal.at, end: proposal.at })
    return { ...proposal, unit, line: lineOf(unit, proposal.at), score: suspect * proposal.weight * smallness(unit, proposal) * hint(unit, proposal) }
  })
}

/** Runners do not tell of every line of a statement: the first one stands for those that are not told of. */
function suspicionOf(unit: Unit, { line }: Suspicion): (place: Pick<Node, 'start' | 'end'>) => number {
  const firstLine = new Map<number, number>()
  const note = (node: Node): void => {
    const statement = statementAround(node)
    if (statement && node.children.length === 0) firstLine.set(lineOf(unit, node.start), lineOf(unit, statement.start))
    for (const child of node.children) note(child)
  }
  note(unit.root)
  const known = new Map<number, number>()
  const ofLine = (at: number): number => line(unit.path, at) || line(unit.path, firstLine.get(at) ?? at)
  return ({ start }) => {
    const at = lineOf(unit, start)
    const suspect = known.get(at) ?? ofLine(at)
    known.set(at, suspect)
    return suspect
  }
}

/** Long insertions and rewritten stretches are less ordinary than a sign or a name. */
function smallness({ source }: Unit, { edits }: Proposal): number {
  const changed = edits.reduce((sum, { start, end, text }) => sum + Math.abs(text.length - (end - start)) + (edits.length > 1 ? 2 : 0), 0)
  const lines = edits.reduce((sum, { start, end, text }) => sum + text.split('\n').length + source.slice(start, end).split('\n').length - 2, 0)
  return 1 / (1 + changed / 60 + lines * 0.15)
}
