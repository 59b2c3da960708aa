// Questions about values, written into the text of a program.
import { indentAt, type Node, type Unit } from './tree.js'

/** How two values are held against each other: whether both hold, whether they are the very same, or whether they look the same. */
export type By = 'truth' | 'identity' | 'looks'
const BY: Record<By, number> = { identity: 0, truth: 1, looks: 2 }

/** One question at a place: other values for the one that stands there, or `own` when nothing stands there yet, before a statement or behind it. */
export type Asked = {
  start: number
  end: number
  own: string | null
  isBehind?: boolean
  by: By
  calls: readonly Node[]
  others: string[]
  first: number
}

/** How questions keep what a call gave, and tell it again. */
const KEEP = '__keep'
export const AGAIN = '__again'

/** A text with other texts around parts of it; a part may stand in another. */
type Wrap = { start: number; end: number; around: (inner: string) => string }

export function withQuestions(unit: Unit, asked: readonly Asked[]): string {
  const wraps = asked.filter(({ others }) => others.length > 0).flatMap((place): Wrap[] => [
    place.own === null
      ? { start: place.start, end: place.end, around: (own) => question(unit, place, own) }
      : { start: place.start, end: place.start, around: () => statement(unit, place, place.own ?? '') },
    ...place.calls.map(({ start, end }, at): Wrap => ({ start, end, around: (call) => `${KEEP}(${at}, ${call})` })),
  ])
  // A call may be the whole of a question: what it gives is kept inside.
  const order = wraps.toSorted((one, other) => one.start - other.start || lengthOf(one) - lengthOf(other))
  return rendered(unit.source, 0, unit.source.length, nestedIn(order))
}

function statement(unit: Unit, place: Asked, own: string): string {
  const text = `${question(unit, place, own)}${unit.tongue === 'python' ? '' : ';'}`
  const indent = indentAt(unit, place.start)
  return place.isBehind ? `\n${indent}${text}` : `${text}\n${indent}`
}

function lengthOf({ start, end }: Wrap): number {
  return start === end ? -Infinity : start - end
}

type Nested = Wrap & { inner: Nested[] }

function nestedIn(wraps: readonly Wrap[]): Nested[] {
  const top: Nested[] = []
  const open: Nested[] = []
  for (const wrap of wraps) {
    const nested = { ...wrap, inner: [] }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < wrap.end) open.pop()
    // What stands behind a statement is not a part of the value that the statement ends with.
    const isPoint = wrap.start === wrap.end
    const around = open.findLast(({ start, end }) => start <= wrap.start && (isPoint ? end > wrap.end : end >= wrap.end))
    ;(around?.inner ?? top).push(nested)
    if (wrap.end > wrap.start) open.push(nested)
  }
  return top
}

function rendered(source: string, start: number, end: number, wraps: readonly Nested[]): string {
  let [text, at] = ['', start]
  for (const wrap of wraps) {
    text += source.slice(at, wrap.start) + wrap.around(rendered(source, wrap.start, wrap.end, wrap.inner))
    at = wrap.end
  }
  return text + source.slice(at, end)
}

function question({ tongue }: Unit, { first, by, others }: Asked, own: string): string {
  const late = (taken: string) => (text: string): string => (tongue === 'python' ? `lambda ${taken}: (${text})` : `(${taken}) => (${text})`)
  const name = tongue === 'python' ? '__greenlatch_what_if__' : 'globalThis.__greenlatchWhatIf'
  return `${name}(${first}, ${BY[by]}, ${late(KEEP)(own)}, [${others.map(late(AGAIN)).join(', ')}])`
}
