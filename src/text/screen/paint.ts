// Screens as what is written to a terminal: only lines that have changed, all of them in one go.
import type { ScreenLine, Tone } from './fit.js'

const ESC = '\u001B['
const COLOURS: Record<Tone, string> = { good: `${ESC}32m`, bad: `${ESC}31m`, careful: `${ESC}33m`, faint: `${ESC}2m`, strong: `${ESC}1m` }
const PLAIN = `${ESC}0m`

/** Begins a frame that a terminal which knows the mode shows at once; without it nothing is lost. A line too wide is cut, not wrapped. */
const BEGIN = `${ESC}?2026h${ESC}?7l`
const END = `${ESC}?7h${ESC}?2026l`

/** A line with its colours. */
export function painted(line: ScreenLine, colour: boolean): string {
  const toned = line.filter(({ text }) => text !== '')
  return toned.map(({ text, tone }) => (colour && tone ? `${COLOURS[tone]}${text}${PLAIN}` : text)).join('').trimEnd()
}

/** What makes one screen of the other; null stands for a screen of which nothing is known. Empty where nothing has changed. */
export function frameBetween(before: readonly string[] | null, after: readonly string[]): string {
  const changed = after.flatMap((line, row) => (before?.[row] === line ? [] : [`${ESC}${row + 1};1H${ESC}K${line}`]))
  return changed.length === 0 ? '' : `${BEGIN}${changed.join('')}${END}`
}
