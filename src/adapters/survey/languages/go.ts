// What a Go file imports and declares.
import { addImport, declare, headOf, lineOf, nameOf, textOf, withValue, type Outline } from '../outline.js'
import { allOpen, childOf, childrenOf, headOpen, type Open, type Syntax } from '../../../syntax/syntax.js'

export const openGo: Open = {
  ...allOpen('source_file', 'ERROR', 'import_declaration', 'import_spec_list', 'import_spec', 'parameter_list'),
  ...allOpen('const_declaration', 'const_spec', 'var_declaration', 'var_spec_list', 'var_spec'),
  ...allOpen('type_declaration', 'type_spec', 'type_alias', 'interface_type', 'method_elem'),
  ...headOpen('function_declaration', 'method_declaration'),
}

const DECLARATIONS = ['import_declaration', 'const_declaration', 'var_declaration', 'type_declaration']
const LISTS = new Set(['ERROR', 'import_spec_list', 'var_spec_list', ...DECLARATIONS])

export function outlineGo(outline: Outline, node: Syntax): void {
  for (const child of node.children) outlineItem(outline, child)
}

function outlineItem(outline: Outline, node: Syntax): void {
  switch (node.type) {
    case 'import_spec':
      return addImport(outline, textOf(outline, childOf(node, 'path')).replace(/^["`]|["`]$/g, ''))
    case 'function_declaration':
      return declare(outline, { kind: 'function', owner: null, name: nameOf(outline, node), text: headOf(outline, node) })
    case 'method_declaration':
      return declare(outline, { kind: 'method', owner: receiver(outline, node), name: nameOf(outline, node), text: headOf(outline, node) })
    case 'type_spec':
    case 'type_alias':
      return outlineType(outline, node)
    case 'const_spec':
      return outlineValue(outline, node, 'const')
    case 'var_spec':
      return outlineValue(outline, node, 'var')
    default:
      if (LISTS.has(node.type)) outlineGo(outline, node)
  }
}

/** `(c *Cart[T])` is Cart. */
function receiver(outline: Outline, node: Syntax): string | null {
  return /(\w+)\s*(?:\[.*\])?\s*,?\s*\)$/.exec(textOf(outline, childOf(node, 'receiver')))?.[1] ?? null
}

function outlineType(outline: Outline, node: Syntax): void {
  const name = nameOf(outline, node)
  const type = childOf(node, 'type')
  const before = `type ${lineOf(outline, node, node.start, type?.start ?? node.end)}`
  if (type?.type === 'struct_type') return declare(outline, { kind: 'struct', owner: null, name, text: `${before} struct` })
  if (type?.type !== 'interface_type') {
    return declare(outline, { kind: 'type', owner: null, name, text: `type ${withValue(outline, node, type)}` })
  }
  declare(outline, { kind: 'interface', owner: null, name, text: `${before} interface` })
  for (const method of type.children.filter((child) => child.type === 'method_elem')) {
    declare(outline, { kind: 'method', owner: name, name: nameOf(outline, method), text: textOf(outline, method) })
  }
}

/** Only what begins with a capital is seen outside the package. */
function outlineValue(outline: Outline, node: Syntax, word: 'const' | 'var'): void {
  const names = childrenOf(node, 'name').map((child) => textOf(outline, child)).filter((name) => /^\p{Lu}/u.test(name))
  if (names.length === 0) return
  const text = `${word} ${withValue(outline, node, childOf(node, 'value'))}`
  declare(outline, { kind: 'constant', owner: null, name: names.join(', '), text })
}
