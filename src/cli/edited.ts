// A session in the user's own folder: what they have changed there since it came to rest is theirs, and nothing of it is put back unasked.
import { changedEntries } from '../adapters/workspace/changes.js'
import { salvage } from '../adapters/workspace/salvage.js'
import { snapshot } from '../adapters/workspace/snapshot.js'
import type { Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { named } from './accept-repository.js'
import { whileOwned, type AtRest } from './at-rest.js'
import type { Entry } from './catalogue.js'
import { siteOf } from './ground.js'
import type { Output } from './output.js'
import { deliveredTree, nameOf, readPlaces, salvageName, wordOf, type Places } from './places.js'
import { setupOf } from './recorded.js'

/** `again` is the command that goes on. Throws Refusal with what was changed, kept under a name by then. */
export async function refuseEdited(entry: Entry, output: Output, again: string): Promise<void> {
  if (!setupOf(entry.session).place.inPlace || isAtWork(entry)) return
  await whileOwned(entry, output, async (owned) => {
    const found = await strange(owned)
    if (found) throw await edited(owned, found, again)
  })
}

/** A person who was asked works there; and what a process left that was killed cannot be told from what they did since. */
function isAtWork({ standing, session }: Entry): boolean {
  return standing === 'waiting' || standing === 'answered' || (standing === 'interrupted' && session.rest === 'running')
}

type Left = Pick<AtRest, 'id' | 'folder' | 'session'>
type Found = { tree: Tree; places: Places }

/** What stands in the folder, when it is none of the session's places. */
async function strange(left: Left): Promise<Found | null> {
  const { session, folder } = left
  const { tree } = await snapshot(await siteOf(setupOf(session), session, folder))
  const places = await readPlaces(left)
  const { start, iterations, salvage: kept } = places
  const isKnown = tree === start || iterations.some(({ from, to }) => tree === from || tree === to) || kept.some((one) => one.tree === tree)
  return isKnown ? null : { tree, places }
}

async function edited(owned: AtRest, { tree, places }: Found, again: string): Promise<Refusal> {
  const { session, folder, id } = owned
  const { store } = await siteOf(setupOf(session), session, folder)
  const stands = session.outstanding?.tree ?? deliveredTree(session)
  const paths = (await changedEntries(store, stands, tree)).map(({ path }) => path)
  const kept = await keepAs(owned, tree, 'changed by hand')
  const word = wordOf(nameOf(places, { tree: stands, iteration: 0 }))
  const what = `you have changed ${named(paths)} in the folder since session ${id} was at work there (kept as ${kept})`
  const text = `${what}; to go on without that: greenlatch undo ${id} --to ${word}`
  return new Refusal(EXIT.usage, text, `greenlatch undo ${id} --to ${kept} && ${again}`)
}

/** What a session that was cut off leaves in the user's folder is kept at once: so it is told later from what they do there. */
export async function keepLeft(left: Left, output: Pick<Output, 'say'>): Promise<void> {
  if (!setupOf(left.session).place.inPlace) return
  try {
    const found = await strange(left)
    if (found) await keepAs(left, found.tree, 'cut off')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    output.say(`warning: what the agent left in your folder was not kept: ${error.message}`)
  }
}

async function keepAs({ session, folder, id }: Left, tree: Tree, message: string): Promise<string> {
  const { store } = await siteOf(setupOf(session), session, folder)
  return salvageName(await salvage(store, { session: id, tree, message, at: session.openedAt }))
}
