// Parameters in the wrong order.
import type { Proposal } from '../types.js'
import { field, isFunction, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { exchanging } from './change.js'

const MOST_NAMES = 5

/** Two parameters, each in the other's place; defaults and types stay where they are. */
export function exchangedParameters(unit: Unit, node: Node): Proposal[] {
  const list = isFunction(node) ? field(node, 'parameters') : undefined
  const body = field(node, 'body')
  const first = body ? (parts(body)[0] ?? body) : undefined
  if (!list || !first) return []
  const names = [...walk(list)].filter((each) => isParameter(unit, each)).slice(0, MOST_NAMES)
  return names.flatMap((one, at) => names.slice(at + 1).map((other) => exchanging(unit, one, other, 'parameters', 0.2, first.start)))
}

function isParameter(unit: Unit, node: Node): boolean {
  if (node.type !== 'identifier' && node.type !== 'shorthand_property_identifier_pattern') return false
  const isValue = node.field === 'value' || node.field === 'right' || node.field === 'type'
  const isPart = /^(type|keyword_argument|call|attribute|member_expression)/.test(node.parent?.type ?? '')
  return !isValue && !isPart && !/^(self|cls)$/.test(textOf(unit, node))
}
