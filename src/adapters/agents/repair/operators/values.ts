// One value for another: a property for a name, two names exchanged, a term that is missing.
import { visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, isFunction, statementAround, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, isCall, isDeclared, isMember, memberName } from '../words.js'
import { exchanging, instead } from './change.js'
import { membersOf } from './names.js'

const VALUES = new Set(['identifier', 'member_expression', 'attribute'])

function isValue(unit: Unit, node: Node): boolean {
  if (
    !VALUES.has(node.type) ||
    node.field === 'function' ||
    node.field === 'left' ||
    node.field === 'object' ||
    node.field === 'name' ||
    node.field === 'key' ||
    node.field === 'constructor'
  )
    return false
  const isPart =
    node.parent !== null && (isMember(node.parent) || (/^(keyword_argument|pair_pattern)$/.test(node.parent.type) && node.field === 'name'))
  return !isPart && !isDeclared(unit, node) && functionAround(node) !== null
}

/** `until` → `job.at`, `this.misses` → `asked`: names and properties that the same function uses. */
export function otherValues(unit: Unit, node: Node): Proposal[] {
  if (!isValue(unit, node)) return []
  const around = functionAround(node)
  const own = textOf(unit, node)
  if (!around) return []
  const names = visibleAt(unit, node).filter(
    ({ what, scope, declaredAt, text }) =>
      scope.parent !== null && (what === 'parameter' || what === 'local') && declaredAt < node.start && text !== 'self',
  )
  const visible = new Set([...names.map(({ text }) => text), 'this', 'self'])
  const members = [
    ...new Set(
      [...walk(outermost(around))]
        .filter((each) => isMember(each) && each.field !== 'function' && each.field !== 'object' && each.field !== 'left')
        .map((each) => textOf(unit, each)),
    ),
  ].filter((text) => visible.has(/^[\w$]+/.exec(text)?.[0] ?? '') && text.length < 40)
  const others = isMember(node) ? [...names.map(({ text }) => text), ...members] : members
  const best = [...new Set(others)].filter((text) => text !== own).slice(0, 12)
  const more = neighbours(unit, node, visible).filter((text) => text !== own && !best.includes(text)).slice(0, 8)
  const changed = (text: string, at: number, weight: number): Proposal => instead(node, text, 'wrong name', weight / (1 + at * 0.2))
  return [...best.map((text, at) => changed(text, at, 0.2)), ...more.map((text, at) => changed(text, at, 0.12))]
}

/** Any property of the file, of what the same statement takes properties of. */
function neighbours(unit: Unit, node: Node, visible: ReadonlySet<string>): string[] {
  const statement = statementAround(node) ?? node
  const objects = [...walk(statement)]
    .filter((each) => each.field === 'object' && each.type === 'identifier')
    .map((each) => textOf(unit, each))
  const properties = new Set(membersOf(unit).filter(({ called, of }) => !called && of !== '').map(({ text }) => text))
  return [...new Set(objects)]
    .filter((object) => visible.has(object))
    .flatMap((object) => [...properties].map((property) => `${object}.${property}`))
}

function outermost(node: Node): Node {
  const above = functionAround(node)
  return above ? outermost(above) : node
}

/** Two names of one statement or one call, each in the other's place. */
export function exchangedNames(unit: Unit, node: Node): Proposal[] {
  const isWhole = statementAround(node) === node && !isFunction(node)
  if ((!isWhole && !isCall(node)) || node.end - node.start > 200 || functionAround(node) === null) return []
  const used = [...walk(node)].filter(
    (each) => each.type === 'identifier' && !isDeclared(unit, each) && each.field !== 'function' && each.field !== 'left',
  )
  const once = used.filter((each) => used.filter((other) => textOf(unit, other) === textOf(unit, each)).length === 1).slice(0, 6)
  return once.flatMap((one, at) => once.slice(at + 1).map((other) => exchanging(unit, one, other, 'wrong name', 0.14)))
}

const TERM_PLACES = new Set([
  'return_statement', 'arguments', 'argument_list', 'tuple', 'assignment', 'variable_declarator', 'assignment_expression', 'pair',
  'array', 'list', 'slice', 'subscript', 'subscript_expression',
])

