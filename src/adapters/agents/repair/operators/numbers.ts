// Off by one, and constants that are not the right ones.
import type { Proposal } from '../types.js'
import { above, bracketed, field, functionAround, isFunction, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, calledName, isCall, isMember, wordsOf } from '../words.js'
import { instead } from './change.js'

const NUMBERS = new Set(['number', 'integer', 'float'])
const COUNTING = new Set([
  'range', 'slice', 'substring', 'substr', 'splice', 'at', 'charAt', 'charCodeAt', 'randint',
  'islice', 'fill', 'padStart', 'padEnd', 'insert', 'pop', 'randrange', 'Array',
])

export function otherNumbers(unit: Unit, node: Node): Proposal[] {
  if (!NUMBERS.has(node.type)) return []
  const text = textOf(unit, node)
  const value = Number(text.replaceAll('_', ''))
  if (!Number.isFinite(value) || /^0[xob]/i.test(text)) return []
  const near = isCounting(unit, node) ? 0.75 : 0.4
  const step = Number.isInteger(value) && !/[.e]/.test(text)
  const others: [string, number][] = step
    ? [[String(value + 1), near], [String(value - 1), value === 0 && near < 0.5 ? near * 0.6 : near * 0.9], ...common(unit, node, value)]
    : [
        [String(value * 10), 0.2],
        [String(value / 10), 0.2],
        [String(Number((1 - value).toPrecision(12))), 0.15],
        ...common(unit, node, value),
      ]
  const seen = new Set([String(value)])
  return others.flatMap(([other, weight]) => {
    if (seen.has(other) || isIdle(unit, node, other) || (other.startsWith('-') && node.parent?.type.startsWith('unary'))) return []
    seen.add(other)
    return [instead(node, other, Math.abs(Number(other) - value) === 1 && step ? 'off by one' : 'constant', weight)]
  })
}

/** `x - 0` and `x * 1` say what `x` says, which is tried as such. */
function isIdle(unit: Unit, node: Node, other: string): boolean {
  const sign = node.parent && node.parent.type.startsWith('binary') ? textOf(unit, field(node.parent, 'operator') ?? node) : ''
  return (other === '0' && /^[-+]$/.test(sign)) || (other === '1' && /^(\*|\/|\*\*|\/\/)$/.test(sign) && node.field === 'right')
}

/** A place where a number is most likely a count or a position: what is asked to be equal is seldom one off. */
function isCounting(unit: Unit, node: Node): boolean {
  const { parent } = node
  if (!parent) return false
  if (/^(subscript|slice|subscript_expression|return_statement|assignment|variable_declarator)$/.test(parent.type)) return true
  if (parent.type === 'comparison_operator') return !/[!=]=/.test(textOf(unit, parent)) || /[<>]/.test(textOf(unit, parent))
  if (isSign(unit, parent, /^[!=]==?$/)) return false
  if (parent.type === 'binary_expression' || parent.type === 'binary_operator' || parent.type.startsWith('unary')) return true
  const call = parent.type === 'arguments' || parent.type === 'argument_list' ? parent.parent : null
  const name = call && calledName(call)
  return name !== null && name !== undefined && COUNTING.has(textOf(unit, name))
}

const FAMILIES = [
  [0, 1, 2, -1], [10, 100, 1000, 10000], [7, 24, 60, 3600, 86400, 1440], [12, 30, 31, 28, 29, 365, 366], [1000, 1024],
  [2, 3, 4, 5, 8, 16], [90, 180, 360], [4, 100, 400], [3, 5, 15],
]

