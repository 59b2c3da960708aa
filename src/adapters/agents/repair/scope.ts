// Which names can be seen at a place, and which of them could have been meant instead of the one that stands there.
import { field, functionAround, isFunction, isWithin, textOf, walk, type Node, type Unit } from './tree.js'

export type Name = {
  text: string
  what: 'parameter' | 'local' | 'function' | 'class' | 'import'
  /** The function it belongs to, or the whole file. */
  scope: Node
  declaredAt: number
  uses: number
}

const known = new WeakMap<Unit, readonly Name[]>()

export function namesIn(unit: Unit): readonly Name[] {
  const found = known.get(unit) ?? collect(unit)
  known.set(unit, found)
  return found
}

const visible = new WeakMap<Node, Name[]>()

/** The same for all that stands in one function. */
export function visibleAt(unit: Unit, node: Node): readonly Name[] {
  const place = isFunction(node) ? node : (functionAround(node) ?? unit.root)
  const found = visible.get(place) ?? visibleIn(unit, place)
  visible.set(place, found)
  return found
}

function visibleIn(unit: Unit, node: Node): Name[] {
  const seen = new Map<string, Name>()
  const around = namesIn(unit).filter(({ scope }) => isWithin(node, scope))
  for (const name of around.toSorted((one, other) => sizeOf(one.scope) - sizeOf(other.scope)))
    if (!seen.has(name.text)) seen.set(name.text, name)
  return [...seen.values()]
}

function sizeOf({ start, end }: Node): number {
  return end - start
}

function collect(unit: Unit): Name[] {
  const names = new Map<string, Name>()
  for (const node of walk(unit.root)) {
    const what = node.type === 'identifier' || node.type === 'shorthand_property_identifier_pattern' ? declarationOf(node) : null
    if (what === null) continue
    const scope = scopeOf(unit, node, what)
    const key = `${scope.start} ${scope.end} ${textOf(unit, node)}`
    if (!names.has(key)) names.set(key, { text: textOf(unit, node), what, scope, declaredAt: node.start, uses: 0 })
  }
  const all = [...names.values()]
  countUses(unit, all)
  return all
}

function scopeOf(unit: Unit, node: Node, what: Name['what']): Node {
  const own = functionAround(node)
  // The name of a function belongs to what is around it, its parameters to itself.
  if ((what === 'function' || what === 'class') && own && own === node.parent) return functionAround(own) ?? unit.root
  return own ?? unit.root
}

function countUses(unit: Unit, names: readonly Name[]): void {
  const byText = new Map<string, Name[]>()
  for (const name of names) byText.set(name.text, [...(byText.get(name.text) ?? []), name])
  for (const node of walk(unit.root)) {
    if (node.type !== 'identifier' && node.type !== 'shorthand_property_identifier') continue
    const owners = byText.get(textOf(unit, node))?.filter(({ scope }) => isWithin(node, scope)) ?? []
    const nearest = owners.toSorted((one, other) => sizeOf(one.scope) - sizeOf(other.scope))[0]
    if (nearest && nearest.declaredAt !== node.start) nearest.uses += 1
  }
}

function declarationOf(node: Node): Name['what'] | null {
  for (let [at, below]: [Node | null, Node] = [node.parent, node]; at !== null; [at, below] = [at.parent, at]) {
    const what = declaredBy(at, below)
    if (what !== undefined) return what
  }
  return null
}

const PATTERNS = new Set([
  'pattern_list', 'tuple_pattern', 'list_pattern', 'array_pattern', 'object_pattern', 'rest_pattern', 'list_splat_pattern',
  'dictionary_splat_pattern', 'pair_pattern', 'as_pattern_target', 'tuple',
])

/** Undefined when it depends on what is above; null when nothing is declared. */
function declaredBy(node: Node, below: Node): Name['what'] | null | undefined {
  const { type } = node
  if (PATTERNS.has(type)) return undefined
  if (isFunction(node) || type === 'class_definition' || type === 'class_declaration') {
    if (below.field === 'name') return type.startsWith('class') ? 'class' : 'function'
    return below.field === 'parameter' ? 'parameter' : null
  }
  if (type === 'parameters' || type === 'formal_parameters' || type === 'lambda_parameters') return 'parameter'
  if (/_parameter$|^assignment_pattern$/.test(type))
    return below.field === 'value' || below.field === 'right' || below.field === 'type' ? null : 'parameter'
  if (type === 'variable_declarator')
    return below.field === 'name' ? (isFunction(field(node, 'value') ?? node) ? 'function' : 'local') : null
  if (type === 'assignment' || type === 'for_statement' || type === 'for_in_clause' || type === 'for_in_statement')
    return below.field === 'left' ? 'local' : null
  if (type === 'named_expression') return below.field === 'name' ? 'local' : null
  if (type === 'as_pattern' || type === 'catch_clause') return below.field === 'alias' || below.field === 'parameter' ? 'local' : null
  if (/^import_|_import$|^namespace_import$|^dotted_name$/.test(type)) return 'import'
  return null
}

// — what could have been meant —

export type Meant = { text: string; weight: number }

const CALLABLE = new Set<Name['what']>(['function', 'class', 'import'])

/** Other names for the one at this place, best first, each with how likely it is, at most 1. */
export function otherNames(unit: Unit, node: Node, most: number): Meant[] {
  const text = textOf(unit, node)
  const isCalled = node.field === 'function' || node.field === 'constructor'
  const visible = visibleAt(unit, node)
  const own = visible.find((name) => name.text === text)
  const fitting = visible.filter((name) => name.text !== text && fits(name, own, node, isCalled))
  const weighed = fitting.map((name) => ({ text: name.text, weight: likelihood(name, own, text, node) }))
  return weighed.toSorted((one, other) => other.weight - one.weight || (one.text < other.text ? -1 : 1)).slice(0, most)
}

function fits(name: Name, own: Name | undefined, node: Node, isCalled: boolean): boolean {
  if (name.text === 'self' || name.text === 'cls' || name.text === '_') return false
  if (isCalled) return CALLABLE.has(name.what) || (own !== undefined && name.what === own.what)
  if (CALLABLE.has(name.what)) return own !== undefined && CALLABLE.has(own.what)
  const isOwnDeclaration = name.declaredAt >= node.start && functionAround(node) === name.scope && name.what === 'local'
  return !isOwnDeclaration
}

function likelihood(name: Name, own: Name | undefined, text: string, node: Node): number {
  const near = name.scope === functionAround(node) ? 1 : name.scope.parent === null ? 0.35 : 0.6
  const idle = name.uses === 0 ? 1.8 : name.uses === 1 ? 1.1 : 1
  const alike = 0.6 + 0.8 * similarity(name.text, text)
  const kin = own !== undefined && own.what === name.what ? 1.15 : 1
  return Math.min(1, 0.55 * near * idle * alike * kin)
}

/** Between 0 and 1: how much of both names is the same at the beginning and at the end. */
export function similarity(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let [head, tail] = [0, 0]
  while (head < shorter && one[head] === other[head]) head += 1
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1
  return (2 * (head + tail)) / (one.length + other.length)
}
