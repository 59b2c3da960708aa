// The wrong name: another variable that can be seen, another property, another method of the same receiver.
import { otherNames, similarity } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, textOf, walk, type Node, type Unit } from '../tree.js'
import { isCall, isDeclared, isMember, memberName } from '../words.js'
import { SIBLINGS } from './siblings.js'
import { instead } from './change.js'

const MOST_NAMES = 10
const MOST_PROPERTIES = 8

export function otherVariables(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'identifier' && node.type !== 'shorthand_property_identifier') return []
  if (isDeclared(unit, node) || isAssigned(node)) return []
  const text = textOf(unit, node)
  const isShorthand = node.type !== 'identifier'
  const others = otherNames(unit, node, MOST_NAMES)
  return others.flatMap(({ text: other, weight }, at): Proposal[] => {
    const forms = isShorthand ? [`${text}: ${other}`, other] : [other]
    return forms.map((form) => instead(node, form, 'wrong name', weight / (1 + at * 0.25)))
  })
}

/** What is assigned to is seldom the wrong name, but it happens. */
function isAssigned({ parent, field: name }: Node): boolean {
  return name === 'left' && (parent?.type === 'assignment' || parent?.type === 'for_in_clause')
}

/** Functions that are no methods have siblings too: `min` and `max`, `any` and `all`. */
export function otherFunctions(unit: Unit, node: Node): Proposal[] {
  if (!isCall(node) && node.type !== 'new_expression') return []
  const called = field(node, 'function') ?? field(node, 'constructor')
  if (!called || called.type !== 'identifier') return []
  return siblings(unit, called, 0.55)
}

export function otherMembers(unit: Unit, node: Node): Proposal[] {
  if (!isMember(node)) return []
  const name = memberName(node)
  const object = field(node, 'object')
  if (!name || !object) return []
  const isMethod = node.field === 'function' && node.parent !== null && isCall(node.parent)
  const kin = isMethod ? siblings(unit, name, 0.6) : siblings(unit, name, 0.4)
  return [...kin, ...elsewhere(unit, node, name, isMethod)]
}

function siblings(unit: Unit, name: Node, weight: number): Proposal[] {
  const text = textOf(unit, name)
  const others = (SIBLINGS.get(text) ?? []).filter(
    ({ tongue }) => tongue === null || tongue === (unit.tongue === 'python' ? 'python' : 'javascript'),
  )
  return others.slice(0, MOST_PROPERTIES).map(({ text: other }, at) => instead(name, other, 'method', weight / (1 + at * 0.35)))
}

/** Properties that the file uses of the same receiver, then of any. */
function elsewhere(unit: Unit, node: Node, name: Node, isMethod: boolean): Proposal[] {
  const text = textOf(unit, name)
  const receiver = textOf(unit, field(node, 'object') ?? node)
  const found = new Map<string, number>()
  for (const { text: other, of, called } of membersOf(unit)) {
    if (other === text || called !== isMethod) continue
    const weight = (of === receiver ? 0.4 : 0.15) * (0.6 + 0.8 * similarity(other, text))
    found.set(other, Math.max(found.get(other) ?? 0, weight))
  }
  const best = [...found].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).slice(0, MOST_PROPERTIES)
  return best.map(([other, weight], at) => instead(name, other, isMethod ? 'method' : 'wrong name', weight / (1 + at * 0.15)))
}

type Member = { text: string; of: string; called: boolean }
const known = new WeakMap<Unit, Member[]>()

export function membersOf(unit: Unit): Member[] {
  const found = known.get(unit) ?? [...walk(unit.root)].flatMap((node) => memberIn(unit, node))
  known.set(unit, found)
  return found
}

function memberIn(unit: Unit, node: Node): Member[] {
  if (node.type === 'method_definition') return [{ text: textOf(unit, field(node, 'name') ?? node), of: 'this', called: true }]
  if (node.type === 'function_definition' && node.parent?.parent?.type === 'class_definition')
    return [{ text: textOf(unit, field(node, 'name') ?? node), of: 'self', called: true }]
  if (node.type === 'pair' && /^[\w$]+$/.test(textOf(unit, field(node, 'key') ?? node)))
    return [{ text: textOf(unit, field(node, 'key') ?? node), of: '', called: false }]
  const name = isMember(node) ? memberName(node) : null
  const object = field(node, 'object')
  if (!name || !object || textOf(unit, name).startsWith('__')) return []
  return [{ text: textOf(unit, name), of: textOf(unit, object), called: node.field === 'function' }]
}

/** `count` → `self.count`, `this.count` where the class has such a property. */
export function ownProperty(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'identifier' || isDeclared(unit, node)) return []
  const text = textOf(unit, node)
  const own = unit.tongue === 'python' ? 'self' : 'this'
  if (!membersOf(unit).some((member) => member.of === own && member.text === text)) return []
  return [instead(node, `${own}.${text}`, 'wrong name', 0.35)]
}
