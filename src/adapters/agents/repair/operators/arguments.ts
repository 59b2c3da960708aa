// Arguments in the wrong order, one too few, one too many.
import { visibleAt } from '../scope.js'
import type { Edit, Proposal } from '../types.js'
import { field, functionAround, isFunction, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, calledName, isCall } from '../words.js'
import { exchanging } from './change.js'

const MOST_ADDED = 8

export function otherArguments(unit: Unit, node: Node): Proposal[] {
  if (!isCall(node) && node.type !== 'new_expression') return []
  const given = argumentsOf(node)
  const spread = given.find(({ type }) => /spread|splat|generator/.test(type))
  if (spread) return beforeSpread(unit, node, given, spread)
  const wanted = parametersOf(unit, node)
  return [
    ...swapped(unit, given),
    ...removed(unit, node, given, wanted),
    ...added(unit, node, given, wanted),
    ...customary(unit, node, given),
  ]
}

/** `emit('*', ...args)` → `emit('*', name, ...args)`: what the function itself was given and hands on. */
function beforeSpread(unit: Unit, call: Node, given: readonly Node[], spread: Node): Proposal[] {
  const around = functionAround(call)
  const known = new Set(given.map((each) => textOf(unit, each).replace(/^\W+/, '')))
  if (/generator/.test(spread.type) || !around) return []
  const names = visibleAt(unit, call).filter(({ what, scope, text }) => what === 'parameter' && scope === around && !/^(self|cls)$/.test(text))
  const missing = names.filter(({ text }) => !known.has(text)).slice(0, 3)
  return missing.map(({ text }, at): Proposal => {
    const edit = { start: spread.start, end: spread.start, text: `${text}, ` }
    return { kind: 'arguments', weight: 0.3 / (1 + at * 0.5), edits: [edit], at: call.start }
  })
}

function swapped(unit: Unit, given: readonly Node[]): Proposal[] {
  return given.slice(1).flatMap((second, at): Proposal[] => {
    const first = given[at]
    const isOdd = !first || isNamed(first) || isNamed(second) || isFunction(first) !== isFunction(second)
    if (isOdd || textOf(unit, first) === textOf(unit, second)) return []
    return [exchanging(unit, first, second, 'arguments', given.length === 2 ? 0.5 : 0.35)]
  })
}

function isNamed({ type }: Node): boolean {
  return type === 'keyword_argument'
}

function removed(unit: Unit, call: Node, given: readonly Node[], wanted: Node[] | null): Proposal[] {
  if (given.length === 0) return []
  const weight = wanted !== null && given.length > wanted.length ? 0.6 : isNamed(given.at(-1) ?? call) ? 0.2 : 0.1
  return given.map((argument, at): Proposal => {
    const [before, after] = [given[at - 1], given[at + 1]]
    const edit = before
      ? { start: before.end, end: argument.end, text: '' }
      : { start: argument.start, end: after?.start ?? argument.end, text: '' }
    return { kind: 'arguments', weight: at === given.length - 1 ? weight : weight * 0.5, edits: [edit], at: argument.start }
  })
}

/** What the function that is called in the same file declares; null when it is not there. */
function parametersOf(unit: Unit, call: Node): Node[] | null {
  const name = calledName(call) ?? field(call, 'constructor')
  if (!name) return null
  const text = textOf(unit, name)
  for (const node of walk(unit.root)) {
    const declared = isFunction(node)
      ? (field(node, 'name') ?? (node.parent?.type === 'variable_declarator' ? field(node.parent, 'name') : undefined))
      : undefined
    if (declared && textOf(unit, declared) === text)
      return parts(field(node, 'parameters') ?? node).filter((each) => !/^(self|cls)$/.test(textOf(unit, each)))
  }
  return null
}

