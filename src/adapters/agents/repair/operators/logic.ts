// Conditions that are negated, lack a part or have one too many.
import { visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { bracketed, field, functionAround, isSimple, isWithin, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { conditionOf, escaped, isBranch, isCall, wordsOf } from '../words.js'
import { exchanging, instead } from './change.js'
import { predicatesAt } from './predicates.js'

const NEGATIONS = new Set(['not_operator', 'unary_expression'])

export function negations(unit: Unit, node: Node): Proposal[] {
  const { not } = wordsOf(unit)
  if (NEGATIONS.has(node.type)) {
    const argument = field(node, 'argument')
    const isNot = unit.source.startsWith(not.trim(), node.start)
    return argument && isNot ? [instead(node, textOf(unit, argument), 'condition', 0.6)] : []
  }
  if (!isTruth(node) || /comparison/.test(node.type) || isComparison(unit, node)) return []
  return [instead(node, `${not}${bracketed(unit, node)}`, 'condition', isPlainCondition(node) ? 0.6 : 0.3)]
}

function isComparison(unit: Unit, node: Node): boolean {
  return node.type === 'binary_expression' && /^[<>=!]=?=?$/.test(textOf(unit, field(node, 'operator') ?? node))
}

function isPlainCondition(node: Node): boolean {
  return isSimple(node)
}

/** Where a value is asked whether it is true. */
function isTruth(node: Node): boolean {
  const { parent } = node
  if (!parent || node.type === 'parenthesized_expression') return false
  if (isBranch(parent)) return conditionOf(parent) === node
  if (parent.type === 'parenthesized_expression')
    return parent.parent !== null && isBranch(parent.parent) && conditionOf(parent.parent) === node
  if (parent.type === 'boolean_operator') return node.field === 'left' || node.field === 'right'
  if (parent.type === 'binary_expression')
    return /^(&&|\|\|)$/.test(parent.children.find(({ field: name }) => name === 'operator')?.type ?? '') && node.field !== 'operator'
  return parent.type === 'return_statement' && (isCall(node) || node.type === 'identifier' || node.type === 'boolean_operator')
}

const JOINED = new Set(['boolean_operator', 'binary_expression'])

/** `a && b` → `a`, `b`; and `b` wherever the file has it, as one part more of a condition. */
export function conjuncts(unit: Unit, node: Node): Proposal[] {
  return [...withoutOne(unit, node), ...withOneMore(unit, node)]
}

function isJoined(unit: Unit, node: Node): boolean {
  return JOINED.has(node.type) && /^(&&|\|\||and|or|\?\?)$/.test(textOf(unit, field(node, 'operator') ?? node))
}

function withoutOne(unit: Unit, node: Node): Proposal[] {
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  if (!isJoined(unit, node) || !left || !right) return []
  return [left, right].map((kept) => instead(node, textOf(unit, kept), 'condition', 0.3))
}

function withOneMore(unit: Unit, node: Node): Proposal[] {
  const isOperand = node.parent !== null && isJoined(unit, node.parent) && (node.type === 'comparison_operator' || isComparison(unit, node))
  if (!isBranch(node) && node.type !== 'return_statement' && !isOperand) return []
  const condition = isOperand
    ? node
    : node.type === 'return_statement'
      ? (parts(node).find((part) => isJoined(unit, part) || isComparison(unit, part) || part.type === 'comparison_operator') ?? null)
      : conditionOf(node)
  if (!condition) return []
  const { and, or } = wordsOf(unit)
  const whole = textOf(unit, condition)
  const isOred = isJoined(unit, condition) && /^(\|\||or)$/.test(textOf(unit, field(condition, 'operator') ?? condition))
  return questionsAt(unit, condition).flatMap(({ text, weight: full }): Proposal[] => {
    const weight = isOperand ? full * 0.6 : full
    const edit = { start: condition.start, end: condition.end }
    const joined = (sign: string): string =>
      sign === and && isOred ? `(${whole}) ${sign} ${text}` : isOperand ? `(${whole} ${sign} ${text})` : `${whole} ${sign} ${text}`
    return [
      { kind: 'condition', weight, edits: [{ ...edit, text: joined(and) }], at: condition.start },
      { kind: 'condition', weight: weight * 0.8, edits: [{ ...edit, text: joined(or) }], at: condition.start },
    ]
  })
}

type Ingredient = { text: string; weight: number }
const MOST_INGREDIENTS = 30

/** Parts of other conditions, and the plain questions about the names that can be seen. */
export function questionsAt(unit: Unit, condition: Node): Ingredient[] {
  const whole = textOf(unit, condition)
  const around = functionAround(condition) ?? unit.root
  const names = visibleAt(unit, condition).filter(
    ({ what, scope, declaredAt }) =>
      (what === 'parameter' || what === 'local') && scope === functionAround(condition) && declaredAt < condition.start,
  )
  const seen = new Set(names.map(({ text }) => text))
  const taken = askedIn(unit).flatMap(({ text, names: own, node }): Ingredient[] => {
    if (whole.includes(text) || !own.every((name) => seen.has(name) || isOutside(unit, name))) return []
    return [{ text, weight: isWithin(node, around) ? 0.28 : 0.14 }]
  })
  const asked = names.flatMap(({ text, uses }) =>
    questions(unit, text).map((question, at): Ingredient => ({ text: question, weight: (uses === 0 ? 0.25 : 0.14) / (1 + at * 0.3) })),
  )
  const made = predicatesAt(unit, condition).map((text, at): Ingredient => ({ text, weight: 0.13 / (1 + at * 0.03) }))
  const best = new Map<string, Ingredient>()
  for (const each of [...taken, ...asked, ...made])
    if ((best.get(each.text)?.weight ?? 0) < each.weight && each.text !== whole) best.set(each.text, each)
  return [...best.values()]
    .toSorted((one, other) => other.weight - one.weight || (one.text < other.text ? -1 : 1))
    .slice(0, MOST_INGREDIENTS)
}

type Asked = { text: string; names: string[]; node: Node }
const asked = new WeakMap<Unit, Asked[]>()

/** Every short question that the file asks. */
function askedIn(unit: Unit): Asked[] {
  const isQuestion = (node: Node): boolean =>
    node.type === 'comparison_operator' || isComparison(unit, node) || NEGATIONS.has(node.type) || (isCall(node) && isTruth(node))
  const nodes = (): Node[] => [...walk(unit.root)].filter((node) => node.end - node.start <= 60 && isQuestion(node))
  const found = asked.get(unit) ?? nodes().map((node) => ({ text: textOf(unit, node), names: namesOf(unit, node), node }))
  asked.set(unit, found)
  return found
}

function namesOf(unit: Unit, node: Node): string[] {
  return [...walk(node)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each))
}

function isOutside(unit: Unit, name: string): boolean {
  return (
    visibleAt(unit, unit.root).some(({ text, scope }) => text === name && scope.parent === null) ||
    /^(len|Math|Number|Array|isinstance|str|int|Object|undefined|None)$/.test(name)
  )
}

function questions(unit: Unit, name: string): string[] {
  const [isNothing, isSome] =
    unit.tongue === 'python'
      ? [[`${name} is None`], [`${name} is not None`]]
      : [[`${name} === undefined`, `${name} === null`], [`${name} !== null`, `${name} !== undefined`]]
  if (mayBeNothing(unit, name)) return [...isSome, ...isNothing, ...plainQuestions(unit, name)]
  const [truth, lie, above, long] = plainQuestions(unit, name)
  return [truth, lie, isSome[0], above, isSome[1] ?? isNothing[0], long].filter((text) => text !== undefined)
}

function plainQuestions({ tongue }: Unit, name: string): string[] {
  return tongue === 'python' ? [name, `not ${name}`, `${name} > 0`, `len(${name}) > 0`] : [name, `!${name}`, `${name} > 0`, `${name}.length > 0`]
}

/** It is given what may not be there. */
function mayBeNothing({ source }: Unit, name: string): boolean {
  const given = `(?<![\\w$.])${escaped(name)}(?::[^=\\n]+)?\\s*=(?!=)`
  return new RegExp(`${given}.*(\\.(get|find|match|exec|pop|shift|at)\\(|\\?\\.|\\b(None|null|undefined)\\b)`).test(source)
}

/** Another question altogether, as after a line that was copied and not changed. */
export function otherConditions(unit: Unit, node: Node): Proposal[] {
  const condition = isBranch(node) ? conditionOf(node) : null
  if (!condition || functionAround(node) === null) return []
  return questionsAt(unit, condition).map(({ text }, at) => instead(condition, text, 'condition', 0.1 / (1 + at * 0.05)))
}

/** `a if c else b` and `c ? a : b` with the two sides changed over. */
export function turnedChoice(unit: Unit, node: Node): Proposal[] {
  const sides =
    node.type === 'ternary_expression'
      ? [field(node, 'consequence'), field(node, 'alternative')]
      : node.type === 'conditional_expression'
        ? [parts(node)[0], parts(node).at(-1)]
        : []
  const [one, other] = sides
  if (!one || !other) return []
  const alone = [one, other].map((kept) => instead(node, textOf(unit, kept), 'condition', 0.08))
  return [exchanging(unit, one, other, 'condition', 0.4, node.start), ...alone]
}
