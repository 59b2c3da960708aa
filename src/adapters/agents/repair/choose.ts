// Among candidates that pass every visible test, the one that is most likely meant: ordinary, small, and not made for the tests.
import { textOf } from './tree.js'
import type { Edit } from './types.js'
import type { Found } from './search.js'

/** How many more are tried after one that passes: what is doubtful leaves more room for something better. */
const MORE = 60
const MORE_IF_DOUBTFUL = 200

/** What passes too easily, and how much that takes from its worth. Small tests let all of these through. */
const DOUBTS: readonly { name: string; worth: number; isSo: (found: Found) => boolean }[] = [
  {
    name: 'takes a statement away',
    worth: 0.35,
    isSo: (found) => isStatementTaken(found) && !isRepeated(found),
  },
  { name: 'takes a condition away', worth: 0.5, isSo: (found) => found.kind === 'condition' && takenChars(found) > 3 },
  { name: 'takes code away', worth: 0.5, isSo: (found) => found.kind !== 'condition' && takenChars(found) > 6 },
  { name: 'ends early', worth: 0.6, isSo: ({ kind }) => kind === 'return' || kind === 'base case' },
  { name: 'makes a step depend on a condition', worth: 0.45, isSo: (found) => found.kind === 'moved statement' && isDeeper(found) },
  {
    name: 'compares what was only matched',
    worth: 0.5,
    isSo: (found) => found.kind === 'comparison' && /^([!=]==?|is|in|not)/.test(before(found)) && /[<>]/.test(after(found)),
  },
  {
    name: 'turns a whole answer round',
    worth: 0.6,
    isSo: (found) => found.kind === 'constant' && /^(true|false)$/i.test(before(found)) && isReturned(found),
  },
  {
    name: 'has an unusual number',
    worth: 0.7,
    isSo: (found) => found.kind === 'constant' && /^-?\d/.test(after(found)) && !/^-?(0|1|2|10|60|100|1000)$/.test(after(found)),
  },
  { name: 'takes another name', worth: 0.8, isSo: ({ kind }) => kind === 'wrong name' },
  { name: 'wraps a result', worth: 0.8, isSo: ({ kind }) => kind === 'wrap' },
]
/** Below this something speaks against a candidate, and below this so much that it is not proposed at all. */
const DOUBTFUL = 0.75
const UNTRUSTED = 0.4
const MADE_FOR_TESTS = 0.3
/** What reads like the rest of the file counts for more than what nobody wrote there before. */
const STRANGE = 0.5
/** Where whatever stands there passes, the tests only see that it was changed. */
const ANYTHING_PASSES = 0.5
const SO_MANY_PASS = 3

/** Best first, without those that nobody should trust. `messages`: what the failing tests say. */
export function chooseFrom(all: readonly Found[], messages: readonly string[]): Found[] {
  const found = all.filter(isTrusted)
  const literals = new Set(valuesIn(messages.join('\n')))
  const isArbitrary = (one: Found): boolean => found.filter((other) => isSamePlace(one, other)).length >= SO_MANY_PASS
  const worthOf = (each: Found): number =>
    each.worth *
    soundness(each) *
    (isMadeForTests(each, literals) ? MADE_FOR_TESTS : 1) *
    (STRANGE + (1 - STRANGE) * familiarity(each)) *
    (isArbitrary(each) ? ANYTHING_PASSES : 1)
  const worth = new Map(found.map((each) => [each, worthOf(each)]))
  return found.toSorted((one, other) => (worth.get(other) ?? 0) - (worth.get(one) ?? 0) || one.place - other.place)
}

/** Small tests let through almost anything that takes code away: such a change says nothing about what was meant. */
export function isTrusted(found: Found): boolean {
  return soundness(found) >= UNTRUSTED
}

export function moreAfter(found: Found): number {
  if (!isTrusted(found)) return Infinity
  return soundness(found) < DOUBTFUL ? MORE_IF_DOUBTFUL : MORE
}

