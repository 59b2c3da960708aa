// What the two families of languages call the same things.
import type { Node, Unit } from './tree.js'
import { field, textOf } from './tree.js'

export type Words = {
  not: string
  and: string
  or: string
  nothing: string
  yes: string
  no: string
}

const PYTHON: Words = { not: 'not ', and: 'and', or: 'or', nothing: 'None', yes: 'True', no: 'False' }
const JAVASCRIPT: Words = { not: '!', and: '&&', or: '||', nothing: 'null', yes: 'true', no: 'false' }

export function wordsOf({ tongue }: Pick<Unit, 'tongue'>): Words {
  return tongue === 'python' ? PYTHON : JAVASCRIPT
}

/** What stands behind a statement, as the file has it. */
export function endOf({ tongue, source }: Pick<Unit, 'tongue' | 'source'>): string {
  return tongue !== 'python' && /;[ \t]*$/m.test(source) ? ';' : ''
}

/** A name as it stands in a pattern. */
export function escaped(name: string): string {
  return name.replaceAll(/[$\\]/g, String.raw`\$&`)
}

const CALLS = new Set(['call', 'call_expression'])
const MEMBERS = new Set(['attribute', 'member_expression'])

export function isCall({ type }: Node): boolean {
  return CALLS.has(type)
}

export function isMember({ type }: Node): boolean {
  return MEMBERS.has(type)
}

/** The last name of what is called: `a.b.c(…)` → the node of `c`. */
export function calledName(call: Node): Node | null {
  const called = field(call, 'function')
  if (!called) return null
  return isMember(called) ? memberName(called) : called.type === 'identifier' ? called : null
}

export function memberName(member: Node): Node | null {
  return field(member, 'property') ?? field(member, 'attribute') ?? null
}

/** The arguments of a call, without those that are spread. */
export function argumentsOf(call: Node): Node[] {
  const list = field(call, 'arguments')
  return (list?.children ?? []).filter(({ type }) => /^[a-z_]/.test(type) && type !== 'comment')
}

/** The expression that decides in an `if`, a loop or a ternary, without its outer brackets. */
export function conditionOf(node: Node): Node | null {
  const found =
    node.type === 'conditional_expression'
      ? (node.children.filter(({ type }) => /^[a-z_]/.test(type) && type !== 'if' && type !== 'else')[1] ?? null)
      : (field(node, 'condition') ?? null)
  if (node.type === 'if_clause') return node.children.find(({ type }) => type !== 'if') ?? null
  if (found?.type !== 'parenthesized_expression') return found?.type === ';' || found?.type === 'empty_statement' ? null : (found ?? null)
  return found.children.find(({ type }) => type !== '(' && type !== ')' && type !== 'comment') ?? null
}

const BRANCHES = new Set(['if_statement', 'elif_clause', 'while_statement', 'ternary_expression', 'conditional_expression', 'if_clause'])

export function isBranch({ type }: Node): boolean {
  return BRANCHES.has(type)
}

/** Not a place where a value stands: names that are declared, types, imports. */
export function isDeclared(unit: Unit, node: Node): boolean {
  const { parent } = node
  if (!parent) return true
  if (node.field === 'name' && parent.type !== 'keyword_argument') return true
  if (parent.type === 'keyword_argument') return node.field === 'name'
  return DECLARING.has(parent.type) || (parent.type === 'for_statement' && node.field === 'left') || textOf(unit, node) === ''
}

const DECLARING = new Set([
  'formal_parameters', 'parameters', 'lambda_parameters', 'required_parameter', 'optional_parameter', 'typed_parameter', 'rest_pattern',
  'array_pattern', 'object_pattern', 'shorthand_property_identifier_pattern', 'import_specifier', 'import_clause', 'namespace_import',
  'export_specifier',
  'aliased_import', 'dotted_name', 'import_statement', 'import_from_statement', 'pattern_list', 'for_in_clause_left', 'catch_clause',
  'global_statement',
  'nonlocal_statement', 'type_annotation', 'decorator', 'list_splat_pattern', 'dictionary_splat_pattern', 'class_heritage',
  'except_clause', 'as_pattern_target',
])

/** Types, imports and decorators: nothing in them is tried. */
const DEAD = new Set([
  'import_statement', 'import_from_statement', 'type_annotation', 'type_arguments', 'type_parameters', 'type_alias_declaration',
  'interface_declaration',
  'comment', 'type', 'predefined_type', 'string_fragment', 'string_content', 'regex_pattern', 'regex_flags', 'decorator', 'export_clause',
  'ERROR', 'as_pattern', 'future_import_statement',
])

export function isDead({ type }: Node): boolean {
  return DEAD.has(type)
}
