// Questions that nobody asks: before a statement, before a result, and about the other way to have nothing.
import { namesIn } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, indentAt, isBlock, lineOf, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { endOf, isCall, wordsOf } from '../words.js'
import { inserting, instead } from './change.js'
import { questionsAt } from './logic.js'

const MOST_QUESTIONS = 8

/** `step()` → `if (ready) step()`. */
export function guardedStatements(unit: Unit, node: Node): Proposal[] {
  const isStep = node.type === 'expression_statement' || /^(for|for_in|while)_statement$/.test(node.type)
  const isLong = lineOf(unit, node.end) - lineOf(unit, node.start) > 4
  if (!isStep || isLong || !node.parent || !isBlock(node.parent) || functionAround(node) === null) return []
  const text = textOf(unit, node)
  const indent = indentAt(unit, node.start)
  const guarded = (question: string): string =>
    unit.tongue === 'python' ? `if ${question}:\n${indent}    ${text.replaceAll('\n', '\n    ')}` : `if (${question}) ${text}`
  return questionsAt(unit, node)
    .slice(0, MOST_QUESTIONS)
    .map(({ text: question }, at) => instead(node, guarded(question), 'guard', 0.13 / (1 + at * 0.15)))
}

/** `if (count === 0) return 0` before a result that is made from `count`. */
export function endsBeforeResults(unit: Unit, node: Node): Proposal[] {
  const around = functionAround(node)
  const isResult = node.type === 'return_statement' && node.parent !== null && node.parent === (around ? field(around, 'body') : null)
  if (!isResult || !around) return []
  const used = new Set([...walk(node)].filter(({ type }) => type === 'identifier').map((each) => textOf(unit, each)))
  const locals = namesIn(unit).filter(({ text, what, scope }) => scope === around && what === 'local' && used.has(text)).slice(0, 3)
  const { nothing } = wordsOf(unit)
  const end = endOf(unit)
  const indent = indentAt(unit, node.start)
  const isPython = unit.tongue === 'python'
  const ended = (question: string, value: string): string =>
    isPython ? `if ${question}:\n${indent}    return ${value}\n${indent}` : `if (${question}) return ${value}${end}\n${indent}`
  return locals.flatMap(({ text: name }, rank) => {
    const questions = isPython ? [`not ${name}`, `${name} is None`] : [`${name} === 0`, `!${name}`, `${name}.length === 0`]
    return questions.flatMap((question, q) =>
      ['0', '1', nothing, name].map((value, v) =>
        inserting(node.start, ended(question, value), 'base case', 0.16 / (1 + q * 0.3 + v * 0.3 + rank * 0.5), node.start),
      ),
    )
  })
}

/** There are two ways to have nothing in JavaScript, and in Python nothing is not the same as empty. */
export function otherNothing(unit: Unit, node: Node): Proposal[] {
  if (unit.tongue === 'python') return emptiness(unit, node)
  const [left, right] = [field(node, 'left'), field(node, 'right')]
  const sign = textOf(unit, field(node, 'operator') ?? { start: 0, end: 0 })
  if (node.type !== 'binary_expression' || !left || !right || !/^[!=]==$/.test(sign)) return []
  if (!/^(undefined|null)$/.test(textOf(unit, right)) || isCall(left)) return []
  return [instead(node, `${textOf(unit, left)} ${sign.slice(0, 2)} null`, 'comparison', 0.3)]
}

function emptiness(unit: Unit, node: Node): Proposal[] {
  const asked = /^(\w[\w.]*) is (not )?None$/.exec(textOf(unit, node))
  if (node.type === 'comparison_operator' && asked) return [instead(node, `${asked[2] ? '' : 'not '}${asked[1]}`, 'condition', 0.2)]
  const argument = node.type === 'not_operator' ? field(node, 'argument') : undefined
  if (!argument || !/^[\w.]+$/.test(textOf(unit, argument)) || parts(argument).length > 2) return []
  return [instead(node, `${textOf(unit, argument)} is None`, 'condition', 0.25)]
}
