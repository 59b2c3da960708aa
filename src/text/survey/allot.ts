// Shares a budget of tokens out over ranked files: how many are listed, and how much is told of each.
import { countLines, folderAt } from './counts.js'
import type { FileLines } from './lines.js'
import { countTokens } from '../prompt/tokens.js'

export type Level = 'path' | 'names' | 'full'

/** The first `levels.length` files are listed, the others counted in the folders of the given depth. */
export type Allotment = { levels: Level[]; depth: number }

/** Files in order of their worth, the folders they are counted in, and what it costs to list the first of them. */
type Offer = { files: readonly FileLines[]; depth: number; folders: readonly string[]; listing: readonly number[] }

const DEEPEST_COUNT = 6
/** Of what is left after the paths, this part goes to signatures first, so that something remains for names. */
const FULL_SHARE = 0.75

export function linesAt(file: FileLines, level: Level): readonly string[] {
  if (!file.detail) return [file.path]
  switch (level) {
    case 'path':
      return [`${file.path} …`]
    case 'names':
      return [file.detail.names()]
    case 'full':
      return file.detail.full()
  }
}

/** Each line is rounded up on its own, so that together they never cost more than was counted. */
export function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + countTokens(`${line}\n`), 0)
}

/** Undefined when there is not even room to count the files. */
export function allot(files: readonly FileLines[], room: number): Allotment | undefined {
  const offer = offerOf(files, room)
  const first = mostListed(offer, 0, room / 2)
  if (totalCost(offer, first) > room) return undefined
  const levels = Array.from({ length: first }, (): Level => 'path')
  const left = improve(offer, levels, room - totalCost(offer, first))
  const last = mostListed(offer, first, totalCost(offer, first) + left)
  return { levels: [...levels, ...Array.from({ length: last - first }, (): Level => 'path')], depth: offer.depth }
}

function offerOf(files: readonly FileLines[], room: number): Offer {
  const foldersAt = (depth: number): string[] => files.map((file) => folderAt(file.folder, depth))
  let depth = DEEPEST_COUNT
  while (depth > 0 && costOf(countLines(foldersAt(depth), depth)) > room / 4) depth--
  return { files, depth, folders: foldersAt(depth), listing: listingCosts(files) }
}

/** At place k: what the first k files cost by their paths, with a line for each folder that is met. */
function listingCosts(files: readonly FileLines[]): number[] {
  const seen = new Set<string>()
  const costs = [0]
  for (const file of files) {
    const header = seen.has(file.folder) ? [] : [file.folder]
    seen.add(file.folder)
    costs.push((costs.at(-1) ?? 0) + costOf([...header, ...linesAt(file, 'path')]))
  }
  return costs
}

function totalCost({ folders, depth, listing }: Offer, listed: number): number {
  const counts = countLines(folders.slice(listed), depth)
  return (listing[listed] ?? 0) + (counts.length === 0 ? 0 : costOf(['', ...counts]))
}

/** The most files whose listing keeps within the limit; `least` when more do not. */
function mostListed(offer: Offer, least: number, limit: number): number {
  if (totalCost(offer, offer.files.length) <= limit) return offer.files.length
  let low = least
  let high = offer.files.length
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (totalCost(offer, middle) <= limit) low = middle
    else high = middle
  }
  return low
}

/** Raises the levels of listed files, the best first, and returns what is left of the room. */
function improve({ files }: Offer, levels: Level[], room: number): number {
  const kept = room * (1 - FULL_SHARE)
  const afterFull = kept + raise(files, levels, 'full', room - kept)
  const afterNames = raise(files, levels, 'names', afterFull)
  return raise(files, levels, 'full', afterNames)
}

function raise(files: readonly FileLines[], levels: Level[], to: Level, room: number): number {
  let left = room
  levels.forEach((level, at) => {
    const file = files[at]
    if (!file?.detail || level === 'full' || level === to) return
    const extra = costOf(linesAt(file, to)) - costOf(linesAt(file, level))
    if (extra > left) return
    levels[at] = to
    left -= extra
  })
  return left
}
