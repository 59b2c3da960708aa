// Inputs that should be refused, and guards that another function of the file has.
import { namesIn, visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, indentAt, isFunction, isWithin, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { conditionOf, endOf } from '../words.js'
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
  const around = functionAround(node)
  if (place === null || around === null || !(place.at === 0 || /^(return|expression|for|while|if|lexical|variable)/.test(node.type))) return []
  const seen = seenAt(unit, node)
  const own = namesIn(unit).filter(({ text, scope, what }) => scope === around && (what === 'parameter' || what === 'local') && seen.has(text) && !/^(self|cls)$/.test(text))
  const near = siblingsOf(unit, node)
  const found = guardsIn(unit).filter(({ from }) => !near.has(textOf(unit, from)) && !isWithin(node, from)).flatMap((guard) => {
    const strange = guard.names.filter((name) => !seen.has(name))
    const isHere = isWithin(guard.from, around)
    if (strange.length === 0) return isHere && guard.from.start < node.start ? [] : [{ ...guard, weight: isHere ? 0.1 : 0.16 }]
    return strange.length === 1 && strange[0] !== undefined ? own.slice(0, 3).map(({ text }, at) => ({ ...renamed(guard, strange[0] ?? '', text), weight: 0.12 / (1 + at * 0.4) })) : []
  })
  const best = new Map(found.toSorted((one, other) => one.weight - other.weight).map((each) => [`${each.question} ${each.ending}`, each]))
  return [...best.values()].toSorted((one, other) => other.weight - one.weight).slice(0, MOST_GUARDS).map(({ question, ending, weight }) =>
    inserting(node.start, guarded(unit, place.indent, question, ending), /^(throw|raise)/.test(ending) ? 'refusal' : 'guard', place.at === 0 ? weight : weight * 0.7, node.start))
}

function renamed(guard: Guard, from: string, to: string): Guard {
  const other = (text: string): string => text.replaceAll(new RegExp(`(?<![\\w$.])${from.replaceAll('$', String.raw`\$`)}(?![\\w$])`, 'g'), to)
  return { ...guard, question: other(guard.question), ending: other(guard.ending) }
}

function guarded(unit: Unit, indent: string, question: string, ending: string): string {
  return unit.tongue === 'python' ? `if ${question}:\n${indent}    ${ending}\n${indent}` : `if (${question}) ${ending}${endOf(unit)}\n${indent}`
}

/** `if (amount <= 0) throw …` before the first statement of a function, with an error that the file throws already. */
export function refusedInputs(unit: Unit, node: Node): Proposal[] {
  const body = isFunction(node) ? field(node, 'body') : undefined
  const first = body && placeAt(unit, parts(body).find((each) => !(each.type === 'expression_statement' && each.children[0]?.type === 'string')) ?? node)
  if (!first) return []
  const thrown = [...walk(unit.root)].filter(({ type }) => /^(throw|raise)_statement$/.test(type)).toSorted((one, other) => distance(one, node) - distance(other, node))
  const endings = [...new Map(thrown.map((each) => [textOf(unit, each).split('(')[0] ?? '', emptied(unit, each)])).values()].slice(0, 2)
  const parameters = visibleAt(unit, first.node).filter(({ what, scope, text }) => what === 'parameter' && scope === node && text !== 'self' && text !== 'cls').slice(0, 3)
  return parameters.flatMap(({ text: name }, rank) => questionsAbout(unit, name).flatMap((question, q) => endings.map((ending, e) =>
    inserting(first.node.start, guarded(unit, indentAt(unit, first.node.start), question, ending), 'refusal', 0.1 / (1 + q * 0.25 + rank * 0.5 + e), first.node.start))))
}

function distance(one: Node, other: Node): number {
  return Math.min(Math.abs(one.start - other.start), Math.abs(one.start - other.end))
}

/** Its words speak of something else. */
function emptied(unit: Unit, thrown: Node): string {
  const text = textOf(unit, thrown).replace(/;$/, '')
  const called = /^((?:throw new|raise) [\w$.]+)\(/.exec(text)?.[1]
  return called ? `${called}(${unit.tongue === 'python' ? '"not allowed"' : "'not allowed'"})` : text
}

function questionsAbout({ tongue }: Unit, name: string): string[] {
  return tongue === 'python'
    ? [`${name} < 0`, `${name} <= 0`, `not ${name}`, `${name} is None`, `${name} == 0`]
    : [`${name} < 0`, `${name} <= 0`, `!(${name} > 0)`, `!${name}`, `${name} == null`, `${name} === 0`, `!Number.isInteger(${name})`]
}
