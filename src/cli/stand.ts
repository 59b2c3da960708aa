// What a session would hand over now, by the name people know it by, with what the checks said of it.
import { failingText, knownFailures } from '../adapters/reporters/known-failures.js'
import type { Failure, Finish, Session, Tree } from '../core/index.js'
import { Refusal } from '../errors.js'
import { iterationOf } from '../text/iterations.js'
import type { Entry } from './catalogue.js'
import { deliveredTree, nameOf, readPlaces, type Places } from './places.js'

export type Stand = {
  name: string
  /** Null where nobody has checked it. */
  failing: readonly Failure[] | null
  /** A person chose it in the place of what the session had ended with. */
  isChosen: boolean
}

type Read = Pick<Entry, 'id' | 'session' | 'folder'>

/** The session itself tells, unless it was moved or made smaller since: then its journal does. */
export async function standOf(entry: Read): Promise<Stand> {
  const { session } = entry
  const places = session.undone.length === 0 && !isMinimised(session) ? null : await placesOf(entry)
  return places ? standOfTree(places, deliveredTree(session)) : standBySession(session)
}

/** A proved result is the last candidate, unless something was left out of it. */
function isMinimised(session: Session): boolean {
  return session.finish?.outcome === 'converged' && deliveredTree(session) !== session.candidate
}

/** What was brought to the user last. */
export async function acceptedOf(entry: Read): Promise<Places['accepted']> {
  return entry.session.accepted === null ? null : ((await placesOf(entry))?.accepted ?? null)
}

/** Null when its store cannot be read, which must not keep anyone from being told the rest. */
async function placesOf(entry: Read): Promise<Places | null> {
  return readPlaces(entry).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}

export function standOfTree(places: Places, tree: Tree): Stand {
  const isChosen = places.ended !== null && places.ended !== tree
  return { name: nameOf(places, { tree, iteration: 0 }).name, failing: places.judged.get(tree)?.failing ?? (places.passed.has(tree) ? [] : null), isChosen }
}

function standBySession(session: Session): Stand {
  const iteration = iterationOf(session, deliveredTree(session))
  return { name: iteration === 0 ? 'start' : `iteration ${iteration}`, failing: knownFailures(session), isChosen: false }
}

/** How it ended, and how far that is proved of what it stands on. */
export function endText({ outcome, label, code }: Pick<Finish, 'outcome' | 'label' | 'code'>, { isChosen }: Stand): string {
  return isChosen ? `${outcome}; another state was chosen since, which is ${label}` : `${outcome} · ${label} · exit ${code}`
}

/** Why it ended, which says nothing of a state that a person chose since then. */
export function whyText(why: string, stand: Stand): string {
  return stand.isChosen ? `a person chose ${standText(stand)}; it had ended with: ${why}` : why
}

export function standText({ name, failing }: Stand): string {
  return `${name} (${failingText(failing)})`
}
