// Declarations of JavaScript and TypeScript: types with their methods, and names with a value.
import type { SignatureKind } from '../../../text/survey/survey.js'
import { declare, headOf, lineOf, nameOf, owned, textOf, withValue, type Outline } from '../outline.js'
import { childOf, type Syntax } from '../../../syntax/syntax.js'

/** Where a declaration stands: what it belongs to, the whole statement it is in, and which names are exported there. */
export type Place = { owner: string | null; whole: Syntax; isExported: (name: string) => boolean }

/** A variable, an export or a property that is set, with the words that stand before it. */
export type Named = { name: string; node: Syntax; value: Syntax | undefined; before: string; callable: 'function' | 'method' }

const TYPES: Readonly<Record<string, SignatureKind>> = {
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
}

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function'])

export function outlineDeclaration(outline: Outline, node: Syntax, { owner, whole }: Place): void {
  switch (node.type) {
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
      return declare(outline, { kind: 'function', owner, name: nameOf(outline, node, 'default'), text: headOf(outline, node, whole) })
    case 'type_alias_declaration':
      return declare(outline, { kind: 'type', owner, name: nameOf(outline, node), text: typeText(outline, whole) })
    case 'method_definition':
      return outlineMember(outline, node, owner)
    default:
      return outlineType(outline, node, owner, headOf(outline, node, whole))
  }
}

function outlineType(outline: Outline, node: Syntax, owner: string | null, head: string): void {
  const kind = TYPES[node.type]
  if (kind === undefined) return
  const name = nameOf(outline, node, 'default')
  const body = childOf(node, 'body')
  const members = kind === 'enum' ? ` { ${enumNames(outline, body).join(', ')} }` : ''
  declare(outline, { kind, owner, name, text: head + members })
  outlineMembers(outline, body, owned(owner, name))
}

function enumNames(outline: Outline, body: Syntax | undefined): string[] {
  return (body?.children ?? []).flatMap((child) => {
    if (child.field === 'name') return [textOf(outline, child)]
    return child.type === 'enum_assignment' ? [nameOf(outline, child)] : []
  })
}

function outlineMembers(outline: Outline, body: Syntax | undefined, owner: string | null): void {
  for (const member of body?.children ?? []) outlineMember(outline, member, owner)
}

function outlineMember(outline: Outline, node: Syntax, owner: string | null): void {
  switch (node.type) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
    case 'construct_signature':
      return declare(outline, { kind: 'method', owner, name: nameOf(outline, node, 'new'), text: headOf(outline, node) })
    case 'field_definition':
    case 'public_field_definition':
      return outlineField(outline, node, owner)
    case 'ERROR':
      return outlineMembers(outline, node, owner)
  }
}

/** A field counts when it holds a function. */
function outlineField(outline: Outline, node: Syntax, owner: string | null): void {
  const value = childOf(node, 'value')
  if (!value || !FUNCTIONS.has(value.type)) return
  const name = textOf(outline, childOf(node, 'name') ?? childOf(node, 'property'))
  declare(outline, { kind: 'method', owner, name, text: lineOf(outline, node, node.start, childOf(value, 'body')?.start ?? value.end) })
}

/** Functions and classes always count, other values when they are exported. */
export function outlineValue(outline: Outline, { name, node, value, before, callable }: Named, place: Place): void {
  const { owner } = place
  const upTo = (end: number): string => `${before} ${lineOf(outline, node, node.start, end)}`
  if (value && FUNCTIONS.has(value.type)) {
    const text = upTo(childOf(value, 'body')?.start ?? value.end)
    return declare(outline, { kind: callable, owner, name, text })
  }
  if (value?.type === 'class') {
    const body = childOf(value, 'body')
    declare(outline, { kind: 'class', owner, name, text: upTo(body?.start ?? value.end) })
    return outlineMembers(outline, body, owned(owner, name))
  }
  if (!place.isExported(name)) return
  declare(outline, { kind: 'constant', owner, name, text: `${before} ${withValue(outline, node, value)}` })
}

/** Where members stand on lines of their own, the line break is all that parts them. */
function typeText(outline: Outline, node: Syntax): string {
  const join = (text: string): string => text.replace(/([\w\])}>'"])[ \t\r]*\n\s*(?=[\w['"])/g, '$1; ')
  return lineOf(outline, node, node.start, node.end, join).replace(/\s*;$/, '')
}
