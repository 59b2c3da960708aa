// Tries candidates in order, several at a time, until one mends everything and those close behind it have been looked at too.
import { applied } from './dedupe.js'
import { openEvidence, type Evidence } from './evidence.js'
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
  const evidence = openEvidence(query.targets.length)
  const round = openRound()
  const source = candidates(query, evidence, round)
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
      if (why !== null) return round.leave(state, why)
      const verdict = await checker.try({ path: candidate.unit.path, text: candidate.text }, lane)
      if (signal.aborted) return round.leave(state, 'stopped')
      state.tried += 1
      note(state, candidate, place, verdict, query.targets)
      evidence.note(candidate, verdict)
      round.done()
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

/** How many are tried before the order is looked at again: few, since the first trials teach most, and always as many, so that lanes do not matter. */
const ROUND = 12

type Round = { begin(): void; done(): void; leave(state: Searched, why: Searched['end']): void; isOver(): Promise<void> }

/** Those that were handed out and are not judged yet: the next round waits for them. */
function openRound(): Round {
  let open = 0
  let wake = (): void => {}
  const done = (): void => {
    open -= 1
    if (open === 0) wake()
  }
  return {
    begin: () => void (open += 1),
    done,
    leave(state, why) {
      state.end = why
      done()
    },
    isOver: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => (wake = resolve))),
  }
}

type Fresh = { place: number; candidate: Candidate }

/** Those that parse, whose shape is new, and that no earlier search has refuted: the best by what is known when their round begins. */
async function* candidates({ ranked, reader, known }: Pick<Query, 'ranked' | 'reader' | 'known'>, evidence: Evidence, round: Round): AsyncGenerator<Fresh> {
  const shapes = new Set(known)
  const texts = new Set<string>()
  for (const unit of new Set(ranked.map((each) => each.unit))) {
    const own = await reader.shape(unit.path, unit.source)
    if (own !== null) shapes.add(own)
  }
  const fresh = async (each: Ranked, rank: number): Promise<Candidate | null> => {
    const text = applied(each.unit.source, each.edits)
    if (texts.has(text)) return null
    texts.add(text)
    const shape = await reader.shape(each.unit.path, text)
    if (shape === null || shapes.has(shape)) return null
    shapes.add(shape)
    return { ...each, rank, text, shape }
  }
  let place = 0
  for (let left = [...ranked.entries()]; left.length > 0; ) {
    left = evidence.ordered(left)
    let taken = 0
    for (const until = place + ROUND; place < until && taken < left.length; taken += 1) {
      const [rank, each] = left[taken] as [number, Ranked]
      const candidate = await fresh(each, rank)
      if (candidate === null) continue
      round.begin()
      yield { place, candidate }
      place += 1
    }
    left = left.slice(taken)
    await round.isOver()
  }
}
