// Statements that are missing, too many, or in the wrong place.
import { visibleAt } from '../scope.js'
import type { Edit, Proposal } from '../types.js'
import { field, functionAround, indentAt, isBlock, isFunction, lineOf, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { endOf, isCall, wordsOf } from '../words.js'
import { exchanging, inserting, instead } from './change.js'

/** An expression whose value is thrown away, at the end of a function or of a branch. */
export function missingReturn(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'expression_statement' || functionAround(node) === null) return []
  const [only] = parts(node)
  if (!only || only.type === 'string' || /assignment|update|yield|await/.test(only.type) && !/await/.test(only.type)) return []
  const isLast = node.parent !== null && parts(node.parent).at(-1) === node
  const weight = isLast ? 0.7 : 0.2
  return [inserting(node.start, 'return ', 'return', weight, node.start)]
}

/** A function that ends without a word, though it has something to return. */
export function returnAtEnd(unit: Unit, node: Node): Proposal[] {
  const body = isFunction(node) ? field(node, 'body') : undefined
  if (!body || !isBlock(body)) return []
  const statements = parts(body)
  const last = statements.at(-1)
  if (!last || /return|throw|raise/.test(last.type)) return []
  const names = visibleAt(unit, last)
    .filter(({ what, scope }) => scope === node && (what === 'local' || what === 'parameter'))
    .toSorted((one, other) => Number(one.what === 'parameter') - Number(other.what === 'parameter') || one.declaredAt - other.declaredAt)
  const hasReturn = [...walk(body)].some((each) => each.type === 'return_statement' && functionAround(each) === node)
  const end = endOf(unit)
  const values = [
    ...names
      .filter(({ text }) => text !== 'self')
      .map(({ text }) => text)
      .slice(0, 5),
    ...selfOf(unit, node),
    ...(hasReturn ? constantsOf(unit) : []),
  ]
  return values.map((value, at): Proposal => {
    const edit = { start: last.end, end: last.end, text: `\n${indentAt(unit, last.start)}return ${value}${end}` }
    return { kind: 'return', weight: (hasReturn ? 0.3 : 0.6) / (1 + at * 0.3), edits: [edit], at: last.start }
  })
}

/** What methods are chained by. */
function selfOf({ tongue }: Unit, { type, parent }: Node): string[] {
  if (tongue === 'python') return parent?.parent?.type === 'class_definition' ? ['self'] : []
  return type === 'method_definition' ? ['this'] : []
}

function constantsOf(unit: Unit): string[] {
  const { yes, no, nothing } = wordsOf(unit)
  return [no, yes, nothing, '0', '-1']
}

export function missingAwait(unit: Unit, node: Node): Proposal[] {
  const around = functionAround(node)
  if (!isCall(node) || !around || !isAsync(unit, around) || /await/.test(node.parent?.type ?? '')) return []
  const called = field(node, 'function')
  const last = called ? (/[\w$]+$/.exec(textOf(unit, called))?.[0] ?? '') : ''
  const isKnown = [...walk(unit.root)].some(
    (each) =>
      isFunction(each) &&
      isAsync(unit, each) &&
      textOf(unit, field(each, 'name') ?? field(each.parent ?? each, 'name') ?? { start: 0, end: 0 }) === last,
  )
  const text = /^(member_expression|attribute|subscript|subscript_expression)$/.test(node.parent?.type ?? '')
    ? `(await ${textOf(unit, node)})`
    : `await ${textOf(unit, node)}`
  return [instead(node, text, 'await', isKnown ? 0.8 : 0.3)]
}

function isAsync({ source }: Unit, { start, parent }: Node): boolean {
  return (
    /^(?:static\s+)?async\b/.test(source.slice(start, start + 20)) ||
    (parent?.type === 'decorated_definition' && /\basync\b/.test(source.slice(parent.start, start + 6)))
  )
}

const FIXED = new Set([
  'function_definition', 'class_definition', 'function_declaration', 'class_declaration', 'import_statement', 'import_from_statement',
  'export_statement', 'comment', 'decorated_definition', 'method_definition', 'field_definition',
])

function isMovable(node: Node): boolean {
  return (
    node.parent !== null &&
    isBlock(node.parent) &&
    node.parent.type !== 'class_body' &&
    !FIXED.has(node.type) &&
    functionAround(node) !== null &&
    /[a-z]/.test(node.type)
  )
}

export function movedStatements(unit: Unit, node: Node): Proposal[] {
  if (!isMovable(node) || !node.parent) return []
  const statements = parts(node.parent)
  const at = statements.indexOf(node)
  const next = statements[at + 1]
  return [
    ...movedOut(unit, node, statements),
    ...movedIn(unit, node, statements[at - 1]),
    ...(next && isMovable(next) ? exchanged(unit, node, next) : []),
    ...dropped(unit, node, statements.length),
  ]
}

function lineEdit({ source }: Unit, node: Node): Edit {
  const start = source.lastIndexOf('\n', node.start - 1) + 1
  const newline = source.indexOf('\n', node.end)
  return { start, end: newline < 0 ? source.length : newline + 1, text: '' }
}

/** Several statements on a line, or a line that goes on in a block, stay where they are. */
function standsAlone(unit: Unit, node: Node): boolean {
  const { start, end } = lineEdit(unit, node)
  return unit.source.slice(start, node.start).trim() === '' && unit.source.slice(node.end, end).trim() === ''
}

