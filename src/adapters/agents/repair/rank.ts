// Orders candidates: how suspicious their place is, how ordinary the change, how small. The same seed gives the same order.
import { hash64 } from '../../../text/hash64.js'
import type { Hint } from './hints.js'
import type { Suspicion } from './localise.js'
import { tiesUp } from './loose-ends.js'
import { proposalsIn } from './operators/index.js'
import { lineOf, statementAround, type Node, type Unit } from './tree.js'
import type { Kind, Proposal, Ranked } from './types.js'

/** Found by trying on the tuning part of the corpus: where counts for more than what. */
const SUSPECT_POWER = 3
const SMALL_POWER = 0.75
const ORDINARY: Partial<Record<Kind, number>> = {
  comparison: 1.2,
  condition: 1.2,
  operator: 1.35,
  constant: 1.15,
  'moved statement': 1.35,
  statement: 1.6,
  'wrong name': 0.9,
  return: 0.85,
  guard: 0.9,
  'base case': 0.8,
  arguments: 0.7,
  refusal: 0.4,
}
/** An operator that offers much everywhere has less to say at each place, and so has a kind that offers much in one line. */
const OFFERED_POWER = 0.3
const CROWDED_POWER = 0.12

export type Ranking = { units: readonly Unit[]; suspicion: Suspicion; hint: Hint; seed: number }

/** Best first. Different edits may still come to the same text. */
export function rank({ units, suspicion, hint, seed }: Ranking): Ranked[] {
  const found = spread(units.flatMap((unit) => rankedIn(unit, suspicion, hint)))
  const luck = new Map(found.map((each) => [each, hash64(`${seed} ${each.unit.path} ${JSON.stringify(each.edits)}`)]))
  return found.toSorted((one, other) => other.score - one.score || ((luck.get(one) ?? '') < (luck.get(other) ?? '') ? -1 : 1))
}

function spread(ranked: readonly Ranked[]): Ranked[] {
  const sums = new Map<string, number>()
  const add = (key: string, score: number): unknown => sums.set(key, (sums.get(key) ?? 0) + score)
  const inLine = ({ unit, line, kind }: Ranked): string => `${unit.path}:${line} ${kind}`
  for (const each of ranked) {
    add(`${each.by}`, each.score)
    add(inLine(each), likelihood(each, each.factors))
  }
  const sum = (key: string): number => sums.get(key) || 1
  return ranked.map((each) => ({ ...each, score: each.score / (sum(`${each.by}`) ** OFFERED_POWER * sum(inLine(each)) ** CROWDED_POWER) }))
}

function rankedIn(unit: Unit, suspicion: Suspicion, hint: Hint): Ranked[] {
  const suspectAt = suspicionOf(unit, suspicion)
  return proposalsIn(unit, (node) => suspectAt(node) > 0).map((proposal) => {
    const factors = {
      suspect: suspectAt({ start: proposal.at, end: proposal.at }),
      small: smallness(unit, proposal),
      hinted: hint(unit, proposal) * tiesUp(unit, proposal),
    }
    return { ...proposal, unit, line: lineOf(unit, proposal.at), factors, ...scoreOf(proposal, factors) }
  })
}

/** Size says little about where to begin, and much about what to take in the end. */
function scoreOf(proposal: Proposal, factors: Ranked['factors']): Pick<Ranked, 'score' | 'worth'> {
  const score = factors.suspect ** SUSPECT_POWER * likelihood(proposal, factors)
  return { score, worth: score * factors.small ** SMALL_POWER }
}

/** Wherever it is. */
function likelihood({ weight, kind }: Proposal, { hinted }: Ranked['factors']): number {
  return weight * (ORDINARY[kind] ?? 1) * hinted
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
  const lines = edits.reduce(
    (sum, { start, end, text }) => sum + text.split('\n').length + source.slice(start, end).split('\n').length - 2,
    0,
  )
  return 1 / (1 + changed / 60 + lines * 0.15)
}
