// Types and values as the sources declare them, read from their syntax trees: signatures, fields, and what is said of each.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './blocks.js'
import { coreWord } from './core-words.js'

/** `own`: it has a comment of its own. `stands`: what its type stands for, where that is a name. */
export type Field = { name: string; type: string; says: string; own: boolean; stands: string | null }
export type Exported = { name: string; kind: 'value' | 'type'; path: string; signature: string; says: string; fields: Field[] | null }
type Declared = { path: string; node: ts.TypeAliasDeclaration | ts.InterfaceDeclaration }

const parsed = new Map<string, ts.SourceFile>()

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path) ?? ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2023, true)
  parsed.set(path, known)
  return known
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const printer = ts.createPrinter({ removeComments: true })

/** As it is written, without comments, in one line. */
function textOf(node: ts.Node): string {
  const printed = oneLine(printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
  return printed.replaceAll('; }', ' }').replaceAll(/([[(]) (\| )?/g, '$1').replaceAll(' ]', ']').replace(/^\| /, '')
}

function commentOf(node: ts.Node): string {
  const found = ts.getJSDocCommentsAndTags(node).findLast((part) => ts.isJSDoc(part))
  return oneLine(ts.getTextOfJSDocComment(found?.comment) ?? '')
}

// ───────────────────────────── finding declarations ─────────────────────────────

function besideOf(path: string, specifier: ts.Expression): string {
  return join(dirname(path), (specifier as ts.StringLiteral).text).replace(/\.js$/, '.ts')
}

/** The type of that name as a file knows it, declared there or imported; null for one that is none of ours. */
function declaredAs(name: string, path: string): Declared | null {
  for (const one of parse(path).statements) {
    if ((ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one)) && one.name.text === name) return { path, node: one }
    const named = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : ts.isExportDeclaration(one) ? one.exportClause : undefined
    const from = ts.isImportDeclaration(one) || ts.isExportDeclaration(one) ? one.moduleSpecifier : undefined
    if (!from || !(from as ts.StringLiteral).text.startsWith('.')) continue
    const isNamed = named && (ts.isNamedImports(named) || ts.isNamedExports(named)) && named.elements.some((element) => element.name.text === name)
    const isAll = ts.isExportDeclaration(one) && !one.exportClause
    const found = isNamed || isAll ? declaredAs(name, besideOf(path, from)) : null
    if (found) return found
  }
  return null
}

// ───────────────────────────── what is said ─────────────────────────────

/** What the table of the engine's words has, else its own comment, else what is said of the type that it is one of. */
function saysOf(node: ts.PropertySignature | ts.MethodSignature, owner: Declared): string {
  const [name, type] = [node.name.getText(), typeOf(node)]
  return wordFor(owner, [`${name}: ${type}`, name]) || commentOf(node) || saysOfType(node.type, owner.path)
}

function wordFor({ path, node }: Declared, keys: readonly string[]): string {
  return path.startsWith('src/core/') ? coreWord(node.name.text, keys) : ''
}

function saysOfType(type: ts.TypeNode | undefined, path: string): string {
  if (!type) return ''
  if (ts.isUnionTypeNode(type)) {
    const [one, ...others] = type.types.filter((part) => !isNull(part))
    const said = others.length === 0 ? saysOfType(one, path) : ''
    return said === '' || !type.types.some(isNull) ? said : `${said} Null where there is none.`
  }
  const found = ts.isTypeReferenceNode(type) && !type.typeArguments ? declaredAs(type.typeName.getText(), path) : null
  return found ? firstSentence(commentOf(found.node) || wordFor(found, [''])) : ''
}

function isNull(type: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword
}

export function firstSentence(text: string): string {
  return /^.+?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text
}

// ───────────────────────────── fields ─────────────────────────────

function typeOf(node: ts.PropertySignature | ts.MethodSignature): string {
  if (ts.isPropertySignature(node)) return node.type ? textOf(node.type) : ''
  return `(${node.parameters.map(textOf).join(', ')}) => ${node.type ? textOf(node.type) : 'void'}`
}

function fieldsAmong(members: ts.NodeArray<ts.TypeElement>, owner: Declared): Field[] {
  const named = members.filter((one) => ts.isPropertySignature(one) || ts.isMethodSignature(one))
  return named.map((one) => ({ name: `${one.name.getText()}${one.questionToken ? '?' : ''}`, type: typeOf(one), says: saysOf(one, owner), own: commentOf(one) !== '', stands: standsFor(one.type, owner.path) }))
}

function standsFor(type: ts.TypeNode | undefined, path: string): string | null {
  const found = type && ts.isTypeReferenceNode(type) && !type.typeArguments ? declaredAs(type.typeName.getText(), path)?.node : null
  return found && ts.isTypeAliasDeclaration(found) ? typeText(found.type) : null
}

/** Null for what is not made of fields alone. */
function fieldsIn(type: ts.TypeNode, owner: Declared): Field[] | null {
  if (ts.isParenthesizedTypeNode(type)) return fieldsIn(type.type, owner)
  if (ts.isTypeLiteralNode(type)) return fieldsAmong(type.members, owner)
  if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) {
    const parts = type.types.map((part) => fieldsIn(part, owner))
    return parts.every((part) => part !== null) ? parts.flat() : null
  }
  if (!ts.isTypeReferenceNode(type)) return null
  const [inner, ...others] = type.typeArguments ?? []
  if (inner && others.length === 0 && type.typeName.getText() === 'Partial') {
    return fieldsIn(inner, owner)?.map((field) => ({ ...field, name: `${field.name.replace('?', '')}?` })) ?? null
  }
  const found = inner ? null : declaredAs(type.typeName.getText(), owner.path)
  return (found && fieldsOf(found)?.map((field) => ({ ...field, own: false }))) ?? null
}

/** The fields of a type; those that several of its shapes have are told once. */
function fieldsOf(declared: Declared): Field[] | null {
  const { node } = declared
  const fields = ts.isInterfaceDeclaration(node) ? fieldsAmong(node.members, declared) : fieldsIn(node.type, declared)
  return fields && [...new Map(fields.map((field) => [`${field.name} ${field.type}`, field])).values()]
}

/** Not of those that are one shape or another: their fields would say nothing of which belong together. */
function hasOneShape(type: ts.TypeNode): boolean {
  if (ts.isParenthesizedTypeNode(type)) return hasOneShape(type.type)
  return ts.isIntersectionTypeNode(type) ? type.types.every(hasOneShape) : !ts.isUnionTypeNode(type)
}

const CORE = 'src/core/types.ts'

function coreType(name: string): Declared {
  const found = declaredAs(name, CORE)
  if (!found) throw new Error(`${CORE} has no type ${name}`)
  return found
}

/** What a type of the engine is made of. */
export function coreFields(name: string): Field[] {
  return (fieldsOf(coreType(name)) ?? []).filter(({ name }) => name !== 'type')
}

export function eventTypes(): { name: string; fields: Field[] }[] {
  const event = coreType('Event')
  if (!ts.isTypeAliasDeclaration(event.node) || !ts.isUnionTypeNode(event.node.type)) throw new Error('Event is no union')
  return event.node.type.types.flatMap((type) => {
    const fields = fieldsIn(type, event) ?? []
    const names = fields.find(({ name }) => name === 'type')?.type.split('|') ?? []
    return names.map((name) => ({ name: name.trim().replaceAll("'", ''), fields: fields.filter((field) => field.name !== 'type') }))
  })
}

// ───────────────────────────── exports ─────────────────────────────

/** What a module hands on, from where it is declared. */
export function exportsOf(path: string): Exported[] {
  const all = parse(path).statements.flatMap((one) => {
    if (!ts.isExportDeclaration(one) || !one.moduleSpecifier) return declaredIn(one, path)
    const inner = exportsOf(besideOf(path, one.moduleSpecifier))
    if (!one.exportClause || !ts.isNamedExports(one.exportClause)) return inner.filter(({ kind }) => !one.isTypeOnly || kind === 'type')
    const names = one.exportClause.elements.map((element) => element.name.text)
    return names.flatMap((name) => inner.filter((exported) => exported.name === name))
  })
  return [...new Map(all.map((exported) => [exported.name, exported])).values()]
}

function declaredIn(node: ts.Statement, path: string): Exported[] {
  const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  if (!isExported) return []
  const made = (kind: Exported['kind'], name: string, signature: string, fields: Field[] | null = null): Exported => {
    return { name, kind, path, signature, says: commentOf(node) || (path.startsWith('src/core/') ? coreWord(name, ['']) : ''), fields }
  }
  if (ts.isFunctionDeclaration(node)) return [made('value', node.name?.text ?? '', signatureOf(node))]
  if (ts.isClassDeclaration(node)) return [made('value', node.name?.text ?? '', classText(node))]
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map((one) => made('value', one.name.getText(), valueText(one)))
  if (ts.isInterfaceDeclaration(node)) return [made('type', node.name.text, '', fieldsOf({ path, node }))]
  if (ts.isTypeAliasDeclaration(node)) return [made('type', node.name.text, typeText(node.type), hasOneShape(node.type) ? fieldsOf({ path, node }) : null)]
  return []
}

/** The words themselves, where a type is the keys of a table beside it. */
function typeText(type: ts.TypeNode): string {
  const keys = /^keyof typeof (\w+)$/.exec(textOf(type))?.[1]
  const tables = type.getSourceFile().statements.flatMap((one) => (ts.isVariableStatement(one) ? [...one.declarationList.declarations] : []))
  const table = unwrapped(tables.find((one) => one.name.getText() === keys)?.initializer)
  if (!table || !ts.isObjectLiteralExpression(table)) return textOf(type)
  return table.properties.map((one) => `'${one.name?.getText().replaceAll("'", '')}'`).join(' | ')
}

function unwrapped(value: ts.Expression | undefined): ts.Expression | undefined {
  return value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) ? unwrapped(value.expression) : value
}

