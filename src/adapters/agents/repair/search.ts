// Tries candidates in order, several at a time, until one mends everything and those close behind it have been looked at too.
import { applied } from './dedupe.js'
import type { Reader } from './parse.js'
import type { Checker, Verdict } from './runners/types.js'
import type { Candidate, Ranked } from './types.js'

/** `more`: how many more are tried after one that passes. */
export type Bounds = { candidates: number; seconds: number; more: (found: Found) => number }

export type Found = Candidate & { fixed: readonly string[]; place: number }

export type Searched = {
  /** Mend every target and break nothing, in the order they were tried. */
  passing: Found[]
  /** Mend some and break nothing. */
  partial: Found[]
  refuted: Candidate[]
  tried: number
  /** `over`: there was nothing more to try. */
  end: 'found' | 'over' | 'candidates' | 'seconds' | 'stopped'
}

type Query = {
  ranked: readonly Ranked[]
  checker: Checker
  reader: Reader
  targets: readonly string[]
  bounds: Bounds
  known: ReadonlySet<string>
  signal: AbortSignal
}

export async function search(query: Query): Promise<Searched> {
  const { checker, bounds, signal } = query
  const state: Searched = { passing: [], partial: [], refuted: [], tried: 0, end: 'over' }
  const until = performance.now() + bounds.seconds * 1000
  const source = candidates(query)
  const stop = (place: number): Searched['end'] | null => {
    if (signal.aborted) return 'stopped'
    if (place > lastPlace(state, bounds)) return 'found'
    if (place >= bounds.candidates) return 'candidates'
    return performance.now() > until ? (isFound(state, bounds) ? 'found' : 'seconds') : null
  }
  const work = async (lane: number): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const { place, candidate } = next.value
      const why = stop(place)
      if (why !== null) return void (state.end = why)
      const verdict = await checker.try({ path: candidate.unit.path, text: candidate.text }, lane)
      if (signal.aborted) return void (state.end = 'stopped')
      state.tried += 1
      note(state, candidate, place, verdict, query.targets)
    }
  }
  await Promise.all(Array.from({ length: checker.lanes }, (_none, lane) => work(lane)))
  return settled(state, bounds)
}

/** Told by places in the order, so that it does not matter which lane was faster. */
function lastPlace({ passing }: Searched, { more }: Bounds): number {
  return Math.min(Infinity, ...passing.map((found) => found.place + more(found)))
}

/** Something passes after which the search need not go on to its end. */
function isFound(state: Searched, bounds: Bounds): boolean {
  return lastPlace(state, bounds) < Infinity
}

function settled(state: Searched, bounds: Bounds): Searched {
  const last = lastPlace(state, bounds)
  const inOrder = (found: readonly Found[]): Found[] =>
    found.filter(({ place }) => place <= last).toSorted((one, other) => one.place - other.place)
  return { ...state, passing: inOrder(state.passing), partial: inOrder(state.partial), end: isFound(state, bounds) ? 'found' : state.end }
}

function note(state: Searched, candidate: Candidate, place: number, { fixed, broken }: Verdict, targets: readonly string[]): void {
  if (broken.length > 0 || fixed.length === 0) return void state.refuted.push(candidate)
  const found = { ...candidate, fixed, place }
  if (fixed.length === targets.length) state.passing.push(found)
  else state.partial.push(found)
}

/** Those that parse, whose shape is new, and that no earlier search has refuted. */
async function* candidates({
  ranked,
  reader,
  known,
}: Pick<Query, 'ranked' | 'reader' | 'known'>): AsyncGenerator<{ place: number; candidate: Candidate }> {
  const shapes = new Set(known)
  const texts = new Set<string>()
  let place = 0
  for (const unit of new Set(ranked.map((each) => each.unit))) {
    const own = await reader.shape(unit.path, unit.source)
    if (own !== null) shapes.add(own)
  }
  for (const [rank, each] of ranked.entries()) {
    const text = applied(each.unit.source, each.edits)
    if (texts.has(text)) continue
    texts.add(text)
    const shape = await reader.shape(each.unit.path, text)
    if (shape === null || shapes.has(shape)) continue
    shapes.add(shape)
    yield { place, candidate: { ...each, rank, text, shape } }
    place += 1
  }
}
