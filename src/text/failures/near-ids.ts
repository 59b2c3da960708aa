// The ids of tests that somebody most likely meant by one that is not there. Ids are long: what counts is how much of their text is shared.
import { counted } from '../amounts.js'

const MOST_NAMED = 3
const LEAST_SHARED = 0.2
const PIECE_CHARS = 3

/** Says that a test is not there, so that `missingTestIn` can read it again. */
export function missingTestText(key: string, pattern: string, ids: readonly string[]): string {
  return `${key} "${pattern}" is no test that a gate has reported${asideFor(pattern, ids)}`
}

function asideFor(pattern: string, ids: readonly string[]): string {
  if (ids.length === 0) return ': no gate names its tests'
  const near = nearIds(pattern, ids)
  const count = `of ${counted(ids.length, 'test')}`
  return near.length === 0 ? `, ${count}` : `, ${count}; near it: ${near.map((id) => `"${id}"`).join(', ')}`
}

/** The flag it was named by, its name, and the nearest that is there; null where none is near. */
export function missingTestIn(text: string): { flag: string; value: string; instead: string } | null {
  const [, key, value, instead] = /\b(target|excuse) "(.+)" is no test that a gate has reported.*?; near it: "(.+?)"(?:, "|\)?$)/.exec(text) ?? []
  return key === undefined || value === undefined || instead === undefined ? null : { flag: `--${key}`, value, instead }
}

/** The best first, none where too little is shared. `*` in the pattern stands for anything. */
export function nearIds(pattern: string, ids: readonly string[]): string[] {
  const whole = pattern.toLowerCase().split('*').filter((part) => part !== '')
  const wanted = new Set(whole.flatMap(piecesOf))
  const scored = ids.map((id) => ({ id, score: scoreOf(id.toLowerCase(), wanted, whole) })).filter(({ score }) => score > LEAST_SHARED)
  return scored.toSorted((one, other) => other.score - one.score || one.id.localeCompare(other.id)).slice(0, MOST_NAMED).map(({ id }) => id)
}

/** An id that holds all of the pattern as it stands comes first. */
function scoreOf(id: string, wanted: ReadonlySet<string>, whole: readonly string[]): number {
  if (whole.length > 0 && whole.every((part) => id.includes(part))) return 2
  const pieces = new Set(piecesOf(id))
  const shared = [...wanted].filter((piece) => pieces.has(piece)).length
  return shared / (wanted.size + pieces.size - shared || 1)
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE_CHARS + 1) }, (_, at) => text.slice(at, at + PIECE_CHARS))
}
