// What the sources say of themselves, read from their syntax trees: events, types and what the package exports.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from './blocks.js'

export type Field = { name: string; type: string; says: string }
export type Exported = { name: string; kind: 'value' | 'type'; signature: string; says: string }

const parsed = new Map<string, ts.SourceFile>()

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path) ?? ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2023, true)
  parsed.set(path, known)
  return known
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function commentOf(node: ts.Node): string {
  const found = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part))
  return oneLine(ts.getTextOfJSDocComment(found?.comment) ?? '')
}

// ───────────────────────────── files ─────────────────────────────

/** Tests say what they prove, and what lies below these folders is worked on and not part of the product. */
const NO_SOURCE = /\.test\.|\bfixtures?\b|__golden__|^src\/cli\/demo\/shop\//

/** Folder → its files, each with the sentence it opens with. */
export function openingSentences(top: string): Map<string, { file: string; says: string }[]> {
  const entries = readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile() && /\.(ts|tsx|cts|mjs)$/.test(entry.name)).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  const folders = new Map<string, { file: string; says: string }[]>()
  for (const path of paths.filter((one) => !NO_SOURCE.test(one)).toSorted()) {
    const [, comment] = /^(?:#!.*\n)?((?:\/\/ .+\n)+)/.exec(readFileSync(join(ROOT, path), 'utf8')) ?? []
    const says = comment && firstSentence(oneLine(comment.replaceAll(/^\/\/ /gm, '')))
    if (says === undefined) throw new Error(`${path} does not open with a sentence that says what it is`)
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), { file: basename(path), says }])
  }
  return folders
}

function firstSentence(text: string): string {
  return /^.+?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text
}

// ───────────────────────────── types of the engine ─────────────────────────────

const TYPES = 'src/core/types.ts'

function typeNamed(name: string): ts.TypeNode {
  const found = parse(TYPES).statements.find((one): one is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(one) && one.name.text === name)
  if (!found) throw new Error(`${TYPES} has no type ${name}`)
  return found.type
}

function fieldsIn(type: ts.TypeNode): Field[] {
  if (ts.isParenthesizedTypeNode(type)) return fieldsIn(type.type)
  if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) return type.types.flatMap(fieldsIn)
  if (ts.isTypeReferenceNode(type)) return fieldsIn(typeNamed(type.typeName.getText()))
  if (!ts.isTypeLiteralNode(type)) return []
  const members = type.members.filter((one) => ts.isPropertySignature(one))
  return members.map((one) => ({ name: `${one.name.getText()}${one.questionToken ? '?' : ''}`, type: oneLine(one.type?.getText() ?? ''), says: commentOf(one) }))
}

/** The fields of a type; those that several of its shapes have are told once. */
export function typeText(name: string): Field[] {
  return [...new Map(fieldsIn(typeNamed(name)).map((field) => [`${field.name} ${field.type}`, field])).values()]
}

export function eventTypes(): { name: string; fields: Field[] }[] {
  const union = typeNamed('Event')
  if (!ts.isUnionTypeNode(union)) throw new Error('Event is no union')
  return union.types.flatMap((type) => {
    const fields = fieldsIn(type)
    const names = fields.find(({ name }) => name === 'type')?.type.split('|') ?? []
    return names.map((name) => ({ name: name.trim().replaceAll("'", ''), fields: fields.filter((field) => field.name !== 'type') }))
  })
}

// ───────────────────────────── exports ─────────────────────────────

/** What a module hands on, from where it is declared. */
export function exportsOf(path: string): Exported[] {
  const all = parse(path).statements.flatMap((one) => {
    if (!ts.isExportDeclaration(one) || !one.moduleSpecifier) return declaredIn(one)
    const from = join(dirname(path), (one.moduleSpecifier as ts.StringLiteral).text).replace(/\.js$/, '.ts')
    const inner = exportsOf(from)
    if (!one.exportClause || !ts.isNamedExports(one.exportClause)) return inner.filter(({ kind }) => !one.isTypeOnly || kind === 'type')
    const names = one.exportClause.elements.map((element) => element.name.text)
    return names.flatMap((name) => inner.filter((exported) => exported.name === name))
  })
  return [...new Map(all.map((exported) => [exported.name, exported])).values()]
}

const LONGEST = 160
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

function declaredIn(node: ts.Statement): Exported[] {
  const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  if (!isExported) return []
  const says = commentOf(node)
  if (ts.isFunctionDeclaration(node)) return [{ name: node.name?.text ?? '', kind: 'value', signature: cut(oneLine(signatureOf(node))), says }]
  if (ts.isClassDeclaration(node)) return [{ name: node.name?.text ?? '', kind: 'value', signature: `class ${node.name?.text}`, says }]
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => ({ name: one.name.getText(), kind: 'value', signature: cut(oneLine(one.type?.getText() ?? 'const')), says }))
  if (ts.isTypeAliasDeclaration(node)) return [{ name: node.name.text, kind: 'type', signature: cut(oneLine(node.type.getText().replaceAll(/\/\*\*.*?\*\//gs, ''))), says }]
  return []
}

function signatureOf(node: ts.FunctionDeclaration): string {
  const parameters = node.parameters.map((one) => `${ts.isIdentifier(one.name) ? one.name.text : 'options'}: ${one.type?.getText() ?? 'unknown'}`)
  return `(${parameters.join(', ')}) => ${node.type?.getText() ?? 'void'}`
}
