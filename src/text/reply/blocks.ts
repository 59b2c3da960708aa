// Reads the blocks of an answer: files to write, to change and to delete, commands. One whose end is in doubt is refused by name, never cut.
import type { TextFile } from '../../ports.js'
import { looseDiffs } from './edits.js'
import { piecesOutside, stripReasoning, type Taken } from './reasoning.js'
import { cleanPath, isTooMuch, shownPath, tooMuch } from './values.js'
import { sanitise } from '../sanitise.js'

/** `refused` and `notes` are lines for people and for whoever answered: what was not taken and why, and what was decided. */
export type Blocks = { files: TextFile[]; edits: Edit[]; deletes: string[]; commands: string[]; refused: string[]; notes: string[] }

/** Changes to a file that is there, as the block holds them: by search and replace, or as a unified diff. */
export type Edit = TextFile & { by: 'search' | 'diff' }

const MOST_COMMANDS = 50
const MOST_BLOCKS_OF_ONE = 100
/** Lines are told by line feeds alone: other separators may stand in any file. An answer may begin right after a tag. */
const OPENER = /(?:(?<![^\n])|(?<=<\/\w{1,20}>))=== (?:(FILE|EDIT|PATCH) ([^\n]+?)(?: :: ([^\s=]+))?|DELETE ([^\n]+?)|COMMAND) ===[ \t]*(\r?)(?:\n|$)/g
const NEXT_MARKER = /(?<![^\n])=== (?:(END)|(?:FILE|EDIT|PATCH|DELETE) [^\n]+?|COMMAND) ===[ \t]*\r?(?:\n|$)/g
const FENCE = /^[ \t]*(`{3,}|~{3,})[^`\n]*$/
const END = '=== END ==='
const OWN_END = /=== END ===[ \t]*\r?(?:\n|$)/y
const NAMELESS = 'it names no file'
/** As the form shows it: whoever repeats the form has named nothing. */
const PLACEHOLDER = /^\s*<[^<>]*>\s*$/

/** `path` is empty for commands. */
type Block = { start: number; end: number; path: string } & (
  | { kind: 'file' | 'search' | 'diff'; text: string; tagged: boolean }
  | { kind: 'delete' }
  | { kind: 'commands'; text: string }
  | { kind: 'broken'; why: string }
)

export function readBlocks(text: string): Blocks {
  const blocks = piecesOutside(text, OPENER, (open) => blockAt(text, open))
  const loose = blocks.length === 0 ? looseDiffs(text).map((diff): Edit => ({ ...diff, by: 'diff' })) : []
  const taken = new Map<string, Block[]>()
  const refused = new Map<string, string>()
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'commands') continue
    const next = blocks[at + 1]
    const earlier = taken.get(block.path) ?? []
    const trouble = troubleWith(block, stripReasoning(text.slice(block.end, next?.start)), next === undefined ? 'last' : 'followed')
    const why = trouble || besides(block, earlier)
    if (why !== '') refused.set(block.path, refused.get(block.path) ?? why)
    else if (!earlier.some((other) => isSame(other, block))) taken.set(block.path, [...earlier, block])
  }
  const all = [...taken.values()].flat().filter(({ path }) => !refused.has(path))
  const files = all.flatMap((block): TextFile[] => (block.kind === 'file' ? [{ path: block.path, text: block.text }] : []))
  const edits = all.flatMap((block): Edit[] => (block.kind === 'search' || block.kind === 'diff' ? [{ path: block.path, text: block.text, by: block.kind }] : []))
  const deletes = all.flatMap(({ kind, path }) => (kind === 'delete' ? [path] : []))
  const commands = blocks.flatMap((block) => (block.kind === 'commands' ? commandsIn(block.text) : []))
  return bounded({ files, edits: [...edits, ...loose], deletes, commands, notes: [], refused: lines(refused) })
}

/** Why a block cannot stand beside those before it for the same path. One that says the same again does no harm. */
function besides(block: Block, earlier: readonly Block[]): string {
  if (earlier.length === 0 || earlier.some((other) => isSame(other, block))) return ''
  if (earlier.length === MOST_BLOCKS_OF_ONE) return `it has more than ${MOST_BLOCKS_OF_ONE} blocks`
  const isByParts = [block, ...earlier].every(({ kind }) => kind === 'search' || kind === 'diff')
  return isByParts ? '' : 'two blocks for it say different things; write one'
}

function isSame(a: Block, b: Block): boolean {
  return a.kind === b.kind && ('text' in a ? a.text : '') === ('text' in b ? b.text : '')
}

function lines(refused: ReadonlyMap<string, string>): string[] {
  return Array.from(refused, ([path, why]) => `${path === '' ? 'a block' : shownPath(path)}: ${why}`)
}

function bounded(blocks: Blocks): Blocks {
  const plain = blocks.commands.filter((line) => sanitise(line) === line)
  const odd = plain.length < blocks.commands.length ? ['a command with characters that cannot be seen is left out'] : []
  const over = plain.length > MOST_COMMANDS ? [`more than ${MOST_COMMANDS} commands: the rest is left out`] : []
  const all = { ...blocks, commands: plain.slice(0, MOST_COMMANDS), notes: [...blocks.notes, ...odd, ...over] }
  const moved = [...blocks.files, ...blocks.edits, ...blocks.deletes.map((path) => ({ path, text: '' }))]
  return isTooMuch(moved) ? { ...all, files: [], edits: [], deletes: [], refused: [tooMuch('all files of the reply'), ...blocks.refused] } : all
}

