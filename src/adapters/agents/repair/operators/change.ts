// How operators say what they change.
import type { Kind, Proposal } from '../types.js'
import { textOf, type Node, type Unit } from '../tree.js'

type Span = Pick<Node, 'start' | 'end'>

/** Another text where something stands. */
export function instead(span: Span, text: string, kind: Kind, weight: number, at: number = span.start): Proposal {
  return { kind, weight, edits: [{ start: span.start, end: span.end, text }], at }
}

/** A text more, between two others. */
export function inserting(offset: number, text: string, kind: Kind, weight: number, at: number): Proposal {
  return { kind, weight, edits: [{ start: offset, end: offset, text }], at }
}

/** Each of two in the other's place. */
export function exchanging(unit: Unit, one: Span, other: Span, kind: Kind, weight: number, at: number = one.start): Proposal {
  const edits: Proposal['edits'] = [
    { start: one.start, end: one.end, text: textOf(unit, other) },
    { start: other.start, end: other.end, text: textOf(unit, one) },
  ]
  return { kind, weight, edits, at }
}
