// The places of a session that people can name: its start, its iterations, the best and the last of them, and what was salvaged.
import { dirname } from 'node:path'
import { openJournal } from '../adapters/journal/files.js'
import { salvaged } from '../adapters/workspace/salvage.js'
import { openStore, type Store } from '../adapters/workspace/store.js'
import { apply, type Best, type Effect, type Event, type Label, type Place, type Proof, type Session, type Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { JournalRecord } from '../ports.js'
import { fold, type Entry } from './catalogue.js'
import { systemClock } from './clock.js'
import { roomsOf, setupOf } from './recorded.js'

/** What one iteration did: the tree its first candidate was asked on, and its last candidate. */
export type Iteration = { number: number; from: Tree; to: Tree }

export type Named = Place & { name: string }

export type Places = {
  session: string
  start: Tree
  iterations: readonly Iteration[]
  /** The last that was called the best, even when a person has gone elsewhere since. */
  best: Place | null
  salvage: readonly { name: string; tree: Tree }[]
  /** Where the last `undo` or `redo` led; null when there was none. */
  moved: Place | null
  /** What the last end handed over, whatever a person has chosen since; null before an end. */
  ended: Tree | null
  accepted: { tree: Tree; note: string } | null
  /** What was made of a proved result by leaving things out, and what it was made from. */
  minimised: { tree: Tree; from: Place } | null
  /** How each tree was judged last. */
  judged: ReadonlyMap<Tree, Best>
  /** Trees that a check has passed, and that another one had yet to judge. */
  passed: ReadonlySet<Tree>
  /** How far each tree is proved that a passing seal has ended the session with, or that was made of one. */
  sealed: ReadonlyMap<Tree, Sealed>
}

export type Sealed = { proof: Proof; label: Label }

/** What would be handed over now. */
export function deliveredTree({ finish, tree }: Pick<Session, 'finish' | 'tree'>): Tree {
  return finish?.delivers ?? tree
}

export async function storeOf({ id, session, folder }: Pick<Entry, 'id' | 'session' | 'folder'>): Promise<Store> {
  const { source } = setupOf(session)
  if (source === undefined) throw new Refusal(EXIT.state, `session ${id} is from a version that kept no files`, `greenlatch path ${id}`)
  return openStore(roomsOf(dirname(folder)).store, source.kind === 'repository' ? source.format : 'sha1')
}

export async function readPlaces(entry: Pick<Entry, 'id' | 'session' | 'folder'>): Promise<Places> {
  const { id, session, folder } = entry
  const records = openJournal({ folder, fold, clock: systemClock, writable: false }).records()
  const kept = await salvaged(await storeOf(entry), id)
  const salvage = kept.map(({ ref, tree }) => ({ name: salvageName(ref), tree }))
  return { ...(await told(records)), session: id, start: session.start, salvage }
}

type Told = Pick<Places, 'iterations' | 'best' | 'moved' | 'ended' | 'accepted' | 'minimised' | 'judged' | 'passed' | 'sealed'>

async function told(records: AsyncIterable<JournalRecord>): Promise<Told> {
  const iterations = new Map<number, Iteration>()
  const judged = new Map<Tree, Best>()
  const passed = new Set<Tree>()
  const sealed = new Map<Tree, Sealed>()
  const rest: Omit<Told, 'iterations' | 'judged' | 'passed' | 'sealed'> = { best: null, moved: null, ended: null, accepted: null, minimised: null }
  let session: Session | null = null
  for await (const { events } of records) {
    for (const event of events) {
      noteCandidate(iterations, session?.outstanding ?? null, event)
      const before: Session | null = session
      session = apply(session, event)
      noteJudged(judged, session, event)
      if (session.passed !== null) passed.add(session.passed)
      noteSealed(sealed, session)
      if (event.type === 'undone' || event.type === 'redone') rest.moved = event.to
      else if (session.best !== before?.best) rest.best = session.best
      if (event.type === 'minimised' && before) rest.minimised = { tree: event.report.tree, from: { tree: deliveredTree(before), iteration: before.iteration } }
      if (event.type === 'decided' || event.type === 'minimised') rest.ended = session.finish?.delivers ?? null
      if (event.type === 'accepted') rest.accepted = { tree: event.tree, note: event.note }
    }
  }
  return { ...rest, judged, passed, sealed, iterations: [...iterations.values()] }
}

/** The last candidate of an iteration counts, and what it stood on is what the first was given. */
function noteCandidate(iterations: Map<number, Iteration>, effect: Effect | null, event: Event): void {
  if (event.type !== 'observed' || !effect || !makesCandidate(effect)) return
  const known = iterations.get(effect.iteration)
  iterations.set(effect.iteration, { number: effect.iteration, from: known?.from ?? effect.tree, to: event.report.tree })
}

function makesCandidate(effect: Effect): boolean {
  return effect.kind === 'ask' ? effect.yields === 'candidate' : effect.kind === 'workspace' && effect.action === 'materialise'
}

/** `after` has taken the event in. The start tree is judged by the baseline alone. */
function noteJudged(judged: Map<Tree, Best>, after: Session, event: Event): void {
  const { iteration, tree, facing: failing, origin } = after
  if (event.type === 'observed' && event.judgement.judged) {
    judged.set(tree, { iteration, tree, score: event.judgement.score, failing, heldByFloor: event.judgement.held })
  }
  if (event.type === 'minimised' && after.best) judged.set(tree, after.best)
  if (origin) judged.set(origin.tree, origin)
}

/** Only an end gives a label: a seal that passed on the way to another candidate has ended nothing. */
function noteSealed(sealed: Map<Tree, Sealed>, { finish, proof }: Session): void {
  if (finish && proof?.tree === finish.delivers && finish.label !== 'unverified') sealed.set(proof.tree, { proof, label: finish.label })
}

// ───────────────────────────── names ─────────────────────────────

/** What people call a salvage, such as `salvage/1`, by its ref. */
export function salvageName(ref: string): string {
  return ref.split('/').slice(-2).join('/')
}

const MINIMISED = 'minimised'

/** Throws Refusal for a name that means no place of this session, and says which there are. */
export function placeNamed(places: Places, word: string): Named {
  const found = find(places, word)
  if (found) return found
  const { session } = places
  throw new Refusal(EXIT.usage, `session ${session} has no place "${word}": it has ${describe(places)}`, `greenlatch logs ${session}`)
}

function find(places: Places, word: string): Named | null {
  const { iterations, best, salvage, start } = places
  if (word === 'start' || /^0+$/.test(word)) return { name: 'start', iteration: 0, tree: start }
  if (word === 'best') return best && nameOf(places, best)
  if (word === 'last') return placeOf(iterations.at(-1)) ?? { name: 'start', iteration: 0, tree: start }
  if (word === MINIMISED) return places.minimised && { name: MINIMISED, iteration: places.minimised.from.iteration, tree: places.minimised.tree }
  if (/^\d{1,9}$/.test(word)) return placeOf(iterations.find(({ number }) => number === Number(word)))
  const kept = salvage.find(({ name }) => name === word)
  return kept ? { ...kept, iteration: iterations.at(-1)?.number ?? 0 } : null
}

function placeOf(iteration: Iteration | undefined): Named | null {
  return iteration ? { name: `iteration ${iteration.number}`, iteration: iteration.number, tree: iteration.to } : null
}

/**
 * A tree under the name people know it by: the iteration that it is the best of, as the session tells it, else the newest that made it. One
 * that was asked on it and changed nothing has not made it.
 */
export function nameOf(places: Places, { tree, iteration }: Place): Named {
  if (tree === places.start) return { name: 'start', iteration: 0, tree }
  const { best, iterations } = places
  const ways = iterations.filter((other) => other.to === tree)
  const made = ways.find(({ number }) => best?.tree === tree && number === best.iteration) ?? ways.findLast(({ from }) => from !== tree) ?? ways.at(-1)
  const kept = places.salvage.find((other) => other.tree === tree)
  const smaller = places.minimised?.tree === tree ? MINIMISED : undefined
  return placeOf(made) ?? { name: smaller ?? kept?.name ?? `tree ${tree.slice(0, 12)}`, iteration, tree }
}

/** How a place is typed. */
export function wordOf({ name }: Named): string {
  return /^iteration (\d+)$/.exec(name)?.[1] ?? name
}

function describe({ iterations, best, minimised, salvage }: Places): string {
  const numbers = iterations.map(({ number }) => number)
  const [first, last] = [numbers[0], numbers.at(-1)]
  const isRow = first !== undefined && last !== undefined && last - first === numbers.length - 1 && numbers.length > 2
  const row = isRow ? [`${first} to ${last}`] : numbers
  return ['start', ...row, ...(best ? ['best'] : []), 'last', ...(minimised ? [MINIMISED] : []), ...salvage.map(({ name }) => name)].join(', ')
}

/** From where to where: `3..5` between two places, or one iteration as what it did itself. */
export function spanNamed(places: Places, text: string): { from: Named; to: Named } {
  const [, one, other] = /^(.+)\.\.(.+)$/.exec(text) ?? []
  if (one !== undefined && other !== undefined) return { from: placeNamed(places, one), to: placeNamed(places, other) }
  const to = placeNamed(places, text)
  if (to.name === 'start') throw new Refusal(EXIT.usage, 'nothing led to the start', `greenlatch diff ${places.session} --iter 0..1`)
  const made = places.iterations.find(({ number, to: tree }) => number === to.iteration && tree === to.tree)
  const from = { tree: made?.from ?? places.start, iteration: to.iteration }
  // It began with what had been made by then, though the same was made again later.
  const before = places.iterations.filter(({ number, to: tree }) => number < to.iteration && tree === from.tree)
  return { from: nameOf(before.length > 0 ? { ...places, iterations: before } : places, from), to }
}