/** The last statement of a block goes behind it. */
function movedOut(unit: Unit, node: Node, statements: readonly Node[]): Proposal[] {
  const owner = ownerOf(node)
  if (!owner || statements.at(-1) !== node || statements.length < 2 || !standsAlone(unit, node)) return []
  const line = lineEdit(unit, node)
  const text = reindented(unit, node, indentAt(unit, owner.start))
  const after = lineEdit(unit, owner)
  const weight = node.type.startsWith('return') ? 0.7 : 0.35
  if (unit.tongue === 'python') return [{ kind: 'moved statement', weight, edits: [{ ...line, text: `${text}\n` }], at: node.start }]
  return [{ kind: 'moved statement', weight, edits: [line, { start: after.end, end: after.end, text: `${text}\n` }], at: node.start }]
}

/** The `if` or loop whose block a statement stands in, where the block is its last. */
function ownerOf(node: Node): Node | null {
  const block = node.parent
  let owner = block?.parent ?? null
  if (owner?.type === 'else_clause') owner = owner.parent
  return owner && /^(for|while|if|for_in|do)_statement$/.test(owner.type) ? owner : null
}

/** The statement after a block becomes its last. */
function movedIn(unit: Unit, node: Node, before: Node | undefined): Proposal[] {
  if (!before || !/^(for|while|if|for_in)_statement$/.test(before.type) || !standsAlone(unit, node)) return []
  const block = [...walk(before)].filter(isBlock).findLast((each) => each.end === before.end)
  const last = block && parts(block).at(-1)
  if (!last) return []
  const line = lineEdit(unit, node)
  const text = reindented(unit, node, indentAt(unit, last.start))
  const weight = /^(return|break|continue)/.test(node.type) ? 0.1 : 0.3
  if (unit.tongue === 'python') return [{ kind: 'moved statement', weight, edits: [{ ...line, text: `${text}\n` }], at: node.start }]
  return [{ kind: 'moved statement', weight, edits: [{ start: last.end, end: last.end, text: `\n${text}` }, line], at: node.start }]
}

function reindented(unit: Unit, node: Node, indent: string): string {
  const own = indentAt(unit, node.start)
  return textOf(unit, node)
    .split('\n')
    .map((line, at) => (at === 0 ? indent + line : line.startsWith(own) ? indent + line.slice(own.length) : line))
    .join('\n')
}

function exchanged(unit: Unit, node: Node, next: Node): Proposal[] {
  if (!standsAlone(unit, node) || !standsAlone(unit, next)) return []
  const isLong = lineOf(unit, next.end) - lineOf(unit, node.start) > 6
  return [exchanging(unit, node, next, 'moved statement', isLong ? 0.08 : 0.22)]
}

/** Taking code away makes many tests pass that should not: it comes last. */
function dropped(unit: Unit, node: Node, count: number): Proposal[] {
  if (!standsAlone(unit, node) || /^(return|lexical|variable)/.test(node.type)) return []
  const isLong = lineOf(unit, node.end) > lineOf(unit, node.start)
  const edit = count === 1 ? { start: node.start, end: node.end, text: unit.tongue === 'python' ? 'pass' : '' } : lineEdit(unit, node)
  return [{ kind: 'statement', weight: isLong ? 0.03 : 0.09, edits: [edit], at: node.start }]
}

/** `break`, `continue` or a step that a loop lacks. */
export function missingInLoop(unit: Unit, node: Node): Proposal[] {
  if (!/^(for|while|for_in)_statement$/.test(node.type)) return []
  const body = field(node, 'body')
  const last = body && isBlock(body) ? parts(body).at(-1) : undefined
  if (!body || !last || functionAround(node) === null) return []
  const end = endOf(unit)
  const names =
    node.type === 'while_statement'
      ? [
          ...new Set(
            [...walk(field(node, 'condition') ?? node)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each)),
          ),
        ]
      : []
  const texts = names.slice(0, 3).flatMap((name) => [`${name} += 1`, `${name} -= 1`])
  const indent = indentAt(unit, last.start)
  return texts.map((text, at) => inserting(last.end, `\n${indent}${text}${end}`, 'statement', 0.2 / (1 + at * 0.3), last.start))
}

/** `break` ↔ `continue`, and a `break` or `return` at the end of a branch in a loop. */
export function otherJumps(unit: Unit, node: Node): Proposal[] {
  if (node.type !== 'break_statement' && node.type !== 'continue_statement') return []
  const text = textOf(unit, node).replace(/^\w+/, node.type === 'break_statement' ? 'continue' : 'break')
  return [instead(node, text, 'statement', 0.5)]
}

/** `elif` and `else if` that were written as a new `if`, and the other way round. */
export function otherChains(unit: Unit, node: Node): Proposal[] {
  if (node.type === 'elif_clause')
    return [{ kind: 'condition', weight: 0.3, edits: [{ start: node.start, end: node.start + 4, text: 'if' }], at: node.start }]
  if (node.type !== 'if_statement' || !node.parent || !isBlock(node.parent)) return []
  const before = parts(node.parent)[parts(node.parent).indexOf(node) - 1]
  if (before?.type !== 'if_statement' || field(before, 'alternative')?.type === 'else_clause' && unit.tongue === 'python') return []
  const text = unit.tongue === 'python' ? 'el' : 'else '
  return [inserting(node.start, text, 'condition', 0.25, node.start)]
}
