// Brings the result of a session to the user's branch: looks at their repository, merges, and lands it as a commit.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { landBranch } from '../adapters/workspace/accept-branch.js'
import { requireIdentity } from '../adapters/workspace/accept-commit.js'
import { land, type LandRequest } from '../adapters/workspace/accept-land.js'
import { mergeTrees } from '../adapters/workspace/accept-merge.js'
import { recover } from '../adapters/workspace/accept-recover.js'
import { openRoom, repositoryOf, roomOf, type CommitIntent, type Landing } from '../adapters/workspace/accept-room.js'
import { importTree } from '../adapters/workspace/objects.js'
import type { Store } from '../adapters/workspace/store.js'
import type { Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { shownPath, type BytePath } from '../files/byte-path.js'
import { printable } from '../files/durable.js'
import type { FilterUse } from '../git/filters.js'
import { git } from '../git/git.js'
import { inspect, type WorkTreeFacts } from '../git/inspect.js'
import { lockRefusal, refusalOf } from '../git/policy.js'
import { counted } from '../text/amounts.js'
import { quoteWord } from '../text/prompt/quote.js'
import type { AtRest } from './at-rest.js'
import type { Wish } from './accept-wish.js'
import type { Source } from './ground.js'
import { onSignals } from './signals.js'
import { setupOf } from './recorded.js'

export type RepositorySource = Extract<Source, { kind: 'repository' }>

/** What is to be brought where. `base` is what the result is measured against. */
export type Delivery = { owned: AtRest; store: Store; base: Tree; result: Tree; message: string; say: (text: string) => void }

/** `note` is what the journal keeps of it; `began` is the branch that the session was opened on. */
export type Accepted = { kind: 'commit' | 'branch'; note: string; result: Tree; commit: string; branch: string; began: string | null }

const MOST_NAMED = 5

/** The repository as it stands now, which may be long after the session began. Throws Refusal for one that nothing can be done with. */
export async function factsOf({ top }: RepositorySource, ownFiles: readonly string[] = []): Promise<WorkTreeFacts> {
  const facts = existsSync(top) ? await inspect(top, ownFiles.map((path) => join(top, path))) : null
  if (facts?.kind === 'work tree' && facts.topLevel === top) return facts
  const what = `${printable(top)} is not, or is no longer, the repository that the session began in`
  throw new Refusal(EXIT.state, what, 'greenlatch diff | git apply')
}

export function landingFor(owned: Pick<AtRest, 'id' | 'folder'>, store: Store, facts: WorkTreeFacts, say: (text: string) => void): Landing {
  const { topLevel, gitDir, commonDir, objects } = facts
  const { id: session, folder } = owned
  return { topLevel, gitDir, commonDir, objects, session, store, room: roomOf(folder), aside: join(folder, 'aside'), say }
}

/** A session that took uncommitted changes along has no commit to put its result on, unless there were none. */
export async function beganWithCommit(session: Session, facts: WorkTreeFacts | null): Promise<boolean> {
  const { source, place } = setupOf(session)
  if (source.kind === 'folder' || facts === null || place.dirty !== 'include') return source.kind === 'repository'
  if (source.head === null) return false
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${source.head}^{tree}`]
  return (await git({ gitDir: facts.gitDir, config: 'foreign' }, args, { accepts: [1, 128] })).text === session.start
}

/** The commit when an accept that was cut off has landed after all. */
export async function recoverCommit(landing: Landing, source: Source, intent: CommitIntent): Promise<Accepted | null> {
  const commit = await recover(landing, intent)
  return commit === null ? null : acceptedAs(landing, commit, { branch: intent.branch, result: intent.result, source })
}

type Landed = { branch: string; result: Tree; source: Source }

/** That it is a merge is told in the note: it is taken back by another command. */
async function acceptedAs(landing: Landing, commit: string, { branch, result, source }: Landed): Promise<Accepted> {
  const began = source.kind === 'repository' ? source.branch : null
  const second = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^2`]
  const { code } = await git(repositoryOf(landing), second, { accepts: [1, 128] })
  return { kind: 'commit', note: `${code === 0 ? 'merge ' : ''}commit ${commit} on ${branch}`, result, commit, branch, began }
}

export async function acceptBranch(delivery: Delivery, source: RepositorySource, facts: WorkTreeFacts, wish: Wish): Promise<Accepted> {
  const { owned, store, result, message, say } = delivery
  const refusal = refusalOf({ ...facts, operation: null, filters: [] }, { dirty: 'ignore' })
  if (refusal) throw refusal
  const use = (await beganWithCommit(owned.session, facts)) ? undefined : facts.filters.find(({ isSetUp }) => isSetUp)
  if (use) throw storedOtherwise(owned.id, use)
  const landing = landingFor(owned, store, facts, say)
  await requireIdentity(landing)
  const parents = source.head === null ? [] : [source.head]
  for (const parent of parents) await requireCommit(landing, parent)
  openRoom(landing.room)
  const commit = await landBranch(landing, wish.branch, { tree: result, parents, message, at: new Date() })
  return { kind: 'branch', note: `branch ${wish.branch}, commit ${commit}`, result, commit, branch: wish.branch, began: source.branch }
}

