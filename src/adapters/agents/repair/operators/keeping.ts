// Statements that keep something: what a collection should have got or lost, and what a loop should remember of its last turn.
import { namesIn, type Name } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, isWithin, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, endOf, escaped, isCall, isMember, memberName } from '../words.js'
import { enclosingLoop, isKnownName, placeAt, putAround, seenAt, siblingsOf, type Line } from './insert.js'

const FILL = 0.11
const DRAIN = 0.1
const REMEMBER = 0.12
const SUM = 0.08
const MOST_LINES = 14

export function keepings(unit: Unit, node: Node): Proposal[] {
  const place = placeAt(unit, node)
  const around = functionAround(node)
  if (place === null || around === null) return []
  const near = siblingsOf(unit, node)
  const end = endOf(unit)
  const seen = seenAt(unit, node)
  const lines = [...remembered(unit, node, seen), ...summed(unit, node), ...kept(unit, node, around, seen)]
    .map(({ text, weight }): Line => ({ text: `${text}${end}`, weight }))
    .filter(({ text }) => !near.has(text))
  const best = lines.toSorted((one, other) => other.weight - one.weight).slice(0, MOST_LINES)
  return putAround(unit, place, best, 'statement')
}

// — collections —

export type Holds = 'map' | 'set' | 'list' | 'record'
/** One use of a collection: by what it is called, and what is asked for. */
type Use = { receiver: string; key: string; from: Node }

const EMPTY = String.raw`new (?:Weak)?(?:Map|Set)|\[\]|\{\}|(?:dict|defaultdict|OrderedDict|set|deque|list)\(|field\(default_factory=\w+`
const MADE = new RegExp(String.raw`(?<![\w$])#?([\w$]+)(?:\s*:\s*[^=\n;]+)?\s*=\s*(${EMPTY})`, 'g')

const made = new WeakMap<Unit, ReadonlyMap<string, Holds>>()

/** What each name that begins empty is a collection of, by its last part. */
export function collectionsIn(unit: Unit): ReadonlyMap<string, Holds> {
  const found =
    made.get(unit) ?? new Map([...unit.source.matchAll(MADE)].map(([, name = '', how = '']) => [name, holds(how)]))
  made.set(unit, found)
  return found
}

function holds(how: string): Holds {
  if (/Map/.test(how)) return 'map'
  if (/set/i.test(how)) return 'set'
  return /\[\]|list|deque/.test(how) ? 'list' : 'record'
}

const uses = new WeakMap<Unit, Use[]>()

