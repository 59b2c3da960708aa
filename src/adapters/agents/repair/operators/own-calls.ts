// Calls of the file's own functions that may be missing, and options that nobody gives.
import type { Proposal } from '../types.js'
import { field, functionAround, isFunction, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, isCall, isDeclared, isMember } from '../words.js'
import { inserting, instead } from './change.js'

const MOST_FUNCTIONS = 5
const PLACES = new Set([
  'return_statement', 'argument_list', 'arguments', 'assignment', 'variable_declarator', 'assignment_expression', 'pair', 'for_statement',
  'for_in_statement', 'for_in_clause', 'comparison_operator', 'binary_expression', 'binary_operator', 'arrow_function', 'spread_element',
  'array', 'list', 'tuple', 'template_substitution', 'interpolation', 'subscript', 'subscript_expression', 'augmented_assignment',
  'augmented_assignment_expression', 'generator_expression', 'list_comprehension', 'keyword_argument',
])

/** `x` → `decode(x)`: what the file does to other values with a function of one argument. */
export function ownCalls(unit: Unit, node: Node): Proposal[] {
  const { parent } = node
  const isValue = node.type === 'identifier' || isMember(node) || isCall(node) || node.type.startsWith('subscript')
  if (!isValue || !parent || !PLACES.has(parent.type) || isDeclared(unit, node) || functionAround(node) === null) return []
  if (/^(left|function|name|key|object|property)$/.test(node.field) && !/^(binary|comparison)/.test(parent.type)) return []
  const own = textOf(unit, node)
  const around = enclosingName(unit, node)
  const isWrapped = parent.parent !== null && isCall(parent.parent) && argumentsOf(parent.parent).length === 1
  const outer = isWrapped && parent.parent ? textOf(unit, field(parent.parent, 'function') ?? node) : ''
  const last = lastWord(own)
  return calledWithOne(unit)
    .filter(({ name }) => name !== outer && name !== around && !own.startsWith(`${name}(`) && !own.endsWith(`.${name}`))
    .map(({ name, given }) => ({ name, weight: given.has(last) ? 0.22 : 0.07 }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, MOST_FUNCTIONS)
    .map(({ name, weight }) => instead(node, `${name}(${own})`, 'wrap', weight))
}

/** `given`: the last words of what it is given. */
type Called = { name: string; given: ReadonlySet<string> }
const called = new WeakMap<Unit, Called[]>()

function lastWord(text: string): string {
  return /([\w$]+)\W*$/.exec(text)?.[1] ?? ''
}

function calledWithOne(unit: Unit): Called[] {
  const known = called.get(unit)
  if (known) return known
  const found = new Map<string, Set<string>>()
  for (const node of walk(unit.root)) {
    const isValue = isCall(node) && argumentsOf(node).length === 1 && node.parent?.type !== 'expression_statement'
    const name = isValue ? field(node, 'function') : null
    const text = name && (name.type === 'identifier' || isOwn(unit, name)) ? textOf(unit, name) : ''
    if (text === '' || /^(super|require|print|Error|[A-Z]\w*Error)$/.test(text)) continue
    found.set(text, (found.get(text) ?? new Set()).add(lastWord(textOf(unit, argumentsOf(node)[0] ?? node))))
  }
  const all = [...found].map(([name, given]) => ({ name, given }))
  called.set(unit, all)
  return all
}

function isOwn(unit: Unit, name: Node): boolean {
  return isMember(name) && /^(this|self)\.[\w$#]+$/.test(textOf(unit, name))
}

function enclosingName(unit: Unit, node: Node): string {
  const around = functionAround(node)
  const name = around ? (field(around, 'name') ?? field(around.parent ?? around, 'name')) : undefined
  return name ? textOf(unit, name) : ''
}

/** `on(name, listener)` → `on(name, listener, { once: true })` where the function has such an option. */
export function otherOptions(unit: Unit, node: Node): Proposal[] {
  const name = isCall(node) ? field(node, 'function') : undefined
  const list = field(node, 'arguments')
  const last = argumentsOf(node).at(-1)
  if (!name || !list || !last || /object|dictionary|keyword/.test(last.type)) return []
  const text = (isMember(name) ? (field(name, 'property') ?? field(name, 'attribute')) : name) ?? name
  return switchesOf(unit, textOf(unit, text)).map((option, at) =>
    inserting(last.end, `, ${option}`, 'arguments', 0.3 / (1 + at * 0.5), node.start),
  )
}

/** What a function leaves switched off unless it is told otherwise, written as an argument that switches it on. */
function switchesOf(unit: Unit, name: string): string[] {
  return [...walk(unit.root)].flatMap((node): string[] => {
    const own = isFunction(node) ? (field(node, 'name') ?? field(node.parent ?? node, 'name')) : undefined
    const parameters = field(node, 'parameters')
    if (!own || textOf(unit, own) !== name || !parameters) return []
    const text = textOf(unit, parameters)
    if (unit.tongue === 'python') return switched(text, /(\w+)(?::[^=,]*)?\s*=\s*(True|False)\b/g, (option, value) => `${option}=${value}`)
    return switched(text, /[{,]\s*(\w+) = (true|false)(?=\s*[,}])/g, (option, value) => `{ ${option}: ${value} }`)
  })
}

const TURNED: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' }

function switched(text: string, pattern: RegExp, form: (option: string, value: string) => string): string[] {
  return [...text.matchAll(pattern)].map(([, option = '', value = '']) => form(option, TURNED[value] ?? ''))
}
