// Reads and writes text files for an agent that asks us to: inside the checkout, through no link, and nothing that is out of scope.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { Refusal } from '../../../errors.js'
import { errnoOf, printable } from '../../../files/durable.js'
import { find, partsOf } from '../../../files/guard.js'
import { belongsToGit, writeFiles } from '../../../files/write-files.js'
import type { AskRequest } from '../../../ports.js'

/** `missing`: there is no such file, which agents tell from a refusal. */
export type FileAnswer = { kind: 'done'; text: string } | { kind: 'refused' | 'missing'; why: string }

const MOST_FILE_BYTES = 8 * 1024 * 1024

/** A path in the checkout, relative to it; or why it is none. The checkout itself is the empty path. */
export function placeIn(cwd: string, path: string): { relative: string } | { why: string } {
  const absolute = isAbsolute(path) ? path : resolve(cwd, path)
  for (const root of new Set([cwd, realOf(cwd)])) {
    const way = relative(root, absolute)
    if (way === '') return { relative: '' }
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) continue
    try {
      if (belongsToGit(partsOf(way))) return { why: 'it belongs to git' }
      find(cwd, way)
      return { relative: way }
    } catch (error) {
      return { why: whyNot(error) }
    }
  }
  return { why: 'it is outside the checkout' }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function whyNot(error: unknown): string {
  if (error instanceof Refusal) return error.message
  return `it cannot be reached (${errnoOf(error) ?? String(error)})`
}

/** `line` counts from one; `limit` is how many lines. */
export type Part = { line?: number | null | undefined; limit?: number | null | undefined }

export function readFor(cwd: string, path: string, part: Part): FileAnswer {
  const place = placeIn(cwd, path)
  if ('why' in place) return { kind: 'refused', why: place.why }
  let fd: number | null = null
  try {
    // A pipe would be waited for, and a link put there meanwhile followed.
    fd = openSync(resolve(cwd, place.relative), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const entry = fstatSync(fd)
    if (!entry.isFile()) return { kind: 'refused', why: 'it is no file' }
    if (entry.size > MOST_FILE_BYTES) return { kind: 'refused', why: `it has more than ${MOST_FILE_BYTES / 1024 / 1024} MiB` }
    return { kind: 'done', text: linesOf(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(fd)), part) }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return { kind: 'missing', why: 'there is no such file' }
    return { kind: 'refused', why: error instanceof TypeError ? 'it is no text in UTF-8' : whyNot(error) }
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

function linesOf(text: string, { line, limit }: Part): string {
  if (!line && (limit === undefined || limit === null)) return text
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const from = Math.max(1, line ?? 1) - 1
  return lines.slice(from, limit === undefined || limit === null ? undefined : from + Math.max(0, limit)).join('')
}

type Ground = Pick<AskRequest, 'cwd' | 'mayWrite'>

/** The scope is asked before anything is written. */
export async function writeFor(ground: Ground, path: string, text: string): Promise<FileAnswer> {
  const place = writable(ground, path)
  if ('why' in place) return { kind: 'refused', why: place.why }
  const [refused] = (await writeFiles(ground.cwd, [{ path: place.relative, text }])).refused
  return refused === undefined ? { kind: 'done', text: '' } : { kind: 'refused', why: refused.replace(`${printable(place.relative)}: `, '') }
}

/** Why a file would not be written for an agent, nor may be by itself; null when it may. */
export function whyNoWrite(ground: Ground, path: string): string | null {
  const place = writable(ground, path)
  return 'why' in place ? place.why : null
}

function writable({ cwd, mayWrite }: Ground, path: string): ReturnType<typeof placeIn> {
  const place = placeIn(cwd, path)
  if ('why' in place) return place
  const why = place.relative === '' ? 'it is the checkout itself' : (mayWrite?.(place.relative) ?? null)
  return why === null ? place : { why }
}
