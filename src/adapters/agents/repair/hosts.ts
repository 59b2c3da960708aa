// Where a value can be held against another without a trace: what is asked twice must not do anything twice.
import { pureCalls } from './pure.js'
import { AGAIN, type By } from './question-text.js'
import { namesIn } from './scope.js'
import { functionAround, isBlock, isFunction, statementAround, textOf, walk, type Node, type Unit } from './tree.js'
import type { Edit } from './types.js'
import { conditionOf, isDead } from './words.js'

const VALUES = new Set([
  'identifier', 'this', 'number', 'integer', 'float', 'string', 'template_string', 'true', 'false', 'null', 'none', 'undefined',
  'binary_expression', 'binary_operator', 'boolean_operator', 'not_operator', 'unary_expression', 'unary_operator', 'comparison_operator',
  'member_expression', 'attribute', 'subscript_expression', 'subscript', 'call_expression', 'call', 'ternary_expression',
  'conditional_expression', 'parenthesized_expression', 'array', 'list', 'object', 'dictionary', 'set', 'as_expression', 'non_null_expression',
])
const WRITTEN = new Set(['assignment', 'augmented_assignment', 'assignment_expression', 'augmented_assignment_expression', 'for_in_statement', 'for_statement', 'for_in_clause', 'named_expression'])
const NO_VALUE_FIELDS = new Set(['name', 'function', 'constructor', 'alias', 'key', 'operator', 'property', 'attribute', 'label', 'parameter', 'pattern'])
const NO_VALUE_IN = /pattern|^(interpolation|expression_statement|update_expression|delete_statement|shorthand|keyword_separator|type_|global|nonlocal|formal_parameters|parameters|default_parameter|typed_|required_|optional_|as_)/

/** The largest expression around an edit whose other value can be told without a trace. */
export function hostOf(unit: Unit, edit: Edit): Node | null {
  let host: Node | null = null
  for (let at: Node | null = innermost(unit.root, edit); at && !isFunction(at) && !isBlock(at) && !isManyTimes(at); at = at.parent) {
    if (isDead(at)) return null
    if (!VALUES.has(at.type)) continue
    const isWhole = at.start >= edit.start && at.end <= edit.end
    if (isBarred(unit, at) || (isImpureCall(unit, at) && !isWhole)) break
    if (isReplaceable(unit, at) && callsIn(unit, at).every((call) => call === at || isReplaceable(unit, call))) host = at
  }
  return host && functionAround(host) && statementAround(host) && !isOutOfReach(host) ? host : null
}

const WAITS = new Set(['await_expression', 'await', 'yield_expression', 'yield', 'named_expression', 'super', 'ERROR'])

/** It would mean something else in a function of its own. */
function isBarred(unit: Unit, node: Node): boolean {
  if (WAITS.has(node.type) || (node.type === 'call' && FRAMES.test(textOf(unit, node)))) return true
  return node.children.some((child) => !isFunction(child) && isBarred(unit, child))
}