/** Its type where one is written, else what it is. */
function valueText({ type, initializer }: ts.VariableDeclaration): string {
  const value = unwrapped(initializer)
  if (type) return textOf(type)
  if (value && (ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value) || ts.isLiteralExpression(value))) return textOf(value).replace(/,(?= [\]}])/, '')
  return initializer && ts.isAsExpression(initializer) ? textOf(initializer.type) : 'const'
}

function parametersOf(node: ts.FunctionDeclaration | ts.ConstructorDeclaration): string {
  return node.parameters.map((one) => `${ts.isIdentifier(one.name) ? one.name.text : 'options'}${one.initializer || one.questionToken ? '?' : ''}: ${parameterType(one)}`).join(', ')
}

function parameterType({ type, initializer }: ts.ParameterDeclaration): string {
  if (type) return textOf(type)
  return initializer && ts.isStringLiteral(initializer) ? 'string' : 'unknown'
}

function signatureOf(node: ts.FunctionDeclaration): string {
  return `(${parametersOf(node)}) => ${node.type ? textOf(node.type) : 'void'}`
}

function classText(node: ts.ClassDeclaration): string {
  const maker = node.members.find((one) => ts.isConstructorDeclaration(one))
  return `new (${maker ? parametersOf(maker) : ''}) => ${node.name?.text}`
}
