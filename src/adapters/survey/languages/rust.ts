// What a Rust file imports and declares.
import type { SignatureKind } from '../../../text/survey/survey.js'
import { addImport, declare, headOf, nameOf, owned, textOf, withValue, type Outline } from '../outline.js'
import { allOpen, childOf, childOfType, headOpen, type Open, type Syntax } from '../../../syntax/syntax.js'

export const openRust: Open = {
  ...allOpen('source_file', 'ERROR', 'declaration_list', 'mod_item', 'foreign_mod_item', 'impl_item', 'trait_item'),
  ...allOpen('enum_item', 'enum_variant_list', 'struct_item', 'union_item', 'parameters'),
  ...allOpen('use_declaration', 'extern_crate_declaration', 'type_item', 'associated_type', 'const_item', 'static_item'),
  ...headOpen('function_item', 'function_signature_item', 'macro_definition', 'enum_variant'),
}

const KINDS: Readonly<Record<string, SignatureKind>> = {
  struct_item: 'struct',
  union_item: 'struct',
  enum_item: 'enum',
  trait_item: 'trait',
}

/** What items belong to: a module, whose functions are functions, or a type, whose functions are methods. */
type Place = { owner: string | null; callable: 'function' | 'method' }

export function outlineRust(outline: Outline, root: Syntax): void {
  outlineItems(outline, root, { owner: null, callable: 'function' })
}

function outlineItems(outline: Outline, node: Syntax, place: Place): void {
  node.children.forEach((child, at) => {
    if (!isTestModule(outline, child, node.children[at - 1])) outlineItem(outline, child, place)
  })
}

function outlineItem(outline: Outline, node: Syntax, place: Place): void {
  switch (node.type) {
    case 'use_declaration':
      return addImport(outline, textOf(outline, childOf(node, 'argument')))
    case 'extern_crate_declaration':
      return addImport(outline, nameOf(outline, node))
    case 'mod_item':
      return outlineModule(outline, node, place)
    case 'foreign_mod_item':
    case 'ERROR':
      return outlineItems(outline, childOf(node, 'body') ?? node, place)
    case 'impl_item':
      return outlineImplementation(outline, node, place)
    case 'const_item':
    case 'static_item':
      return outlineConstant(outline, node, place)
    default:
      return outlineDeclaration(outline, node, place)
  }
}

function outlineDeclaration(outline: Outline, node: Syntax, { owner, callable }: Place): void {
  const name = nameOf(outline, node)
  switch (node.type) {
    case 'function_item':
    case 'function_signature_item':
      return declare(outline, { kind: callable, owner, name, text: headOf(outline, node) })
    case 'type_item':
    case 'associated_type':
      return declare(outline, { kind: 'type', owner, name, text: withValue(outline, node, childOf(node, 'type')) })
    case 'macro_definition':
      return declare(outline, { kind: 'macro', owner, name, text: `macro_rules! ${name}` })
    case 'struct_item':
    case 'union_item':
    case 'enum_item':
    case 'trait_item':
      return outlineType(outline, node, { kind: KINDS[node.type] ?? 'type', owner, name })
  }
}

type Named = { kind: SignatureKind; owner: string | null; name: string }

function outlineType(outline: Outline, node: Syntax, named: Named): void {
  const body = childOf(node, 'body')
  const isTuple = body?.type === 'ordered_field_declaration_list'
  declare(outline, { ...named, text: (isTuple ? withValue(outline, node, body) : headOf(outline, node)) + variants(outline, body) })
  if (node.type === 'trait_item' && body) outlineItems(outline, body, { owner: owned(named.owner, named.name), callable: 'method' })
}

function variants(outline: Outline, body: Syntax | undefined): string {
  if (body?.type !== 'enum_variant_list') return ''
  const names = body.children.filter((child) => child.type === 'enum_variant').map((child) => nameOf(outline, child))
  return ` { ${names.join(', ')} }`
}

/** A module in a file of its own is something this one depends on; one with a body is part of it. */
function outlineModule(outline: Outline, node: Syntax, { owner }: Place): void {
  const body = childOf(node, 'body')
  const name = nameOf(outline, node)
  if (!body) return addImport(outline, `mod ${name}`)
  declare(outline, { kind: 'module', owner, name, text: headOf(outline, node) })
  outlineItems(outline, body, { owner: owned(owner, name), callable: 'function' })
}

function outlineImplementation(outline: Outline, node: Syntax, { owner }: Place): void {
  const name = textOf(outline, childOf(node, 'type')).replace(/<.*$/, '')
  declare(outline, { kind: 'impl', owner, name, text: headOf(outline, node) })
  const body = childOf(node, 'body')
  if (body) outlineItems(outline, body, { owner: owned(owner, name), callable: 'method' })
}

function outlineConstant(outline: Outline, node: Syntax, { owner }: Place): void {
  if (!childOfType(node, 'visibility_modifier')) return
  declare(outline, { kind: 'constant', owner, name: nameOf(outline, node), text: withValue(outline, node, childOf(node, 'value')) })
}

function isTestModule(outline: Outline, node: Syntax, before: Syntax | undefined): boolean {
  return node.type === 'mod_item' && before?.type === 'attribute_item' && /cfg\(\s*(all\(\s*)?test\b/.test(textOf(outline, before))
}
