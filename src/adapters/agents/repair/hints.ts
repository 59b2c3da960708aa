// What the words of a failure say about the kind of change: the same words come from the same slips.
import { textOf, type Unit } from './tree.js'
import type { Kind, Proposal } from './types.js'

export type Hint = (unit: Unit, proposal: Proposal) => number

type Rule = { says: RegExp; favours: Partial<Record<Kind, number>> }

const RULES: readonly Rule[] = [
  { says: /\bPromise\b|coroutine|was never awaited/, favours: { await: 8 } },
  { says: /Cannot read propert|of (undefined|null)|'NoneType' object|NoneType/, favours: { guard: 2.5, return: 2.5, 'base case': 1.6, 'off by one': 1.3, comparison: 1.2 } },
  { says: /(?:actual|received|got|but was)\W{0,4}\s*(?:undefined|None)\b|^\s*[-+]\s*(undefined|None)\b|(^|\s)(undefined|None) (!==|==|!=|is not)/m, favours: { return: 5 } },
  { says: /RecursionError|Maximum call stack|recursion depth/, favours: { 'base case': 4, comparison: 1.6, arguments: 1.4, 'off by one': 1.6 } },
  { says: /KeyError/, favours: { guard: 3, constant: 1.5 } },
  { says: /IndexError|out of range|RangeError/, favours: { 'off by one': 2, comparison: 1.8, 'base case': 1.5 } },
  { says: /ZeroDivisionError|NaN\b/, favours: { 'base case': 3, guard: 1.5, condition: 1.3 } },
  { says: /is not a function|has no attribute|AttributeError/, favours: { method: 3, 'wrong name': 1.5, guard: 1.3, wrap: 1.3 } },
  { says: /takes \d+ positional|missing \d+ required|unexpected keyword/, favours: { arguments: 5 } },
  { says: /(empty sequence|empty iterable|arg is an empty)/, favours: { 'base case': 3, arguments: 2, guard: 1.5 } },
  { says: /unsupported operand|can only concatenate|must be str|not supported between/, favours: { wrap: 3, guard: 1.5 } },
]

/** `messages`: what the failing tests say. */
export function hintFrom(messages: readonly string[]): Hint {
  const said = messages.join('\n').slice(0, 20_000)
  const favours = new Map<Kind, number>()
  for (const { says, favours: more } of RULES) {
    if (!says.test(said)) continue
    for (const [kind, factor] of Object.entries(more) as [Kind, number][]) favours.set(kind, Math.max(favours.get(kind) ?? 1, factor))
  }
  const step = differsByOne(said)
  const unknown = unknownNames(said)
  return (unit, proposal) => {
    const byKind = favours.get(proposal.kind) ?? 1
    const byStep = step && (proposal.kind === 'off by one' || proposal.kind === 'comparison') ? 1.5 : 1
    return byKind * byStep * (unknown.size > 0 ? byName(unit, proposal, unknown) : 1)
  }
}

/** A name that nobody knows has to go. */
function byName(unit: Unit, { edits }: Proposal, unknown: ReadonlySet<string>): number {
  const touched = edits.map((edit) => textOf(unit, edit)).join(' ')
  return [...unknown].some((name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(touched)) ? 6 : 1
}

function unknownNames(said: string): Set<string> {
  const found = [...said.matchAll(/(?:NameError: name '(\w+)' is not defined|ReferenceError: (\w+) is not defined|has no attribute '(\w+)'|\.(\w+) is not a function)/g)]
  return new Set(found.map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''))
}

/** The first two whole numbers that a failure holds against each other. */
function differsByOne(said: string): boolean {
  const pair = /(-?\d+) (?:!==|!=|==) (-?\d+)/.exec(said) ?? /\+ actual[\s\S]*?\n\+\s*(-?\d+)\s*\n-\s*(-?\d+)/.exec(said)
  return pair !== null && Math.abs(Number(pair[1]) - Number(pair[2])) === 1
}
