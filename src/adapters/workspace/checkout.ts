// Makes the folder an agent works in: the files of the start tree, and a repository of its own that shares nothing it could change.
import { appendFileSync, copyFileSync, existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { shownPath } from '../../files/byte-path.js'
import { makeFolder, printable, stateRefusal, syncFolder, writeDurable } from '../../files/durable.js'
import { git, type Repository } from '../../git/git.js'
import { commonDirOf } from '../../git/keys.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { folderExcludes, repositoryExcludes } from './checkout-excludes.js'
import { excludesPath, readMark, temporaryPath, writeMark } from './checkout-mark.js'
import { removeCheckout, removeTree } from './checkout-remove.js'
import { foldersOf } from './nested.js'
import { copyTree } from './objects.js'
import { dropStaleLock } from './snapshot-lock.js'
import { objectsOf, over, type Store } from './store.js'
import { syncBelow } from './sync-below.js'

/** Where the work comes from: a repository of the user's with the commit its HEAD stands on, or a folder without git. */
export type Origin = { kind: 'repository'; repository: Repository; head: string | null } | { kind: 'folder'; folder: string }

export type CheckoutRequest = {
  origin: Origin
  store: Store
  /** Absolute paths: where the checkout shall be, and the private index through which we look at it. */
  folder: string
  index: string
  session: string
  /** In the store already. */
  start: Tree
  /** Milliseconds, for the commit of a start tree that is not the one of HEAD. */
  at: number
}

/** `excludes` is for `Site`. `notices` say what the user should know of it. */
export type MadeCheckout = { excludes: string; notices: string[] }

type Identity = { name: string; email: string }

const NOBODY: Identity = { name: 'Greenlatch', email: 'greenlatch@localhost' }

function branchOf(session: string): string {
  return `greenlatch/${session}`
}

/** Whole or not there. When it is there already, nothing is done: what stands in it is the business of `stand`. */
export async function makeCheckout(request: CheckoutRequest): Promise<MadeCheckout> {
  const { folder, session, store, start } = request
  const mark = readMark(folder)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found && !mark) throw refused(folder, 'something else stands there')
  if (mark && mark.session !== session) throw refused(folder, `it belongs to the session ${mark.session}`)
  const notices = found?.isSymbolicLink() ? [unlinked(folder)] : []
  const isThere = found !== undefined && !found.isSymbolicLink()
  if (isThere && !found.isDirectory()) throw refused(folder, 'it is no folder any more', `greenlatch clean ${session}`)
  const isReady = isThere && mark?.state !== 'going'
  if (mark?.state === 'going') removeCheckout(folder)
  if (!isReady) notices.push(...(await make(request)))
  if (!isReady || mark?.state !== 'whole') writeMark(folder, { session, state: 'whole' })
  const { submodules } = await foldersOf(store, start)
  notices.push(...submodules.map((path) => `the submodule ${shownPath(path)} is left empty`))
  return { excludes: excludesPath(folder), notices }
}

/** The link is ours to take away, since our mark is beside it; what it leads to is not. */
function unlinked(folder: string): string {
  const target = readlinkSync(folder)
  unlinkSync(folder)
  return `the checkout was replaced by a link to ${printable(target)}; the link is taken away, and the checkout made again`
}

/** What people should know of it. */
async function make(request: CheckoutRequest): Promise<string[]> {
  const { origin, folder, session } = request
  const temporary = temporaryPath(folder)
  makeFolder(dirname(folder))
  writeMark(folder, { session, state: 'making' })
  removeTree(temporary)
  const excludes = origin.kind === 'repository' ? await repositoryExcludes(origin.repository) : folderExcludes(origin.folder)
  writeDurable(excludesPath(folder), excludes)
  try {
    mkdirSync(temporary, { mode: 0o700 })
    await writeFiles(request, temporary)
    const notices = await writeRepository(request, temporary, excludes)
    // Files are put back by `stand` when a power cut takes them; nobody would put back a repository without a HEAD.
    syncBelow(join(temporary, '.git'))
    renameSync(temporary, folder)
    syncFolder(dirname(folder))
    return notices
  } catch (error) {
    throw stateRefusal(error, folder, `df -h ${quoteWord(dirname(folder))}`)
  }
}

async function writeFiles({ store, index, start }: CheckoutRequest, temporary: string): Promise<void> {
  makeFolder(dirname(index))
  await dropStaleLock(index)
  rmSync(index, { force: true })
  await git(over(store, temporary, index), ['read-tree', '--reset', '-u', start])
}

