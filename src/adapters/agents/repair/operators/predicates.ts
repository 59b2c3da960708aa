// Conditions made from what the file asks elsewhere, of whatever is called alike: a run of the tests tells which of them would matter.
import { visibleAt } from '../scope.js'
import { field, functionAround, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { argumentsOf, escaped, isCall, isMember } from '../words.js'
import { collectionsIn } from './keeping.js'

const MOST_PREDICATES = 24
const MOST_THINGS = 16

/** Most ordinary first. */
export function predicatesAt(unit: Unit, node: Node): string[] {
  const things = thingsAt(unit, node)
  const own = textOf(unit, node)
  const found = [...likeOthers(unit, things), ...flags(unit, things), ...held(unit, things), ...twins(unit, things)]
  return [...new Set(found)].filter((text) => !own.includes(text)).slice(0, MOST_PREDICATES)
}

/** Something that can be asked about at a place. */
type Thing = { text: string; last: string }

/** Names of the function and their members as the file has them, those of the function itself first. */
function thingsAt(unit: Unit, node: Node): Thing[] {
  const around = functionAround(node)
  const names = visibleAt(unit, node).filter(
    ({ what, scope, declaredAt }) => (what === 'parameter' || what === 'local') && scope === around && declaredAt < node.start,
  )
  const roots = new Set([...names.map(({ text }) => text), 'this', 'self'])
  const members = membersIn(unit).filter(({ text }) => roots.has(/^[\w$]+/.exec(text)?.[0] ?? ''))
  const near = members.filter(({ from }) => around !== null && from.start >= around.start && from.end <= around.end)
  const texts = [...new Set([...names.map(({ text }) => text), ...near.map(({ text }) => text), ...members.map(({ text }) => text)])]
  return texts.filter((text) => text !== 'self').slice(0, MOST_THINGS).map((text) => ({ text, last: lastOf(text) }))
}

function lastOf(text: string): string {
  return /([\w$]+)$/.exec(text)?.[1] ?? ''
}

type Member = { text: string; from: Node }
const members = new WeakMap<Unit, Member[]>()

function membersIn(unit: Unit): Member[] {
  const found = members.get(unit) ?? [...walk(unit.root)]
    .filter((node) => isMember(node) && node.field !== 'function' && /^[\w$]+(\.#?[\w$]+){1,2}$/.test(textOf(unit, node)))
    .map((from) => ({ text: textOf(unit, from), from }))
  members.set(unit, found)
  return found
}

type Compared = { left: string; sign: string; right: string }
const compared = new WeakMap<Unit, Compared[]>()

/** Every comparison of the file, by the last names of its sides; values as they stand. */
function comparisonsIn(unit: Unit): Compared[] {
  const found = compared.get(unit) ?? [...walk(unit.root)].flatMap((node): Compared[] => {
    const isChain = node.type === 'comparison_operator' && parts(node).length >= 2
    const [left, right] = isChain ? [parts(node)[0], parts(node).at(-1)] : [field(node, 'left'), field(node, 'right')]
    const sign = left && right ? unit.source.slice(left.end, right.start).trim() : ''
    if (!left || !right || !/^(<|>|<=|>=|[!=]==?|in|not in|is|is not)$/.test(sign)) return []
    return [{ left: sideOf(unit, left), sign, right: sideOf(unit, right) }]
  })
  compared.set(unit, found)
  return found
}

/** A value, or `.name` for whatever is called so at the end. */
function sideOf(unit: Unit, node: Node): string {
  const text = textOf(unit, node)
  return isPlain(text) || !/^[\w$.#]+$/.test(text) ? text : `.${lastOf(text)}`
}

/** `entry.state === 'open'` where the file asks that of another state. */
function likeOthers(unit: Unit, things: readonly Thing[]): string[] {
  const standing = (side: string): string[] => {
    if (!side.startsWith('.')) return isPlain(side) ? [side] : []
    return things.filter(({ last }) => `.${last}` === side).map(({ text }) => text)
  }
  return comparisonsIn(unit).flatMap(({ left, sign, right }) =>
    standing(left).flatMap((one) => standing(right).filter((other) => other !== one).map((other) => `${one} ${sign} ${other}`)),
  )
}

function isPlain(side: string): boolean {
  return /^(-?\d|['"`]|None$|null$|undefined$|true$|false$|True$|False$)/.test(side)
}

/** What is true or false somewhere in the file. */
function flags(unit: Unit, things: readonly Thing[]): string[] {
  const not = unit.tongue === 'python' ? 'not ' : '!'
  const isFlag = ({ last }: Thing): boolean =>
    new RegExp(`(?<![\\w$])${escaped(last)}['"]?\\s*[:=]\\s*(true|false|True|False|bool|boolean)\\b`).test(unit.source)
  return things.filter(isFlag).flatMap(({ text }) => [text, `${not}${text}`])
}

/** Whether a collection holds it, of names that some call is given. */
function held(unit: Unit, things: readonly Thing[]): string[] {
  const kinds = collectionsIn(unit)
  const holders = things.filter(({ last }) => kinds.has(last))
  const keys = things.filter(({ last, text }) => !kinds.has(last) && !text.includes('.')).slice(0, 4)
  const given = givenIn(unit)
  const fitting = keys.filter(({ last }) => unit.tongue === 'python' || given.has(last))
  return holders.flatMap(({ text, last }) =>
    fitting.flatMap((key) => {
      if (unit.tongue === 'python') return [`${key.text} in ${text}`, `${key.text} not in ${text}`]
      const method = kinds.get(last) === 'list' ? 'includes' : 'has'
      return [`${text}.${method}(${key.text})`, `!${text}.${method}(${key.text})`]
    }),
  )
}

const given = new WeakMap<Unit, ReadonlySet<string>>()

/** Last names of what calls are given first. */
function givenIn(unit: Unit): ReadonlySet<string> {
  const firsts = (): Node[] => [...walk(unit.root)].filter(isCall).flatMap((call) => argumentsOf(call).slice(0, 1))
  const found = given.get(unit) ?? new Set(firsts().map((each) => lastOf(textOf(unit, each))))
  given.set(unit, found)
  return found
}

/** `entry.version === version`: two of one name. */
function twins({ tongue }: Unit, things: readonly Thing[]): string[] {
  const signs = tongue === 'python' ? ['==', '!='] : ['===', '!==']
  return things.flatMap((one, at) => {
    const others = things.slice(at + 1).filter((other) => other.last === one.last)
    return others.flatMap((other) => signs.map((sign) => `${other.text} ${sign} ${one.text}`))
  })
}
