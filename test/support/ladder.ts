// Sessions of `converge` whose agent is scripted and whose gate is real: it fails by each line that stands in the file `state`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decision, Event, Judgement } from '../../src/core/types.js'
import { eventsOf, type Turn } from './cli.js'
import { makeWorkshop, type Workshop } from './repositories.js'

export type Loop = Workshop & { gate: string }

export function makeLoop(state: readonly string[] = ['a', 'b']): Loop {
  const shop = makeWorkshop({ state: fileOf(state), notes: 'notes\n' })
  return { ...shop, gate: shop.program('gate', 'sed "s/^/FAIL /" state', 'test ! -s state') }
}

/** The file that makes these fail. */
function fileOf(state: readonly string[]): string {
  return state.map((line) => `${line}\n`).join('')
}

/** One try: what fails after it, and what is different from every other try with the same failures. */
export function tryOf(state: readonly string[], notes: string): Turn {
  return { write: { state: fileOf(state), notes: `${notes}\n` } }
}

/** A script outside the repository, as the value of `script:`. */
export function scriptFile({ root }: Loop, name: string, turns: readonly Turn[]): string {
  const path = join(root, `${name}.json`)
  writeFileSync(path, JSON.stringify({ turns, after: 'repeat' }))
  return path
}

export function runArgs({ gate }: Loop, ...more: readonly string[]): string[] {
  return ['run', 'converge', 'make it green', '--gate', gate, ...more]
}

export type Judged = { key: string; tree: string; stall: Judgement['stall']; rung: number | null; to: string }

/** The judged iterations with what was decided after each. */
export function judgedIn(folder: string): Judged[] {
  const events = eventsOf(folder)
  return events.flatMap((event, place) => {
    const next = events[place + 1]
    if (event.type !== 'observed' || !event.judgement.judged || next?.type !== 'decided') return []
    const { key, stall } = event.judgement
    return [{ key, tree: event.report.tree, stall, rung: next.decision.rung, to: next.decision.to }]
  })
}

export function decisionsIn(folder: string): Decision[] {
  return eventsOf(folder).flatMap((event) => (event.type === 'decided' ? [event.decision] : []))
}

export function askedIn(folder: string): string[] {
  const asked = (event: Event): string[] => (event.type === 'asked' && event.effect.kind === 'ask' ? [event.effect.phase] : [])
  return eventsOf(folder).flatMap(asked)
}

export function textIn(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

export function jsonIn<T = Record<string, unknown>>(folder: string, path: string): T {
  return JSON.parse(textIn(folder, path)) as T
}
