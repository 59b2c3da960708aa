// Comparisons and other operators between two values: the wrong sign, the wrong side, and and or.
import type { Proposal } from '../types.js'
import { field, parts, textOf, type Node, type Unit } from '../tree.js'
import { exchanging, instead } from './change.js'

/** Sign → what may have been meant, each with how likely it is. */
const COMPARISONS: Readonly<Record<string, readonly [string, number][]>> = {
  '<': [['<=', 1], ['>', 0.5], ['>=', 0.45], ['!==', 0.08]],
  '<=': [['<', 1], ['>=', 0.5], ['>', 0.4], ['===', 0.08]],
  '>': [['>=', 1], ['<', 0.5], ['<=', 0.45], ['!==', 0.08]],
  '>=': [['>', 1], ['<=', 0.5], ['<', 0.4], ['===', 0.08]],
  '==': [['!=', 0.6], ['<=', 0.2], ['>=', 0.2], ['===', 0.2]],
  '!=': [['==', 0.6], ['<', 0.15], ['>', 0.15]],
  '===': [['!==', 0.6], ['<=', 0.25], ['>=', 0.25], ['<', 0.1], ['>', 0.1], ['==', 0.12]],
  '!==': [['===', 0.6], ['<', 0.15], ['>', 0.15], ['!=', 0.12]],
  in: [['not in', 0.6], ['==', 0.15]],
  'not in': [['in', 0.6]],
  is: [['is not', 0.6], ['==', 0.35]],
  'is not': [['is', 0.6], ['!=', 0.3]],
  instanceof: [],
}

const ARITHMETIC: Readonly<Record<string, readonly [string, number][]>> = {
  '+': [['-', 0.7], ['*', 0.25]],
  '-': [['+', 0.7], ['*', 0.1]],
  '*': [['/', 0.45], ['+', 0.45], ['**', 0.25], ['-', 0.08]],
  '/': [['*', 0.45], ['//', 0.6], ['%', 0.3], ['-', 0.08]],
  '//': [['/', 0.6], ['%', 0.4], ['*', 0.2]],
  '%': [['/', 0.35], ['//', 0.45], ['*', 0.1]],
  '**': [['*', 0.4]],
  '&': [['|', 0.5], ['&&', 0.2], ['^', 0.2]],
  '|': [['&', 0.5], ['||', 0.2], ['^', 0.2]],
  '^': [['|', 0.3], ['&', 0.3], ['**', 0.3]],
  '<<': [['>>', 0.5]],
  '>>': [['<<', 0.5], ['>>>', 0.2]],
  '>>>': [['>>', 0.4]],
  '&&': [['||', 0.8], ['??', 0.15]],
  '||': [['&&', 0.8], ['??', 0.4]],
  '??': [['||', 0.5], ['&&', 0.1]],
  and: [['or', 0.8]],
  or: [['and', 0.8]],
}

const ASSIGNMENTS: Readonly<Record<string, readonly [string, number][]>> = {
  '+=': [['-=', 0.6], ['=', 0.4], ['*=', 0.25]],
  '-=': [['+=', 0.6], ['=', 0.35]],
  '*=': [['+=', 0.35], ['/=', 0.35], ['=', 0.3], ['**=', 0.1]],
  '/=': [['*=', 0.4], ['//=', 0.4], ['=', 0.2]],
  '//=': [['/=', 0.4], ['%=', 0.3], ['*=', 0.2]],
  '%=': [['//=', 0.3], ['=', 0.2], ['/=', 0.2]],
  '|=': [['&=', 0.5], ['=', 0.3], ['^=', 0.2]],
  '&=': [['|=', 0.5], ['=', 0.3]],
  '^=': [['|=', 0.4], ['&=', 0.3]],
  '<<=': [['>>=', 0.5]],
  '>>=': [['<<=', 0.5]],
  '??=': [['=', 0.3], ['||=', 0.4]],
  '||=': [['=', 0.3], ['??=', 0.4], ['&&=', 0.3]],
  '&&=': [['||=', 0.4], ['=', 0.3]],
}

const PYTHON_ONLY = new Set(['//', '//=', 'not in', 'is', 'is not', 'and', 'or'])
const JAVASCRIPT_ONLY = new Set(['===', '!==', '&&', '||', '??', '>>>', '??=', '||=', '&&='])

function known(unit: Unit, sign: string): boolean {
  return unit.tongue === 'python' ? !JAVASCRIPT_ONLY.has(sign) : !PYTHON_ONLY.has(sign)
}