/** A name that can be seen, where the function takes one more than it is given; at best one that is called like the parameter. */
function added(unit: Unit, call: Node, given: readonly Node[], wanted: Node[] | null): Proposal[] {
  const list = field(call, 'arguments')
  if (!list || wanted === null || wanted.length <= given.length) return []
  const parameter = wanted[given.length]
  const parameterName = parameter ? (/^[\w$]+/.exec(textOf(unit, parameter))?.[0] ?? '') : ''
  const names = visibleAt(unit, call).filter(
    ({ what, text, scope }) => (what === 'parameter' || what === 'local') && text !== 'self' && scope.parent !== null,
  )
  const texts = [
    ...new Set([
      ...names.map(({ text }) => text).toSorted((one, other) => Number(other === parameterName) - Number(one === parameterName)),
      '0',
      '1',
    ]),
  ].slice(0, MOST_ADDED)
  return texts.flatMap((text, at) =>
    insertions(list, given, text).map((edit): Proposal => ({
      kind: 'arguments',
      weight: (text === parameterName ? 0.7 : 0.4) / (1 + at * 0.35),
      edits: [edit],
      at: call.start,
    })),
  )
}

function insertions(list: Node, given: readonly Node[], text: string): Edit[] {
  const last = given.at(-1)
  if (!last) return [{ start: list.start + 1, end: list.end - 1, text }]
  return [{ start: last.end, end: last.end, text: `, ${text}` }]
}

/** Arguments that are often forgotten. Name of the function → what is given and what should be. */
const CUSTOMARY: Readonly<Record<string, readonly [number, string, number][]>> = {
  sort: [[0, '(a, b) => a - b', 0.7], [0, '(a, b) => b - a', 0.3]],
  toSorted: [[0, '(a, b) => a - b', 0.7], [0, '(a, b) => b - a', 0.3]],
  reduce: [[1, '0', 0.7], [1, '1', 0.25], [1, '[]', 0.25], [1, "''", 0.2], [1, '{}', 0.25]],
  parseInt: [[1, '10', 0.4]],
  flat: [[0, 'Infinity', 0.5]],
  split: [[0, "''", 0.4], [0, "' '", 0.2]],
  join: [[0, "''", 0.6], [0, "' '", 0.25], [0, "', '", 0.15]],
  slice: [[0, '1', 0.2], [1, '-1', 0.15]],
  padStart: [[1, "'0'", 0.6]],
  fill: [[0, '0', 0.4]],
  stringify: [[1, 'null, 2', 0.2]],
  localeCompare: [],
}
const CUSTOMARY_PYTHON: Readonly<Record<string, readonly [number, string, number][]>> = {
  sorted: [
    [1, 'reverse=True', 0.5], [1, 'key=len', 0.25], [1, 'key=str.lower', 0.2],
    [1, 'key=lambda x: x[1]', 0.25], [1, 'key=lambda x: x[0]', 0.2], [2, 'reverse=True', 0.5],
  ],
  sort: [[1, 'reverse=True', 0.5], [0, 'reverse=True', 0.5], [0, 'key=len', 0.25], [0, 'key=lambda x: x[1]', 0.25]],
  min: [[1, 'default=0', 0.3], [1, 'default=None', 0.3], [1, 'key=len', 0.2]],
  max: [[1, 'default=0', 0.4], [1, 'default=None', 0.35], [1, 'key=len', 0.25]],
  sum: [[1, '[]', 0.1]],
  get: [[1, '0', 0.7], [1, '[]', 0.4], [1, "''", 0.3], [1, '1', 0.1], [1, '{}', 0.2], [1, 'False', 0.15]],
  round: [[1, '2', 0.5], [1, '1', 0.2]],
  enumerate: [[1, '1', 0.6], [1, 'start=1', 0.1]],
  pop: [[0, '0', 0.5], [1, 'None', 0.5]],
  split: [[1, '1', 0.4], [0, "','", 0.2]],
  next: [[1, 'None', 0.5]],
  getattr: [[2, 'None', 0.5]],
  int: [[1, '2', 0.3], [1, '16', 0.25]],
  strip: [],
}

function customary(unit: Unit, call: Node, given: readonly Node[]): Proposal[] {
  const name = calledName(call)
  const list = field(call, 'arguments')
  const table = unit.tongue === 'python' ? CUSTOMARY_PYTHON : CUSTOMARY
  const text = name ? textOf(unit, name) : ''
  if (!list || !Object.hasOwn(table, text) || functionAround(call) === null && given.length > 3) return []
  const fitting = (table[text] ?? []).filter(([count]) => count === given.length)
  return fitting.flatMap(([, argument, weight]) =>
    insertions(list, given, argument).map((edit): Proposal => ({ kind: 'arguments', weight: weight * 0.6, edits: [edit], at: call.start })),
  )
}