/** Wherever a collection is asked for something by a plain key. */
function usesIn(unit: Unit): Use[] {
  const found = uses.get(unit) ?? [...walk(unit.root)].flatMap((node): Use[] => {
    const [receiver, key] = askedIn(unit, node)
    if (!receiver || !key) return []
    const [owner, text] = [textOf(unit, receiver), textOf(unit, key)]
    const isPlain = /^[\w$.#]+$/.test(owner) && text.length <= 40 && !text.includes('\n') && !/^[\d'"`]/.test(text)
    return isPlain && collectionsIn(unit).has(lastOf(owner)) ? [{ receiver: owner, key: text, from: node }] : []
  })
  uses.set(unit, found)
  return found
}

function askedIn(unit: Unit, node: Node): readonly (Node | undefined)[] {
  const called = isCall(node) ? field(node, 'function') : undefined
  if (called && isMember(called)) return [field(called, 'object'), argumentsOf(node)[0] ?? memberName(called) ?? undefined]
  if (node.type.startsWith('subscript')) return [field(node, 'object') ?? field(node, 'value'), field(node, 'index') ?? field(node, 'subscript')]
  const isIn = node.type === 'comparison_operator' && /\bin\b/.test(textOf(unit, node))
  return isIn ? [parts(node).at(-1), parts(node)[0]] : []
}

function lastOf(text: string): string {
  return /([\w$]+)$/.exec(text)?.[1] ?? ''
}

function kept(unit: Unit, node: Node, around: Node, seen: ReadonlySet<string>): Line[] {
  const own = usesIn(unit).filter(({ from }) => isWithin(from, around))
  const others = usesIn(unit).filter(({ receiver, from }) => /^(this|self)\./.test(receiver) && !isWithin(from, around))
  const receivers = [...new Set([...own, ...others].map(({ receiver }) => receiver))].filter((text) => isSeen(unit, text, seen))
  return receivers.flatMap((receiver) => {
    const isOwn = own.some((use) => use.receiver === receiver)
    const asked = [...own, ...others].filter((use) => use.receiver === receiver).map(({ key }) => key)
    const keys = [...new Set(asked)].filter((key) => isSeen(unit, key, seen)).slice(0, 2)
    const part = isOwn ? 1 : 0.6
    return statementsFor(unit, receiver, keys, valuesAt(unit, node, around)).map(({ text, weight }, at) => ({
      text,
      weight: (weight * part) / (1 + at * 0.06),
    }))
  })
}

/** All names in it have a value, or belong to the language. */
function isSeen(unit: Unit, text: string, seen: ReadonlySet<string>): boolean {
  return (text.match(/(?<![\w$.#'"])[A-Za-z_$][\w$]*/g) ?? []).every((name) => seen.has(name) || !isKnownName(unit, name))
}

function valuesAt(unit: Unit, node: Node, around: Node): string[] {
  const own = namesIn(unit).filter(
    ({ scope, what, declaredAt, text }) =>
      scope === around && (what === 'local' || what === 'parameter') && declaredAt < node.end && text !== 'self',
  )
  const latest = own.toSorted((one, other) => other.declaredAt - one.declaredAt)
  return latest.map(({ text }) => text).slice(0, 3)
}

function statementsFor(unit: Unit, receiver: string, keys: readonly string[], values: readonly string[]): Line[] {
  const isPython = unit.tongue === 'python'
  const fill = (text: string): Line => ({ text, weight: FILL })
  const drain = (text: string): Line => ({ text, weight: DRAIN })
  const others = (key: string): string[] => values.filter((value) => value !== key)
  switch (collectionsIn(unit).get(lastOf(receiver))) {
    case 'map':
      return keys.flatMap((key) => [...others(key).map((value) => fill(`${receiver}.set(${key}, ${value})`)), drain(`${receiver}.delete(${key})`)])
    case 'set':
      return [...new Set([...keys, ...values])]
        .slice(0, 4)
        .flatMap((key) => [fill(`${receiver}.add(${key})`), drain(`${receiver}.${isPython ? 'discard' : 'delete'}(${key})`)])
    case 'record':
      return keys.flatMap((key) => others(key).map((value) => fill(`${receiver}[${key}] = ${value}`)))
    case 'list':
      return values.map((value) => fill(`${receiver}.${isPython ? 'append' : 'push'}(${value})`))
    default:
      return []
  }
}

const FILLED = String.raw`(\.(set|add|push|unshift|append|appendleft|extend|insert|update|setdefault)\(|\[[^\]]+\]\s*[-+*/|&]*=(?!=))`

/** Collections that are asked and that nothing is ever put into, as texts that would put something in. @public */
export function unfilledIn(unit: Unit): string[] {
  const names = [...new Set(usesIn(unit).map(({ receiver }) => lastOf(receiver)))]
  return names.map((name) => `(?<![\\w$])${escaped(name)}${FILLED}`).filter((says) => !new RegExp(says).test(unit.source))
}

// — what a loop remembers —

/** `previous = item` where a turn of a loop holds the item against `previous`. */
function remembered(unit: Unit, node: Node, seen: ReadonlySet<string>): Line[] {
  const loop = enclosingLoop(node)
  const around = functionAround(node)
  if (!loop || !around) return []
  const before = new Set(localsIn(unit, around).filter(({ declaredAt }) => declaredAt < loop.start).map(({ text }) => text))
  return [...walk(field(loop, 'body') ?? loop)].flatMap((each): Line[] => {
    const sides = each.type === 'comparison_operator' || each.type === 'binary_expression' ? parts(each) : []
    const [one, other] = [sides[0], sides.at(-1)]
    if (!one || !other || one === other || !/[<>=!]/.test(unit.source.slice(one.end, other.start))) return []
    return [[one, other], [other, one]].flatMap(([name, value]): Line[] => {
      const [left, right] = [textOf(unit, name ?? each), textOf(unit, value ?? each)]
      const isPlain = /^[A-Za-z_]/.test(right) && right.length <= 40 && !/^(None|null|undefined|true|false|True|False)$/.test(right)
      return before.has(left) && isPlain && isSeen(unit, right, seen) ? [{ text: `${left} = ${right}`, weight: REMEMBER }] : []
    })
  })
}

/** `total += amount` for what begins as a number before a loop. */
function summed(unit: Unit, node: Node): Line[] {
  const loop = enclosingLoop(node)
  const around = functionAround(node)
  if (!loop || !around) return []
  const own = localsIn(unit, around).filter(({ declaredAt }) => declaredAt < node.end)
  const text = textOf(unit, around)
  const isNumber = (name: string): boolean => new RegExp(`(?<![\\w$.])${escaped(name)}(?::[^=\\n]+)?\\s*= -?\\d`).test(text)
  const amounts = [...own.filter(({ declaredAt }) => declaredAt > loop.start).map(({ text }) => text).slice(0, 3), '1']
  const sums = own.filter((name) => name.declaredAt < loop.start && isNumber(name.text)).slice(0, 3)
  return sums.flatMap((name) => amounts.map((amount) => ({ text: `${name.text} += ${amount}`, weight: SUM })))
}

function localsIn(unit: Unit, around: Node): Name[] {
  return namesIn(unit).filter(({ what, scope }) => what === 'local' && scope === around)
}