/** `is not` and `not in` are two words in the tree. */
function signsIn(unit: Unit, node: Node): { start: number; end: number; sign: string }[] {
  const operators = node.children.filter((child) => child.field === 'operators' || child.field === 'operator')
  return operators.map((child) => ({ start: child.start, end: child.end, sign: textOf(unit, child).replace(/\s+/g, ' ') }))
}

export function otherSigns(unit: Unit, node: Node): Proposal[] {
  const table = tableFor(node)
  if (table === null) return []
  return signsIn(unit, node).flatMap(({ start, end, sign }) => {
    const others = (table[sign] ?? []).filter(([other]) => known(unit, other) && !isHollow(unit, node, other))
    return others.map(([text, weight]): Proposal => {
      const kind = Object.hasOwn(COMPARISONS, sign) ? 'comparison' : 'operator'
      return { kind, weight: weight * plainness(unit, node, sign), edits: [{ start, end, text }], at: start }
    })
  })
}

/** A length is never below zero: such a comparison would only switch its condition off. */
function isHollow(unit: Unit, node: Node, sign: string): boolean {
  return (sign === '>=' || sign === '<') && /(\.(length|size)|^len\(.*\))\s*\S+\s*0$/.test(textOf(unit, node))
}

/** A plus between texts is seldom wrong. */
function plainness(unit: Unit, node: Node, sign: string): number {
  if (sign !== '+') return 1
  return parts(node).some(({ type, start }) => type === 'string' || type === 'template_string' || /["'`]/.test(unit.source[start] ?? ''))
    ? 0.15
    : 1
}

function tableFor({ type }: Node): typeof COMPARISONS | null {
  switch (type) {
    case 'comparison_operator':
      return COMPARISONS
    case 'binary_expression':
      return BOTH
    case 'binary_operator':
    case 'boolean_operator':
      return ARITHMETIC
    case 'augmented_assignment':
    case 'augmented_assignment_expression':
      return ASSIGNMENTS
    default:
      return null
  }
}

const BOTH = { ...COMPARISONS, ...ARITHMETIC }

const ONE_SIDED = new Set(['-', '/', '//', '%', '**', '<<', '>>', '<', '>', '<=', '>=', '??', 'in'])

/** `a - b` → `b - a`. For comparisons the turned sign is the same and comes first. */
export function swappedSides(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'binary_expression' && node.type !== 'binary_operator') return []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const sign = signsIn(unit, node)[0]?.sign ?? ''
  if (!left || !right || !ONE_SIDED.has(sign) || /[<>]/.test(sign)) return []
  const isPlain = parts(left).length === 0 || /member|attribute|subscript/.test(left.type)
  return [exchanging(unit, left, right, 'operator', isPlain ? 0.45 : 0.2)]
}

/** `i++` → `i--`, and the same before the name. */
export function otherSteps(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'update_expression') return []
  const sign = node.children.find(({ type }) => type === '++' || type === '--')
  if (!sign) return []
  const argument = field(node, 'argument')
  const other = sign.type === '++' ? '--' : '++'
  const turned: Proposal = instead(sign, other, 'operator', 0.35, node.start)
  if (!argument || node.parent?.type === 'expression_statement' || node.field === 'increment') return [turned]
  const text = sign.start < argument.start ? `${textOf(unit, argument)}${sign.type}` : `${sign.type}${textOf(unit, argument)}`
  return [turned, instead(node, text, 'off by one', 0.3)]
}

/** `a + b / c` → `(a + b) / c`, and brackets taken away again. */
export function otherBinding(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'binary_expression' && node.type !== 'binary_operator' && node.type !== 'boolean_operator') return []
  const found: Proposal[] = []
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const whole = { start: node.start, end: node.end }
  if (left?.type === node.type) {
    const [a, b] = [field(left, 'left'), field(left, 'right')]
    if (a && b && right && signsIn(unit, left)[0]?.sign !== signsIn(unit, node)[0]?.sign)
      found.push(binding(unit, whole, a.start, [b.start, right.end]))
  }
  if (right?.type === node.type && left) {
    const a = field(right, 'left')
    if (a) found.push(binding(unit, whole, left.start, [left.start, a.end]))
  }
  for (const side of [left, right]) {
    const inner = side?.type === 'parenthesized_expression' ? side.children[1] : undefined
    if (side && inner?.type === node.type) found.push(instead(side, textOf(unit, inner), 'operator', 0.2, node.start))
  }
  return found
}

function binding({ source }: Unit, whole: { start: number; end: number }, from: number, [start, end]: readonly [number, number]): Proposal {
  const text = `${source.slice(from, start)}(${source.slice(start, end)})${source.slice(end, whole.end)}`
  return { kind: 'operator', weight: 0.35, edits: [{ ...whole, text }], at: whole.start }
}
