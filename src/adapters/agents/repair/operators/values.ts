// One value for another: a property for a name, two names exchanged, a term that is missing, a chain of calls that the file has elsewhere.
import { visibleAt } from '../scope.js'
import type { Edit, Proposal } from '../types.js'
import { bracketed, field, functionAround, isFunction, isWithin, parts, statementAround, textOf, walk, type Node, type Unit } from '../tree.js'
import { isCall, isDeclared, isMember } from '../words.js'

const VALUES = new Set(['identifier', 'member_expression', 'attribute'])

function isValue(unit: Unit, node: Node): boolean {
  if (!VALUES.has(node.type) || node.field === 'function' || node.field === 'left' || node.field === 'object' || node.field === 'name' || node.field === 'key' || node.field === 'constructor') return false
  const isPart = node.parent !== null && (isMember(node.parent) || /^(keyword_argument|pair_pattern)$/.test(node.parent.type) && node.field === 'name')
  return !isPart && !isDeclared(unit, node) && functionAround(node) !== null
}

/** `until` → `job.at`, `this.misses` → `asked`: names and properties that the same function uses. */
export function otherValues(unit: Unit, node: Node): Proposal[] {
  if (!isValue(unit, node)) return []
  const around = functionAround(node)
  const own = textOf(unit, node)
  if (!around) return []
  const names = visibleAt(unit, node).filter(({ what, scope, declaredAt, text }) => scope.parent !== null && (what === 'parameter' || what === 'local') && declaredAt < node.start && text !== 'self')
  const visible = new Set([...names.map(({ text }) => text), 'this', 'self'])
  const members = [...new Set([...walk(outermost(around))].filter((each) => isMember(each) && each.field !== 'function' && each.field !== 'object' && each.field !== 'left').map((each) => textOf(unit, each)))].filter((text) => visible.has(/^[\w$]+/.exec(text)?.[0] ?? '') && text.length < 40)
  const others = isMember(node) ? [...names.map(({ text }) => text), ...members] : members
  return [...new Set(others)].filter((text) => text !== own).slice(0, 8).map((text, at): Proposal => ({ kind: 'wrong name', weight: 0.2 / (1 + at * 0.2), edits: [{ start: node.start, end: node.end, text }], at: node.start }))
}

function outermost(node: Node): Node {
  const above = functionAround(node)
  return above ? outermost(above) : node
}

/** Two names of one statement, each in the other's place. */
export function exchangedNames(unit: Unit, node: Node): Proposal[] {
  if (statementAround(node) !== node || isFunction(node) || node.end - node.start > 200 || functionAround(node) === null) return []
  const used = [...walk(node)].filter((each) => each.type === 'identifier' && !isDeclared(unit, each) && each.field !== 'function' && each.field !== 'left')
  const once = used.filter((each) => used.filter((other) => textOf(unit, other) === textOf(unit, each)).length === 1).slice(0, 6)
  return once.flatMap((one, at) => once.slice(at + 1).map((other): Proposal => {
    const edits: [Edit, Edit] = [{ start: one.start, end: one.end, text: textOf(unit, other) }, { start: other.start, end: other.end, text: textOf(unit, one) }]
    return { kind: 'wrong name', weight: 0.14, edits, at: one.start }
  }))
}

const TERM_PLACES = new Set(['return_statement', 'arguments', 'argument_list', 'tuple', 'assignment', 'variable_declarator', 'assignment_expression', 'pair', 'array', 'list'])

