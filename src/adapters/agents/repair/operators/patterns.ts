// Regular expressions that ask for too much or too little.
import type { Proposal } from '../types.js'
import { field, functionAround, parts, textOf, type Node, type Unit } from '../tree.js'
import { argumentsOf, isCall } from '../words.js'
import { instead } from './change.js'

const MOST_PATTERNS = 10

/** One sign of the pattern at a time, and the flags of JavaScript. */
export function otherPatterns(unit: Unit, node: Node): Proposal[] {
  if (node.type === 'regex') return javascriptPatterns(unit, node)
  if (unit.tongue !== 'python' || !isCall(node) || !/^re\.\w+$/.test(textOf(unit, field(node, 'function') ?? node))) return []
  const [first] = argumentsOf(node)
  const found = first ? /^(r?)(['"])(.*)\2$/.exec(textOf(unit, first)) : null
  if (!first || !found) return []
  const [, raw, quote, pattern = ''] = found
  return variants(pattern).map((text, at) => instead(first, `${raw}${quote}${text}${quote}`, 'constant', 0.2 / (1 + at * 0.15)))
}

function javascriptPatterns(unit: Unit, node: Node): Proposal[] {
  const found = /^\/(.*)\/(\w*)$/.exec(textOf(unit, node))
  if (!found) return []
  const [, pattern = '', flags = ''] = found
  const flagged = ['g', 'i'].map((flag) => (flags.includes(flag) ? flags.replace(flag, '') : flags + flag))
  return [
    ...flagged.map((other) => instead(node, `/${pattern}/${other}`, 'constant', other.length > flags.length ? 0.3 : 0.1)),
    ...variants(pattern).map((text, at) => instead(node, `/${text}/${flags}`, 'constant', 0.2 / (1 + at * 0.15))),
  ]
}

function variants(pattern: string): string[] {
  const quantified = [...pattern.matchAll(/(?<!\\)[*+](?!\?)/g)].flatMap(({ 0: sign, index }) => [
    pattern.slice(0, index) + (sign === '*' ? '+' : '*') + pattern.slice(index + 1),
    `${pattern.slice(0, index + 1)}?${pattern.slice(index + 1)}`,
  ])
  const repeated = [...pattern.matchAll(/(\\[dws]|\])(?![*+?{])/g)].map(({ 0: sign, index }) => {
    const end = index + sign.length
    return `${pattern.slice(0, end)}+${pattern.slice(end)}`
  })
  const anchored = [
    pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`,
    pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}$`,
  ]
  return [...quantified, ...repeated, ...anchored].filter((text) => text !== '').slice(0, MOST_PATTERNS)
}

const EMPTY = /^(\[\]|\{\}|set\(\)|list\(\)|dict\(\))$/

/** `def f(seen=[])`: one list for all calls, where each should begin with its own. */
export function sharedDefaults(unit: Unit, node: Node): Proposal[] {
  const body = node.type === 'function_definition' ? field(node, 'body') : undefined
  const first = body ? parts(body)[0] : undefined
  if (!body || !first) return []
  return parts(field(node, 'parameters') ?? node).flatMap((parameter): Proposal[] => {
    const [name, value] = [field(parameter, 'name') ?? parts(parameter)[0], field(parameter, 'value')]
    if (!name || !value || !EMPTY.test(textOf(unit, value))) return []
    const [text, empty] = [textOf(unit, name), textOf(unit, value)]
    const indent = /[ \t]*$/.exec(unit.source.slice(0, first.start))?.[0] ?? ''
    const made = `if ${text} is None:\n${indent}    ${text} = ${empty}\n${indent}`
    const edits: Proposal['edits'] = [
      { start: value.start, end: value.end, text: 'None' },
      { start: first.start, end: first.start, text: made },
    ]
    return [{ kind: 'constant', weight: 0.8, edits, at: first.start }]
  })
}

/** `a % b` → `(a % b + b) % b`: below zero the rest has the wrong sign in JavaScript. */
export function restsAboveZero(unit: Unit, node: Node): Proposal[] {
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const isRest = node.type === 'binary_expression' && textOf(unit, field(node, 'operator') ?? node) === '%'
  if (!isRest || !left || !right || functionAround(node) === null || parts(right).length > 2) return []
  const b = textOf(unit, right)
  return [instead(node, `((${textOf(unit, node)}) + ${b}) % ${b}`, 'operator', 0.2)]
}
