// The feature branch of a procedure that has one: made before the loop, committed to on success.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bringObjects, requireIdentity, writeCommit } from '../adapters/workspace/accept-commit.js'
import { closeRoom, gitFor, openRoom, readIntent, repositoryOf, type Landing } from '../adapters/workspace/accept-room.js'
import { trailerOf } from '../adapters/workspace/accept-trailer.js'
import { openFolder } from '../adapters/journal/folder.js'
import type { Store } from '../adapters/workspace/store.js'
import type { Procedure, Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { writeDurable } from '../files/durable.js'
import { branchObstacle } from '../git/branches.js'
import type { Repository } from '../git/git.js'
import type { WorkTreeFacts } from '../git/inspect.js'
import { isDirty } from '../git/policy.js'
import type { Acted, Workspace } from '../ports.js'
import { quoteWord } from '../text/prompt/quote.js'
import { commitMessage } from './accept-message.js'
import { acceptCommit, factsOf, landingFor, recoverCommit, type RepositorySource } from './accept-repository.js'
import type { Source } from './ground.js'
import { ownFiles, TASK_FILE } from './recorded.js'
import { takeBackLeft } from './left-on-branch.js'
import { hasBranchPhase } from './session-flags.js'
import type { Setup } from './setup.js'

type Act = Workspace['act']

/** Before anything is made: only a commit can be branched from. */
export function refuseUnbranchable({ name, phases }: Pick<Procedure, 'name' | 'phases'>, source: Source): void {
  if (!hasBranchPhase({ phases }) || (source.kind === 'repository' && source.head !== null)) return
  const next = source.kind === 'repository' ? 'git commit --allow-empty -m "first commit"' : 'git init && git add -A && git commit -m "first commit"'
  throw new Refusal(EXIT.usage, `procedure "${name}" makes a branch, and there is no commit to make it from`, next)
}

/** Before anything is made: a branch of that name is never built upon by accident. */
export async function refuseTakenBranch({ gitDir }: RepositorySource, name: string): Promise<void> {
  const obstacle = await branchObstacle({ gitDir, config: 'foreign' }, name)
  if (!obstacle) return
  const what = obstacle.kind === 'exists' ? `there is a branch ${name} already` : obstacle.kind === 'blocked' ? `the branch ${obstacle.by} stands in the way of ${name}` : `git takes no branch "${name}"`
  throw new Refusal(EXIT.usage, `${what} (greenlatch resume goes on with a session that has one)`, 'greenlatch run --branch <another name>')
}

/** `folder` is the session's. Git that fails is an error of the phase, named with what git said. */
export function branchActs(setup: Setup, store: Store, folder: string): Record<'branch' | 'commit', Act> {
  const failing = (work: (source: RepositorySource, session: Session, tree: Tree) => Promise<string>): Act => async (session, effect) => {
    try {
      const { source } = setup
      refuseUnbranchable(session.procedure, source)
      if (source.kind !== 'repository') throw new Error('a folder has no branches')
      return { verdict: 'pass', cause: null, note: await work(source, session, effect.tree), files: [] }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { verdict: 'error', cause: error.code === EXIT.guard ? 'guard' : 'state', note: error.message, files: [] } satisfies Acted
    }
  }
  return {
    branch: failing((source, session) => makeBranch(setup, source, session.id, folder)),
    commit: failing((source, session, tree) => commitTo(setup, source, session, tree, store, folder)),
  }
}

/** Our own files in the user's folder do not make it unclean. */
export function branchFacts(source: RepositorySource, folder: string): Promise<WorkTreeFacts> {
  return factsOf(source, ownFiles(source.top, dirname(dirname(folder))))
}

export function featureBranch({ place }: Pick<Setup, 'place'>, session: string): string {
  return place.branch ?? `greenlatch/${session}`
}

// ───────────────────────────── before the loop ─────────────────────────────

/** The mark says that the branch is ours before there is one, so that after a crash it is not taken for somebody else's. */
async function makeBranch(setup: Setup, source: RepositorySource, session: string, folder: string): Promise<string> {
  const name = featureBranch(setup, session)
  const facts = await branchFacts(source, folder)
  const repository: Repository = { gitDir: facts.gitDir, workTree: facts.topLevel, config: 'foreign', userConfig: 'read', durable: true }
  const mark = join(folder, 'branch.json')
  if (!existsSync(mark)) {
    await refuseTakenBranch(source, name)
    writeDurable(mark, `${JSON.stringify({ name, commit: source.head })}\n`)
  }
  const at = { session }
  const tip = await tipOf(at, repository, name)
  const head = source.head ?? ''
  if (tip === null) await gitFor(at, repository, ['update-ref', '-m', 'greenlatch: feature branch', `refs/heads/${name}`, head, '0'.repeat(head.length)])
  if (facts.head.branch === name) return `on ${name}`
  if (!maySwitch(facts, source)) return `${name} is made; your files are not clean, so go there yourself: git switch ${quoteWord(name)}`
  await gitFor(at, repository, ['symbolic-ref', '-m', `greenlatch: to ${name}`, 'HEAD', `refs/heads/${name}`])
  return `on ${name}, from ${source.branch ?? 'a detached HEAD'}`
}

/** Both branches stand on the same commit, so that moving HEAD changes no file. */
function maySwitch({ dirty, head, lock, operation }: WorkTreeFacts, source: RepositorySource): boolean {
  return !isDirty(dirty) && head.commit === source.head && lock === null && operation === null
}

async function tipOf(at: { session: string }, repository: Repository, name: string): Promise<string | null> {
  const { code, text } = await gitFor(at, repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${name}`], { accepts: [1] })
  return code === 0 ? text : null
}

// ───────────────────────────── on success ─────────────────────────────

/** One commit of exactly the tree that was checked. Where the user stands on the branch, their files go along. */
async function commitTo(setup: Setup, source: RepositorySource, session: Session, tree: Tree, store: Store, folder: string): Promise<string> {
  const name = featureBranch(setup, session.id)
  await takeBackLeft(setup, source, session, store, folder)
  const facts = await branchFacts(source, folder)
  const said: string[] = []
  const landing = landingFor({ id: session.id, folder }, store, facts, (text) => void said.push(text))
  const intent = readIntent(landing.room)
  const recovered = intent?.kind === 'commit' ? await recoverCommit(landing, source, intent) : null
  const done = recovered?.commit ?? (await ownCommitOn(landing, name))
  const message = messageOf(session, tree, openFolder(folder).read(TASK_FILE) ?? null)
  const commit = done ?? (facts.head.branch === name ? await landThere() : await commitBeside(landing, name, { tree, message }))
  closeRoom(landing.room)
  return `commit ${commit.slice(0, 12)} on ${name}`

  async function landThere(): Promise<string> {
    const delivery = { owned: { id: session.id, folder, session, write: () => {} }, store, base: session.start, result: tree, message, say: landing.say }
    return (await acceptCommit(delivery, source, facts, { kind: 'squash', branch: '' })).commit
  }
}

/** The end is not decided yet; what it will be called is. */
function messageOf(session: Session, tree: Tree, task: string | null): string {
  const proof = session.proof?.tree === tree ? session.proof : null
  const label = proof === null ? 'unverified' : proof.exceptions.length === 0 ? 'verified' : 'partly verified'
  return commitMessage(session, { state: proof === null ? 'checked' : 'converged', label, iterations: session.iteration, kind: 'feat' }, task)
}

/** The commit of this session at the tip, when an attempt before this one made it. */
async function ownCommitOn(landing: Landing, name: string): Promise<string | null> {
  const tip = await tipOf(landing, repositoryOf(landing), name)
  if (tip === null) throw new Refusal(EXIT.state, `the branch ${name} is gone`, `git branch ${quoteWord(name)} <commit>`)
  const { text } = await gitFor(landing, repositoryOf(landing), ['log', '-1', '--format=%B', tip])
  return text.includes(trailerOf(landing.session)) ? tip : null
}

/** The user stands elsewhere: their files stay as they are. */
async function commitBeside(landing: Landing, name: string, { tree, message }: { tree: Tree; message: string }): Promise<string> {
  await requireIdentity(landing)
  openRoom(landing.room)
  const tip = (await tipOf(landing, repositoryOf(landing), name)) ?? ''
  const commit = await writeCommit(landing, { tree, parents: [tip], message, at: new Date() })
  await bringObjects(landing, commit, [tip])
  await gitFor(landing, repositoryOf(landing), ['update-ref', '-m', 'greenlatch: result', `refs/heads/${name}`, commit, tip])
  return commit
}
