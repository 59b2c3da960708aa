// Statements that are missing, made from those that the file has: the same again, a reset, another step, an end of a branch.
import { namesIn, visibleAt } from '../scope.js'
import type { Kind, Proposal } from '../types.js'
import { beginsLine, field, functionAround, indentAt, isBlock, isWithin, lineOf, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { endOf } from '../words.js'
import { inserting } from './change.js'

type Ingredient = Line & { from: Node }

const MOST_OF_A_KIND = 12
const LONGEST_CHARS = 80
/** However many there are, each has its turn. */
const LEAST_WEIGHT = 0.06

/** The same again, resets and steps. */
export function inserted(unit: Unit, node: Node): Proposal[] {
  const place = placeAt(unit, node)
  if (place === null) return []
  return [...putAround(unit, place, ingredientsAt(unit, node), 'statement'), ...jumps(unit, node, place.statements, place.indent)]
}

export type Line = { text: string; weight: number }
type Place = { node: Node; statements: Node[]; at: number; indent: string }

/** Null where no statement of a function stands. */
export function placeAt(unit: Unit, node: Node): Place | null {
  const block = node.parent
  const isAlone = unit.tongue !== 'python' || beginsLine(unit, node)
  const isCode = isAlone && functionAround(node) !== null && /[a-z]/.test(node.type) && node.type !== 'comment'
  const statements = isCode && block && isBlock(block) && block.type !== 'class_body' ? parts(block) : []
  const at = statements.indexOf(node)
  return at < 0 ? null : { node, statements, at, indent: indentAt(unit, node.start) }
}

/** After a statement, and before one that is the first of a block, ends it or parts it. */
export function putAround(unit: Unit, { node, at, indent }: Place, lines: readonly Line[], kind: Kind): Proposal[] {
  const isEnd = /^(return|break|continue|throw|raise)/.test(node.type)
  const after = isEnd || startsBlock(unit, node) ? [] : lines
  const isFirst = at === 0 || isEnd || /^(if|for|while)/.test(node.type)
  const before = isFirst ? lines : []
  const less = (weight: number): number => Math.max(Math.min(weight, LEAST_WEIGHT), weight * 0.9)
  return [
    ...after.map(({ text, weight }) => inserting(node.end, `\n${indent}${text}`, kind, weight, node.start)),
    ...before.map(({ text, weight }) => inserting(node.start, `${text}\n${indent}`, kind, less(weight), node.start)),
  ]
}

/** Behind a whole loop or branch Python would take the line for a part of it; there it goes before the next statement. */
function startsBlock(unit: Unit, node: Node): boolean {
  return unit.tongue === 'python' && /^(if|for|while|try|with)/.test(node.type)
}

function ingredientsAt(unit: Unit, node: Node): Ingredient[] {
  const around = functionAround(node)
  const visible = seenAt(unit, node)
  const near = siblingsOf(unit, node)
  const same = simpleStatements(unit).filter(
    ({ text, names }) => !near.has(text) && names.every((name) => visible.has(name) || !isKnownName(unit, name)),
  )
  const again = same.map(({ text, node: from }): Ingredient => ({ text, from, weight: around && isWithin(from, around) ? 0.16 : 0.1 }))
  const all = [
    ...again,
    ...resets(unit, node, near),
    ...steps(unit, node, near, visible),
    ...turnedSteps(unit, node, near, visible),
    ...advances(unit, node, near),
  ]
  const best = new Map<string, Ingredient>()
  for (const each of all.toSorted((one, other) => other.weight - one.weight)) if (!best.has(each.text)) best.set(each.text, each)
  const damped = (weight: number, at: number): number => Math.max(LEAST_WEIGHT, weight / (1 + at * 0.12))
  return [...best.values()].slice(0, MOST_OF_A_KIND).map((each, at) => ({ ...each, weight: damped(each.weight, at) }))
}

/** Names that have a value by then. */
export function seenAt(unit: Unit, node: Node): Set<string> {
  const around = functionAround(node)
  const has = visibleAt(unit, node).filter(({ scope, declaredAt, what }) => what !== 'local' || scope !== around || declaredAt < node.start)
  return new Set(has.map(({ text }) => text))
}

export function isKnownName(unit: Unit, name: string): boolean {
  return namesIn(unit).some(({ text }) => text === name)
}

/** What stands next to a place already is not put there again. */
export function siblingsOf(unit: Unit, node: Node): Set<string> {
  const statements = parts(node.parent ?? node)
  const at = statements.indexOf(node)
  return new Set(statements.slice(Math.max(0, at - 1), at + 2).map((each) => textOf(unit, each)))
}

type Simple = { text: string; node: Node; names: string[] }
const simple = new WeakMap<Unit, Simple[]>()

/** Calls and assignments of one line. */
function simpleStatements(unit: Unit): Simple[] {
  const found = simple.get(unit) ?? [...walk(unit.root)].flatMap((node): Simple[] => {
    const text = textOf(unit, node)
    const isSimple =
      node.type === 'expression_statement' &&
      functionAround(node) !== null &&
      /assignment|call|update|augmented/.test(parts(node)[0]?.type ?? '')
    if (!isSimple || text.includes('\n') || text.length > LONGEST_CHARS) return []
    return [{ text, node, names: [...walk(node)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each)) }]
  })
  simple.set(unit, found)
  return found
}

