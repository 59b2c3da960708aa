// `accept`: brings the result of a session to the user's branch, or into their files where it did not begin with a commit.
import { openFolder } from '../../adapters/journal/folder.js'
import { failingText, namedFailures } from '../../adapters/reporters/known-failures.js'
import { closeRoom, readIntent, roomOf } from '../../adapters/workspace/accept-room.js'
import { changes } from '../../adapters/workspace/changes.js'
import type { Store } from '../../adapters/workspace/store.js'
import { isProgress, type Session, type Tree } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import type { WorkTreeFacts } from '../../git/inspect.js'
import { counted } from '../../text/amounts.js'
import { exceptionsOf } from '../../text/exceptions.js'
import { isUnproved } from '../../text/failures/failing-words.js'
import { acceptFiles, finishAcceptedFiles, type AcceptedFiles } from '../accept-files.js'
import { commitMessage } from '../accept-message.js'
import {
  acceptBranch, acceptCommit, beganWithCommit, factsOf, landingFor, recoverCommit, type Accepted, type Delivery,
} from '../accept-repository.js'
import { wishOf, type AcceptFlags, type Wish } from '../accept-wish.js'
import { refuseAgents, whileOwned, type AtRest } from '../at-rest.js'
import { typeable } from '../carried.js'
import { readEntry, standingOf, stateOf } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import { holds, isInHand } from '../in-hand.js'
import { takeBackLeft } from '../left-on-branch.js'
import { deliveredTree, readPlaces, storeOf, type Places } from '../places.js'
import type { Call } from '../program.js'
import { standOfTree, type Stand } from '../stand.js'
import { commitIn, takeBackCommand } from '../take-back.js'
import { setupOf, TASK_FILE } from '../recorded.js'

type Done = Accepted | AcceptedFiles

export default async function accept({ args, flags }: Call<AcceptFlags>): Promise<number> {
  refuseAgents('accept its own work')
  const wish = wishOf(flags)
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  return whileOwned(entry, context.output, async (owned) => {
    const store = await storeOf(owned)
    const done = (await finishCutOff(context, owned, store)) ?? (await acceptNow(context, owned, store, wish))
    owned.write([{ type: 'accepted', tree: done.result, note: done.note }])
    closeRoom(roomOf(owned.folder))
    tell(context, owned, done, await accountOf(owned, store, done))
    return 0
  })
}

/** As it stands now; null for a folder without git. */
async function factsNow({ session }: AtRest): Promise<WorkTreeFacts | null> {
  const { source } = setupOf(session)
  return source.kind === 'repository' ? factsOf(source) : null
}

/** An accept that was cut off comes first, whatever is asked for now. */
async function finishCutOff({ output }: Context, owned: AtRest, store: Store): Promise<Done | null> {
  const intent = readIntent(roomOf(owned.folder))
  // All but taking its room away was done when that one is in the journal.
  if (intent === null || owned.session.accepted === intent.result) return null
  const facts = await factsNow(owned)
  output.say(`an accept of session ${owned.id} was cut off`)
  const { start } = owned.session
  const { source } = setupOf(owned.session)
  const delivery: Delivery = { owned, store, base: start, result: intent.result, message: '', say: output.say }
  if (intent.kind === 'files') return finishAcceptedFiles(delivery, facts, intent)
  return facts && recoverCommit(landingFor(owned, store, facts, output.say), source, intent)
}

async function acceptNow({ output }: Context, owned: AtRest, store: Store, wish: Wish): Promise<Done> {
  const { session, folder } = owned
  closeRoom(roomOf(folder))
  const { source } = setupOf(session)
  const before = await factsNow(owned)
  const places = await readPlaces(owned)
  const result = deliveredTree(session)
  refuseNeedless(owned, places, result, places.accepted && (await isInHand(places.accepted, before)) ? 'in hand' : 'taken back')
  const left = source.kind === 'repository' ? await takeBackLeft(setupOf(session), source, session, store, folder) : 'nothing'
  const facts = left === 'nothing' ? before : await factsNow(owned)
  const state = stateOf(session, standingOf(session, folder))
  const message = commitMessage(session, { state, stand: standOfTree(places, result) }, openFolder(folder).read(TASK_FILE) ?? null, wish.message)
  const base = (facts && (await acceptedIn(places, facts))) ?? session.start
  const delivery: Delivery = { owned, store, base, result, message, say: output.say }
  if (source.kind === 'repository' && facts && wish.kind === 'branch') return acceptBranch(delivery, source, facts, wish)
  if (source.kind === 'repository' && facts && (await beganWithCommit(session, facts))) return acceptCommit(delivery, source, facts, wish)
  return acceptFiles({ ...delivery, base: session.start }, facts, wish)
}