export async function acceptCommit(delivery: Delivery, source: RepositorySource, facts: WorkTreeFacts, wish: Wish): Promise<Accepted> {
  const { owned, store, say, message, result } = delivery
  const { head, branch } = requireBranch(owned.id, facts)
  refuseState(owned.id, facts, wish)
  const landing = landingFor(owned, store, facts, say)
  await requireIdentity(landing)
  const from = await importTree(store, { ...repositoryOf(landing), alternates: facts.objects.folders }, head)
  const to = await merged(delivery, facts, from)
  const stop = wish.kind === 'hooks' ? stopOnSignal() : null
  try {
    openRoom(landing.room)
    const how = await howOf(landing, source, wish, stop?.signal)
    const commit = await land(landing, { head, branch, from, to, result, message, at: new Date(), how })
    return await acceptedAs(landing, commit, { branch, result, source })
  } finally {
    stop?.end()
  }
}

type How = LandRequest['how']

async function howOf(landing: Landing, { head }: RepositorySource, { kind }: Wish, signal: AbortSignal | undefined): Promise<How> {
  if (kind === 'hooks') return { kind, signal: signal ?? new AbortController().signal }
  if (kind !== 'merge') return { kind: 'squash' }
  if (head !== null) await requireCommit(landing, head)
  return { kind, parents: head === null ? [] : [head] }
}

/** Asks git commit to end, and its hooks with it; without this a signal would end us in the middle. */
function stopOnSignal(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController()
  return { signal: stop.signal, end: onSignals(() => stop.abort()) }
}

// ───────────────────────────── what stands in the way ─────────────────────────────

function requireBranch(id: string, { head }: WorkTreeFacts): { head: string; branch: string } {
  if (head.branch === null) {
    const next = `greenlatch accept ${id} --branch greenlatch/${id}`
    throw new Refusal(EXIT.usage, 'HEAD is detached: a result can be accepted onto a branch only (git switch leads to one)', next)
  }
  const next = 'git commit --allow-empty -m "first commit"'
  if (head.commit === null) throw new Refusal(EXIT.usage, `the branch ${head.branch} has no commit yet`, next)
  return { head: head.commit, branch: head.branch }
}

function refuseState(id: string, facts: WorkTreeFacts, wish: Wish): void {
  const { lock, isWritable, gitDir, dirty } = facts
  const refusal = refusalOf(facts, { dirty: 'include' }) ?? filterRefusal(id, facts) ?? (lock && lockRefusal(lock))
  if (refusal) throw refusal
  if (!isWritable) throw new Refusal(EXIT.state, `${printable(gitDir)} cannot be written`, `ls -la ${quoteWord(gitDir)}`)
  if (wish.kind !== 'hooks' || dirty.staged.count === 0) return
  const what = `${counted(dirty.staged.count, 'file')} of yours would be committed along (staged: ${named(dirty.staged.first)})`
  throw new Refusal(EXIT.usage, `--hooks: ${what}`, 'git commit')
}

/** Files would be written that only the filter can write; the user's own git may run it. */
function filterRefusal(id: string, { filters }: WorkTreeFacts): Refusal | null {
  const use = filters.find(({ isSetUp }) => isSetUp)
  if (!use) return null
  const what = `the filter "${printable(use.driver)}" is needed for ${filesOf(use)}, and no program of a repository is run`
  return new Refusal(EXIT.usage, what, branchAndMerge(id))
}

/** The session has the files as they stand, which is not what belongs into a commit. */
function storedOtherwise(id: string, use: FilterUse): Refusal {
  const what = `--branch: the filter "${printable(use.driver)}" would store ${filesOf(use)} otherwise than they stand, and it is not run`
  return new Refusal(EXIT.usage, what, `greenlatch accept ${id}, which writes them into your files`)
}

function filesOf({ paths }: FilterUse): string {
  return `${counted(paths.count, 'file')} (${named(paths.first)})`
}

function branchAndMerge(id: string): string {
  return `greenlatch accept ${id} --branch greenlatch/${id} && git merge greenlatch/${id}`
}

async function requireCommit(landing: Landing, commit: string): Promise<void> {
  const { code } = await git(repositoryOf(landing), ['cat-file', '-e', `${commit}^{commit}`], { accepts: [1, 128] })
  if (code === 0) return
  const what = `the commit ${commit.slice(0, 12)}, which the session began from, is no longer in your repository`
  throw new Refusal(EXIT.usage, what, `greenlatch accept ${landing.session}`)
}

async function merged({ owned, store, base, result }: Delivery, facts: WorkTreeFacts, ours: Tree): Promise<Tree> {
  const outcome = await mergeTrees(store, { base, ours, theirs: result }, facts)
  if (outcome.kind === 'conflict') throw conflictWith(owned.id, facts.head.branch ?? '', outcome.paths)
  if (outcome.tree !== ours) return outcome.tree
  throw new Refusal(EXIT.usage, `${facts.head.branch} holds everything already that the session has changed`, 'git log -3')
}

function conflictWith(id: string, branch: string, paths: readonly BytePath[]): Refusal {
  const what = `${counted(paths.length, 'file')} cannot be merged by itself: ${named(paths)}`
  return new Refusal(EXIT.usage, `${branch} has changed since the session began, and ${what}`, branchAndMerge(id))
}

export function named(paths: readonly BytePath[]): string {
  return [...paths.slice(0, MOST_NAMED).map(shownPath), ...(paths.length > MOST_NAMED ? ['…'] : [])].join(', ')
}
