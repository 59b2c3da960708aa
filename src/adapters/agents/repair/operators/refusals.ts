// Inputs that should be refused, and guards that another function of the file has.
import { namesIn, visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, isDeadHere, isFunction, isWithin, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { conditionOf, endOf, escaped } from '../words.js'
import { inserting } from './change.js'
import { isKnownName, placeAt, seenAt, siblingsOf } from './insert.js'

const MOST_GUARDS = 6
const LONGEST_CHARS = 110

type Guard = { question: string; ending: string; from: Node; names: string[] }
const known = new WeakMap<Unit, Guard[]>()

/** `if (…) throw …` and `if (…) return …` as the file has them. */
function guardsIn(unit: Unit): Guard[] {
  const found = known.get(unit) ?? [...walk(unit.root)].flatMap((node): Guard[] => {
    const condition = node.type === 'if_statement' && !field(node, 'alternative') ? conditionOf(node) : null
    const body = field(node, 'consequence')
    const only = body && /block/.test(body.type) ? (parts(body).length === 1 ? parts(body)[0] : undefined) : body
    if (!condition || !only || !/^(throw|raise|return|continue)_statement$/.test(only.type) || functionAround(node) === null) return []
    const [question, ending] = [textOf(unit, condition), textOf(unit, only).replace(/;$/, '')]
    if (`${question}${ending}`.length > LONGEST_CHARS || /\n/.test(`${question}${ending}`)) return []
    const names = [...walk(condition), ...walk(only)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each))
    return [{ question, ending, from: node, names: [...new Set(names)].filter((name) => isKnownName(unit, name)) }]
  })
  known.set(unit, found)
  return found
}

/** A guard of another place, as it stands or about a name of this one. */
export function otherGuards(unit: Unit, node: Node): Proposal[] {
  const place = placeAt(unit, node)
  const isGuarded = place?.at === 0 || /^(return|expression|for|while|if|lexical|variable)/.test(node.type)
  if (place === null || !isGuarded) return []
  const near = siblingsOf(unit, node)
  const others = guardsIn(unit).filter(({ from }) => !near.has(textOf(unit, from)) && !isWithin(node, from))
  const found = others.flatMap((guard) => fittingAt(unit, node, guard)).toSorted((one, other) => other.weight - one.weight)
  const texts = new Set<string>()
  const once = found.filter(({ question, ending }) => texts.size < texts.add(`${question} ${ending}`).size)
  return once.slice(0, MOST_GUARDS).map(({ question, ending, weight }) => {
    const kind = /^(throw|raise)/.test(ending) ? 'refusal' : 'guard'
    return inserting(node.start, guarded(unit, place.indent, question, ending), kind, place.at === 0 ? weight : weight * 0.7, node.start)
  })
}

/** With one name that is not known here, it may be about any of those that are. */
function fittingAt(unit: Unit, node: Node, guard: Guard): (Guard & { weight: number })[] {
  const around = functionAround(node)
  const seen = seenAt(unit, node)
  const [strange, ...more] = guard.names.filter((name) => !seen.has(name))
  const isHere = around !== null && isWithin(guard.from, around)
  if (strange === undefined) return isHere && guard.from.start < node.start ? [] : [{ ...guard, weight: isHere ? 0.1 : 0.16 }]
  const own = namesIn(unit).filter(({ text, scope }) => scope === around && seen.has(text) && !/^(self|cls)$/.test(text))
  return more.length > 0 ? [] : own.slice(0, 3).map(({ text }, at) => ({ ...renamed(guard, strange, text), weight: 0.12 / (1 + at * 0.4) }))
}

function renamed(guard: Guard, from: string, to: string): Guard {
  const name = new RegExp(`(?<![\\w$.])${escaped(from)}(?![\\w$])`, 'g')
  return { ...guard, question: guard.question.replaceAll(name, () => to), ending: guard.ending.replaceAll(name, () => to) }
}

function guarded(unit: Unit, indent: string, question: string, ending: string): string {
  if (unit.tongue === 'python') return `if ${question}:\n${indent}    ${ending}\n${indent}`
  return `if (${question}) ${ending}${endOf(unit)}\n${indent}`
}

/** `if (amount <= 0) throw …` before the first statement of a function, with an error that the file throws already. */
export function refusedInputs(unit: Unit, node: Node): Proposal[] {
  const body = isFunction(node) ? field(node, 'body') : undefined
  const first = body ? parts(body).find((each) => !isDeadHere(each)) : undefined
  const place = first ? placeAt(unit, first) : null
  if (!first || !place) return []
  const endings = endingsNear(unit, node)
  const taken = visibleAt(unit, first).filter(({ what, scope, text }) => what === 'parameter' && scope === node && !/^(self|cls)$/.test(text))
  return taken.slice(0, 3).flatMap(({ text: name }, rank) =>
    questionsAbout(unit, name).flatMap((question, q) =>
      endings.map((ending, e) => {
        const weight = 0.1 / (1 + q * 0.25 + rank * 0.5 + e)
        return inserting(first.start, guarded(unit, place.indent, question, ending), 'refusal', weight, first.start)
      }),
    ),
  )
}

/** What the file throws, nearest first, each kind once and without its words, which speak of something else. */
function endingsNear(unit: Unit, node: Node): string[] {
  const distance = ({ start }: Node): number => Math.min(Math.abs(start - node.start), Math.abs(start - node.end))
  const thrown = [...walk(unit.root)].filter(({ type }) => /^(throw|raise)_statement$/.test(type))
  const nearest = thrown.toSorted((one, other) => distance(one) - distance(other)).map((each) => textOf(unit, each).replace(/;$/, ''))
  const words = unit.tongue === 'python' ? '("not allowed")' : "('not allowed')"
  const kinds = nearest.map((text) => /^((?:throw new|raise) [\w$.]+)\(/.exec(text)?.[1]).filter((kind) => kind !== undefined)
  return [...new Set(kinds)].slice(0, 2).map((kind) => `${kind}${words}`)
}

function questionsAbout({ tongue }: Unit, name: string): string[] {
  return tongue === 'python'
    ? [`${name} < 0`, `${name} <= 0`, `not ${name}`, `${name} is None`, `${name} == 0`]
    : [`${name} < 0`, `${name} <= 0`, `!(${name} > 0)`, `!${name}`, `${name} == null`, `${name} === 0`, `!Number.isInteger(${name})`]
}
