// What a JavaScript or TypeScript file imports and declares.
import { addImport, declare, headOf, lineOf, nameOf, owned, textOf, type Outline } from '../outline.js'
import { allOpen, childOf, childOfType, headOpen, type Open, type Syntax } from '../../../syntax/syntax.js'
import { outlineDeclaration, outlineValue, type Place } from './javascript-declarations.js'

export const openJavaScript: Open = {
  ...allOpen('program', 'ERROR', 'import_statement', 'import_require_clause', 'export_statement', 'export_clause', 'export_specifier'),
  ...allOpen('ambient_declaration', 'internal_module', 'module', 'statement_block', 'expression_statement', 'assignment_expression'),
  ...allOpen('lexical_declaration', 'variable_declaration', 'variable_declarator', 'class', 'class_declaration', 'class_body'),
  ...allOpen('abstract_class_declaration', 'interface_declaration', 'interface_body', 'enum_declaration', 'enum_body'),
  ...allOpen('enum_assignment', 'type_alias_declaration', 'object_type', 'union_type', 'intersection_type', 'formal_parameters'),
  ...allOpen('field_definition', 'public_field_definition'),
  ...headOpen('function_declaration', 'generator_function_declaration', 'function_signature', 'function_expression'),
  ...headOpen('generator_function', 'arrow_function'),
  ...headOpen('method_definition', 'method_signature', 'abstract_method_signature', 'construct_signature'),
}

export function outlineJavaScript(outline: Outline, program: Syntax): void {
  const names = new Set(program.children.flatMap((child) => exportedLater(outline, child)))
  outlineStatements(outline, program, { owner: null, whole: program, isExported: (name) => names.has(name) })
}

/** `export { a }` and `export default a` name what is declared elsewhere in the file. */
function exportedLater(outline: Outline, node: Syntax): string[] {
  if (node.type !== 'export_statement' || childOf(node, 'source')) return []
  const value = childOf(node, 'value')
  const names = childOfType(node, 'export_clause')?.children.map((child) => nameOf(outline, child)) ?? []
  return value?.type === 'identifier' ? [...names, textOf(outline, value)] : names
}

function outlineStatements(outline: Outline, node: Syntax, place: Place): void {
  for (const child of node.children) outlineStatement(outline, child, { ...place, whole: child })
}

function outlineStatement(outline: Outline, node: Syntax, place: Place): void {
  switch (node.type) {
    case 'import_statement':
      return addSource(outline, childOf(node, 'source') ?? childOf(childOfType(node, 'import_require_clause') ?? node, 'source'))
    case 'export_statement':
      return outlineExport(outline, node, place)
    case 'ambient_declaration':
      for (const child of node.children) outlineStatement(outline, child, place)
      return
    case 'ERROR':
    case 'statement_block':
      return outlineStatements(outline, node, place)
    case 'expression_statement':
      return outlineExpression(outline, node, place)
    case 'internal_module':
    case 'module':
      return outlineNamespace(outline, node, place)
    case 'lexical_declaration':
    case 'variable_declaration':
      return outlineVariables(outline, node, place)
    default:
      return outlineDeclaration(outline, node, place)
  }
}

function outlineExport(outline: Outline, node: Syntax, place: Place): void {
  const source = childOf(node, 'source')
  if (source) return addSource(outline, source)
  const declaration = childOf(node, 'declaration')
  const exported = { ...place, isExported: () => true }
  if (declaration) return outlineStatement(outline, declaration, exported)
  const value = childOf(node, 'value')
  if (!value || value.type === 'identifier') return
  outlineValue(outline, { name: 'default', node, value, before: '', callable: 'function' }, exported)
}

function outlineExpression(outline: Outline, node: Syntax, place: Place): void {
  const [expression] = node.children
  if (expression?.type === 'internal_module') return outlineStatement(outline, expression, place)
  if (expression?.type === 'assignment_expression') return outlineAssignment(outline, expression, place)
  if (expression) addRequired(outline, expression)
}

function outlineNamespace(outline: Outline, node: Syntax, place: Place): void {
  const name = withoutQuotes(nameOf(outline, node))
  declare(outline, { kind: 'module', owner: place.owner, name, text: headOf(outline, node, place.whole) })
  const body = childOf(node, 'body')
  if (body) outlineStatements(outline, body, { ...place, owner: owned(place.owner, name) })
}

function outlineVariables(outline: Outline, node: Syntax, place: Place): void {
  const declarators = node.children.filter((child) => child.type === 'variable_declarator')
  const before = lineOf(outline, place.whole, place.whole.start, declarators[0]?.start ?? node.end)
  for (const declarator of declarators) {
    const value = childOf(declarator, 'value')
    if (value && addRequired(outline, value)) continue
    const named = { name: nameOf(outline, declarator), node: declarator, value, before, callable: 'function' as const }
    outlineValue(outline, named, place)
  }
}

/** What a CommonJS file exports, and methods that are set on a prototype. */
function outlineAssignment(outline: Outline, node: Syntax, place: Place): void {
  const left = childOf(node, 'left')
  const value = childOf(node, 'right')
  if (left?.type !== 'member_expression' || !value) return
  const target = textOf(outline, left)
  const name = target === 'module.exports' ? target : (/\.([\w$]+)$/.exec(target)?.[1] ?? target)
  const type = /^([\w$.]+)\.prototype\.[\w$]+$/.exec(target)?.[1]
  const isExported = /^(module\.)?exports\b/.test(target)
  const named = { name, node, value, before: '', callable: type === undefined ? ('function' as const) : ('method' as const) }
  outlineValue(outline, named, { ...place, owner: type ?? place.owner, isExported: () => isExported })
}

function addSource(outline: Outline, source: Syntax | undefined): void {
  addImport(outline, withoutQuotes(textOf(outline, source)))
}

function addRequired(outline: Outline, value: Syntax): boolean {
  const source = /^require\s*\(\s*(['"])([^'"]+)\1\s*\)/.exec(textOf(outline, value))?.[2]
  if (source !== undefined) addImport(outline, source)
  return source !== undefined
}

function withoutQuotes(text: string): string {
  return text.replace(/^['"]|['"]$/g, '')
}
