// What every rule for a pattern is made of: the facts it is given, what it answers, and a few words they share.
import type { Finish, Session } from '../../core/types.js'
import type { Pattern } from './diagnosis.js'
import type { Turn, Turns } from './turns.js'

/** `kept` is the name of what was taken back, where that is what shows it, and `breached` what it is about. */
export type Match = { pattern: Pattern; evidence: string[]; period?: number; kept?: string; breached?: string[] }

/** `window` begins with the last iteration that was better than all before it; `tries` are those after it. */
export type Case = { turns: Turns; session: Session; finish: Finish | null; judged: Turn[]; window: Turn[]; tries: Turn[] }

export type Rule = (facts: Case) => Omit<Match, 'pattern'> | null

/** Breaches are looked for in this many of the last iterations: an old one explains nothing. */
export const RECENT = 6

export function isMost(part: number, all: number, least: number): boolean {
  return part >= least && part * 2 >= all
}

export function distinct(texts: readonly string[]): number {
  return new Set(texts).size
}

export function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join(', ')
  return texts.length > 3 ? `${shown} and ${texts.length - 3} more` : shown
}
