// Inputs that should end a function at once.
import { visibleAt } from '../scope.js'
import type { Proposal } from '../types.js'
import { field, functionAround, indentAt, isBlock, isFunction, parts, textOf, walk, type Node, type Unit } from '../tree.js'
import { endOf, isCall, wordsOf } from '../words.js'
import { inserting } from './change.js'

/** `if (…) return …` before the first statement of a function, for inputs that end it at once. */
export function earlyEnds(unit: Unit, node: Node): Proposal[] {
  const body = isFunction(node) ? field(node, 'body') : undefined
  const first =
    body && isBlock(body)
      ? parts(body).find(({ type, children }) => !(type === 'expression_statement' && children[0]?.type === 'string'))
      : undefined
  if (!body || !first) return []
  const parameters = visibleAt(unit, first)
    .filter(({ what, scope, text }) => what === 'parameter' && scope === node && text !== 'self' && text !== 'cls')
    .slice(0, 4)
  const returned = [
    ...new Set(
      [...walk(body)]
        .filter((each) => each.type === 'return_statement' && functionAround(each) === node)
        .flatMap((each) =>
          parts(each)
            .slice(1, 2)
            .filter(({ children, type }) => children.length === 0 || /string|list|array/.test(type))
            .map((each) => textOf(unit, each)),
        ),
    ),
  ]
  return parameters.flatMap(({ text: name }, at) => earlyEndsFor(unit, node, first, { name, returned: returned.slice(0, 3), rank: at }))
}

type Ending = { name: string; returned: readonly string[]; rank: number }

function earlyEndsFor(unit: Unit, node: Node, first: Node, { name, returned, rank }: Ending): Proposal[] {
  const { nothing, no } = wordsOf(unit)
  const end = endOf(unit)
  const isPython = unit.tongue === 'python'
  const recursive = isRecursive(unit, node)
  const questions = isPython
    ? [`not ${name}`, `${name} <= 1`, `${name} == 0`, `${name} is None`, `len(${name}) <= 1`, `${name} < 0`]
    : [`${name}.length === 0`, `${name} <= 1`, `${name} === 0`, `!${name}`, `${name} == null`, `${name}.length <= 1`, `${name} < 0`]
  const values = [...new Set([...returned, name, '0', '1', nothing, '[]', "''", no])]
  const indent = indentAt(unit, first.start)
  const base = recursive ? 0.4 : 0.12
  return questions.flatMap((question, q) => values.map((value, v): Proposal => {
    const text = isPython ? `if ${question}:\n${indent}    return ${value}\n${indent}` : `if (${question}) return ${value}${end}\n${indent}`
    return inserting(first.start, text, 'base case', base / (1 + q * 0.35 + v * 0.35 + rank * 0.8), first.start)
  }))
}

function isRecursive(unit: Unit, node: Node): boolean {
  const name = field(node, 'name') ?? field(node.parent ?? node, 'name')
  if (!name) return false
  const text = textOf(unit, name)
  return [...walk(node)].some((each) => isCall(each) && textOf(unit, field(each, 'function') ?? each).endsWith(text))
}
