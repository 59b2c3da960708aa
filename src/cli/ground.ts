// The ground a session works on: looks at the user's folder, takes its start tree into the store, and makes the checkout.
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { guardCheckout } from '../adapters/workspace/checkout-guard.js'
import { makeCheckout, type CheckoutRequest, type Origin } from '../adapters/workspace/checkout.js'
import { folderExcludes, repositoryExcludes } from '../adapters/workspace/checkout-excludes.js'
import { readMark } from '../adapters/workspace/checkout-mark.js'
import { createCopies } from '../adapters/workspace/copy.js'
import { beginDependencies, firstDependencies, type DependencyPlan } from '../adapters/workspace/copy-dependencies.js'
import { importTree } from '../adapters/workspace/objects.js'
import { stand } from '../adapters/workspace/restore.js'
import { dropDrafts, keep } from '../adapters/workspace/salvage.js'
import { snapshot, type Site } from '../adapters/workspace/snapshot.js'
import { emptyTree, openStore, type Store } from '../adapters/workspace/store.js'
import { createWorkspace } from '../adapters/workspace/workspace.js'
import { workingFolder } from '../adapters/workspace/working-folder.js'
import type { Procedure, Session, Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { shownPath } from '../files/byte-path.js'
import { makeFolder, printable, writeDurable } from '../files/durable.js'
import { treeOfFiles } from '../git/files-tree.js'
import type { Repository } from '../git/git.js'
import { commonDirOf } from '../git/keys.js'
import { inspect } from '../git/inspect.js'
import { noticesOf, refusalOf, type Wishes } from '../git/policy.js'
import type { Limits, Workspace } from '../ports.js'
import { quoteWord } from '../text/prompt/quote.js'
import { actsOf } from './acts.js'
import { dependencyPlan, layDependencies } from './copies.js'
import { refuseTakenBranch } from './feature-branch.js'
import { gateCommands } from './gate-files.js'
import { guardOf } from './in-place-guard.js'
import { hasBranchPhase } from './session-flags.js'
import type { Setup } from './setup.js'
import { deliveredTree } from './places.js'
import { checkoutOf, ownFiles, roomsOf } from './recorded.js'

/** Where the work comes from, as it stood when the session was opened. Paths are real ones. */
export type Source =
  | { kind: 'repository'; top: string; gitDir: string; head: string | null; branch: string | null; format: Store['format'] }
  | { kind: 'folder'; top: string }

type RepositorySource = Extract<Source, { kind: 'repository' }>

/** Reads only. Throws Refusal for a folder that no session should begin in. */
export async function sourceOf(setup: Omit<Setup, 'source'>, procedure: Pick<Procedure, 'phases'>, sessions: string): Promise<{ source: Source; notices: string[] }> {
  const root = realpathSync(setup.root)
  const cwd = join(root, placeIn(root, setup.cwd))
  const facts = await inspect(cwd, ownFiles(root, dirname(sessions)).map((path) => join(root, path)))
  const { inPlace, dirty } = setup.place
  const wish = wishOf(inPlace ? 'include' : dirty)
  const refusal = refusalOf(facts, { ...wish, ...(hasBranchPhase(procedure) && { commits: true }) })
  if (refusal) throw refusal
  if (facts.kind !== 'work tree') return { source: { kind: 'folder', top: root }, notices: [] }
  const { topLevel: top, gitDir, head, objectFormat: format } = facts
  const source = { kind: 'repository' as const, top, gitDir, head: head.commit, branch: head.branch, format }
  if (setup.place.branch !== null) await refuseTakenBranch(source, setup.place.branch)
  return { source, notices: noticesOf(facts, wish) }
}

function wishOf(dirty: 'include' | 'ignore' | null): Wishes {
  return dirty === null ? {} : { dirty }
}

/** Where the work is done, as a path below `top`. Throws Refusal for a folder that a link takes elsewhere. */
function placeIn(top: string, cwd: string): string {
  const real = existsSync(cwd) ? realpathSync(cwd) : cwd
  const place = relative(top, real)
  if (place !== '..' && !place.startsWith(`..${sep}`)) return place
  const what = `${printable(cwd)} leads to ${printable(real)}, which lies outside ${printable(top)}`
  throw new Refusal(EXIT.usage, what, `greenlatch -C ${quoteWord(real)}`)
}

export type Ground = { store: Store; start: Tree; notices: string[] }

type Begin = { id: string; folder: string; sessions: string; setup: Setup; source: Source; at: number }

/** Takes the start tree into the store, durable and under its name, and makes the checkout of a session that has one. */
export async function breakGround(begin: Begin): Promise<Ground> {
  const { id, sessions, setup, source, at } = begin
  const rooms = roomsOf(sessions)
  const store = await openStore(rooms.store, source.kind === 'repository' ? source.format : 'sha1')
  const { tree: start, notices } = await startTree(begin, store)
  await keep(store, { session: id, name: 'start', tree: start, parents: [], message: `start of session ${id}`, at })
  const dependencies = dependencyPlan(setup, id, begin.folder)
  if (setup.place.inPlace) {
    const said = await layDependencies(setup, dependencies, null, beginDependencies)
    return { store, start, notices: [...notices, ...said] }
  }
  const checkout = join(rooms.checkouts, id)
  const index = indexOf(begin.folder)
  const made = await makeCheckout({ origin: originOf(source), store, folder: checkout, index, session: id, start, at })
  const given = await layDependencies(setup, dependencies, checkout, beginDependencies)
  return { store, start, notices: [...notices, ...made.notices, ...given] }
}

async function startTree(begin: Begin, store: Store): Promise<{ tree: Tree; notices: string[] }> {
  const { setup, source, folder, sessions } = begin
  const { inPlace, dirty } = setup.place
  const head = source.kind === 'repository' ? source.head : null
  const base = source.kind === 'folder' || head === null ? emptyTree(store) : await importTree(store, repositoryOf(source), head)
  if (source.kind === 'repository' && !inPlace && dirty !== 'include') return { tree: base, notices: [] }
  const excludes = join(folder, 'excludes')
  writeDurable(excludes, await excludesFor(source, sessions))
  if (source.kind === 'repository' && !inPlace && !holdsState(source, sessions)) return filesAsTheyStand(source, store, folder)
  const strays = inPlace ? 'leave' : 'refuse'
  // An index of its own: that of the checkout belongs to another folder.
  const index = inPlace ? indexOf(folder) : join(folder, 'start-index')
  return snapshot({ store, folder: source.top, index, base, aside: join(folder, 'aside'), strays, excludes })
}

/** By the user's own rules for ignoring, line endings and sparse checkouts, and without a filter. */
async function filesAsTheyStand(source: RepositorySource, store: Store, folder: string): Promise<{ tree: Tree; notices: string[] }> {
  const { top: topLevel, gitDir } = source
  const objects = join(folder, 'start-objects')
  makeFolder(objects)
  const { tree, repository, left } = await treeOfFiles({ topLevel, gitDir, commonDir: commonDirOf(gitDir), objects })
  const taken = await importTree(store, repository, tree)
  rmSync(objects, { recursive: true, force: true })
  return { tree: taken, notices: left.map((path) => `${shownPath(path)} is a repository of its own, and is not taken along`) }
}

async function excludesFor(source: Source, sessions: string): Promise<string> {
  const own = ownFiles(source.top, dirname(sessions)).slice(1).map((path) => `/${path}/\n`).join('')
  const rules = source.kind === 'folder' ? folderExcludes(source.top) : await repositoryExcludes(repositoryOf(source))
  return `${rules}\n${own}`
}

/** A state folder inside the user's own is no part of their files. */
function holdsState({ top }: Source, sessions: string): boolean {
  return ownFiles(top, dirname(sessions)).length > 1
}

function repositoryOf(source: RepositorySource): Repository {
  return { gitDir: source.gitDir, config: 'foreign' }
}

function originOf(source: Source): Origin {
  if (source.kind === 'folder') return { kind: 'folder', folder: source.top }
  return { kind: 'repository', repository: repositoryOf(source), head: source.head }
}

function indexOf(folder: string): string {
  return join(folder, 'index')
}

// ───────────────────────────── the workspace of a session ─────────────────────────────

type Standing = Pick<Session, 'id' | 'openedAt' | 'start' | 'tree' | 'finish'>

/** Where its files are, which index looks at them, and what becomes of what a tree cannot hold. */
export async function siteOf(setup: Setup, session: Standing, folder: string): Promise<Site> {
  const { source } = setup
  const store = await openStore(roomsOf(dirname(folder)).store, source.kind === 'repository' ? source.format : 'sha1')
  const common = { store, index: indexOf(folder), base: deliveredTree(session), aside: join(folder, 'aside') }
  const checkout = checkoutOf(setup, session.id, folder)
  if (setup.place.inPlace) return { ...common, folder: checkout, strays: 'leave', excludes: join(folder, 'excludes') }
  return { ...common, folder: checkout, strays: 'aside', excludes: `${checkout}.excludes` }
}

export async function workspaceOf(setup: Setup, session: Standing & Pick<Session, 'procedure' | 'outstanding'>, folder: string, limits: Limits): Promise<Workspace> {
  const site = await siteOf(setup, session, folder)
  const { source, place, scope } = setup
  dropDrafts(site.store, session.id)
  const dependencies = dependencyPlan(setup, session.id, folder)
  const below = placeIn(source.top, setup.cwd)
  const notices = await restoreCheckout(setup, session, site, dependencies)
  const cwd = join(site.folder, below)
  if (!place.inPlace) mkdirSync(workingFolder({ folder: site.folder, cwd }), { recursive: true })
  const room = roomsOf(dirname(folder)).checkouts
  return createWorkspace({
    ...site,
    session: session.id,
    openedAt: session.openedAt,
    cwd,
    start: session.start,
    scope,
    notices,
    ...(provesWork(session.procedure) && { pinned: { ...gateCommands(setup), permit: setup.permit } }),
    ownFiles: ownFiles(source.top, dirname(dirname(folder))).slice(1),
    acts: actsOf(setup, site, folder, limits),
    copies: createCopies({ ...requestOf(source, session, site), room, below, dependencies }),
    ...(!place.inPlace && { guard: guardCheckout(site) }),
    ...(place.inPlace && source.kind === 'repository' && { guard: guardOf(session, { source, folder, aside: site.aside }) }),
  })
}

/** Where nothing is proved in the end, nothing is pinned. */
function provesWork({ phases }: Procedure): boolean {
  return Object.values(phases).some((phase) => phase.kind === 'check' && phase.sealed === true)
}

function requestOf(source: Source, { id, start, openedAt }: Standing, { store, folder, index }: Site): CheckoutRequest {
  return { origin: originOf(source), store, folder, index, session: id, start, at: openedAt }
}

/** A checkout that was cleaned away is made again from the store, with its dependencies, and stands where the session does. */
async function restoreCheckout(setup: Setup, session: Standing, site: Site, dependencies: DependencyPlan): Promise<string[]> {
  const { id, start, tree, openedAt: at } = session
  const isThere = lstatSync(site.folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (setup.place.inPlace || (isThere && readMark(site.folder)?.state === 'whole')) return []
  const { notices } = await makeCheckout(requestOf(setup.source, session, site))
  const laid = await layDependencies(setup, dependencies, site.folder, firstDependencies)
  if (tree !== start) await stand({ ...site, base: start, session: id, tree, at, why: 'made again' })
  return [...notices, ...laid]
}
