// Takes the types out of TypeScript and leaves everything else where it stands, so that lines and columns stay true.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'

const GONE = new Set([
  'type_annotation', 'type_predicate_annotation', 'asserts_annotation', 'type_arguments', 'type_parameters', 'accessibility_modifier', 'override_modifier',
  'implements_clause', 'interface_declaration', 'type_alias_declaration', 'ambient_declaration', 'function_signature', 'abstract_method_signature', 'index_signature',
])
const WORDS = new Set(['readonly', 'declare', 'abstract'])
const MARKED = new Set(['optional_parameter', 'required_parameter', 'public_field_definition', 'method_definition', 'variable_declarator'])

let parser

async function parserOf() {
  if (parser) return parser
  await Parser.init()
  parser = new Parser()
  parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm')))
  return parser
}

export async function stripTypes(source) {
  const tree = (await parserOf()).parse(source)
  if (tree.rootNode.hasError) throw new SyntaxError('this is no TypeScript')
  const chars = source.split('')
  for (const [start, end] of spans(tree.rootNode, source)) {
    for (let at = start; at < end; at += 1) if (chars[at] !== '\n') chars[at] = ' '
  }
  tree.delete()
  return chars.join('')
}

/** What is only there for types, as pairs of start and end. */
function spans(node, source) {
  const whole = [[node.startIndex, node.endIndex]]
  const { type, children } = node
  if (GONE.has(type)) return whole
  if (type === 'import_statement' || type === 'export_statement') {
    if (children.some((child) => child.type === 'type' || GONE.has(child.type))) return whole
  }
  if (type === 'import_specifier' && children[0]?.type === 'type') return [[node.startIndex, withComma(source, node.endIndex)]]
  const own = partsOf(node)
  return [...own, ...children.flatMap((child) => spans(child, source))]
}

function partsOf({ type, children, endIndex }) {
  if (type === 'as_expression' || type === 'satisfies_expression') return [[children[0].endIndex, endIndex]]
  if (type === 'non_null_expression') return [[children[0].endIndex, endIndex]]
  const gone = children.filter((child) => WORDS.has(child.type) || (MARKED.has(type) && (child.type === '?' || child.type === '!')))
  return gone.map((child) => [child.startIndex, child.endIndex])
}

function withComma(source, end) {
  return end + (/^\s*,/.exec(source.slice(end, end + 100))?.[0].length ?? 0)
}

/** The hook by which Node loads modules. */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const source = await stripTypes(await readFile(fileURLToPath(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}
