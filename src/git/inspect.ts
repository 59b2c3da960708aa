// The facts about the user's folder that are looked at before anything is changed: reading only, and never their index itself.
import { relative, resolve } from 'node:path'
import { bytePath, type BytePath } from '../files/byte-path.js'
import { discover, type Place } from './discover.js'
import { entriesOf, filtersIn, type FilterUse, type Look } from './filters.js'
import { git, type Repository } from './git.js'
import { borrowingRefusal } from './policy.js'
import { isOn, readSettings, type AllSettings, type Settings } from './settings.js'
import {
  foreignPart,
  isShallow,
  isWritable,
  lockIn,
  objectFoldersOf,
  operationIn,
  worktreesLeftIn,
  type IndexLock,
  type ObjectFolders,
  type Operation,
} from './standing.js'
import { statusOf, withIndexCopy, type Dirty } from './status.js'

export type WorkTreeFacts = {
  kind: 'work tree'
  folder: string
  topLevel: string
  gitDir: string
  /** Another folder than `gitDir` for a linked worktree. */
  commonDir: string
  /** Both null never happens: a branch without a commit is unborn, a commit without a branch is a detached HEAD. */
  head: { commit: string | null; branch: string | null }
  objectFormat: 'sha1' | 'sha256'
  isShallow: boolean
  isSparse: boolean
  /** For a partial clone: how many objects of HEAD's tree are not there. */
  partial: { missing: number } | null
  operation: Operation | null
  submodules: BytePath[]
  filters: FilterUse[]
  lock: IndexLock | null
  objects: ObjectFolders
  /** A part of it that belongs to another user, unless the user's configuration trusts the repository all the same. */
  foreign: string | null
  isWritable: boolean
  worktreesLeft: string[]
  dirty: Dirty
}

export type RepositoryFacts = ({ folder: string } & Exclude<Place, { kind: 'work tree' }>) | WorkTreeFacts

/** Throws Refusal for a repository that git cannot read. `ours` are whole paths of files and folders that make nothing dirty. */
export async function inspect(folder: string, ours: readonly string[] = []): Promise<RepositoryFacts> {
  const full = resolve(folder)
  const place = discover(full)
  if (place.kind !== 'work tree') return { folder: full, ...place }
  try {
    return await inspectWorkTree(full, place, ours)
  } catch (error) {
    throw borrowingRefusal(objectFoldersOf(place.commonDir)) ?? error
  }
}

type Inside = Extract<Place, { kind: 'work tree' }>

async function inspectWorkTree(folder: string, place: Inside, ours: readonly string[]): Promise<WorkTreeFacts> {
  const { topLevel, gitDir, commonDir } = place
  const repository: Repository = { gitDir, workTree: topLevel, config: 'foreign' }
  const settings = await readSettings(repository)
  return withIndexCopy(gitDir, async (index) => {
    const own = ours.map((path) => bytePath(relative(topLevel, path)))
    const { commit, branch, dirty } = await statusOf({ ...repository, userConfig: 'read', index }, own)
    const partial = isPartial(settings.all) ? { missing: commit === null ? 0 : await missingIn(repository, commit) } : null
    const isComplete = commit !== null && (partial === null || partial.missing === 0)
    const look = { repository: { ...repository, index }, commonDir, settings: settings.all }
    const inTree = isComplete ? await lookAtTree(look, commit) : { submodules: [], filters: [] }
    return {
      folder,
      ...place,
      ...inTree,
      ...standing(place, settings),
      head: { commit, branch: branch === '(detached)' ? await branchOf(repository) : branch },
      objectFormat: settings.all.get('extensions.objectformat')?.at(-1) === 'sha256' ? 'sha256' : 'sha1',
      partial,
      dirty,
    }
  })
}

type Standing = 'isShallow' | 'isSparse' | 'operation' | 'lock' | 'objects' | 'foreign' | 'isWritable' | 'worktreesLeft'

function standing({ topLevel, gitDir, commonDir }: Inside, settings: AllSettings): Pick<WorkTreeFacts, Standing> {
  return {
    isShallow: isShallow(commonDir),
    isSparse: isOn(settings.all, 'core.sparsecheckout'),
    operation: operationIn(gitDir),
    lock: lockIn(gitDir),
    objects: objectFoldersOf(commonDir),
    foreign: isTrusted(settings.users, bytePath(topLevel)) ? null : foreignPart(topLevel, gitDir),
    isWritable: isWritable(gitDir, commonDir),
    worktreesLeft: worktreesLeftIn(commonDir),
  }
}

/** As git reads it: an empty value takes back what was said before, a star means everywhere. */
function isTrusted(users: Settings, topLevel: BytePath): boolean {
  const values = users.get('safe.directory') ?? []
  const counted = values.slice(values.lastIndexOf('') + 1)
  return counted.some((value) => value === '*' || value === topLevel || (value.endsWith('/*') && topLevel.startsWith(value.slice(0, -1))))
}

function isPartial(settings: Settings): boolean {
  const isPromisor = (key: string): boolean => /^remote\..*\.promisor$/s.test(key) && isOn(settings, key)
  return settings.has('extensions.partialclone') || [...settings.keys()].some(isPromisor)
}

async function branchOf(repository: Repository): Promise<string | null> {
  const { code, text } = await git(repository, ['symbolic-ref', '-q', 'HEAD'], { accepts: [1] })
  return code === 0 ? text.replace(/^refs\/heads\//, '') : null
}

async function missingIn(repository: Repository, commit: string): Promise<number> {
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', `${commit}^{tree}`]
  const { stdout } = await git(repository, args)
  return stdout.toString('latin1').split('\n').filter((line) => line.startsWith('?')).length
}

type InTree = Pick<WorkTreeFacts, 'submodules' | 'filters'>

async function lookAtTree(look: Omit<Look, 'entries' | 'tree'>, commit: string): Promise<InTree> {
  const entries = await entriesOf(look.repository, commit)
  const submodules = entries.filter(({ mode }) => mode === '160000').map(({ path }) => path)
  return { submodules, filters: await filtersIn({ ...look, entries, tree: commit }) }
}
