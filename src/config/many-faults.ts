// A refusal with more than one reason, so that a file can be put right in one go.
import { EXIT, Refusal } from '../errors.js'
import type { Fault } from './document.js'

const MOST_LISTED = 20

/** `others` are the reasons besides the message, each one line. */
export class ManyFaults extends Refusal {
  readonly others: readonly string[]

  constructor(first: string, others: readonly string[], next: string) {
    super(EXIT.usage, first, next)
    this.others = others
  }
}

/** Lists them all, up to a bound; says how many are left then. */
export function refusalOf(faults: readonly string[], next: string): Refusal {
  const [first = '', ...others] = faults
  if (others.length === 0) return new Refusal(EXIT.usage, first, next)
  const left = faults.length - MOST_LISTED
  return new ManyFaults(first, left > 0 ? [...others.slice(0, MOST_LISTED - 1), `and ${left} more`] : others, next)
}

/** All faults of a file, in its order. */
export function refusalOfFile(name: string, faults: readonly Fault[], next: string): Refusal {
  const inOrder = faults.toSorted((a, b) => a.line - b.line)
  return refusalOf(inOrder.map(({ line, text }) => `${name}:${line}: ${text}`), next)
}