/** `row = []` again, for what a loop or an inner function fills and the function around it began empty. */
function resets(unit: Unit, node: Node, near: ReadonlySet<string>): Ingredient[] {
  const own = functionAround(node)
  const loop = enclosingLoop(node) ?? own
  const around = own && loop === own ? functionAround(own) : own
  if (!around || !loop) return []
  return [...walk(around)].flatMap((each): Ingredient[] => {
    const [name, value] =
      each.type === 'variable_declarator'
        ? [field(each, 'name'), field(each, 'value')]
        : each.type === 'assignment'
          ? [field(each, 'left'), field(each, 'right')]
          : []
    if (
      !name ||
      !value ||
      each.start > loop.start ||
      name.type !== 'identifier' ||
      value.end - value.start > 12 ||
      !/string|number|integer|float|list|array|object|dictionary|call|true|false|none|null/.test(value.type)
    )
      return []
    const text = `${textOf(unit, name)} = ${textOf(unit, value)}${endOf(unit)}`
    return near.has(text) ? [] : [{ text, from: each, weight: 0.14 }]
  })
}

export function enclosingLoop(node: Node): Node | null {
  for (let at = node.parent; at !== null && functionAround(node) !== at; at = at.parent)
    if (/^(for|while|for_in|do)_statement$/.test(at.type)) return at
  return null
}

/** `left -= taken` where the file has `lot.quantity -= taken`: another name takes the same step. */
function steps(unit: Unit, node: Node, near: ReadonlySet<string>, visible: ReadonlySet<string>): Ingredient[] {
  const around = functionAround(node)
  if (!around) return []
  const changed = namesIn(unit).filter(
    ({ text, what, scope, declaredAt }) =>
      scope === around && (what === 'local' || what === 'parameter') && declaredAt < node.start && visible.has(text),
  )
  const rights = [...walk(around)]
    .filter(({ type }) => type.startsWith('augmented'))
    .map((each) => ({
      sign: textOf(unit, field(each, 'operator') ?? each),
      right: textOf(unit, field(each, 'right') ?? each),
      left: textOf(unit, field(each, 'left') ?? each),
    }))
  return rights
    .flatMap(({ sign, right, left }) =>
      changed
        .filter(({ text }) => text !== left && text !== right)
        .slice(0, 4)
        .map(({ text }): Ingredient => ({ text: `${text} ${sign} ${right}${endOf(unit)}`, from: node, weight: 0.08 })),
    )
    .filter(({ text }) => !near.has(text))
}