/** Why a candidate that passes may still be wrong; empty when nothing speaks against it. */
export function doubtsAbout(found: Found): string[] {
  return DOUBTS.filter(({ isSo, worth }) => worth < DOUBTFUL && isSo(found)).map(({ name }) => name)
}

function soundness(found: Found): number {
  return DOUBTS.reduce((worth, doubt) => (doubt.isSo(found) ? worth * doubt.worth : worth), 1)
}

function isSamePlace({ unit, edits: [edit] }: Found, other: Found): boolean {
  return unit === other.unit && edit.start === other.edits[0].start && edit.end === other.edits[0].end
}

function isStatementTaken({ kind, edits }: Found): boolean {
  return kind === 'statement' && edits.every(({ text }) => /^(pass)?$/.test(text.trim()))
}

/** What is taken stands right before or behind it once more. */
function isRepeated({ edits: [edit], unit }: Found): boolean {
  const taken = textOf(unit, edit).trim()
  return unit.source.slice(0, edit.start).trimEnd().endsWith(taken) || unit.source.slice(edit.end).trimStart().startsWith(taken)
}

/** Between 0 and 1: how many of the new runs of three words stand somewhere else in the file. */
function familiarity({ unit, text }: Found): number {
  const known = new Map<string, number>()
  for (const run of runsOfThree(unit.source)) known.set(run, (known.get(run) ?? 0) + 1)
  const left = new Map(known)
  const fresh = runsOfThree(text).filter((run) => {
    const count = left.get(run) ?? 0
    left.set(run, count - 1)
    return count <= 0
  })
  return fresh.length === 0 ? 1 : fresh.filter((run) => known.has(run)).length / fresh.length
}

function runsOfThree(text: string): string[] {
  const words = text.match(/[\w$]+|[^\s\w]+/g) ?? []
  return words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`)
}

function before({ edits, unit }: Found): string {
  return edits.map((edit) => textOf(unit, edit)).join(' ')
}

function after({ edits }: Found): string {
  return edits.map(({ text }) => text).join(' ')
}

/** How much less stands there than before. */
function takenChars({ edits, unit }: Found): number {
  return edits.reduce((sum, edit) => sum + textOf(unit, edit).trim().length - edit.text.trim().length, 0)
}

/** The lines that are put down are indented further than those that are taken. */
function isDeeper({ edits, unit }: Found): boolean {
  const depth = (text: string): number => /^\n?([ \t]*)/.exec(text)?.[1]?.length ?? 0
  const put = edits.filter(({ text }) => text.trim() !== '')
  const taken = (edit: Edit): string => unit.source.slice(unit.source.lastIndexOf('\n', edit.start - 1) + 1, edit.end)
  const from = edits.filter((edit) => textOf(unit, edit).trim() !== '')
  return Math.max(...put.map(({ text }) => depth(text))) > Math.max(...from.map((edit) => depth(taken(edit))))
}

function isReturned({ edits, unit }: Found): boolean {
  return edits.some(({ start }) => /\breturn\s+$/.test(unit.source.slice(Math.max(0, start - 10), start)))
}

/** A value that the tests speak of was put into the code, and it is not one of those that stand everywhere. */
function isMadeForTests({ edits, unit }: Found, literals: ReadonlySet<string>): boolean {
  const known = new Set(edits.flatMap((edit) => valuesIn(textOf(unit, edit))))
  return edits.flatMap((edit) => valuesIn(edit.text)).some((value) => !known.has(value) && literals.has(value))
}

const VALUE = /(['"])([^'"]{2,})\1|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])/g
const LARGEST_COMMON = 12

function valuesIn(text: string): string[] {
  const values = [...text.matchAll(VALUE)].map((match) => match[2] ?? match[3] ?? '')
  return values.filter((value) => !(Number(value) <= LARGEST_COMMON))
}
