// Syntax trees with a way up, and what is asked of them everywhere.
import type { Syntax } from '../../../syntax/syntax.js'

export type Node = { type: string; field: string; start: number; end: number; children: Node[]; parent: Node | null }

export type Tongue = 'javascript' | 'typescript' | 'python'

/** One source as operators see it. */
export type Unit = { path: string; source: string; root: Node; tongue: Tongue; lineStarts: readonly number[] }

export function unitOf(path: string, source: string, root: Syntax, tongue: Tongue): Unit {
  return { path, source, root: linked(root, null), tongue, lineStarts: lineStartsOf(source) }
}

function linked({ type, field, start, end, children }: Syntax, parent: Node | null): Node {
  const node: Node = { type, field, start, end, children: [], parent }
  node.children = children.map((child) => linked(child, node))
  return node
}

function lineStartsOf(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Counted from 1. */
export function lineOf({ lineStarts }: Pick<Unit, 'lineStarts'>, offset: number): number {
  let [low, high] = [0, lineStarts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

export function textOf({ source }: Pick<Unit, 'source'>, node: Pick<Node, 'start' | 'end'>): string {
  return source.slice(node.start, node.end)
}

export function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of node.children) yield* walk(child)
}

export function field(node: Node, name: string): Node | undefined {
  return node.children.find((child) => child.field === name)
}

/** The nearest node above, or the node itself, of one of these types. */
export function above(node: Node | null, types: ReadonlySet<string>): Node | null {
  for (let at = node; at !== null; at = at.parent) if (types.has(at.type)) return at
  return null
}

export function isWithin(node: Node, outer: Node): boolean {
  return node.start >= outer.start && node.end <= outer.end
}

const FUNCTIONS = new Set([
  'function_definition', 'lambda',
  'function_declaration', 'generator_function_declaration', 'function_expression', 'generator_function', 'arrow_function',
  'method_definition',
])

export function functionAround(node: Node): Node | null {
  return above(node.parent, FUNCTIONS)
}

export function isFunction({ type }: Node): boolean {
  return FUNCTIONS.has(type)
}

const BLOCKS = new Set(['block', 'statement_block', 'program', 'module', 'class_body'])

export function isBlock({ type }: Node): boolean {
  return BLOCKS.has(type)
}

/** The statement a node belongs to: what stands directly in a block. */
export function statementAround(node: Node): Node | null {
  for (let at: Node | null = node; at?.parent; at = at.parent) if (isBlock(at.parent)) return at
  return null
}

/** Without punctuation and comments. */
export function parts(node: Node): Node[] {
  return node.children.filter(({ type }) => /^[a-z_]/i.test(type) && type !== 'comment')
}

export function indentAt({ source, lineStarts }: Unit, offset: number): string {
  const start = lineStarts[lineOf({ lineStarts }, offset) - 1] ?? 0
  return /^[ \t]*/.exec(source.slice(start, offset))?.[0] ?? ''
}

/** Nothing but blanks stands before it. */
export function beginsLine(unit: Unit, { start }: Pick<Node, 'start'>): boolean {
  return indentAt(unit, start) === unit.source.slice(unit.source.lastIndexOf('\n', start - 1) + 1, start)
}

const SIMPLE = new Set([
  'identifier', 'this', 'number', 'integer', 'float', 'string', 'true', 'false', 'null', 'none', 'undefined', 'call',
  'call_expression', 'attribute', 'member_expression', 'subscript', 'subscript_expression', 'parenthesized_expression', 'list',
  'array', 'template_string', 'property_identifier',
])

/** True for expressions that need no brackets around them anywhere. */
export function isSimple({ type }: Node): boolean {
  return SIMPLE.has(type)
}

export function bracketed(unit: Unit, node: Node): string {
  return isSimple(node) ? textOf(unit, node) : `(${textOf(unit, node)})`
}

/** A text that only documents. */
export function isDeadHere({ type, children }: Node): boolean {
  return type === 'expression_statement' && children.length === 1 && children[0]?.type === 'string'
}
