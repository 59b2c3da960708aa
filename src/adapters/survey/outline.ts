// Gathers what a source imports and declares, each on one bounded line.
import type { Signature, SignatureKind } from '../../text/survey/survey.js'
import { childOf, type Syntax } from '../../syntax/syntax.js'

export type Outline = { source: string; imports: Set<string>; signatures: Signature[]; unlisted: number }

export type Declaration = { kind: SignatureKind; owner: string | null; name: string; text: string }

const MOST_IMPORTS = 200
const MOST_SIGNATURES = 400
const LONGEST_SIGNATURE = 200
const LONGEST_NAME = 100
const LONGEST_VALUE = 60
const LONGEST_DECORATOR = 40
/** Of a stretch of source no more is looked at to make one line of it. */
const LONGEST_STRETCH = 4_000

const COMMENTS = new Set(['comment', 'line_comment', 'block_comment'])
const DECORATORS = new Set(['decorator', 'annotation', 'marker_annotation'])

export function newOutline(source: string): Outline {
  return { source, imports: new Set(), signatures: [], unlisted: 0 }
}

export function addImport(outline: Outline, text: string): void {
  if (text !== '' && outline.imports.size < MOST_IMPORTS) outline.imports.add(bounded(text, LONGEST_SIGNATURE))
}

export function declare(outline: Outline, declaration: Declaration): void {
  if (outline.signatures.length >= MOST_SIGNATURES) {
    outline.unlisted++
    return
  }
  const { kind, owner, name, text } = declaration
  const cutOwner = owner === null ? null : bounded(owner, LONGEST_NAME)
  outline.signatures.push({ kind, owner: cutOwner, name: bounded(name, LONGEST_NAME), text: bounded(text, LONGEST_SIGNATURE) })
}

export function owned(owner: string | null, name: string): string {
  return owner === null ? name : `${owner}.${name}`
}

export function textOf(outline: Outline, node: Syntax | undefined): string {
  return node === undefined ? '' : lineOf(outline, node, node.start, node.end)
}

export function nameOf(outline: Outline, node: Syntax, otherwise = ''): string {
  return textOf(outline, childOf(node, 'name')) || otherwise
}

/** A declaration up to its body; `whole` is it with what stands before it, such as `export` or a decorator. */
export function headOf(outline: Outline, node: Syntax, whole: Syntax = node): string {
  return lineOf(outline, whole, whole.start, childOf(node, 'body')?.start ?? node.end).replace(/\s*[:;{]$/, '')
}

/** A declaration with its value where that is short. */
export function withValue(outline: Outline, node: Syntax, value: Syntax | undefined): string {
  const isShort = value === undefined || value.end - value.start <= LONGEST_VALUE
  const text = isShort ? textOf(outline, node) : `${lineOf(outline, node, node.start, value.start)} …`
  return text.replace(/\s*;$/, '')
}

/** The text between two places of a node on one line, without the comments in it and with long decorators cut short. */
export function lineOf(outline: Outline, node: Syntax, start: number, end: number, join = (text: string): string => text): string {
  const { source } = outline
  const stop = Math.min(end, start + LONGEST_STRETCH)
  let line = ''
  let from = start
  for (const odd of oddParts(node, start, stop)) {
    line += `${source.slice(from, odd.start)} ${COMMENTS.has(odd.type) ? '' : decoratorName(source, odd)} `
    from = odd.end
  }
  return joined(join(line + source.slice(from, stop)))
}

/** Brackets that stood at the end or the beginning of a line close up again. */
function joined(text: string): string {
  return text.replace(/([([])\s*\n\s*/g, '$1').replace(/,?\s*\n\s*([)\]])/g, '$1').replace(/\s+/g, ' ').trim()
}

function oddParts(node: Syntax, start: number, end: number): Syntax[] {
  return node.children.flatMap((child) => {
    if (child.end <= start || child.start >= end) return []
    const isLongDecorator = DECORATORS.has(child.type) && child.end - child.start > LONGEST_DECORATOR
    return COMMENTS.has(child.type) || isLongDecorator ? [child] : oddParts(child, start, end)
  })
}

function decoratorName(source: string, node: Syntax): string {
  const text = source.slice(node.start, Math.min(node.end, node.start + LONGEST_STRETCH))
  return `${/^@\s*[\w.$]+/.exec(text)?.[0] ?? '@'}(…)`
}

function bounded(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