/** `x` → `x + y`, and the lesser or the greater of the two. */
export function missingTerms(unit: Unit, node: Node): Proposal[] {
  const isPlace = node.parent !== null && TERM_PLACES.has(node.parent.type) && !/^(left|name|key|object|value)$/.test(placeOf(node))
  if (!isPlace || functionAround(node) === null || isDeclared(unit, node)) return []
  const own = textOf(unit, node)
  const isNumber = /^(binary_operator|binary_expression)$/.test(node.type) && /[-+*/]/.test(own) && !/["'`<>=&|]/.test(own)
  if (node.type !== 'identifier' && !isMember(node) && !isNumber) return []
  const around = functionAround(node)
  const names = visibleAt(unit, node)
    .filter(({ what, scope, declaredAt }) => scope === around && (what === 'parameter' || what === 'local') && declaredAt < node.start)
    .toSorted((one, other) => other.declaredAt - one.declaredAt)
    .map(({ text }) => text)
  const members = around
    ? [
        ...new Set(
          [...walk(outermost(around))]
            .filter(
              (each) => isMember(each) && each.field !== 'function' && each.field !== 'left' && /^(this|self)\./.test(textOf(unit, each)),
            )
            .map((each) => textOf(unit, each)),
        ),
      ]
    : []
  const others = [...names, ...(isNumber ? ownNumbers(unit) : []), ...members]
    .filter((text) => text !== own && text !== 'self' && !own.includes(text))
    .slice(0, 7)
  const [least, most] = unit.tongue === 'python' ? ['min', 'max'] : ['Math.min', 'Math.max']
  const edit = (text: string, weight: number) => instead(node, text, 'wrap', weight)
  const bounds =
    isNumber || node.parent?.type === 'return_statement'
      ? others.flatMap((other, at) => [
          edit(`${least}(${other}, ${own})`, 0.12 / (1 + at * 0.3)),
          edit(`${most}(${other}, ${own})`, 0.1 / (1 + at * 0.3)),
        ])
      : []
  const zero = isNumber ? [edit(`${most}(0, ${own})`, 0.18)] : []
  const sums =
    node.type === 'identifier'
      ? others.slice(0, 6).flatMap((other, at) => [
          edit(`${other} + ${own}`, 0.1 / (1 + at * 0.2)),
          edit(`${own} - ${other}`, 0.08 / (1 + at * 0.2)),
        ])
      : []
  return [...zero, ...bounds, ...sums]
}

/** What is initialised and what stands in a pair is a value as well; what is indexed is none. */
function placeOf({ field: name, parent }: Node): string {
  return name === 'value' && parent?.type !== 'subscript' ? '' : name
}

/** `x = y` → `x = max(x, y)`: what is larger stays. */
export function extremes(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'assignment' && node.type !== 'assignment_expression') return []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const isNumber = right && (right.type === 'identifier' || isMember(right) || isCall(right) || right.type.startsWith('binary'))
  const isPlace = left && /^(identifier|attribute|member_expression|subscript)/.test(left.type) && functionAround(node) !== null
  if (!isNumber || !isPlace) return []
  const [one, other] = [textOf(unit, left), textOf(unit, right)]
  const isKnown = left.type !== 'identifier' || unit.tongue !== 'python' || isDeclaredBefore(unit, node, one)
  const names = unit.tongue === 'python' ? ['max', 'min'] : ['Math.max', 'Math.min']
  return isKnown ? names.map((name) => instead(right, `${name}(${one}, ${other})`, 'wrap', 0.16)) : []
}

function isDeclaredBefore(unit: Unit, node: Node, name: string): boolean {
  return visibleAt(unit, node).some(({ text, declaredAt }) => text === name && declaredAt < node.start)
}