/** Why a block cannot be taken; empty when it can. `after` is what stands between it and the next one. */
function troubleWith(block: Block, after: string, place: 'last' | 'followed'): string {
  if (block.kind === 'broken') return block.why
  if (block.kind === 'delete' || block.kind === 'commands' || block.tagged) return ''
  const rest = after.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !FENCE.test(line))
  if (!rest.includes(END) && (place === 'last' || rest.length === 0)) return ''
  const wayOut = `=== ${WORDS[block.kind]} ${shownPath(block.path)} :: x1 === … === END :: x1 ===`
  const why = 'text follows its end, so it may hold an end marker itself; write nothing between blocks'
  return `${why}, and use a tag where a file holds the marker: ${wayOut}`
}

const WORDS = { file: 'FILE', search: 'EDIT', diff: 'PATCH' } as const
const KINDS = { FILE: 'file', EDIT: 'search', PATCH: 'diff' } as const

// — one block —
function blockAt(text: string, open: RegExpExecArray): Taken<Block> {
  const [line, word, name, tag, deleted, carriageReturn] = open
  const from = open.index + line.length
  if (deleted !== undefined) return deletionAt(text, { start: open.index, from, name: deleted })
  const close = tag === undefined ? nextMarker(text, from) : taggedEnd(text, from, tag)
  const place = { start: open.index, end: close.end, path: cleanPath(name ?? '') }
  const raw = close.kind === 'none' ? null : text.slice(from, close.start)
  const content = carriageReturn === '\r' && raw !== null ? raw.replaceAll('\r\n', '\n') : raw
  return { value: { ...place, ...insideOf({ word, name, tag }, content) }, end: close.end }
}

/** It is one line; an end mark right after it does no harm. */
function deletionAt(text: string, { start, from, name }: { start: number; from: number; name: string }): Taken<Block> {
  OWN_END.lastIndex = from
  const end = from + (OWN_END.exec(text)?.[0].length ?? 0)
  const path = cleanPath(name)
  const value: Block = path === '' || PLACEHOLDER.test(name) ? { kind: 'broken', why: NAMELESS, start, end, path } : { kind: 'delete', start, end, path }
  return { value, end }
}

type Inside = Block extends infer B ? (B extends Block ? Omit<B, 'start' | 'end' | 'path'> : never) : never

/** A tagged block is taken byte for byte. `content` is null where the block was not closed. */
function insideOf({ word, name, tag }: Record<'word' | 'name' | 'tag', string | undefined>, content: string | null): Inside {
  const closing = tag === undefined ? END : `=== END :: ${tag} ===`
  if (content === null) return { kind: 'broken', why: `it is never closed; end it with a line ${closing}` }
  if (name === undefined) return { kind: 'commands', text: unfenced(content) }
  if (cleanPath(name) === '' || PLACEHOLDER.test(name)) return { kind: 'broken', why: NAMELESS }
  return { kind: KINDS[word as keyof typeof KINDS], tagged: tag !== undefined, text: tag === undefined ? unfenced(content) : content }
}

type Close = { kind: 'end'; start: number; end: number } | { kind: 'none'; end: number }

/** A block that meets the beginning of another one was not closed; that one is read on its own. */
function nextMarker(text: string, from: number): Close {
  NEXT_MARKER.lastIndex = from
  const marker = NEXT_MARKER.exec(text)
  if (!marker) return { kind: 'none', end: text.length }
  const start = marker.index
  return marker[1] === 'END' ? { kind: 'end', start, end: start + marker[0].length } : { kind: 'none', end: start }
}

/** Whatever follows a tag belongs to its block; where that is never closed, nothing after it can be told apart. */
function taggedEnd(text: string, from: number, tag: string): Close {
  const marker = `=== END :: ${tag} ===`
  const rest = /[ \t]*\r?(?:\n|$)/y
  for (let start = text.indexOf(marker, from); start >= 0; start = text.indexOf(marker, start + 1)) {
    rest.lastIndex = start + marker.length
    const line = text[start - 1] === '\n' ? rest.exec(text) : null
    if (line) return { kind: 'end', start, end: rest.lastIndex }
  }
  return { kind: 'none', end: text.length }
}

/** Takes away one fence around the whole content. Where the first fence closes before the last line, it is content. */
function unfenced(content: string): string {
  const all = content.split('\n')
  const first = all.findIndex((line) => line.trim() !== '')
  const last = all.findLastIndex((line) => line.trim() !== '')
  const fence = FENCE.exec((all[first] ?? '').trimEnd())?.[1]
  if (fence === undefined || last <= first) return content
  const closes = (line: string): boolean => line.trim().startsWith(fence) && line.trim() === (fence[0] ?? '').repeat(line.trim().length)
  const end = all.findIndex((line, at) => at > first && closes(line))
  return end === last ? all.slice(first + 1, last).map((line) => `${line}\n`).join('') : content
}

function commandsIn(content: string): string[] {
  return content.split('\n').map((line) => line.trim().replace(/^\$ +/, '')).filter((line) => line !== '' && !PLACEHOLDER.test(line))
}
