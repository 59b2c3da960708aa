// What `undo` and `redo` share: a session goes to another of its trees, and so does the folder it works in.
import { failingText } from '../adapters/reporters/known-failures.js'
import { readIntent, roomOf } from '../adapters/workspace/accept-room.js'
import { readMark } from '../adapters/workspace/checkout-mark.js'
import { stand } from '../adapters/workspace/restore.js'
import type { Best, Place, Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { factsOf } from './accept-repository.js'
import { cutOff, whileOwned, type AtRest } from './at-rest.js'
import { readEntry } from './catalogue.js'
import type { Context } from './context.js'
import { findSession } from './find-session.js'
import { siteOf } from './ground.js'
import { isInHand } from './in-hand.js'
import { deliveredTree, nameOf, readPlaces, salvageName, type Named, type Places, type Sealed } from './places.js'
import { takeBackCommand } from './take-back.js'
import { setupOf } from './recorded.js'

/** Chooses where to, from the places there are; throws Refusal when there is no such place. */
export type Choose = (places: Places, here: Named, owned: AtRest) => Named

export type Went = { type: 'undone' | 'redone'; choose: Choose }

export async function goElsewhere(context: Context, named: string | undefined, { type, choose }: Went): Promise<number> {
  const entry = await readEntry(context.store, await findSession(context, named))
  return whileOwned(entry, context.output, async (owned) => {
    refuseHalfAccepted(owned)
    const places = await readPlaces(owned)
    const here = nameOf(places, { tree: deliveredTree(owned.session), iteration: owned.session.iteration })
    await refuseAccepted(places, here, owned.session)
    const to = choose(places, here, owned)
    // The folder first: what is typed again after a crash then does the rest, and not one step more.
    const salvage = await moveFolder(context.output.say, owned, to.tree, type)
    // A session that ended by a candidate that could not be judged would go on from that one, whatever it hands over.
    const at = to.tree === here.tree ? nameOf(places, { tree: owned.session.tree, iteration: owned.session.iteration }) : here
    const stays = to.tree === at.tree
    if (stays && salvage === null) {
      throw new Refusal(EXIT.usage, `session ${owned.id} stands on ${here.name} already`, `greenlatch diff ${owned.id}`)
    }
    if (!stays) owned.write([...cutOff(owned), { type, from: plain(at), to: plain(to), ...markOf(places, to) }])
    tell(context, owned, { from: at, to, salvage, judged: places.judged.get(to.tree) })
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

/**
 * What candidates are measured by from then on, and how far it was proved. A start tree with nothing to prove is no mark: every first try
 * would be thrown away.
 */
function markOf({ judged, sealed, start }: Places, { tree }: Named): { best?: Best; sealed?: Sealed } {
  const best = judged.get(tree)
  const proved = sealed.get(tree)
  return { ...(best && (tree !== start || best.score[1] > 0) && { best }), ...(proved && { sealed: proved }) }
}

/** What was accepted is in the user's hands, and taken back there; once that is done, the way is free. */
async function refuseAccepted(places: Places, here: Named, session: Session): Promise<void> {
  const { accepted } = places
  const { source } = setupOf(session)
  if (accepted?.tree !== here.tree || !(await isInHand(accepted, source.kind === 'repository' ? await factsOf(source) : null))) return
  const next = takeBackCommand(places, accepted, source.top)
  throw new Refusal(EXIT.usage, `session ${session.id} was accepted: ${accepted.note}`, next)
}

/** A checkout that was cleaned away is made when the session goes on. Returns the name of what stood there and was in no tree. */
export async function moveFolder(say: (text: string) => void, { session, folder, id }: AtRest, tree: Tree, why: string): Promise<string | null> {
  const setup = setupOf(session)
  const site = await siteOf(setup, session, folder)
  if (!setup.place.inPlace && readMark(site.folder)?.state !== 'whole') return null
  const { salvaged, notices } = await stand({ ...site, session: id, tree, at: session.openedAt, why })
  for (const notice of notices) say(`warning: ${notice}`)
  return salvaged === null ? null : salvageName(salvaged)
}

type Move = { from: Named; to: Named; salvage: string | null; judged: Best | undefined }

function tell({ output }: Context, { session, id }: AtRest, { from, to, salvage, judged }: Move): void {
  const { finish, undone } = session
  const failing = judged?.failing ?? null
  const fields = { session: id, from, to, label: finish?.label ?? null, failing: failing?.length ?? null, salvage, redo: undone.length }
  if (output.format !== 'text') return output.json(fields)
  output.data(`${to.name}${finish ? ` (${finish.label})` : ''}`)
  const back = `\n  bring it back:  greenlatch undo ${id} --to ${salvage}`
  if (salvage !== null) output.say(`what stood there was in no iteration and is kept as ${salvage}${back}`)
  const forward = undone.length > 0 ? `\n  forward again:  greenlatch redo ${id}` : ''
  const went = from.tree === to.tree ? `stands on ${to.name} again` : `went from ${from.name} to ${to.name}`
  output.say(`session ${id} ${went} (${failingText(failing)})\n  what it holds:  greenlatch diff ${id}${forward}`)
}
