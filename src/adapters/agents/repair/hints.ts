// What the words of a failure say about the kind of change: the same words come from the same slips.
import { textOf, type Unit } from './tree.js'
import type { Kind, Proposal } from './types.js'

export type Hint = (unit: Unit, proposal: Proposal) => number

type Rule = { says: RegExp; favours: Partial<Record<Kind, number>> }

/** As Node, pytest and unittest say it. */
export const ERROR_WANTED = /Missing expected (exception|rejection)|DID NOT RAISE|not raised/

const NONE = '(?:undefined|None)'

const RULES: readonly Rule[] = [
  { says: ERROR_WANTED, favours: { refusal: 8, guard: 1.5 } },
  { says: /\bPromise\b|coroutine|was never awaited/, favours: { await: 8 } },
  {
    says: /Cannot read propert|of (undefined|null)|'NoneType' object|NoneType/,
    favours: { guard: 2.5, return: 2.5, 'base case': 1.6, 'off by one': 1.3, comparison: 1.2 },
  },
  {
    says: new RegExp(`(?:actual|received|got|but was)\\W{0,4}\\s*${NONE}\\b|^\\s*[-+]\\s*${NONE}\\b|(^|\\s)${NONE} ([!=]==?|is not)`, 'm'),
    favours: { return: 5 },
  },
  {
    says: /RecursionError|Maximum call stack|recursion depth/,
    favours: { 'base case': 4, comparison: 1.6, arguments: 1.4, 'off by one': 1.6 },
  },
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
  const pairs = messages.flatMap(sidesOf)
  const byText = pairs.flatMap(likeness)
  const unknown = unknownNames(said)
  return (unit, proposal) => {
    const byKind = favours.get(proposal.kind) ?? 1
    const byStep = step && (proposal.kind === 'off by one' || proposal.kind === 'comparison') ? 1.5 : 1
    const likely = byText.reduce(
      (factor, { says, times }) => (says.test(proposal.edits.map(({ text }) => text).join(' ')) ? Math.max(factor, times) : factor),
      1,
    )
    return byKind * byStep * likely * (unknown.size > 0 ? byName(unit, proposal, unknown) : 1)
  }
}

/** A name that nobody knows has to go. */
function byName(unit: Unit, { edits }: Proposal, unknown: ReadonlySet<string>): number {
  const touched = edits.map((edit) => textOf(unit, edit)).join(' ')
  return [...unknown].some((name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(touched)) ? 6 : 1
}

function unknownNames(said: string): Set<string> {
  const found = [
    ...said.matchAll(
      /(?:NameError: name '(\w+)' is not defined|ReferenceError: (\w+) is not defined|has no attribute '(\w+)'|\.(\w+) is not a function)/g,
    ),
  ]
  return new Set(found.map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''))
}

/** The first two whole numbers that a failure holds against each other. */
function differsByOne(said: string): boolean {
  const pair = /(-?\d+) (?:!==|!=|==) (-?\d+)/.exec(said) ?? /\+ actual[\s\S]*?\n\+\s*(-?\d+)\s*\n-\s*(-?\d+)/.exec(said)
  return pair !== null && Math.abs(Number(pair[1]) - Number(pair[2])) === 1
}

// — what was got and what was wanted —

type Sides = [got: string, wanted: string]

/** As Node, unittest and pytest print them. */
function sidesOf(message: string): Sides[] {
  const signs = {
    got: [...message.matchAll(/^\s*(?:E\s+)?\+ (?!actual)(.*)$/gm)],
    wanted: [...message.matchAll(/^\s*(?:E\s+)?- (?!expected|\w+ \+)(.*)$/gm)],
  }
  const byLines: Sides[] =
    signs.got.length > 0 && signs.wanted.length > 0
      ? [[signs.got.map((match) => match[1]).join('\n'), signs.wanted.map((match) => match[1]).join('\n')]]
      : []
  const plain = /(?:AssertionError: |assert |\n\n)(.{1,200}?) (?:!==?|==) (.{1,200}?)(?:\n|$)/.exec(message)
  return [...byLines, ...(plain?.[1] !== undefined && plain[2] !== undefined ? [[plain[1], plain[2]] as Sides] : [])]
}

/** Values that a failure asked for, if they are not such as stand everywhere. */
export function wantedIn(message: string): Set<string> {
  const values = sidesOf(message).flatMap(([got, wanted]) => {
    const own = new Set(got.split('\n').map(bare))
    return [wanted, ...wanted.split('\n')].map(bare).filter((value) => !own.has(value))
  })
  return new Set(values.filter((value) => !/^(|true|false|null|undefined|None|True|False|-?[01]|''|""|\[\]|\{\}|[[\]{}()]+)$/.test(value)))
}

/** Without the name of the property it belongs to and the comma behind it. */
function bare(text: string): string {
  return text.trim().replace(/,$/, '').replace(/^[\w$]+: /, '')
}

type Likeness = { says: RegExp; times: number }

/** Two sides that are the same but for capitals, spaces or order tell what is missing. */
function likeness([got, wanted]: Sides): Likeness[] {
  if (got === wanted) return []
  const found: Likeness[] = []
  if (got.toLowerCase() === wanted.toLowerCase()) found.push({ says: /upper|lower|Upper|Lower|title|capitalize|casefold/, times: 6 })
  if (squeezed(got) === squeezed(wanted)) found.push({ says: /trim|strip|padStart|padEnd|just|' '|join|repeat|""|''/, times: 4 })
  if (got.length < 2000 && ordered(got) === ordered(wanted))
    found.push({ says: /sort|revers|shift|pop|popleft|::-1|unshift|push|insert|append|[-<>]/, times: 2 })
  return found
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

function ordered(text: string): string {
  return (text.match(/\w+/g) ?? []).toSorted().join(' ')
}
