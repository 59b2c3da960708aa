// Among candidates that pass every visible test, the one that is most likely meant: ordinary, small, and not made for the tests.
import { textOf } from './tree.js'
import type { Found } from './search.js'

/** Code that is taken away or switched off passes too easily. */
const BY_KIND: Partial<Record<Found['kind'], number>> = { statement: 0.35, return: 0.6, 'base case': 0.6, wrap: 0.8, 'moved statement': 0.9 }

export function chooseFrom(found: readonly Found[], messages: readonly string[]): Found[] {
  const literals = literalsIn(messages.join('\n'))
  const worth = new Map(found.map((each) => [each, worthOf(each, literals)]))
  return found.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0) || one.place - other.place)
}

function worthOf(found: Found, literals: ReadonlySet<string>): number {
  return found.score * (BY_KIND[found.kind] ?? 1) * (takesAway(found) ? 0.5 : 1) * (isMadeForTests(found, literals) ? 0.3 : 1)
}

/** The change leaves less behind than there was, by more than a sign. */
function takesAway({ edits, unit }: Found): boolean {
  return edits.reduce((sum, edit) => sum + textOf(unit, edit).trim().length - edit.text.trim().length, 0) > 6
}

/** A value that the tests speak of was put into the code, and it is not one of those that stand everywhere. */
function isMadeForTests({ edits, unit }: Found, literals: ReadonlySet<string>): boolean {
  const before = new Set(edits.flatMap((edit) => valuesIn(textOf(unit, edit))))
  return edits.flatMap((edit) => valuesIn(edit.text)).some((value) => !before.has(value) && literals.has(value))
}

function valuesIn(text: string): string[] {
  return [...text.matchAll(/(['"])([^'"]{2,})\1|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])/g)].map((match) => match[2] ?? match[3] ?? '').filter((value) => !/^[012]$|^10$/.test(value))
}

function literalsIn(text: string): Set<string> {
  return new Set(valuesIn(text))
}
