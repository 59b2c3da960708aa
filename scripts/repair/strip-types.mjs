// Takes the types out of TypeScript and leaves everything else where it stands, so that lines and columns stay true.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const GONE = new Set([
  'type_annotation', 'type_predicate_annotation', 'asserts_annotation', 'type_arguments', 'type_parameters', 'accessibility_modifier', 'override_modifier',
  'implements_clause', 'interface_declaration', 'type_alias_declaration', 'ambient_declaration', 'function_signature', 'abstract_method_signature', 'index_signature',
])
const WORDS = new Set(['readonly', 'declare', 'abstract'])
const MARKED = new Set(['optional_parameter', 'required_parameter', 'public_field_definition', 'method_definition', 'variable_declarator'])

/** What was stripped first, by path: every candidate at that place differs from it in a few characters. */
export const STRIPPED = join(import.meta.dirname, '..', '..', '.cache', 'strip-types')
/** What an inserted piece must not hold to be taken as it is: any of these may belong to a type. */
const PERHAPS_TYPE = /[<!:]|\b(as|satisfies|type|private|public|protected|readonly)\b/

let parser

/** Loaded only when it is needed: it takes longer than the tests of a small program. Files that are loaded together wait for the same one. */
function parserOf() {
  return (parser ??= openParser())
}

async function openParser() {
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init()
  const opened = new Parser()
  opened.setLanguage(
    await Language.load(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm')),
  )
  return opened
}

async function stripTypes(source) {
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

/** The stripped text when only code between the same types was changed; otherwise null. */
function nearlyKept({ source: before, stripped }, source) {
  if (source === before) return stripped
  const { head, tail } = common(before, source)
  // Whole lines, so that no word is cut in two.
  const start = source.lastIndexOf('\n', head - 1) + 1
  const endBefore = lineEnd(before, before.length - tail)
  const end = source.length - (before.length - endBefore)
  const isPlain = before.slice(start, endBefore) === stripped.slice(start, endBefore)
  if (!isPlain || PERHAPS_TYPE.test(source.slice(head, source.length - tail))) return null
  return stripped.slice(0, start) + source.slice(start, end) + stripped.slice(endBefore)
}

function common(one, other) {
  const least = Math.min(one.length, other.length)
  let [head, tail] = [0, 0]
  while (head < least && one[head] === other[head]) head += 1
  while (tail < least - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1
  return { head, tail }
}

function lineEnd(text, at) {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

async function strippedFile(path) {
  const source = await readFile(path, 'utf8')
  const place = join(STRIPPED, `${createHash('sha1').update(path).digest('hex')}.json`)
  const kept = await readFile(place, 'utf8').then(JSON.parse).catch(() => null)
  const quick = kept && nearlyKept(kept, source)
  if (typeof quick === 'string') return quick
  const stripped = await stripTypes(source)
  if (!kept) await keep(place, { source, stripped }).catch(() => {})
  return stripped
}

/** Whole or not at all; another run may clear the folder at any time, and then it is stripped again. */
async function keep(place, value) {
  await mkdir(STRIPPED, { recursive: true })
  await writeFile(`${place}.${process.pid}`, JSON.stringify(value))
  await rename(`${place}.${process.pid}`, place)
}

function withComma(source, end) {
  return end + (/^\s*,/.exec(source.slice(end, end + 100))?.[0].length ?? 0)
}

/** The hook by which Node loads modules. */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const source = await strippedFile(fileURLToPath(url))
  return { format: 'module', source, shortCircuit: true }
}
