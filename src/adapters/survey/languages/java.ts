// What a Java file imports and declares.
import type { SignatureKind } from '../../../text/survey/survey.js'
import { addImport, declare, headOf, lineOf, nameOf, owned, textOf, withValue, type Outline } from '../outline.js'
import { allOpen, childOf, childrenOf, childOfType, headOpen, type Open, type Syntax } from '../../../syntax/syntax.js'

const TYPES: Readonly<Record<string, SignatureKind>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
}

const BODIES = ['class_body', 'interface_body', 'annotation_type_body', 'enum_body', 'enum_body_declarations']

export const openJava: Open = {
  ...allOpen('program', 'ERROR', 'import_declaration', 'modifiers', 'formal_parameters', ...Object.keys(TYPES), ...BODIES),
  ...allOpen('field_declaration', 'constant_declaration', 'variable_declarator', 'annotation_type_element_declaration'),
  ...headOpen('method_declaration', 'constructor_declaration', 'compact_constructor_declaration', 'enum_constant'),
}

export function outlineJava(outline: Outline, node: Syntax, owner: string | null = null): void {
  for (const child of node.children) outlineMember(outline, child, owner)
}

function outlineMember(outline: Outline, node: Syntax, owner: string | null): void {
  switch (node.type) {
    case 'import_declaration':
      return addImport(outline, textOf(outline, node).replace(/^import\s+(static\s+)?|\s*;$/g, ''))
    case 'method_declaration':
    case 'constructor_declaration':
    case 'compact_constructor_declaration':
    case 'annotation_type_element_declaration':
      return declare(outline, { kind: 'method', owner, name: nameOf(outline, node), text: headOf(outline, node) })
    case 'field_declaration':
    case 'constant_declaration':
      return outlineConstants(outline, node, owner)
    case 'enum_body_declarations':
    case 'ERROR':
      return outlineJava(outline, node, owner)
    default:
      return outlineType(outline, node, owner)
  }
}

function outlineType(outline: Outline, node: Syntax, owner: string | null): void {
  const kind = TYPES[node.type]
  if (kind === undefined) return
  const name = nameOf(outline, node)
  const body = childOf(node, 'body')
  declare(outline, { kind, owner, name, text: headOf(outline, node) + constantsOf(outline, body) })
  if (body) outlineJava(outline, body, owned(owner, name))
}

function constantsOf(outline: Outline, body: Syntax | undefined): string {
  if (body?.type !== 'enum_body') return ''
  const names = body.children.filter((child) => child.type === 'enum_constant').map((child) => nameOf(outline, child))
  return ` { ${names.join(', ')} }`
}

/** Of the fields only those that are constants and not private; in an interface every field is one. */
function outlineConstants(outline: Outline, node: Syntax, owner: string | null): void {
  const modifiers = textOf(outline, childOfType(node, 'modifiers'))
  const isConstant = node.type === 'constant_declaration' || (/\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers))
  if (!isConstant || /\bprivate\b/.test(modifiers)) return
  const declarators = childrenOf(node, 'declarator')
  const before = lineOf(outline, node, node.start, declarators[0]?.start ?? node.end)
  for (const declarator of declarators) {
    const text = `${before} ${withValue(outline, declarator, childOf(declarator, 'value'))}`
    declare(outline, { kind: 'constant', owner, name: nameOf(outline, declarator), text })
  }
}