/** Numbers that are easily taken for one another, and those that stand elsewhere in the same file. */
function common(unit: Unit, node: Node, value: number): [string, number][] {
  const kin = FAMILIES.filter((family) => family.includes(value)).flatMap((family) =>
    family.map((other) => [String(other), 0.16] as [string, number]),
  )
  const inside = functionAround(node) ?? node
  const here = [...walk(unit.root)].filter(({ type }) => NUMBERS.has(type))
  const elsewhere = here.map((other): [string, number] => [
    textOf(unit, other),
    other.start >= inside.start && other.end <= inside.end ? 0.2 : 0.12,
  ])
  const scaled: [string, number][] =
    value === 0
      ? [[wordsOf(unit).nothing, new RegExp(`\\b${wordsOf(unit).nothing}\\b`).test(unit.source) ? 0.15 : 0.08]]
      : [
          [String(value * 10), 0.08],
          ...(value % 10 === 0 ? [[String(value / 10), 0.1] as [string, number]] : []),
          [String(-value), 0.12],
          ...(value % 10 === 0
            ? [[String(value + 10), 0.2] as [string, number], [String(value - 10), 0.2] as [string, number]]
            : [[String(value - 2), 0.07] as [string, number], [String(value + 2), 0.07] as [string, number]]),
        ]
  return [...kin, ...elsewhere, ...scaled].toSorted((one, other) => other[1] - one[1]).slice(0, 18)
}

const STEPPABLE = new Set([
  'identifier', 'call', 'call_expression', 'attribute', 'member_expression', 'binary_expression', 'binary_operator', 'subscript',
  'subscript_expression',
])

/** `n` → `n + 1`, `n - 1` where a position or a count is wanted, and such steps taken away. */
export function steps(unit: Unit, node: Node): Proposal[] {
  return [...stepTaken(unit, node), ...stepAdded(unit, node)]
}

function stepTaken(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'binary_expression' && node.type !== 'binary_operator') return []
  const [left, sign, right] = [field(node, 'left'), field(node, 'operator'), field(node, 'right')]
  if (!left || !right || !sign || textOf(unit, right) !== '1' || !/^[+-]$/.test(textOf(unit, sign))) return []
  return [instead(node, textOf(unit, left), 'off by one', 0.6)]
}

function stepAdded(unit: Unit, node: Node): Proposal[] {
  if (!STEPPABLE.has(node.type)) return []
  const weight = stepWeight(unit, node)
  if (weight === 0) return []
  const text = textOf(unit, node)
  const isTight =
    node.parent !== null &&
    node.parent.type.startsWith('binary') &&
    !(
      isSign(unit, node.parent, /^[+]$/) ||
      (node.field === 'left' && isSign(unit, node.parent, /^[-<>=!]+$/)) ||
      isSign(unit, node.parent, /^[<>=!]+$/)
    )
  const edit = (sign: string) => instead(node, isTight ? `(${text} ${sign} 1)` : `${text} ${sign} 1`, 'off by one', weight)
  return [edit('+'), edit('-')]
}

function stepWeight(unit: Unit, node: Node): number {
  const { parent } = node
  if (!parent || node.field === 'function' || node.field === 'object' || node.field === 'value' && parent.type === 'subscript') return 0
  if (/binary/.test(node.type) && !/^[^<>=&|]*$/.test(textOf(unit, node))) return 0
  if (parent.type === 'slice') return 0.5
  if ((parent.type === 'subscript' && node.field === 'subscript') || (parent.type === 'subscript_expression' && node.field === 'index'))
    return 0.45
  if (parent.type === 'return_statement' || (isFunction(parent) && node.field === 'body')) return 0.3
  if (
    parent.type === 'comparison_operator' ||
    (parent.type === 'binary_expression' && /[<>]|==/.test(textOf(unit, field(parent, 'operator') ?? node)))
  )
    return 0.18
  if (parent.type === 'arguments' || parent.type === 'argument_list') return argumentWeight(unit, parent)
  if (parent.type === 'assignment' || parent.type === 'variable_declarator' || parent.type === 'assignment_expression')
    return node.field === 'right' || node.field === 'value' ? 0.15 : 0
  return parent.type.startsWith('binary') && !node.type.startsWith('binary') && isSign(unit, parent, /^([-+*/%]|\*\*|\/\/)$/) ? 0.2 : 0
}

function isSign(unit: Unit, node: Node, signs: RegExp): boolean {
  return signs.test(textOf(unit, field(node, 'operator') ?? node))
}

