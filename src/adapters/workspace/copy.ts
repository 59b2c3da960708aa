// Clean copies of trees for checks that decide: the tree, a repository as the checkout has one, dependencies of our own, and nothing else.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tree } from '../../core/types.js'
import { Refusal } from '../../errors.js'
import { listedPath } from '../../files/byte-path.js'
import { git, GitError } from '../../git/git.js'
import type { Copy, Workspace } from '../../ports.js'
import { makeCheckout, type CheckoutRequest, type Origin } from './checkout.js'
import { markedIn, readMark, temporaryPath, writeMark } from './checkout-mark.js'
import { removeCheckout, removeTree } from './checkout-remove.js'
import { chooseDependencies, fits, mismatch, type DependencyPlan } from './copy-dependencies.js'
import { putBack, renew, type Used } from './copy-renew.js'
import { tellsChanges, walkBelow, type Walked } from './copy-walk.js'
import { giveDependencies, type Kept } from './dependencies-kept.js'
import { shadowsOf } from './shadows.js'
import { over } from './store.js'
import { workingFolder } from './working-folder.js'

/** `folder` and `index` are those of the folder agents work in. */
export type CopyPlan = CheckoutRequest & {
  /** Where copies are made. */
  room: string
  /** Where agents work, below the top of the tree: no check is made where that leads elsewhere. */
  below: string
  dependencies: DependencyPlan
}

export type Copies = {
  copy: Workspace['copy']
  /** Removes what is only kept for the next copy. */
  close(): Promise<void>
}

type Place = { number: number; folder: string; index: string }
/** `walked` is all that we put there; where it cannot show what others write, it is not used again. */
type Made = { place: Place; tree: Tree; kept: Kept | null; walked: Walked; isReusable: boolean; notices: string[] }

const WORTH_SAYING_SECONDS = 5
/** Times of files go in steps of up to 10 ms: what is written after this has another. */
const TICK_MILLISECONDS = 20

/** For the owner of the session alone: what an earlier process has left of its copies is removed. */
export function createCopies(plan: CopyPlan): Copies {
  removeLeftovers(plan)
  const live = new Set<number>()
  let spare: Made | null = null
  const handBack = (made: Made): void => {
    if (!live.delete(made.place.number)) return
    if (spare === null && made.isReusable) spare = made
    else removeCopy(made.place)
  }
  const make = async (used: Made | null, tree: Tree, place: Place, signal?: AbortSignal): Promise<Made> => {
    try {
      return (used && (await renewed(plan, used, tree))) ?? (await makeAfresh(plan, tree, place, signal))
    } catch (error) {
      live.delete(place.number)
      abandon(place)
      throw error
    }
  }
  return {
    async copy(tree, why, signal) {
      const started = performance.now()
      const used = spare
      spare = null
      const place = used?.place ?? freePlace(plan, live)
      live.add(place.number)
      const made = await make(used, tree, place, signal)
      const seconds = (performance.now() - started) / 1000
      const cost = seconds > WORTH_SAYING_SECONDS ? [`the clean copy for ${why} took ${seconds.toFixed(1)} s to make`] : []
      return { ...handOut(plan, made, [...made.notices, ...cost]), remove: async () => handBack(made) }
    },
    async close() {
      if (spare) removeCopy(spare.place)
      spare = null
    },
  }
}

function handOut(plan: CopyPlan, made: Made, notices: string[]): Omit<Copy, 'remove'> {
  const { place } = made
  return {
    top: place.folder,
    notices,
    shadows: () => shadowsOf(plan.folder, place.folder),
    async putBack() {
      const { paths, walked, isReusable } = await putBack(usedOf(plan, made))
      Object.assign(made, { walked, isReusable: made.isReusable && isReusable })
      makeWorkingFolder(plan, place)
      await sleep(TICK_MILLISECONDS)
      return paths.map(listedPath)
    },
  }
}

function usedOf({ store, dependencies }: CopyPlan, { place, tree, kept, walked }: Made): Used {
  return { store, folder: place.folder, index: place.index, tree, kept, walked, room: dependencies.room }
}

// ───────────────────────────── places ─────────────────────────────

function placeOf({ room, session, index }: CopyPlan, number: number): Place {
  return { number, folder: join(room, `${session}.copy-${number}`), index: join(dirname(index), `copy-${number}-index`) }
}