/** The step of the loop around, and every step of the function turned round: `year += 1` where it has `year -= 1`. */
function turnedSteps(unit: Unit, node: Node, near: ReadonlySet<string>, visible: ReadonlySet<string>): Ingredient[] {
  const around = functionAround(node)
  const taken = around ? [...walk(around)].filter(({ type }) => type.startsWith('augmented') || type === 'update_expression') : []
  const end = endOf(unit)
  return taken.flatMap((each): Ingredient[] => {
    const [name, sign, amount] = stepOf(unit, each)
    if (!visible.has(name) || sign === '') return []
    const both: Ingredient[] = [
      { text: `${name} ${sign} ${amount}${end}`, from: each, weight: 0.12 },
      { text: `${name} ${sign === '+=' ? '-=' : '+='} ${amount}${end}`, from: each, weight: 0.11 },
    ]
    return both.filter(({ text }) => !near.has(text))
  })
}

/** `node = child`, `place = place[key]`: a loop that should go on from what it has found. */
function advances(unit: Unit, node: Node, near: ReadonlySet<string>): Ingredient[] {
  const loop = enclosingLoop(node)
  const around = functionAround(node)
  if (!loop || !around) return []
  const locals = namesIn(unit).filter(({ what, scope, declaredAt }) => what === 'local' && scope === around && declaredAt < node.end)
  const before = locals.filter(({ declaredAt }) => declaredAt < loop.start)
  const within = locals.filter(({ declaredAt }) => declaredAt > loop.start)
  const end = endOf(unit)
  const body = field(loop, 'body') ?? loop
  const parted = new Set(
    [...walk(body)].filter(({ type }) => /^(subscript|attribute|member_expression)/.test(type)).map((each) => textOf(unit, each)),
  )
  return before
    .flatMap(({ text: name }) => [
      ...[...parted]
        .filter((text) => text.startsWith(`${name}[`) || text.startsWith(`${name}.`))
        .map((text) => ({ name, text, weight: 0.08 })),
      ...within.map(({ text }) => ({ name, text, weight: 0.07 })),
    ])
    .map(({ name, text, weight }): Ingredient => ({ text: `${name} = ${text}${end}`, from: node, weight }))
    .filter(({ text }) => !near.has(text))
}

function stepOf(unit: Unit, node: Node): [name: string, sign: string, amount: string] {
  const text = textOf(unit, node)
  const plain = /^([\w$]+) ([-+]=) (\w+)$/.exec(text)
  if (plain) return [plain[1] ?? '', plain[2] ?? '', plain[3] ?? '']
  const short = /^([\w$]+)(\+\+|--)$/.exec(text)
  return short ? [short[1] ?? '', short[2] === '++' ? '+=' : '-=', '1'] : ['', '', '']
}

/** A branch that should have ended something: `return x`, `continue`, `break` as its last statement. */
function jumps(unit: Unit, node: Node, statements: readonly Node[], indent: string): Proposal[] {
  const owner = node.parent?.parent
  if (
    statements.at(-1) !== node ||
    !owner ||
    !/^(if_statement|elif_clause|else_clause)$/.test(owner.type) ||
    /^(return|break|continue|throw|raise)/.test(node.type)
  )
    return []
  const around = functionAround(node)
  const end = endOf(unit)
  const named = namesIn(unit)
    .filter(
      ({ text, what, scope, declaredAt }) =>
        scope === around && (what === 'local' || what === 'parameter') && declaredAt < node.start && text !== 'self',
    )
    .toSorted((one, other) => other.declaredAt - one.declaredAt)
  const returns = [...named.map(({ text }) => `return ${text}`).slice(0, 4), 'return']
  const inLoop = enclosingLoop(node) ? ['continue', 'break'] : []
  const isShort = lineOf(unit, owner.end) - lineOf(unit, owner.start) < 8
  return [...inLoop, ...returns].map((text, at) =>
    inserting(node.end, `\n${indent}${text}${end}`, 'return', (isShort ? 0.2 : 0.1) / (1 + at * 0.3), node.start),
  )
}
