// Reads the blocks of an answer: files to write, files to delete, commands. A file whose end is in doubt is refused by name, never cut.
import type { TextFile } from '../ports.js'
import { piecesOutside, stripReasoning, type Taken } from './reply-reasoning.js'
import { cleanPath, isTooMuch, shownPath, tooMuch } from './reply-values.js'
import { sanitise } from './sanitise.js'

/** `refused` and `notes` are lines for people and for whoever answered: what was not taken and why, and what was decided. */
export type Blocks = { files: TextFile[]; deletes: string[]; commands: string[]; refused: string[]; notes: string[] }

const MOST_COMMANDS = 50
/** Lines are told by line feeds alone: other separators may stand in any file. An answer may begin right after a tag. */
const OPENER = /(?:(?<![^\n])|(?<=<\/\w{1,20}>))=== (?:FILE ([^\n]+?)(?: :: ([^\s=]+))?|DELETE ([^\n]+?)|COMMAND) ===[ \t]*(\r?)(?:\n|$)/g
const NEXT_MARKER = /(?<![^\n])=== (?:(END)|(?:FILE|DELETE) [^\n]+?|COMMAND) ===[ \t]*\r?(?:\n|$)/g
const FENCE = /^[ \t]*(`{3,}|~{3,})[^`\n]*$/
const END = '=== END ==='
const OWN_END = /=== END ===[ \t]*\r?(?:\n|$)/y
const NAMELESS = 'it names no file'
/** As the form shows it: whoever repeats the form has named nothing. */
const PLACEHOLDER = /^\s*<[^<>]*>\s*$/

/** `path` is empty for commands. */
type Block = { start: number; end: number; path: string } & (
  | { kind: 'file'; text: string; tagged: boolean }
  | { kind: 'delete' }
  | { kind: 'commands'; text: string }
  | { kind: 'broken'; why: string }
)

export function readBlocks(text: string): Blocks {
  const blocks = piecesOutside(text, OPENER, (open) => blockAt(text, open))
  const taken = new Map<string, string | null>()
  const refused = new Map<string, string>()
  const notes: string[] = []
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'commands') continue
    const next = blocks[at + 1]
    const why = troubleWith(block, stripReasoning(text.slice(block.end, next?.start)), next === undefined ? 'last' : 'followed')
    if (taken.has(block.path)) notes.push(`two blocks for ${shownPath(block.path)}: the last one counts`)
    taken.delete(block.path)
    refused.delete(block.path)
    if (why !== '') refused.set(block.path, why)
    else taken.set(block.path, block.kind === 'file' ? block.text : null)
  }
  const files = Array.from(taken, ([path, text]) => ({ path, text })).filter((file): file is TextFile => file.text !== null)
  const deletes = [...taken].flatMap(([path, text]) => (text === null ? [path] : []))
  const commands = blocks.flatMap((block) => (block.kind === 'commands' ? commandsIn(block.text) : []))
  return bounded({ files, deletes, commands, notes, refused: lines(refused) })
}

function lines(refused: ReadonlyMap<string, string>): string[] {
  return Array.from(refused, ([path, why]) => `${path === '' ? 'a block' : shownPath(path)}: ${why}`)
}

function bounded(blocks: Blocks): Blocks {
  const plain = blocks.commands.filter((line) => sanitise(line) === line)
  const odd = plain.length < blocks.commands.length ? ['a command with characters that cannot be seen is left out'] : []
  const over = plain.length > MOST_COMMANDS ? [`more than ${MOST_COMMANDS} commands: the rest is left out`] : []
  const all = { ...blocks, commands: plain.slice(0, MOST_COMMANDS), notes: [...blocks.notes, ...odd, ...over] }
  const moved = [...blocks.files, ...blocks.deletes.map((path) => ({ path, text: '' }))]
  return isTooMuch(moved) ? { ...all, files: [], deletes: [], refused: [tooMuch('all files of the reply'), ...blocks.refused] } : all
}

/** Why a block cannot be taken; empty when it can. `after` is what stands between it and the next one. */
function troubleWith(block: Block, after: string, place: 'last' | 'followed'): string {
  if (block.kind === 'broken') return block.why
  if (block.kind !== 'file' || block.tagged) return ''
  const rest = after.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !FENCE.test(line))
  if (!rest.includes(END) && (place === 'last' || rest.length === 0)) return ''
  const wayOut = `=== FILE ${shownPath(block.path)} :: x1 === … === END :: x1 ===`
  const why = 'text follows its end, so it may hold an end marker itself; write nothing between blocks'
  return `${why}, and use a tag where a file holds the marker: ${wayOut}`
}

// — one block —
function blockAt(text: string, open: RegExpExecArray): Taken<Block> {
  const [line, name, tag, deleted, carriageReturn] = open
  const from = open.index + line.length
  if (deleted !== undefined) return deletionAt(text, { start: open.index, from, name: deleted })
  const close = tag === undefined ? nextMarker(text, from) : taggedEnd(text, from, tag)
  const place = { start: open.index, end: close.end, path: cleanPath(name ?? '') }
  const raw = close.kind === 'none' ? null : text.slice(from, close.start)
  const content = carriageReturn === '\r' && raw !== null ? raw.replaceAll('\r\n', '\n') : raw
  return { value: { ...place, ...insideOf(name, tag, content) }, end: close.end }
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

/** A tagged file is taken byte for byte. `content` is null where the block was not closed. */
function insideOf(name: string | undefined, tag: string | undefined, content: string | null): Inside {
  const closing = tag === undefined ? END : `=== END :: ${tag} ===`
  if (content === null) return { kind: 'broken', why: `it is never closed; end it with a line ${closing}` }
  if (name === undefined) return { kind: 'commands', text: unfenced(content) }
  if (cleanPath(name) === '' || PLACEHOLDER.test(name)) return { kind: 'broken', why: NAMELESS }
  return { kind: 'file', tagged: tag !== undefined, text: tag === undefined ? unfenced(content) : content }
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
