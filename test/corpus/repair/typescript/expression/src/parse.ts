// Formulas as trees, by precedence.
import { tokenise, type Token } from './tokens.ts'

export type Node =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'negate'; value: Node }
  | { kind: 'binary'; operator: string; left: Node; right: Node }
  | { kind: 'call'; name: string; args: Node[] }

const PRECEDENCE: Record<string, number> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 4 }
const UNARY = 3

export function parse(source: string): Node {
  const tokens = tokenise(source)
  let at = 0

  const peek = (): string | undefined => {
    const token = tokens[at]
    return token?.kind === 'sign' ? token.text : undefined
  }
  const expect = (text: string): void => {
    if (peek() !== text) throw new SyntaxError(`expected ${text}`)
    at += 1
  }

  function binary(least: number): Node {
    let left = unary()
    while (true) {
      const operator = peek()
      const precedence = operator === undefined ? undefined : PRECEDENCE[operator]
      if (operator === undefined || precedence === undefined || precedence < least) return left
      at += 1
      const right = binary(operator === '^' ? precedence : precedence + 1)
      left = { kind: 'binary', operator, left, right }
    }
  }

  function unary(): Node {
    if (peek() !== '-') return primary()
    at += 1
    return { kind: 'negate', value: binary(UNARY) }
  }

  function primary(): Node {
    const token: Token | undefined = tokens[at]
    if (!token) throw new SyntaxError('the formula ends too early')
    at += 1
    if (token.kind === 'number') return { kind: 'number', value: token.value }
    if (token.kind === 'name') return peek() === '(' ? { kind: 'call', name: token.text, args: list() } : { kind: 'name', name: token.text }
    if (token.text !== '(') throw new SyntaxError(`unexpected ${token.text}`)
    const inner = binary(1)
    expect(')')
    return inner
  }

  function list(): Node[] {
    expect('(')
    const args: Node[] = []
    if (peek() !== ')') {
      args.push(binary(1))
      while (peek() === ',') {
        at += 1
        args.push(binary(1))
      }
    }
    expect(')')
    return args
  }

  const tree = binary(1)
  if (at < tokens.length) throw new SyntaxError('something stands behind the formula')
  return tree
}
