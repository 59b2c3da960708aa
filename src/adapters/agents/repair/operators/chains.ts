// Calls behind a value that the file has elsewhere and that may be missing here.
import { visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { bracketed, field, functionAround, isFunction, isWithin, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { isCall, isDeclared, isMember } from '../words.js'
import { instead } from './change.js'

const CHAINED = new Set([
  'variable_declarator', 'assignment', 'assignment_expression', 'return_statement', 'arguments', 'argument_list', 'for_in_statement',
  'for_statement', 'array', 'list', 'template_substitution', 'interpolation', 'member_expression', 'attribute',
])

/** `.filter((x) => …)`, `.padStart(2, '0')`: what the file does to one value may be missing at another. */
export function chains(unit: Unit, node: Node): Proposal[] {
  const isPlace =
    (isMember(node) || isCall(node) || node.type === 'identifier') &&
    node.parent !== null &&
    CHAINED.has(node.parent.type)
  if (
    !isPlace ||
    node.field === 'left' ||
    node.field === 'function' ||
    node.field === 'name' ||
    node.field === 'property' ||
    node.field === 'attribute' ||
    isDeclared(unit, node) ||
    functionAround(node) === null
  )
    return []
  const isReceiver = node.parent !== null && isMember(node.parent)
  if (isReceiver && !isCall(node)) return []
  const visible = new Set(visibleAt(unit, node).map(({ text }) => text))
  const own = textOf(unit, node)
  return suffixes(unit)
    .filter(({ text, names, from }) => !own.endsWith(text) && !isWithin(node, from) && names.every((name) => visible.has(name)))
    .slice(0, 6)
    .map(({ text }, at) => instead(node, `${bracketed(unit, node)}${text}`, 'wrap', 0.13 / (1 + at * 0.2)))
}

/** `x.a().b()` → `x.b().a()`. */
export function exchangedChains(unit: Unit, node: Node): Proposal[] {
  const outer = isCall(node) ? field(node, 'function') : undefined
  const before = outer && isMember(outer) ? field(outer, 'object') : undefined
  const inner = before && isCall(before) ? field(before, 'function') : undefined
  const first = inner && isMember(inner) ? field(inner, 'object') : undefined
  if (!before || !first || functionAround(node) === null) return []
  const [one, other] = [unit.source.slice(first.end, before.end), unit.source.slice(before.end, node.end)]
  return one === other ? [] : [instead({ start: first.end, end: node.end }, `${other}${one}`, 'moved statement', 0.2, node.start)]
}

type Suffix = { text: string; names: string[]; from: Node }
const known = new WeakMap<Unit, Suffix[]>()

function suffixes(unit: Unit): Suffix[] {
  const found = known.get(unit) ?? [...walk(unit.root)].flatMap((node): Suffix[] => {
    const called = isCall(node) ? field(node, 'function') : undefined
    const object = called && isMember(called) ? field(called, 'object') : undefined
    if (
      !object ||
      node.end - object.end > 60 ||
      node.parent?.type === 'expression_statement' ||
      unit.source.slice(object.end, node.end).includes('\n')
    )
      return []
    const list = field(node, 'arguments')
    const inner = list
      ? new Set(
          [...walk(list)]
            .filter((each) => isFunction(each))
            .flatMap((each) => parts(field(each, 'parameters') ?? field(each, 'parameter') ?? each).map((name) => textOf(unit, name))),
        )
      : new Set<string>()
    const names = list
      ? [...walk(list)]
          .filter(({ type }) => type === 'identifier')
          .map((each) => textOf(unit, each))
          .filter((name) => !inner.has(name))
      : []
    return [{ text: unit.source.slice(object.end, node.end), names, from: node }]
  })
  const once = found.filter((each, at) => found.findIndex(({ text }) => text === each.text) === at)
  known.set(unit, once)
  return once
}
