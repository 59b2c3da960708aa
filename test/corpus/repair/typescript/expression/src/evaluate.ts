// What a formula is worth.
import { parse, type Node } from './parse.ts'

export type Values = Record<string, number>

const FUNCTIONS: Record<string, (...args: number[]) => number> = {
  min: (...args) => Math.min(...args),
  max: (...args) => Math.max(...args),
  abs: (value) => Math.abs(value!),
  round: (value, digits = 0) => Math.round(value! * 10 ** digits) / 10 ** digits,
  avg: (...args) => args.reduce((sum, value) => sum + value, 0) / args.length,
}

export function evaluate(source: string, values: Values = {}): number {
  return valueOf(parse(source), values)
}

function valueOf(node: Node, values: Values): number {
  switch (node.kind) {
    case 'number':
      return node.value
    case 'name': {
      const value = values[node.name]
      if (value === undefined) throw new ReferenceError(`unknown name: ${node.name}`)
      return value
    }
    case 'negate':
      return -valueOf(node.value, values)
    case 'call': {
      const run = FUNCTIONS[node.name]
      if (!run) throw new ReferenceError(`unknown function: ${node.name}`)
      return run(...node.args.map((arg) => valueOf(arg, values)))
    }
    default:
      return apply(node.operator, valueOf(node.left, values), valueOf(node.right, values))
  }
}

function apply(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+': return left + right
    case '-': return left - right
    case '*': return left * right
    case '/':
      if (right === 0) throw new RangeError('division by zero')
      return left / right
    case '%': return left % right
    default: return left ** right
  }
}

/** The names a formula needs, sorted. */
export function names(source: string): string[] {
  const found = new Set<string>()
  const walk = (node: Node): void => {
    if (node.kind === 'name') found.add(node.name)
    if (node.kind === 'negate') walk(node.value)
    if (node.kind === 'call') node.args.forEach(walk)
    if (node.kind === 'binary') {
      walk(node.left)
      walk(node.right)
    }
  }
  walk(parse(source))
  return [...found].sort()
}
