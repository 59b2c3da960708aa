// What `undo` and `redo` share: a session goes to another of its trees, and so does the folder it works in.
import { readIntent, roomOf } from '../adapters/workspace/accept-room.js'
import { readMark } from '../adapters/workspace/checkout-mark.js'
import { stand } from '../adapters/workspace/restore.js'
import type { Place, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { cutOff, whileOwned, type AtRest } from './at-rest.js'
import { findSession, readEntry } from './catalogue.js'
import type { Context } from './context.js'
import { siteOf } from './ground.js'
import { deliveredTree, nameOf, readPlaces, type Named, type Places } from './places.js'
import { setupOf } from './wire.js'

/** Chooses where to, from the places there are; throws Refusal when there is no such place. */
export type Choose = (places: Places, here: Named, owned: AtRest) => Named

export type Went = { type: 'undone' | 'redone'; choose: Choose }

export async function goElsewhere(context: Context, named: string | undefined, { type, choose }: Went): Promise<number> {
  const entry = await readEntry(context.store, findSession(context.store, named))
  return whileOwned(entry, context.output, async (owned) => {
    refuseHalfAccepted(owned)
    const places = await readPlaces(owned)
    const here = nameOf(places, { tree: deliveredTree(owned.session), iteration: owned.session.iteration })
    refuseAccepted(places, here)
    const to = choose(places, here, owned)
    const next = `greenlatch diff ${owned.id}`
    if (to.tree === here.tree) throw new Refusal(EXIT.usage, `session ${owned.id} stands on ${here.name} already`, next)
    // The folder first: what is typed again after a crash then does the rest, and not one step more.
    const salvage = await moveFolder(context, owned, to.tree, type)
    owned.write([...cutOff(owned), { type, from: plain(here), to: plain(to) }])
    tell(context, owned, { from: here, to, salvage })
    return 0
  })
}

function refuseHalfAccepted({ id, folder }: AtRest): void {
  if (readIntent(roomOf(folder)) === null) return
  throw new Refusal(EXIT.usage, `an accept of session ${id} was cut off and has to be finished first`, `greenlatch accept ${id}`)
}

function plain({ iteration, tree }: Named): Place {
  return { iteration, tree }
}

/** What was accepted is in the user's hands, and taken back there. */
function refuseAccepted({ accepted, session }: Places, here: Named): void {
  if (accepted?.tree !== here.tree) return
  const commit = /\bcommit ([0-9a-f]{40,64})\b/.exec(accepted.note)?.[1]
  const next = commit === undefined ? `greenlatch diff ${session}` : `git revert ${commit}`
  throw new Refusal(EXIT.usage, `session ${session} was accepted: ${accepted.note}`, next)
}

/** A checkout that was cleaned away is made when the session goes on. Returns the name of what stood there and was in no tree. */
async function moveFolder({ output }: Context, { session, folder, id }: AtRest, tree: Tree, why: string): Promise<string | null> {
  const setup = setupOf(session)
  const site = await siteOf(setup, session, folder)
  if (!setup.place.inPlace && readMark(site.folder)?.state !== 'whole') return null
  const { salvaged, notices } = await stand({ ...site, base: deliveredTree(session), session: id, tree, at: session.openedAt, why })
  for (const notice of notices) output.say(`warning: ${notice}`)
  return salvaged === null ? null : salvaged.split('/').slice(-2).join('/')
}

type Move = { from: Named; to: Named; salvage: string | null }

function tell({ output }: Context, { session, id }: AtRest, { from, to, salvage }: Move): void {
  const { finish, undone } = session
  const fields = { session: id, from, to, label: finish?.label ?? null, salvage, redo: undone.length }
  if (output.format !== 'text') return output.json(fields)
  output.data(`${to.name}${finish ? ` (${finish.label})` : ''}`)
  if (salvage !== null) output.say(`what stood there was in no iteration and is kept as ${salvage}`)
  const forward = undone.length > 0 ? `\n  forward again:  greenlatch redo ${id}` : ''
  output.say(`session ${id} went from ${from.name} to ${to.name}\n  what it holds:  greenlatch diff ${id}${forward}`)
}