function refuseNeedless({ id, session }: AtRest, places: Places, result: Tree, before: 'in hand' | 'taken back'): void {
  const { accepted, start } = places
  const { place, source } = setupOf(session)
  if (place.inPlace) {
    const next = source.kind === 'repository' ? 'git add -A && git commit' : `greenlatch diff ${id}`
    throw new Refusal(EXIT.usage, `session ${id} worked in your own folder: its result is there already`, next)
  }
  const refuse = (text: string, next: string): Refusal => new Refusal(EXIT.usage, `session ${id} ${text}`, next)
  // Whether files are there that were never committed is seen when they are laid.
  const isCommitted = accepted !== null && commitIn(accepted.note) !== undefined
  if (isCommitted && accepted.tree === result && before === 'in hand') throw refuse(`was accepted already: ${accepted.note}`, whereTo(id, accepted.note))
  if (result === start) throw refuse('has nothing to accept: it stands on what it began with', `greenlatch logs ${id}`)
  const allTheSame = typeable(`to have it all the same: greenlatch diff ${id} | git apply`)
  if (isNoBetter(session, places, result)) throw refuse(`is not over, and ${standOfTree(places, result).name} is no better than what it began with (${allTheSame})`, `greenlatch resume ${id}`)
}

/** As the checks tell: what a session that is cut off stands on need not be the best of it. What a person chose is theirs to judge. */
function isNoBetter({ finish, origin }: Session, { judged, moved }: Places, result: Tree): boolean {
  const found = judged.get(result)
  return finish === null && origin !== null && found !== undefined && moved?.tree !== result && !isProgress(found.score, origin.score)
}

function whereTo(id: string, note: string): string {
  const commit = commitIn(note)
  const branch = /^branch (\S+),/.exec(note)?.[1]
  return branch !== undefined ? `git merge ${branch}` : commit !== undefined ? `git show ${commit}` : `greenlatch diff ${id}`
}

/** What was accepted before and is still part of HEAD is not brought again. */
async function acceptedIn({ accepted }: Places, facts: WorkTreeFacts): Promise<Tree | null> {
  const commit = accepted ? commitIn(accepted.note) : undefined
  return accepted && commit !== undefined && (await holds(facts, 'HEAD', commit)) ? accepted.tree : null
}

type Account = { state: string; label: string; exceptions: readonly string[]; files: number; lines: number; stand: Stand; warning: string; top: string; takeBack: string }

/** Which state it is, how far it is proved and how it is taken back, which whoever accepts it should know. */
async function accountOf(owned: AtRest, store: Store, { result, note }: Done): Promise<Account> {
  const { session, folder } = owned
  const { top } = setupOf(session).source
  const places = await readPlaces(owned)
  const { changes: found, lines } = await changes(store, session.start, result, 'followed')
  return {
    state: stateOf(session, standingOf(session, folder)),
    label: session.finish?.label ?? 'unverified',
    exceptions: exceptionsOf(session),
    files: found.length,
    lines,
    stand: standOfTree(places, result),
    warning: warningFor(owned, standOfTree(places, result)),
    top,
    takeBack: typeable(takeBackCommand(places, { tree: result, note }, top)),
  }
}

/** Of what fails, waits for the deciding check, or was never checked though there was something to check it by. */
function warningFor({ id, session }: AtRest, { name, failing }: Stand): string {
  const { gates, best } = session
  if (isUnproved(session)) return `${name} passes, and is not proved: the deciding check is not over:  greenlatch resume ${id}`
  if (failing !== null) return failing.length === 0 ? '' : `${name} does not pass: ${namedFailures(failing)}`
  if (gates.length === 0) return ''
  const checked = best ? `; what was checked and did best:  greenlatch undo ${id} --to ${best.iteration}` : ''
  return `${name} was never checked${checked}`
}

function tell({ output }: Context, { id }: AtRest, done: Done, account: Account): void {
  const { result, note: _, ...rest } = done
  const { state, label, exceptions, files, lines, stand, warning, top, takeBack } = account
  const fields = { state, label, exceptions, place: stand.name, failing: stand.failing?.length ?? null, files, lines, take_back: takeBack }
  if (output.format !== 'text') return output.json({ session: id, accepted: rest, tree: result, ...fields })
  const changed = `${counted(files, 'file')}, ${counted(lines, 'line')} changed`
  output.say(`${stand.name}, ${failingText(stand.failing)} (session ${state}, ${label}): ${changed}`)
  for (const text of exceptions) output.say(`  except:  ${text}`)
  if (warning !== '') output.say(`warning: ${warning}`)
  output.data(done.kind === 'files' ? `${counted(done.files, 'file')} written into ${printable(top)}` : done.commit)
  output.say(`${wordsFor(id, done)}\n  take it back:  ${takeBack}`)
}

function wordsFor(id: string, done: Done): string {
  switch (done.kind) {
    case 'commit':
      return `accepted on ${done.branch}${elsewhere(done)}\n  look at it:    git show ${done.commit}`
    case 'branch':
      return `accepted as the branch ${done.branch}; nothing else of yours was touched\n  go on:         git merge ${done.branch}`
    case 'files': {
      const before = done.salvage === null ? '' : `\n  before it:     greenlatch diff ${id} --iter start..${done.salvage}`
      return `accepted into your files; nothing is committed${before}`
    }
  }
}

function elsewhere({ branch, began }: Accepted): string {
  if (began === branch) return ''
  return `, though the session began ${began === null ? 'with a detached HEAD' : `on ${began}`}`
}
