// Turns YAML text into a plain value and remembers the line of every entry. Load it only when there is a file.
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml'
import type { Document, Node, Pair, YAMLError } from 'yaml'
import { oneLine, placeName, quote } from './words.js'

export type Fault = { line: number; text: string }

/** `lineOf` gives the line of an entry, or of the nearest one around it. */
export type Parsed = { value: unknown; faults: Fault[]; lineOf: (path: readonly PropertyKey[]) => number }

type Path = readonly (string | number)[]

type Walk = {
  lines: LineCounter
  lineAt: Map<string, number>
  faults: Fault[]
  anchors: Map<string, Node>
  /** Nodes being read, to notice one that contains itself. */
  open: Set<Node>
  /** How many aliases are being followed; anchors met meanwhile are not new. */
  following: number
  valuesLeft: number
}

// The library recurses, and Node dies without an error when the stack runs out inside it; so depth is bounded while tokens come in.
const DEEPEST = 100
const MOST_TOKENS = 100_000
const MOST_VALUES = 50_000

export function parseSettings(text: string): Parsed {
  const lines = new LineCounter()
  const walk: Walk = {
    lines,
    lineAt: new Map(),
    faults: [],
    anchors: new Map(),
    open: new Set(),
    following: 0,
    valuesLeft: MOST_VALUES,
  }
  const lineOf = (path: readonly PropertyKey[]): number => nearestLine(walk.lineAt, path)
  try {
    const document = compose(text, lines)
    const contents = document.contents as Node | null
    return { value: contents === null ? null : plain(contents, [], walk), faults: walk.faults, lineOf }
  } catch (error) {
    if (error instanceof Stop) return { value: null, faults: [...walk.faults, { line: error.line, text: error.message }], lineOf }
    throw error
  }
}

/** Ends the reading of a file that cannot be read further. */
class Stop extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

function compose(text: string, lines: LineCounter): Document {
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const documents = [...composer.compose(boundedTokens(text, lines), true, text.length)]
  const [first, second] = documents
  if (first === undefined) throw new Stop(1, 'is not YAML')
  const problem: YAMLError | undefined = first.errors[0] ?? first.warnings[0]
  if (problem) throw new Stop(lines.linePos(problem.pos[0]).line, explain(problem))
  if (second) throw new Stop(lines.linePos(second.range[0]).line, 'a second document begins here: only one is read')
  return first as unknown as Document
}

function* boundedTokens(text: string, lines: LineCounter): ReturnType<Parser['parse']> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let tokens = 0
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    tokens += 1
    if (parser.stack.length > DEEPEST) throw new Stop(lines.linePos(parser.offset).line, `nested more than ${DEEPEST} levels deep`)
    if (tokens > MOST_TOKENS) throw new Stop(lines.linePos(parser.offset).line, 'too many entries up to here')
  }
  yield* parser.end()
}

function explain(problem: YAMLError): string {
  switch (problem.code) {
    case 'TAB_AS_INDENT':
      return 'a tab is used as indentation: use spaces'
    case 'TAG_RESOLVE_FAILED':
      return `${oneLine(problem.message)}: tags are not supported`
    default:
      return `not valid YAML: ${oneLine(problem.message).slice(0, 200)}`
  }
}

function plain(node: Node, path: Path, walk: Walk): unknown {
  const line = walk.lines.linePos(node.range?.[0] ?? 0).line
  walk.valuesLeft -= 1
  if (walk.valuesLeft < 0) throw new Stop(line, `more than ${MOST_VALUES} values once aliases are followed`)
  if (path.length > DEEPEST) throw new Stop(line, `nested more than ${DEEPEST} levels deep once aliases are followed`)
  if (!walk.lineAt.has(keyOf(path))) walk.lineAt.set(keyOf(path), line)
  if (isAlias(node)) return followed(node.source, line, path, walk)
  if (node.anchor !== undefined && walk.following === 0) walk.anchors.set(node.anchor, node)
  walk.open.add(node)
  const value = contentOf(node, line, path, walk)
  walk.open.delete(node)
  return value
}

function contentOf(node: Node, line: number, path: Path, walk: Walk): unknown {
  if (isSeq(node)) return node.items.map((item, index) => plain(item as Node, [...path, index], walk))
  if (isMap(node)) return plainMap(node.items as Pair<Node | null, Node | null>[], line, path, walk)
  if (!isScalar(node)) throw new Stop(line, 'not a value')
  if (typeof node.value === 'string' && node.value.includes('\0')) {
    walk.faults.push({ line, text: `${placeName(path)}: contains a NUL character` })
  }
  return node.value
}

function plainMap(pairs: readonly Pair<Node | null, Node | null>[], line: number, path: Path, walk: Walk): Record<string, unknown> {
  const seen = new Map<string, number>()
  const entries: [string, unknown][] = []
  for (const pair of pairs) {
    const nameLine = pair.key?.range ? walk.lines.linePos(pair.key.range[0]).line : line
    const name = nameOf(pair.key, walk)
    const fault = faultOfName(name, seen)
    if (fault !== null) walk.faults.push({ line: nameLine, text: fault })
    if (name === null || fault !== null) continue
    seen.set(name, nameLine)
    walk.lineAt.set(keyOf([...path, name]), nameLine)
    entries.push([name, pair.value === null ? null : plain(pair.value, [...path, name], walk)])
  }
  return Object.fromEntries(entries)
}

function nameOf(key: Node | null, walk: Walk): string | null {
  const node = isAlias(key) ? walk.anchors.get(key.source) : key
  return isScalar(node) && node.value !== null ? String(node.value) : null
}

function faultOfName(name: string | null, seen: ReadonlyMap<string, number>): string | null {
  if (name === null) return 'a key has to be plain text'
  // The first would change the object it is put into; the second ends strings early elsewhere.
  if (name === '__proto__' || name.includes('\0')) return `${quote(name)} cannot be a key`
  return seen.has(name) ? `duplicate key ${quote(name)} (first on line ${seen.get(name)})` : null
}

function followed(anchor: string, line: number, path: Path, walk: Walk): unknown {
  const target = walk.anchors.get(anchor)
  if (target === undefined) throw new Stop(line, `the alias ${quote(`*${anchor}`)} has no anchor before it`)
  if (walk.open.has(target)) throw new Stop(line, `the alias ${quote(`*${anchor}`)} contains itself`)
  walk.following += 1
  const value = plain(target, path, walk)
  walk.following -= 1
  return value
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('\0')
}

function nearestLine(lineAt: ReadonlyMap<string, number>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const line = lineAt.get(keyOf(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return 1
}
