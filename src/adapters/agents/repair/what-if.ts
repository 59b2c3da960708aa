// Asks, in one run of the tests, what each change of a value would have made different: a change that makes no difference in a test that
// fails cannot mend it, and one that makes a difference only there is likely to.
import type { Reader } from './parse.js'
import { pureCalls } from './pure.js'
import type { Checker, Trial } from './runners/types.js'
import { functionAround, indentAt, isBlock, isFunction, statementAround, textOf, walk, type Node, type Unit } from './tree.js'
import type { Edit, Ranked } from './types.js'
import { conditionOf, isDead } from './words.js'

/** How two values are held against each other: whether both hold, whether they are the very same, or whether they look the same. */
type By = 'truth' | 'identity' | 'looks'
const BY: Record<By, number> = { identity: 0, truth: 1, looks: 2 }

/** One question at a place: other values for the one that stands there, or `own` when nothing stands there yet. */
type Asked = { start: number; end: number; own: string | null; by: By; others: string[]; first: number }

/** What a test saw of a change, as the runners tell it: bits. */
const DIFFERS = 1
const THROWS = 2
const ODD = 4

/** Changes that cannot be asked about are judged by their place alone. */
const CANNOT_MEND = 0.01
const SHARPER_POWER = 1
const THROWS_FACTOR = 0.5
const ODD_FACTOR = 0.6

const MOST_OTHERS = 3000

type Questions = { texts: Trial[]; numbersOf: ReadonlyMap<Ranked, readonly number[]> }

/** The same candidates in the order that is left when it is known what they would change. */
export async function askedWhatIf(
  ranked: readonly Ranked[],
  reader: Reader,
  { checker, targets, passing }: { checker: Pick<Checker, 'whatIf'>; targets: readonly string[]; passing: readonly string[] },
): Promise<Ranked[]> {
  const { texts, numbersOf } = await questionsFor(ranked, reader)
  const seen = texts.length > 0 ? await checker.whatIf(texts) : null
  if (seen === null || !isSameOutcome(seen, targets, passing)) return [...ranked]
  const bitsOf = new Map(seen.map(({ id, seen: bits }) => [id, bits]))
  const told = (id: string, numbers: readonly number[]): number => numbers.reduce((sum, number) => sum | (bitsOf.get(id)?.[number] ?? 0), 0)
  const factorOf = (each: Ranked): number => {
    const numbers = numbersOf.get(each)
    if (!numbers) return 1
    const failing = targets.map((id) => told(id, numbers))
    if (!failing.every((bits) => bits & DIFFERS)) return CANNOT_MEND
    const others = passing.filter((id) => told(id, numbers) & DIFFERS).length
    const sharp = Math.sqrt(targets.length / (targets.length + others))
    const thrown = failing.some((bits) => bits & THROWS) ? THROWS_FACTOR : 1
    const odd = failing.some((bits) => bits & ODD) ? ODD_FACTOR : 1
    return Math.max(1, sharp / Math.max(0.05, each.factors.suspect)) ** SHARPER_POWER * thrown * odd
  }
  return ranked
    .map((each) => ({ ...each, score: each.score * factorOf(each) }))
    .toSorted((one, other) => other.score - one.score)
}

/** Questions that changed what the tests say are not to be believed. */
function isSameOutcome(seen: readonly { id: string; passed: boolean }[], targets: readonly string[], passing: readonly string[]): boolean {
  const passed = new Set(seen.filter((each) => each.passed).map(({ id }) => id))
  return passing.every((id) => passed.has(id)) && !targets.some((id) => passed.has(id)) && targets.every((id) => seen.some((each) => each.id === id))
}

async function questionsFor(ranked: readonly Ranked[], reader: Reader): Promise<Questions> {
  const asked = new Map<Unit, Map<string, Asked>>()
  const wanted: { each: Ranked; keys: { place: Asked; other: string }[] }[] = []
  for (const each of ranked) {
    const places = placesOf(each)
    if (!places) continue
    const own = asked.get(each.unit) ?? new Map<string, Asked>()
    asked.set(each.unit, own)
    const keys = places.map(({ other, ...place }) => {
      const key = `${place.start} ${place.end} ${place.own}`
      const known = own.get(key) ?? { ...place, others: [], first: 0 }
      own.set(key, known)
      if (!known.others.includes(other)) known.others.push(other)
      return { place: known, other }
    })
    wanted.push({ each, keys })
  }
  await onlyReadable(asked, reader)
  let count = 0
  for (const places of asked.values())
    for (const place of places.values()) {
      place.first = count
      count += place.others.length
    }
  const numbersOf = new Map<Ranked, readonly number[]>()
  for (const { each, keys } of wanted) {
    const numbers = keys.map(({ place, other }) => (place.others.includes(other) ? place.first + place.others.indexOf(other) : -1))
    if (!numbers.includes(-1)) numbersOf.set(each, numbers)
  }
  const texts = [...asked].map(([unit, places]) => ({ path: unit.path, text: withQuestions(unit, [...places.values()]) }))
  return { texts: count > MOST_OTHERS ? [] : texts, numbersOf }
}