/** Calls that look at the function they stand in. */
const FRAMES = /^(super|locals|globals|vars|dir|eval|exec)\(/

const APART = /^(default_parameter|typed_default_parameter|assignment_pattern|formal_parameters|parameters|class_definition|class_body|interpolation|decorator|delete_statement)$/

/** Values of a class and of parameters are not seen by functions within, quotes in a text end it, and what is deleted has to stand there itself. */
function isOutOfReach(host: Node): boolean {
  for (let at = host.parent; at && !isFunction(at); at = at.parent) if (APART.test(at.type)) return true
  return false
}

const CALLS = /^(call|call_expression|new_expression)$/

function isImpureCall(unit: Unit, node: Node): boolean {
  return (CALLS.test(node.type) || isManyTimes(node)) && !isPure(unit, node)
}

function isManyTimes({ type }: Node): boolean {
  return /comprehension|generator_expression/.test(type)
}

/** The outermost calls in an expression that must not be made twice: what they gave is told again instead. */
export function callsIn(unit: Unit, node: Node): readonly Node[] {
  return isImpureCall(unit, node) ? [node] : node.children.flatMap((child) => (isFunction(child) ? [] : callsIn(unit, child)))
}

export function recalled(unit: Unit, host: Node, text: string): string {
  const calls = callsIn(unit, host).map((call, at) => ({ text: textOf(unit, call), at })).toSorted((one, other) => other.text.length - one.text.length)
  return calls.reduce((rest, call) => rest.replaceAll(call.text, () => `${AGAIN}(${call.at})`), text)
}

function innermost(root: Node, { start, end }: Edit): Node {
  const below = root.children.find((child) => child.start <= start && child.end >= end && child.end > child.start)
  return below ? innermost(below, { start, end, text: '' }) : root
}

function isReplaceable(unit: Unit, node: Node): boolean {
  const { parent } = node
  if (!parent || NO_VALUE_FIELDS.has(node.field) || NO_VALUE_IN.test(parent.type)) return false
  if (node.field === 'left' && WRITTEN.has(parent.type)) return false
  const isHead = unit.tongue !== 'python' && node.type === 'parenthesized_expression' && /^(if|while|do|switch|with)_statement$/.test(parent.type)
  const isChained = textOf(unit, node).includes('?.') && /^(member|subscript|call)_expression$|^non_null/.test(parent.type)
  return !isHead && !isChained && !isCalled(node) && !(parent.type === 'unary_expression' && textOf(unit, parent).startsWith('delete'))
}

/** `(this.size)()`: with another value there it would be called on nothing. */
function isCalled({ field, parent }: Node): boolean {
  if (field === 'function') return true
  return parent !== null && /^(parenthesized_expression|non_null_expression)$/.test(parent.type) && isCalled(parent)
}

const IMPURE = new Set([
  'assignment_expression', 'augmented_assignment_expression', 'named_expression', 'update_expression', 'await_expression', 'await', 'yield_expression', 'yield',
  'statement_block', 'function_expression', 'class', 'generator_expression', 'ERROR', 'super',
])

const judged = new WeakMap<Node, boolean>()

function isPure(unit: Unit, node: Node): boolean {
  const known = judged.get(node) ?? (isPureItself(unit, node) && node.children.every((child) => isPure(unit, child)))
  judged.set(node, known)
  return known
}

function isPureItself(unit: Unit, node: Node): boolean {
  if (IMPURE.has(node.type)) return false
  if (node.type === 'subscript' && /\bdefaultdict\b/.test(unit.source)) return false
  if (node.type === 'unary_expression' && textOf(unit, node).startsWith('delete')) return false
  return !CALLS.test(node.type) || (isPureName(unit, textOf(unit, node.children[0] ?? node)) && !HANDED.test(textOf(unit, node)))
}

/** Somebody else's function does what it likes, and what waits in a queue is gone when it was taken. */
const HANDED = /\.(?:map|filter|flatMap|some|every|find|findIndex|findLast|reduce|toSorted)\(\s*[\w$.]+\s*[,)]|(?:map|filter|sorted|min|max)\([^()]*key=[\w.]+|\.get\(\s*\)/

const ownNames = new WeakMap<Unit, Set<string>>()

/** What the project calls by a name that is known may still be something else: its own functions leave traces. */
function isPureName(unit: Unit, called: string): boolean {
  const own = ownNames.get(unit) ?? new Set(functionNames(unit))
  ownNames.set(unit, own)
  return pureCalls(unit.tongue).test(called) && !own.has(called.slice(called.lastIndexOf('.') + 1)) && !isImported(unit, called)
}

/** `requests.get`, `shutil.copy`: a module's own, whatever it does. */
function isImported(unit: Unit, called: string): boolean {
  const root = /^[\w$]+(?=\.)/.exec(called)?.[0]
  return root !== undefined && root !== 'math' && namesIn(unit).some(({ text, what }) => what === 'import' && text === root)
}

function functionNames(unit: Unit): string[] {
  const names = [...walk(unit.root)].filter((node) => node.field === 'name' && node.parent !== null && isFunction(node.parent))
  return names.map((node) => textOf(unit, node))
}

/** What an edit puts there is only text yet. */
export function isPureText(unit: Unit, text: string): boolean {
  const { tongue, source } = unit
  if (/\b(await|yield|delete|super|function|new|class)\b|\+\+|--|=>\s*\{|[^=!<>]=(?![=>])/.test(text.replaceAll(/(['"]).*?\1/g, '').replaceAll(/\b\w+=(?!=)/g, tongue === 'python' ? '' : '$&'))) return false
  if (HANDED.test(text)) return false
  if (tongue === 'python' && /\bdefaultdict\b/.test(source) && /[\w)\]]\[/.test(text)) return false
  return [...text.matchAll(/([\w$.]+)\s*\(/g)].every(([, called]) => isPureName(unit, called ?? '') || called === AGAIN || /^(and|or|not|in|if|else|is|return|lambda)$/.test(called ?? ''))
}

/** What is made anew each time is the same when it looks the same. */
export function byOf(host: Node): By {
  if (isTested(host)) return 'truth'
  return /^(identifier|this|member_expression|attribute|subscript|subscript_expression)$/.test(host.type) ? 'identity' : 'looks'
}

/** Only whether it holds is asked. */
function isTested(host: Node): boolean {
  let at = host
  while (at.parent && (/^(parenthesized_expression|boolean_operator|not_operator)$/.test(at.parent.type) || isLogical(at.parent))) at = at.parent
  const above = at.parent
  if (!above) return false
  const decides = conditionOf(above)
  return decides !== null && decides.start >= at.start && decides.end <= at.end
}

function isLogical(node: Node): boolean {
  return /^(binary|unary)_expression$/.test(node.type) && node.children.some(({ type }) => type === '&&' || type === '||' || type === '!')
}
