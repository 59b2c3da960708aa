// A result that should go through one more call, or through one less; a value that should stand in for nothing.
import type { Proposal } from '../types.js'
import { bracketed, field, functionAround, parts, textOf, type Node, type Unit } from '../tree.js'
import { argumentsOf, isCall, isDeclared, isMember } from '../words.js'
import { inserting, instead } from './change.js'

const JAVASCRIPT_AROUND = ['Math.abs', 'Math.floor', 'Math.round', 'Math.ceil', 'Math.trunc', 'Number', 'String', 'Boolean']
const JAVASCRIPT_AFTER = [
  '.trim()', '.toLowerCase()', '.slice()', '.toUpperCase()', '.slice(1)', '.sort()', '.reverse()', '.length', '.flat()',
  '.filter(Boolean)', '.slice(0, -1)',
]
const JAVASCRIPT_SPREAD = ['[...%]', '{ ...% }', '[...new Set(%)]', '[%]']
const PYTHON_AROUND = ['sorted', 'list', 'str', 'int', 'abs', 'len', 'set', 'round', 'float', 'tuple', 'reversed', 'bool', 'sum', 'dict']
const PYTHON_AROUND_MANY = ['sum', 'list', 'sorted', 'set', 'max', 'any', 'all', 'tuple']
const PYTHON_AFTER = ['.strip()', '.lower()', '.copy()', '.upper()', '[1:]', '[::-1]', '[:-1]', '.items()', '.values()', '.keys()']

const PLACES = new Set([
  'return_statement', 'argument_list', 'arguments', 'assignment', 'variable_declarator', 'assignment_expression', 'pair', 'for_statement',
  'for_in_statement', 'for_in_clause', 'comparison_operator', 'keyword_argument', 'arrow_function', 'spread_element', 'array', 'list',
  'tuple', 'template_substitution', 'interpolation', 'lambda',
])
const WRAPPED = new Set([
  'identifier', 'call', 'call_expression', 'attribute', 'member_expression', 'binary_operator', 'binary_expression', 'subscript',
  'subscript_expression', 'list_comprehension', 'generator_expression',
])

export function wrapped(unit: Unit, node: Node): Proposal[] {
  if (!isPlace(unit, node)) return []
  const text = textOf(unit, node)
  const base = weightAt(node)
  const isPython = unit.tongue === 'python'
  const around = (isPython ? (/generator|comprehension/.test(node.type) ? PYTHON_AROUND_MANY : PYTHON_AROUND) : JAVASCRIPT_AROUND).map(
    (name) => `${name}(${text})`,
  )
  const after = (isPython ? PYTHON_AFTER : JAVASCRIPT_AFTER).map((name) => `${bracketed(unit, node)}${name}`)
  const spread = isPython ? [] : JAVASCRIPT_SPREAD.map((form) => form.replace('%', () => text))
  // What a value is called tells whether it is a text or a number.
  const nature = TEXTUAL.test(text) ? 'text' : NUMERIC.test(text) || node.type.startsWith('binary') ? 'number' : null
  const inTurn = interleaved([around, after, spread])
  return inTurn.map((wrapping, at) => instead(node, wrapping, 'wrap', (base * fitOf(wrapping, nature)) / (1 + at * 0.12)))
}

const TEXT_NAMES = 'text|word|name|str|key|line|title|label|email|path|tag|token|char|letter|prefix|suffix|slug|code|part'
const TEXT_CALLS = 'trim|strip|toLowerCase|lower|upper|toUpperCase|replace|join|slice'
const TEXTUAL = new RegExp(`(${TEXT_NAMES})s?$|\\.(${TEXT_CALLS})\\([^()]*\\)$`, 'i')
const NUMBER_NAMES =
  'count|total|sum|size|index|length|amount|price|cost|width|height|seconds|minutes|hours|days|rate|score|distance|value|number|num'
const NUMERIC = new RegExp(`(${NUMBER_NAMES})$|^[a-z]$`, 'i')
const FOR_TEXT = /\.(trim|toLowerCase|toUpperCase|strip|lower|upper)\(\)$/
const FOR_NUMBER = /^(Math\.|Number|int|abs|round|float)/

function fitOf(wrapping: string, nature: 'text' | 'number' | null): number {
  if (nature === 'text') return FOR_TEXT.test(wrapping) ? 2.2 : 0.5
  if (nature === 'number') return FOR_NUMBER.test(wrapping) ? 1.4 : 0.6
  return 1
}