/** `x` → `x + y`, and the lesser or the greater of the two. */
export function missingTerms(unit: Unit, node: Node): Proposal[] {
  const isPlace = node.parent !== null && TERM_PLACES.has(node.parent.type) && node.field !== 'left' && node.field !== 'name' && node.field !== 'key'
  if (!isPlace || functionAround(node) === null || isDeclared(unit, node)) return []
  const own = textOf(unit, node)
  const isNumber = /^(binary_operator|binary_expression)$/.test(node.type) && /[-+*/]/.test(own) && !/["'`<>=&|]/.test(own)
  if (node.type !== 'identifier' && !isMember(node) && !isNumber) return []
  const around = functionAround(node)
  const names = visibleAt(unit, node).filter(({ what, scope, declaredAt }) => scope === around && (what === 'parameter' || what === 'local') && declaredAt < node.start).map(({ text }) => text)
  const members = around ? [...new Set([...walk(outermost(around))].filter((each) => isMember(each) && each.field !== 'function' && each.field !== 'left' && /^(this|self)\./.test(textOf(unit, each))).map((each) => textOf(unit, each)))] : []
  const others = [...names, ...(isNumber ? ownNumbers(unit) : []), ...members].filter((text) => text !== own && text !== 'self' && !own.includes(text)).slice(0, 5)
  const [least, most] = unit.tongue === 'python' ? ['min', 'max'] : ['Math.min', 'Math.max']
  const edit = (text: string, weight: number): Proposal => ({ kind: 'wrap', weight, edits: [{ start: node.start, end: node.end, text }], at: node.start })
  const bounds = isNumber || node.parent?.type === 'return_statement' ? others.flatMap((other, at) => [edit(`${least}(${other}, ${own})`, 0.12 / (1 + at * 0.3)), edit(`${most}(${other}, ${own})`, 0.1 / (1 + at * 0.3))]) : []
  const zero = isNumber ? [edit(`${most}(0, ${own})`, 0.18)] : []
  const sums = node.type === 'identifier' ? others.slice(0, 4).map((other, at) => edit(`${other} + ${own}`, 0.09 / (1 + at * 0.3))) : []
  return [...zero, ...bounds, ...sums]
}

/** Properties of the object itself that the file assigns. */
function ownNumbers(unit: Unit): string[] {
  return [...new Set([...walk(unit.root)].filter((each) => isMember(each) && each.field === 'left' && /^(this|self)\.[\w$#]+$/.test(textOf(unit, each))).map((each) => textOf(unit, each)))].slice(0, 6)
}

/** `.filter((x) => …)`, `.padStart(2, '0')`: what the file does to one value may be missing at another. */
export function chains(unit: Unit, node: Node): Proposal[] {
  const isPlace = (isMember(node) || isCall(node) || node.type === 'identifier') && node.parent !== null && /^(variable_declarator|assignment|assignment_expression|return_statement|arguments|argument_list|for_in_statement|for_statement|array|list|template_substitution|interpolation|member_expression|attribute)$/.test(node.parent.type)
  if (!isPlace || node.field === 'left' || node.field === 'function' || node.field === 'name' || node.field === 'property' || node.field === 'attribute' || isDeclared(unit, node) || functionAround(node) === null) return []
  const isReceiver = node.parent !== null && isMember(node.parent)
  if (isReceiver && !isCall(node)) return []
  const visible = new Set(visibleAt(unit, node).map(({ text }) => text))
  const own = textOf(unit, node)
  return suffixes(unit).filter(({ text, names, from }) => !own.endsWith(text) && !isWithin(node, from) && names.every((name) => visible.has(name))).slice(0, 6).map(({ text }, at): Proposal => ({
    kind: 'wrap', weight: 0.13 / (1 + at * 0.2), edits: [{ start: node.start, end: node.end, text: `${bracketed(unit, node)}${text}` }], at: node.start,
  }))
}

type Suffix = { text: string; names: string[]; from: Node }
const known = new WeakMap<Unit, Suffix[]>()

function suffixes(unit: Unit): Suffix[] {
  const found = known.get(unit) ?? [...walk(unit.root)].flatMap((node): Suffix[] => {
    const called = isCall(node) ? field(node, 'function') : undefined
    const object = called && isMember(called) ? field(called, 'object') : undefined
    if (!object || node.end - object.end > 60 || node.parent?.type === 'expression_statement' || unit.source.slice(object.end, node.end).includes('\n')) return []
    const list = field(node, 'arguments')
    const inner = list ? new Set([...walk(list)].filter((each) => isFunction(each)).flatMap((each) => parts(field(each, 'parameters') ?? field(each, 'parameter') ?? each).map((name) => textOf(unit, name)))) : new Set<string>()
    const names = list ? [...walk(list)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each)).filter((name) => !inner.has(name)) : []
    return [{ text: unit.source.slice(object.end, node.end), names, from: node }]
  })
  const once = found.filter((each, at) => found.findIndex(({ text }) => text === each.text) === at)
  known.set(unit, once)
  return once
}

const EMPTY: Readonly<Record<string, string>> = { '[]': '[%]', 'set()': '{%}', 'new Set()': 'new Set([%])', '{}': '{ ...% }', 'deque()': 'deque([%])' }

/** What begins empty may have to begin with something. */
export function filled(unit: Unit, node: Node): Proposal[] {
  const form = Object.hasOwn(EMPTY, textOf(unit, node)) ? EMPTY[textOf(unit, node)] : undefined
  if (form === undefined || !node.parent || !/^(assignment|variable_declarator)$/.test(node.parent.type)) return []
  const names = visibleAt(unit, node).filter(({ what, scope, declaredAt }) => (what === 'parameter' || what === 'local') && scope === functionAround(node) && declaredAt < node.start).slice(0, 4)
  return names.map(({ text }, at): Proposal => ({ kind: 'constant', weight: 0.16 / (1 + at * 0.3), edits: [{ start: node.start, end: node.end, text: form.replace('%', text) }], at: node.start }))
}

/** `=` that should have been `+=`. */
export function accumulated(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'assignment' && node.type !== 'assignment_expression') return []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const sign = node.children.find(({ type }) => type === '=')
  if (!left || !right || !sign || /pattern|list|tuple/.test(left.type) || field(node, 'type') || functionAround(node) === null) return []
  // Python declares by assigning: only what was there before can be added to.
  const isKnown = isMember(left) || unit.tongue !== 'python' || visibleAt(unit, node).some(({ text, declaredAt }) => text === textOf(unit, left) && declaredAt < node.start)
  if (!isKnown) return []
  const isIncrement = new RegExp(`(?<![\\w$.])${textOf(unit, left).replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`).test(textOf(unit, right))
  return (isIncrement ? [] : [['+=', 0.3], ['-=', 0.12], ['*=', 0.08]] as const).map(([text, weight]): Proposal => ({ kind: 'operator', weight, edits: [{ start: sign.start, end: sign.end, text }], at: node.start }))
}

/** A loop that was meant to be a branch, and the other way round. */
export function otherKeyword(unit: Unit, node: Node): Proposal[] {
  const word = node.children[0]
  if (!word || (node.type !== 'if_statement' && node.type !== 'while_statement') || field(node, 'alternative') || functionAround(node) === null) return []
  const isWhile = node.type === 'while_statement'
  const hasJump = /^\s*(return|throw|raise)\b/.test(textOf(unit, field(node, isWhile ? 'body' : 'consequence') ?? node).replace(/^\{/, ''))
  return hasJump ? [] : [{ kind: 'condition', weight: isWhile ? 0.15 : 0.12, edits: [{ start: word.start, end: word.end, text: isWhile ? 'if' : 'while' }], at: node.start }]
}