/** One that does not parse would spoil the whole file. */
async function onlyReadable(asked: ReadonlyMap<Unit, ReadonlyMap<string, Asked>>, reader: Reader): Promise<void> {
  for (const [unit, places] of asked) {
    await Promise.all([...places.values()].map(async (place) => {
      const isReadable = await Promise.all(place.others.map(async (other) => isExpression(unit, other) && (await reader.shape(unit.path, `(${other})`)) !== null))
      place.others = place.others.filter((_other, at) => isReadable[at])
    }))
  }
}

/** Grammars let more through than the languages do. */
function isExpression({ tongue }: Unit, text: string): boolean {
  if (/^\s*$/.test(text)) return false
  return tongue === 'python' ? !/:=|^\s*\*|(?<![=!<>])=(?!=)/.test(text.replaceAll(/(['"]).*?\1/g, '')) || /\w\(.*\w=/.test(text) : !(text.includes('??') && /\|\||&&/.test(text))
}

type Place = Omit<Asked, 'others' | 'first'> & { other: string }

/** Where a change would be seen, and what would stand there; null when that cannot be asked. */
function placesOf({ unit, edits }: Ranked): Place[] | null {
  const question = edits.length === 1 ? questionIn(unit, edits[0]) : null
  if (question) return [question]
  const hosts = edits.map((edit) => hostOf(unit, edit))
  if (hosts.some((host) => host === null)) return null
  const byHost = new Map<Node, Edit[]>()
  hosts.forEach((host, at) => host && edits[at] && byHost.set(host, [...(byHost.get(host) ?? []), edits[at]]))
  const places = [...byHost].map(([host, own]): Place => ({
    start: host.start, end: host.end, own: null, by: byOf(host), other: within(unit, host, own),
  }))
  return places.every(({ other }) => isPureText(unit, other)) ? places : null
}

function within({ source }: Unit, host: Node, edits: readonly Edit[]): string {
  let [text, at] = ['', host.start]
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + source.slice(at, host.end)
}

/** `if (…) return …` before a statement makes a difference where it is so, `if (…)` around one where it is not. */
function questionIn(unit: Unit, { start, end, text }: Edit): Place | null {
  const isBetween = start === end
  const ending = isBetween ? /^\s*(?:if \((.+)\)|if (.+):)\s*(?:return|continue|break|throw|raise)\b/.exec(text) : null
  const around = isBetween ? null : guardOf(unit, { start, end, text })
  const other = ending?.[1] ?? ending?.[2] ?? around
  if (other === undefined || other === null || !isPureText(unit, other) || !isStatementStart(unit, start)) return null
  return { start, end: start, own: word(unit, !isBetween), by: 'truth', other }
}

function guardOf(unit: Unit, edit: Edit): string | null {
  const own = textOf(unit, edit).replaceAll(/\s+/g, ' ')
  const text = edit.text.replaceAll(/\s+/g, ' ')
  const head = text.endsWith(` ${own}`) ? text.slice(0, -own.length - 1) : ''
  return (/^if \((.+)\)$/.exec(head) ?? /^if (.+):$/.exec(head))?.[1] ?? null
}

function word({ tongue }: Unit, isSo: boolean): string {
  if (tongue === 'python') return isSo ? 'True' : 'False'
  return String(isSo)
}

function isStatementStart(unit: Unit, offset: number): boolean {
  const statement = [...walk(unit.root)].find((node) => node.start === offset && node.parent !== null && isBlock(node.parent))
  return statement !== undefined && functionAround(statement) !== null
}

// — where a value can be held against another —

const VALUES = new Set([
  'identifier', 'this', 'number', 'integer', 'float', 'string', 'template_string', 'true', 'false', 'null', 'none', 'undefined',
  'binary_expression', 'binary_operator', 'boolean_operator', 'not_operator', 'unary_expression', 'unary_operator', 'comparison_operator',
  'member_expression', 'attribute', 'subscript_expression', 'subscript', 'call_expression', 'call', 'ternary_expression',
  'conditional_expression', 'parenthesized_expression', 'array', 'list', 'object', 'dictionary', 'set', 'as_expression', 'non_null_expression',
])
const WRITTEN = new Set(['assignment', 'augmented_assignment', 'assignment_expression', 'augmented_assignment_expression', 'for_in_statement', 'for_statement', 'for_in_clause', 'named_expression'])
const NO_VALUE_FIELDS = new Set(['name', 'function', 'constructor', 'alias', 'key', 'operator', 'property', 'attribute', 'label', 'parameter', 'pattern'])
const NO_VALUE_IN = /pattern|^(interpolation|expression_statement|update_expression|delete_statement|shorthand|keyword_separator|type_|global|nonlocal|formal_parameters|parameters|default_parameter|typed_|required_|optional_|as_)/

/** The largest expression around an edit that can be asked twice without a trace. */
function hostOf(unit: Unit, edit: Edit): Node | null {
  let host: Node | null = null
  for (let at: Node | null = innermost(unit.root, edit); at && !isFunction(at) && !isBlock(at) && !/comprehension|generator_expression/.test(at.type); at = at.parent) {
    if (isDead(at)) return null
    if (!VALUES.has(at.type)) continue
    if (!isPure(unit, at)) break
    if (isReplaceable(unit, at)) host = at
  }
  return host && functionAround(host) && statementAround(host) ? host : null
}

function innermost(root: Node, { start, end }: Edit): Node {
  const below = root.children.find((child) => child.start <= start && child.end >= end && child.end > child.start)
  return below ? innermost(below, { start, end, text: '' }) : root
}

function isReplaceable(unit: Unit, node: Node): boolean {
  const { parent } = node
  if (!parent || NO_VALUE_FIELDS.has(node.field) || NO_VALUE_IN.test(parent.type)) return false
  if (node.field === 'left' && WRITTEN.has(parent.type)) return false
  const isHead = unit.tongue !== 'python' && node.type === 'parenthesized_expression' && /^(if|while|do|switch|with)_statement$/.test(parent.type)
  const isChained = textOf(unit, node).includes('?.') && /^(member|subscript|call)_expression$|^non_null/.test(parent.type)
  return !isHead && !isChained
}

const IMPURE = new Set([
  'assignment_expression', 'augmented_assignment_expression', 'named_expression', 'update_expression', 'await_expression', 'await', 'yield_expression', 'yield',
  'statement_block', 'function_expression', 'class', 'generator_expression', 'ERROR', 'super',
])

const judged = new WeakMap<Node, boolean>()

function isPure(unit: Unit, node: Node): boolean {
  const known = judged.get(node) ?? (isPureItself(unit, node) && node.children.every((child) => isPure(unit, child)))
  judged.set(node, known)
  return known
}

function isPureItself(unit: Unit, node: Node): boolean {
  if (IMPURE.has(node.type)) return false
  if (node.type === 'subscript' && /\bdefaultdict\b/.test(unit.source)) return false
  if (node.type === 'unary_expression' && textOf(unit, node).startsWith('delete')) return false
  return /^(call|call_expression|new_expression)$/.test(node.type) ? pureCalls(unit.tongue).test(textOf(unit, node.children[0] ?? node)) : true
}

/** What an edit puts there is only text yet. */
function isPureText({ tongue, source }: Unit, text: string): boolean {
  if (/\b(await|yield|delete|super|function|new|class)\b|\+\+|--|=>\s*\{|[^=!<>]=(?![=>])/.test(text.replaceAll(/(['"]).*?\1/g, '').replaceAll(/\b\w+=(?!=)/g, tongue === 'python' ? '' : '$&'))) return false
  if (tongue === 'python' && /\bdefaultdict\b/.test(source) && /[\w)\]]\[/.test(text)) return false
  return [...text.matchAll(/([\w$.]+)\s*\(/g)].every(([, called]) => pureCalls(tongue).test(called ?? '') || /^(and|or|not|in|if|else|is|return|lambda)$/.test(called ?? ''))
}

/** What is made anew each time is the same when it looks the same. */
function byOf(host: Node): By {
  if (isTested(host)) return 'truth'
  return /^(identifier|this|member_expression|attribute|subscript|subscript_expression)$/.test(host.type) ? 'identity' : 'looks'
}

/** Only whether it holds is asked. */
function isTested(host: Node): boolean {
  let at = host
  while (at.parent && (/^(parenthesized_expression|boolean_operator|not_operator)$/.test(at.parent.type) || isLogical(at.parent))) at = at.parent
  const above = at.parent
  if (!above) return false
  const decides = conditionOf(above)
  return decides !== null && decides.start >= at.start && decides.end <= at.end
}

function isLogical(node: Node): boolean {
  return /^(binary|unary)_expression$/.test(node.type) && node.children.some(({ type }) => type === '&&' || type === '||' || type === '!')
}

// — the questions, in the text —

function withQuestions(unit: Unit, all: readonly Asked[]): string {
  const places = all.filter(({ others }) => others.length > 0).toSorted((one, other) => one.start - other.start || Number(other.own !== null) - Number(one.own !== null) || other.end - one.end)
  const render = (start: number, end: number, from: readonly Asked[]): string => {
    let [text, at] = ['', start]
    for (const place of from) {
      if (place.start < at) continue
      text += unit.source.slice(at, place.start)
      const inner = from.filter((each) => each !== place && each.start >= place.start && each.end <= place.end && each.own === null)
      text += place.own === null ? call(unit, place, render(place.start, place.end, inner)) : `${call(unit, place, place.own)}${unit.tongue === 'python' ? '' : ';'}\n${indentAt(unit, place.start)}`
      at = place.end
    }
    return text + unit.source.slice(at, end)
  }
  return render(0, unit.source.length, places)
}

function call({ tongue }: Unit, { first, by, others }: Asked, own: string): string {
  const late = (text: string): string => (tongue === 'python' ? `lambda: (${text})` : `() => (${text})`)
  const name = tongue === 'python' ? '__greenlatch_what_if__' : 'globalThis.__greenlatchWhatIf'
  return `${name}(${first}, ${BY[by]}, ${late(own)}, [${others.map(late).join(', ')}])`
}