function freePlace(plan: CopyPlan, live: ReadonlySet<number>): Place {
  let number = 1
  while (live.has(number)) number += 1
  return placeOf(plan, number)
}

function removeLeftovers(plan: CopyPlan): void {
  const prefix = placeOf(plan, 0).folder.slice(0, -1)
  for (const folder of markedIn(plan.room).filter((path) => path.startsWith(prefix))) removeCheckout(folder)
  const beside = dirname(plan.index)
  const indexes = (existsSync(beside) ? readdirSync(beside) : []).filter((name) => /^copy-\d+-index/.test(name))
  for (const name of indexes) rmSync(join(beside, name), { force: true })
}

function removeCopy({ folder, index }: Place): void {
  removeCheckout(folder)
  for (const path of [index, `${index}.lock`]) rmSync(path, { force: true })
}

/** Its files first: on a full disk there is no room for a mark that says so. What cannot be removed is left to the next process. */
function abandon(place: Place): void {
  if (!readMark(place.folder)) return
  try {
    for (const path of [place.folder, temporaryPath(place.folder)]) removeTree(path)
    removeCopy(place)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** A tree without the folder that is worked in has it empty, as in the checkout. */
function makeWorkingFolder({ below }: CopyPlan, { folder }: Place): void {
  mkdirSync(workingFolder({ folder, cwd: join(folder, below) }), { recursive: true })
}

// ───────────────────────────── making ─────────────────────────────

async function makeAfresh(plan: CopyPlan, tree: Tree, place: Place, signal?: AbortSignal): Promise<Made> {
  const history = await makeFiles(plan, tree, place)
  const { kept, notices, folder } = await chooseDependencies(plan.dependencies, place.folder, signal)
  if (folder === 'spoilt') await makeFiles(plan, tree, place)
  if (kept) await giveDependencies(plan.dependencies.room, kept, place.folder)
  makeWorkingFolder(plan, place)
  const walked = await walkBelow(place.folder)
  await sleep(TICK_MILLISECONDS)
  return { place, tree, kept, walked, isReusable: tellsChanges(walked), notices: [...history, ...notices] }
}

/** On the commit the session started from, with the rest of the tree as changes, as where agents work: some tools look only at those. */
async function makeFiles(plan: CopyPlan, tree: Tree, place: Place): Promise<string[]> {
  const notices = await makeStart(plan, place)
  // From now on whoever finds it may remove it, without keeping what stands there.
  writeMark(place.folder, { session: plan.session, state: 'going' })
  if (tree !== plan.start) await git(over(plan.store, place.folder, place.index), ['read-tree', '--reset', '-u', tree])
  return notices
}

/** The user may have removed their repository, or the commit, since the session began. */
async function makeStart(plan: CopyPlan, place: Place): Promise<string[]> {
  const { origin, store, session, start, at } = plan
  const request: CheckoutRequest = { origin, store, session, start, at, folder: place.folder, index: place.index }
  removeCopy(place)
  try {
    await makeCheckout(request)
    return []
  } catch (error) {
    if (!(error instanceof GitError) || (await isReadable(origin))) throw error
    removeCopy(place)
    await makeCheckout({ ...request, origin: { kind: 'folder', folder: place.folder } })
    return [`the clean copy has no history: ${error.explanation}`]
  }
}

async function isReadable(origin: Origin): Promise<boolean> {
  if (origin.kind === 'folder') return true
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${origin.head ?? 'HEAD'}^{tree}`]
  return git(origin.repository, args).then(() => true, () => false)
}

/** Null when it has to be made afresh. */
async function renewed(plan: CopyPlan, used: Made, tree: Tree): Promise<Made | null> {
  const { place, kept } = used
  const { start, dependencies } = plan
  const walked = await renew(usedOf(plan, used), { tree, start })
  if (!walked) return null
  const isFitting = kept !== null && fits(dependencies, kept, place.folder)
  if (dependencies.setup !== null && !isFitting) return null
  makeWorkingFolder(plan, place)
  await sleep(TICK_MILLISECONDS)
  return { place, tree, kept, walked, isReusable: true, notices: mismatch(kept, place.folder) }
}
