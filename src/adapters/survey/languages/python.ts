// What a Python module imports and declares.
import { addImport, declare, headOf, nameOf, owned, textOf, withValue, type Outline } from '../outline.js'
import { allOpen, childOf, childOfType, childrenOf, headOpen, type Open, type Syntax } from '../../../syntax/syntax.js'

const STATEMENTS = ['if_statement', 'elif_clause', 'else_clause', 'try_statement', 'except_clause', 'finally_clause', 'with_statement']

export const openPython: Open = {
  ...allOpen('module', 'ERROR', 'block', 'class_definition', 'decorated_definition', 'parameters', ...STATEMENTS),
  ...allOpen('import_statement', 'import_from_statement', 'future_import_statement', 'aliased_import'),
  ...allOpen('expression_statement', 'assignment', 'type_alias_statement'),
  ...headOpen('function_definition'),
}

const CONTAINERS = new Set(['ERROR', 'block', ...STATEMENTS])
const CONSTANT = /^[A-Z][A-Z0-9_]*$/

export function outlinePython(outline: Outline, node: Syntax, owner: string | null = null): void {
  for (const child of node.children) outlineStatement(outline, child, owner)
}

function outlineStatement(outline: Outline, node: Syntax, owner: string | null): void {
  switch (node.type) {
    case 'import_statement':
      for (const name of childrenOf(node, 'name')) addImport(outline, moduleName(outline, name))
      return
    case 'import_from_statement':
    case 'future_import_statement':
      return addImport(outline, importFrom(outline, node))
    case 'decorated_definition': {
      const definition = childOf(node, 'definition')
      return definition && outlineDefinition(outline, definition, owner, node)
    }
    case 'class_definition':
    case 'function_definition':
      return outlineDefinition(outline, node, owner, node)
    case 'expression_statement':
      return owner === null ? outlineConstant(outline, node) : undefined
    case 'type_alias_statement':
      return outlineAlias(outline, node, owner)
    default:
      if (CONTAINERS.has(node.type)) outlinePython(outline, node, owner)
  }
}

function outlineDefinition(outline: Outline, node: Syntax, owner: string | null, whole: Syntax): void {
  const name = nameOf(outline, node)
  const body = childOf(node, 'body')
  const text = headOf(outline, node, whole)
  if (node.type === 'function_definition') return declare(outline, { kind: owner === null ? 'function' : 'method', owner, name, text })
  declare(outline, { kind: 'class', owner, name, text })
  if (body) outlinePython(outline, body, owned(owner, name))
}

/** A name in capitals is what Python has for a constant. */
function outlineConstant(outline: Outline, statement: Syntax): void {
  const assignment = childOfType(statement, 'assignment')
  if (!assignment) return
  const name = textOf(outline, childOf(assignment, 'left'))
  const text = withValue(outline, assignment, childOf(assignment, 'right'))
  if (CONSTANT.test(name)) declare(outline, { kind: 'constant', owner: null, name, text })
}

function outlineAlias(outline: Outline, node: Syntax, owner: string | null): void {
  const name = textOf(outline, childOf(node, 'left')).replace(/\[.*$/, '')
  declare(outline, { kind: 'type', owner, name, text: withValue(outline, node, childOf(node, 'right')) })
}

function moduleName(outline: Outline, node: Syntax): string {
  return textOf(outline, node.type === 'aliased_import' ? childOf(node, 'name') : node)
}

/** `from .models import Cart, Item` is `.models (Cart, Item)`. */
function importFrom(outline: Outline, node: Syntax): string {
  const module = node.type === 'future_import_statement' ? '__future__' : textOf(outline, childOf(node, 'module_name'))
  const names = childrenOf(node, 'name').map((name) => moduleName(outline, name))
  const list = childOfType(node, 'wildcard_import') ? ['*'] : names
  return list.length === 0 ? module : `${module} (${list.join(', ')})`
}