/** Its configuration and refs are its own. The user's objects are read where they are, through a file of ours that names their folder. */
async function writeRepository(request: CheckoutRequest, temporary: string, excludes: string): Promise<string[]> {
  const { origin, store, session, index } = request
  const gitDir = join(temporary, '.git')
  const flags = ['--quiet', `--object-format=${store.format}`, `--initial-branch=${branchOf(session)}`]
  await git({ gitDir, workTree: temporary, config: 'ours' }, ['init', ...flags])
  const identity = origin.kind === 'repository' ? await identityOf(origin.repository) : NOBODY
  appendFileSync(join(gitDir, 'config'), configFor(identity))
  mkdirSync(join(gitDir, 'info'), { recursive: true })
  writeFileSync(join(gitDir, 'info', 'exclude'), excludes)
  if (origin.kind === 'repository') borrow(origin.repository, gitDir)
  const { commit, notices } = await firstCommit(request, gitDir, identity)
  await git({ gitDir, config: 'ours' }, ['update-ref', `refs/heads/${branchOf(session)}`, commit])
  copyFileSync(index, join(gitDir, 'index'))
  return notices
}

function borrow(repository: Repository, gitDir: string): void {
  const common = commonDirOf(repository.gitDir)
  const folders = [repository.objects ?? join(common, 'objects'), ...(repository.alternates ?? [])]
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true })
  writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), folders.map((path) => `${quotedLine(path)}\n`).join(''))
  if (existsSync(join(common, 'shallow'))) copyFileSync(join(common, 'shallow'), join(gitDir, 'shallow'))
}

/**
 * The user's HEAD when the start tree is its tree; else a commit of the start tree on top, so that a diff shows the agent's work alone.
 * Without history when that HEAD has been rewritten and pruned since: the store has what counts.
 */
async function firstCommit(request: CheckoutRequest, gitDir: string, who: Identity): Promise<{ commit: string; notices: string[] }> {
  const { origin, store, session, start, at } = request
  const own: Repository = { gitDir, config: 'ours' }
  const head = origin.kind === 'repository' ? origin.head : null
  const headTree = head === null ? null : await treeOf(own, head)
  if (head !== null && headTree === start) return { commit: head, notices: [] }
  await copyTree({ ...own, alternates: [objectsOf(store)] }, start, headTree === null ? [] : [headTree])
  const when = `${plain(who.name)} <${plain(who.email)}> ${Math.floor(at / 1000)} +0000`
  const parents = headTree === null ? [] : [`parent ${head}`]
  const lines = [`tree ${start}`, ...parents, `author ${when}`, `committer ${when}`, '', `Start of the Greenlatch session ${session}`, '']
  const commit = (await git(own, ['hash-object', '-w', '-t', 'commit', '--stdin'], { input: lines.join('\n') })).text
  return { commit, notices: head !== null && headTree === null ? [withoutHistory(head)] : [] }
}

async function treeOf(own: Repository, commit: string): Promise<Tree | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`]
  const { code, text } = await git(own, args, { accepts: [1, 128] })
  return code === 0 ? text : null
}

function withoutHistory(head: string): string {
  const what = `the commit ${head.slice(0, 12)}, which the session began from, is no longer in your repository`
  return `${what}: the checkout is made of what is kept of it, without history`
}

async function identityOf(repository: Repository): Promise<Identity> {
  const args = ['config', '-z', '--get-regexp', String.raw`^user\.(name|email)$`]
  const { stdout } = await git({ ...repository, userConfig: 'read' }, args, { accepts: [1] })
  const entries = stdout.toString('utf8').split('\0')
  const last = (key: string): string => plain(entries.findLast((entry) => entry.startsWith(`${key}\n`))?.slice(key.length) ?? '')
  return { name: last('user.name') || NOBODY.name, email: last('user.email') || NOBODY.email }
}

/** What cannot stand in the line of a commit that names a person. */
function plain(text: string): string {
  return text.replaceAll(/[<>\p{Cc}]/gu, '').trim()
}

/** Hooks and signing of the user's for all repositories are not for agents, bytes are left as they are, and a power cut breaks no index or ref. */
function configFor({ name, email }: Identity): string {
  return `[user]
	name = ${quotedValue(name)}
	email = ${quotedValue(email)}
[core]
	hooksPath = .git/hooks
	fsmonitor = false
	autocrlf = false
	fsync = all
	fsyncMethod = batch
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[gc]
	auto = 0
`
}

function quotedValue(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** As git reads a line that begins with a quote; without quotes a hash would begin a comment and a line break would end the path. */
function quotedLine(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
}

function refused(folder: string, why: string, next: string = `ls -la ${quoteWord(folder)}`): Refusal {
  return new Refusal(EXIT.state, `no checkout can be made at ${printable(folder)}: ${why}`, next)
}