function interleaved(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_none, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

function isPlace(unit: Unit, node: Node): boolean {
  const { parent } = node
  if (!parent || !WRAPPED.has(node.type) || isDeclared(unit, node) || functionAround(node) === null || isQuestion(unit, node)) return false
  if (node.field === 'left' || node.field === 'function' || node.field === 'object' || node.field === 'key' || node.field === 'name')
    return parent.type === 'comparison_operator'
  if (parent.type === 'arrow_function') return node.field === 'body'
  return PLACES.has(parent.type) || (parent.type === 'binary_expression' && isCall(node))
}

/** What is true or false is neither a number nor a text. */
function isQuestion(unit: Unit, node: Node): boolean {
  return node.type === 'binary_expression' && /^([<>]=?|[!=]==?|&&|\|\||in|instanceof)$/.test(textOf(unit, field(node, 'operator') ?? node))
}

const COPIES_JAVASCRIPT = ['[...%]', '{ ...% }', 'new Map(%)', 'new Set(%)', '%.map((each) => ({ ...each }))', 'structuredClone(%)']
const COPIES_PYTHON = ['list(%)', 'dict(%)', '%.copy()', 'set(%)', '[list(each) for each in %]']
const KEPT = /copy|clone|before|after|next|previous|old|new|start|result|snapshot|saved|state|history|past|undo/i

/** A copy where the thing itself is taken: what is changed later should not change there too. */
export function copies(unit: Unit, node: Node): Proposal[] {
  const isThing = node.type === 'identifier' || isMember(node) || node.type.startsWith('subscript')
  const taker = isThing && functionAround(node) !== null ? takerOf(unit, node) : null
  if (taker === null) return []
  const weight = KEPT.test(taker) ? 0.3 : 0.15
  const forms = unit.tongue === 'python' ? COPIES_PYTHON : COPIES_JAVASCRIPT
  return forms.map((form, at) => instead(node, form.replace('%', () => textOf(unit, node)), 'wrap', weight / (1 + at * 0.3)))
}

/** What takes a thing, by its name; null where nothing does. */
function takerOf(unit: Unit, node: Node): string | null {
  const { parent } = node
  if (!parent) return null
  const named = (name: Node | undefined): string => (name ? textOf(unit, name) : '')
  if (parent.type === 'return_statement') return ''
  if (parent.type === 'variable_declarator' && node.field === 'value') return named(field(parent, 'name'))
  if (parent.type.startsWith('assignment') && node.field === 'right') return named(field(parent, 'left'))
  if (parent.type === 'pair' && node.field === 'value') return named(field(parent, 'key'))
  if (/^for(_in)?_statement$/.test(parent.type) && node.field === 'right') return ''
  const called = parent.type.startsWith('argument') && parent.parent ? named(field(parent.parent, 'function')) : ''
  return /\.(push|unshift|set|add|append|appendleft|insert)$/.test(called) ? called : null
}

function weightAt({ type, parent }: Node): number {
  if (parent?.type === 'return_statement' || parent?.type === 'arrow_function') return 0.22
  if (parent?.type === 'argument_list' || parent?.type === 'arguments') return type === 'identifier' ? 0.09 : 0.07
  return type === 'identifier' ? 0.1 : 0.12
}

/** A loop that should leave out the first or the last. */
export function shorterLoops(unit: Unit, node: Node): Proposal[] {
  const isWalked = node.field === 'right' && /^for(_in)?_(statement|clause)$/.test(node.parent?.type ?? '')
  if (!isWalked || (node.type !== 'identifier' && !isMember(node))) return []
  const forms = unit.tongue === 'python' ? ['[1:]', '[:-1]'] : ['.slice(1)', '.slice(0, -1)']
  return forms.map((form, at) => instead(node, `${textOf(unit, node)}${form}`, 'off by one', 0.2 / (1 + at * 0.5)))
}

const RECEIVERS_JAVASCRIPT = ['String(%)', '[...%]', '%.slice(1)', 'Object.keys(%)', 'Object.values(%)']
const RECEIVERS_PYTHON = ['str(%)', 'list(%)', '%[1:]']

/** `x.f()` → `String(x).f()`: what is asked is not of the kind that could answer. */
export function otherReceivers(unit: Unit, node: Node): Proposal[] {
  const isAsked = node.field === 'object' && node.parent?.field === 'function' && (node.type === 'identifier' || isMember(node))
  if (!isAsked || functionAround(node) === null) return []
  const forms = unit.tongue === 'python' ? RECEIVERS_PYTHON : RECEIVERS_JAVASCRIPT
  return forms.map((form) => instead(node, form.replace('%', () => textOf(unit, node)), 'receiver', 0.08))
}

/** Parts of a text that keep their blanks, numbers that are written too short. */
export function unfinishedTexts(unit: Unit, node: Node): Proposal[] {
  if (!isCall(node) || node.parent?.field === 'function' || functionAround(node) === null) return []
  const text = textOf(unit, node)
  const isPython = unit.tongue === 'python'
  const name = textOf(unit, field(node, 'function') ?? node)
  if (/\.split(lines)?$/.test(name))
    return [instead(node, isPython ? `[part.strip() for part in ${text}]` : `${text}.map((part) => part.trim())`, 'unfinished text', 0.3)]
  const isNumber = isPython ? name === 'str' : /^String$|\.toString$/.test(name)
  return isNumber ? [instead(node, isPython ? `${text}.zfill(2)` : `${text}.padStart(2, '0')`, 'unfinished text', 0.3)] : []
}

/** `f(x)` → `x`, `x.f()` → `x`. */
export function unwrapped(unit: Unit, node: Node): Proposal[] {
  if (!isCall(node)) return []
  const called = field(node, 'function')
  const [only, ...more] = argumentsOf(node)
  if (!called) return []
  const edit = (inner: Node, weight: number) => instead(node, textOf(unit, inner), 'wrap', weight)
  const receiver = isMember(called) ? field(called, 'object') : undefined
  return [
    ...(only && more.length === 0 && !/function|lambda|spread|splat|generator|keyword/.test(only.type) ? [edit(only, 0.15)] : []),
    ...(receiver && node.parent?.type !== 'expression_statement' ? [edit(receiver, 0.14)] : []),
  ]
}

const DEFAULTS_JAVASCRIPT = ['0', '[]', "''", '{}', '1', 'false']

/** A value with something to stand in where it is missing, and a way past what is not there. */
export function defaults(unit: Unit, node: Node): Proposal[] {
  if (functionAround(node) === null || node.field === 'left') return []
  if (unit.tongue === 'python') return pythonDefaults(unit, node)
  const called =
    node.type === 'call_expression' ||
    node.type === 'member_expression' ||
    node.type === 'subscript_expression' ||
    node.type === 'identifier'
  if (!called || isDeclared(unit, node) || node.field === 'function') return []
  const isPlace =
    node.parent !== null &&
    /^binary|return_statement|variable_declarator|arguments|spread_element|for_in_statement|assignment_expression/.test(node.parent.type)
  const base = node.type === 'identifier' ? 0.1 : 0.22
  const around = isPlace
    ? DEFAULTS_JAVASCRIPT.map((text, at) =>
        instead(node, bracketsFor(node, `${textOf(unit, node)} ?? ${text}`), 'guard', base / (1 + at * 0.5)),
      )
    : []
  return [...around, ...optional(unit, node)]
}

function bracketsFor({ parent }: Node, text: string): string {
  return parent && parent.type.startsWith('binary') ? `(${text})` : text
}

function optional(unit: Unit, node: Node): Proposal[] {
  const object = field(node, 'object')
  const sign = object ? unit.source[object.end] : ''
  if (node.type === 'identifier' || node.type === 'call_expression' || !object || object.type === 'this' || (sign !== '.' && sign !== '['))
    return []
  return [inserting(object.end, sign === '[' ? '?.' : '?', 'guard', 0.22, node.start)]
}

/** `d[k]` → `d.get(k, 0)`, `x` → `x or []`. */
function pythonDefaults(unit: Unit, node: Node): Proposal[] {
  if (node.type === 'subscript') {
    const [object, key] = [field(node, 'value'), field(node, 'subscript')]
    if (!object || !key || /slice|integer/.test(key.type) || (node.parent?.type === 'augmented_assignment' && node.field === 'left'))
      return []
    const forms = ['.get(%)', '.get(%, 0)', '.get(%, [])', ".get(%, '')"]
    return forms.map((form, at) =>
      instead(node, `${textOf(unit, object)}${form.replace('%', () => textOf(unit, key))}`, 'guard', 0.28 / (1 + at * 0.4)),
    )
  }
  const isPlace =
    node.parent !== null &&
    /^(for_statement|for_in_clause|return_statement|assignment|argument_list)$/.test(node.parent.type) &&
    node.field !== 'function'
  if ((node.type !== 'identifier' && node.type !== 'call') || !isPlace || isDeclared(unit, node)) return []
  const texts = ['[]', '0', "''", '{}']
  return texts.map((text, at) => instead(node, `${textOf(unit, node)} or ${text}`, 'guard', 0.12 / (1 + at * 0.5)))
}

/** Slices and indices that are customary slips: `x[1:]` ↔ `x[:-1]`, `x[0]` ↔ `x[-1]`. */
export function otherSlices(unit: Unit, node: Node): Proposal[] {
  const isPython = unit.tongue === 'python'
  if (isPython && node.type === 'slice') {
    const text = textOf(unit, node)
    const bounds = parts(node)
    const forms = [
      '1:',
      ':-1',
      '::-1',
      ':',
      '2:',
      '-1:',
      '1:-1',
      ...(bounds.length === 1 ? [text.startsWith(':') ? `${text.slice(1)}:` : `:${text.slice(0, -1)}`] : []),
    ]
    const dropped = bounds.length === 2 ? bounds.map((bound) => text.replace(textOf(unit, bound), '')) : []
    const all = [...new Set([...forms, ...dropped])].filter((form) => form !== text)
    return all.map((form, at) =>
      instead(node, form, 'off by one', (bounds.length === 1 && at === all.length - 1 ? 0.4 : 0.22) / (1 + at * 0.2)),
    )
  }
  return []
}
