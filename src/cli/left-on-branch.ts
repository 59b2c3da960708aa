// What a session with a branch of its own leaves in the user's files when it fails, and takes back when it is gone on with.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closeRoom, readIntent, roomOf } from '../adapters/workspace/accept-room.js'
import type { Store } from '../adapters/workspace/store.js'
import type { Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { writeDurable } from '../files/durable.js'
import type { WorkTreeFacts } from '../git/inspect.js'
import { isDirty } from '../git/policy.js'
import { finishLaying, layFiles } from './accept-files.js'
import type { Delivery, RepositorySource } from './accept-repository.js'
import { branchFacts, featureBranch } from './feature-branch.js'
import { hasBranchPhase } from './session-flags.js'
import type { Setup } from './setup.js'

/** Leaves what the session delivers in the user's files, uncommitted, when they stand on its branch; null when there is nothing to say. */
export async function leaveOnBranch(setup: Setup, session: Session, store: Store, folder: string): Promise<string | null> {
  const { source, place } = setup
  const { finish } = session
  if (!finish || finish.code === 0 || source.kind !== 'repository' || !hasBranchPhase(session.procedure)) return null
  const before = readLeft(folder) ?? session.start
  if (finish.delivers === before) return null
  const name = featureBranch(setup, session.id)
  const which = `the ${place.leave} candidate`
  try {
    const facts = await branchFacts(source, folder)
    if (!mayLay(facts, source, name, folder)) return `${which} is not in your files, since they are not clean or not on ${name}: greenlatch diff ${session.id}`
    await lay(session, store, folder, { facts, from: before, to: finish.delivers })
    return `${which} is left in your files on ${name}, not committed: git diff shows it, git stash -u puts it away`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `warning: ${which} is not in your files: ${error.message}; greenlatch diff ${session.id} shows it`
  }
}

/** Before a commit: what was left there would stand in its way. What the user has done to it since stays theirs. */
export async function takeBackLeft(setup: Setup, source: RepositorySource, session: Session, store: Store, folder: string): Promise<'nothing' | 'taken back'> {
  const left = readLeft(folder)
  if (left === null) return 'nothing'
  const facts = await branchFacts(source, folder)
  if (mayLay(facts, source, featureBranch(setup, session.id), folder)) await lay(session, store, folder, { facts, from: left, to: session.start })
  else rmSync(markOf(folder), { force: true })
  return 'taken back'
}

/** On the branch, with nothing committed there since; unclean only by what we left ourselves. */
function mayLay({ head, dirty }: WorkTreeFacts, source: RepositorySource, name: string, folder: string): boolean {
  return head.branch === name && head.commit === source.head && (!isDirty(dirty) || readLeft(folder) !== null)
}

type Way = { facts: WorkTreeFacts; from: Tree; to: Tree }

/** The mark comes first, so that after a crash it is known whose the files are; it goes last. */
async function lay(session: Session, store: Store, folder: string, { facts, from, to }: Way): Promise<void> {
  const owned = { id: session.id, folder, session, write: () => {} }
  const delivery: Delivery = { owned, store, base: from, result: to, message: '', say: () => {} }
  const intent = readIntent(roomOf(folder))
  if (intent?.kind === 'files') await finishLaying(delivery, facts, intent)
  if (to !== session.start) writeDurable(markOf(folder), `${JSON.stringify({ tree: to })}\n`)
  await layFiles(delivery, facts)
  closeRoom(roomOf(folder))
  if (to === session.start) rmSync(markOf(folder), { force: true })
}

function markOf(folder: string): string {
  return join(folder, 'left.json')
}

/** The tree that was left in the user's files; null when none is there. */
function readLeft(folder: string): Tree | null {
  if (!existsSync(markOf(folder))) return null
  try {
    return (JSON.parse(readFileSync(markOf(folder), 'utf8')) as { tree: Tree }).tree
  } catch {
    throw new Refusal(EXIT.state, `${markOf(folder)} cannot be read, so what was left in your files is unknown`, `rm ${markOf(folder)}`)
  }
}
