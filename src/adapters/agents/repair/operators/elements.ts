// What stands in brackets: elements in the wrong order, what was there before left out, indices exchanged.
import { visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, parts, textOf, type Node, type Unit } from '../tree.js'
import { isCall } from '../words.js'
import { exchanging, inserting, instead } from './change.js'

const LISTS = new Set(['array', 'list', 'tuple', 'object', 'expression_list'])
const MOST_ELEMENTS = 4
const MOST_NAMES = 4

/** `[a, b]` → `[b, a]`, `{ ...a, ...b }` → `{ ...b, ...a }`: those side by side. */
export function exchangedElements(unit: Unit, node: Node): Proposal[] {
  if (!LISTS.has(node.type) || functionAround(node) === null) return []
  const elements = parts(node)
  if (elements.length > MOST_ELEMENTS) return []
  return elements.slice(1).flatMap((second, at): Proposal[] => {
    const first = elements[at]
    if (!first || textOf(unit, first) === textOf(unit, second)) return []
    const isOrdered = node.type !== 'object' || first.type === 'spread_element' || second.type === 'spread_element'
    return isOrdered ? [exchanging(unit, first, second, 'arguments', node.type === 'object' ? 0.5 : 0.2)] : []
  })
}

/** `[x]` → `[...path, x]`: a list that should go on from another. */
export function continuedLists(unit: Unit, node: Node): Proposal[] {
  const isList = node.type === 'array' || node.type === 'list'
  const [first] = parts(node)
  if (!isList || !first || parts(node).length > 2 || /spread|splat/.test(first.type) || functionAround(node) === null) return []
  const own = textOf(unit, node)
  const names = visibleAt(unit, node)
    .filter(
      ({ what, text, scope, declaredAt }) =>
        (what === 'parameter' || what === 'local') && scope.parent !== null && declaredAt < node.start && text !== 'self',
    )
    .map(({ text }) => text)
    .filter((text) => !new RegExp(`(?<![\\w$])${text.replaceAll('$', '\\$&')}(?![\\w$])`).test(own))
  const [start, text] = unit.tongue === 'python' ? [node.start, '% + '] : [first.start, '...%, ']
  return names
    .slice(0, MOST_NAMES)
    .map((name, at) => inserting(start, text.replace('%', () => name), 'arguments', 0.16 / (1 + at * 0.25), node.start))
}

/** `m[a][b]` → `m[b][a]`. */
export function exchangedIndices(unit: Unit, node: Node): Proposal[] {
  const outer = indexOf(node)
  const object = field(node, 'object') ?? field(node, 'value')
  const inner = object?.type === 'non_null_expression' ? lastOperand(parts(object)[0]) : object
  const innerIndex = inner ? indexOf(inner) : undefined
  if (!outer || !innerIndex || textOf(unit, outer) === textOf(unit, innerIndex)) return []
  return [exchanging(unit, innerIndex, outer, 'arguments', 0.4, node.start)]
}

/** The grammar of TypeScript binds `!` less tightly than `*`. */
function lastOperand(node: Node | undefined): Node | undefined {
  return node?.type === 'binary_expression' ? lastOperand(field(node, 'right')) : node
}

function indexOf(node: Node): Node | undefined {
  if (node.type === 'subscript_expression') return field(node, 'index')
  return node.type === 'subscript' ? field(node, 'subscript') : undefined
}

/** `f(a) + f(b)` → `f(b) + f(a)`: two calls of one function in a statement that have each other's arguments. */
export function exchangedBetweenCalls(unit: Unit, node: Node): Proposal[] {
  if (!/^(binary_expression|binary_operator)$/.test(node.type) || node.parent?.type.startsWith('binary')) return []
  const calls = callsIn(node)
  return calls.flatMap((one, at) =>
    calls.slice(at + 1).flatMap((other): Proposal[] => {
      const [first, second] = [one, other].map((call) => ({ name: field(call, 'function'), list: field(call, 'arguments') }))
      if (!first?.name || !second?.name || !first.list || !second.list) return []
      const isSame = textOf(unit, first.name) === textOf(unit, second.name) && textOf(unit, first.list) !== textOf(unit, second.list)
      return isSame ? [exchanging(unit, first.list, second.list, 'arguments', 0.3, node.start)] : []
    }),
  )
}

function callsIn(node: Node): Node[] {
  if (isCall(node)) return [node]
  return node.type.startsWith('binary') ? parts(node).flatMap(callsIn) : []
}

/** `a // b` → `(a + b - 1) // b`: what is begun counts as a whole. */
export function roundedUp(unit: Unit, node: Node): Proposal[] {
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  if (unit.tongue !== 'python' || node.type !== 'binary_operator' || !left || !right) return []
  if (textOf(unit, field(node, 'operator') ?? node) !== '//') return []
  const [a, b] = [textOf(unit, left), textOf(unit, right)]
  return [instead(node, `-(-${parts(left).length > 1 && !isCall(left) ? `(${a})` : a} // ${b})`, 'operator', 0.25)]
}