/** An argument may be a count; that of a function which calls itself is often a step short. */
function argumentWeight(unit: Unit, list: Node): number {
  const call = list.parent
  const name = call && isCall(call) ? calledName(call) : null
  if (!call || !name) return 0.08
  if (COUNTING.has(textOf(unit, name))) return argumentsOf(call).length > 0 ? 0.5 : 0
  const around = above(functionAround(call), new Set(['function_definition', 'function_declaration', 'method_definition']))
  const own = around && field(around, 'name')
  return own && textOf(unit, own) === textOf(unit, name) ? 0.3 : 0.1
}

// — other constants —

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  true: ['false'],
  false: ['true'],
  True: ['False'],
  False: ['True'],
  Infinity: ['-Infinity', '0'],
  null: ['undefined', '[]', '0'],
  None: ['0', '[]', "''", 'False'],
  undefined: ['null', '0'],
}

export function otherLiterals(unit: Unit, node: Node): Proposal[] {
  const text = textOf(unit, node)
  const opposites = node.children.length === 0 && Object.hasOwn(OPPOSITES, text) ? (OPPOSITES[text] ?? []) : []
  const weight = /^(true|false)$/i.test(text) ? 0.55 : 0.2
  const changed = opposites.map((other, at) => instead(node, other, 'constant', weight / (at + 1)))
  return [...changed, ...otherTexts(unit, node), ...withoutMinus(unit, node)]
}

function withoutMinus(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'unary_operator' && node.type !== 'unary_expression') return []
  const argument = field(node, 'argument')
  if (!argument || unit.source[node.start] !== '-') return []
  return [instead(node, textOf(unit, argument), 'operator', 0.35)]
}

const SEPARATORS = [',', ', ', ' ', '', '-', '_', ':', ': ', '.', '/', ';', '\\n', '|', '=', '&', '0']

/** Texts: those that stand elsewhere in the file, and separators for separators. */
function otherTexts(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'string' || isDocumentation(node) || !isValue(node)) return []
  const text = textOf(unit, node)
  const quote = text.at(-1) ?? "'"
  const inner = text.slice(1, -1)
  if (!/^['"]/.test(text) || text.startsWith('"""')) return []
  const elsewhere = [...walk(unit.root)]
    .filter((other) => other.type === 'string' && !isDocumentation(other) && isValue(other))
    .map((other) => textOf(unit, other))
  const separators = inner.length <= 2 ? SEPARATORS.filter((each) => each !== inner).map((each) => `${quote}${each}${quote}`) : []
  const recased = [inner.toLowerCase(), inner.toUpperCase(), inner.trim(), `${inner} `]
    .filter((each) => each !== inner)
    .map((each) => `${quote}${each}${quote}`)
  const all = [...new Set([...elsewhere, ...separators, ...recased])]
    .filter((other) => other !== text && other.slice(1, -1) !== inner)
    .slice(0, 18)
  return all.map((other, at) => instead(node, other, 'constant', 0.3 / (1 + at * 0.3)))
}

function isDocumentation({ parent }: Node): boolean {
  return parent?.type === 'expression_statement'
}

function isValue({ parent, field: name }: Node): boolean {
  return parent !== null && !/import|export/.test(parent.type) && name !== 'source'
}

const SIGNED_PLACES = new Set(['return_statement', 'tuple', 'list', 'array'])

/** `-x` for `x`, where a sign may have been forgotten. */
export function negated(unit: Unit, node: Node): Proposal[] {
  const { parent } = node
  if (!parent || functionAround(node) === null) return []
  const text = textOf(unit, node)
  if (node.type === 'shorthand_property_identifier') return [instead(node, `${text}: -${text}`, 'operator', 0.12)]
  if (node.type !== 'identifier' && !isCall(node) && !isMember(node)) return []
  const isPlace =
    SIGNED_PLACES.has(parent.type) ||
    (node.field === 'value' && parent.type === 'pair') ||
    (node.field === 'body' && isFunction(parent)) ||
    (node.field === 'right' && parent.type.startsWith('binary') && /^[*]$/.test(textOf(unit, field(parent, 'operator') ?? node)))
  return isPlace ? [instead(node, `-${bracketed(unit, node)}`, 'operator', 0.1)] : []
}
