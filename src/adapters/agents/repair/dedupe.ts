// The shape of a source without its comments and spaces: two candidates of one shape are one.
import type { Syntax } from '../../../syntax/syntax.js'
import { hash64 } from '../../../text/hash64.js'

export function shapeOf(root: Syntax, source: string): string {
  const words: string[] = []
  const look = (node: Syntax): void => {
    if (node.type === 'comment') return
    if (node.children.length === 0) return void words.push(source.slice(node.start, node.end))
    // A nested block is told by its brackets; brackets around a single value change nothing.
    const isNeedless =
      node.type === 'parenthesized_expression' && node.children.length === 3 && (node.children[1]?.children.length ?? 0) === 0
    const inner = isNeedless ? node.children.slice(1, 2) : node.children
    if (node.type === 'block') words.push('\u0001')
    for (const child of inner) look(child)
    if (node.type === 'block') words.push('\u0002')
  }
  look(root)
  return hash64(words.join('\u0000'))
}

/** The text after all edits of a proposal. */
export function applied(source: string, edits: readonly { start: number; end: number; text: string }[]): string {
  const inOrder = edits.toSorted((one, other) => other.start - one.start)
  return inOrder.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), source)
}