/** Properties of the object itself that the file assigns. */
function ownNumbers(unit: Unit): string[] {
  return [
    ...new Set(
      [...walk(unit.root)]
        .filter((each) => isMember(each) && each.field === 'left' && /^(this|self)\.[\w$#]+$/.test(textOf(unit, each)))
        .map((each) => textOf(unit, each)),
    ),
  ].slice(0, 6)
}

const EMPTY: Readonly<Record<string, string>> = {
  '[]': '[%]', 'set()': '{%}', 'new Set()': 'new Set([%])', '{}': '{ ...% }', 'deque()': 'deque([%])',
}

/** What begins empty may have to begin with something. */
export function filled(unit: Unit, node: Node): Proposal[] {
  const form = Object.hasOwn(EMPTY, textOf(unit, node)) ? EMPTY[textOf(unit, node)] : undefined
  if (form === undefined || !node.parent || !/^(assignment|variable_declarator)$/.test(node.parent.type)) return []
  const names = visibleAt(unit, node)
    .filter(
      ({ what, scope, declaredAt }) =>
        (what === 'parameter' || what === 'local') && scope === functionAround(node) && declaredAt < node.start,
    )
    .slice(0, 4)
  return names.map(({ text }, at) => instead(node, form.replace('%', text), 'constant', 0.16 / (1 + at * 0.3)))
}

/** `=` that should have been `+=`. */
export function accumulated(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'assignment' && node.type !== 'assignment_expression') return []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const sign = node.children.find(({ type }) => type === '=')
  if (!left || !right || !sign || /pattern|list|tuple/.test(left.type) || field(node, 'type') || functionAround(node) === null) return []
  // Python declares by assigning: only what was there before can be added to.
  const isKnown =
    isMember(left) ||
    unit.tongue !== 'python' ||
    isDeclaredBefore(unit, node, textOf(unit, left))
  if (!isKnown) return []
  const isIncrement = new RegExp(`(?<![\\w$.])${textOf(unit, left).replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`).test(textOf(unit, right))
  return (
    isIncrement
      ? []
      : ([
          ['+=', 0.3],
          ['-=', 0.12],
          ['*=', 0.08],
        ] as const)
  ).map(([text, weight]) => instead(sign, text, 'operator', weight, node.start))
}

/** `sums.set(key, x)` → `sums.set(key, (sums.get(key) ?? 0) + x)`, `sums[key] = x` → `sums[key] = sums.get(key, 0) + x`. */
export function counted(unit: Unit, node: Node): Proposal[] {
  const { table, key, value } = unit.tongue === 'python' ? entryOf(node) : settingOf(unit, node)
  if (!table || !key || !value || functionAround(node) === null) return []
  const [of, at, own] = [textOf(unit, table), textOf(unit, key), textOf(unit, value)]
  const isSimple = value.type === 'identifier' || isMember(value) || /^(number|integer)$/.test(value.type)
  if (!isSimple) return []
  const before = unit.tongue === 'python' ? `${of}.get(${at}, 0)` : `(${of}.get(${at}) ?? 0)`
  return [instead(value, `${before} + ${own}`, 'operator', 0.2, node.start)]
}

type Entry = { table?: Node | undefined; key?: Node | undefined; value?: Node | undefined }

function entryOf(node: Node): Entry {
  const left = node.type === 'assignment' ? field(node, 'left') : undefined
  return left?.type === 'subscript' ? { table: field(left, 'value'), key: field(left, 'subscript'), value: field(node, 'right') } : {}
}

function settingOf(unit: Unit, node: Node): Entry {
  const called = isCall(node) ? field(node, 'function') : undefined
  const [key, value] = argumentsOf(node)
  const name = called && isMember(called) ? memberName(called) : undefined
  return called && name && textOf(unit, name) === 'set' ? { table: field(called, 'object'), key, value } : {}
}

/** A loop that was meant to be a branch, and the other way round. */
export function otherKeyword(unit: Unit, node: Node): Proposal[] {
  const word = node.children[0]
  if (
    !word ||
    (node.type !== 'if_statement' && node.type !== 'while_statement') ||
    field(node, 'alternative') ||
    functionAround(node) === null
  )
    return []
  const isWhile = node.type === 'while_statement'
  const hasJump = /^\s*(return|throw|raise)\b/.test(textOf(unit, field(node, isWhile ? 'body' : 'consequence') ?? node).replace(/^\{/, ''))
  return hasJump ? [] : [instead(word, isWhile ? 'if' : 'while', 'condition', isWhile ? 0.15 : 0.12, node.start)]
}
