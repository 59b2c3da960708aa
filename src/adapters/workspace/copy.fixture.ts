// For tests of clean copies: a session's checkout, and the copies that are made beside it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { run, temporaryFolder } from '../../files/fixture.js'
import { put, stateOf } from '../../git/fixture.js'
import type { Case } from './checkout.fixture.js'
import { makeCheckout } from './checkout.js'
import { createCopies, type Copies, type CopyPlan } from './copy.js'
import { beginDependencies } from './copy-dependencies.js'
import { giveDependencies } from './dependencies-kept.js'
import { snapshot } from './snapshot.js'

type Take = (files?: Readonly<Record<string, string>>) => Promise<Tree>

export type Bench = Case & { plan: CopyPlan; copies: Copies; checkout: string; room: string; take: Take }

/** The checkout is there with its dependencies. `take` writes files there and keeps the tree. */
export async function withCopies(from: Case, more: Partial<CopyPlan> = {}): Promise<Bench> {
  const { root, user, request, site } = from
  const [room, deps] = [join(root, 'state/checkouts'), join(root, 'state/deps')]
  const dependencies = { room: deps, session: 's-1', users: { folder: user, by: 'the user' as const }, setup: null }
  const plan: CopyPlan = { ...request, room, below: '', dependencies, ...more }
  const { excludes } = await makeCheckout(request)
  const { kept } = await beginDependencies(plan.dependencies)
  if (kept) await giveDependencies(deps, kept, request.folder)
  const take: Take = async (files = {}) => {
    put(request.folder, files)
    return (await snapshot({ ...site, excludes })).tree
  }
  return { ...from, plan, copies: createCopies(plan), checkout: request.folder, room, take }
}

/** What is in a folder, without times and without its repository. */
export function contentsOf(folder: string): Record<string, string> {
  const entries = Object.entries(stateOf(folder)).filter(([path]) => !/^\.git(\/|$)/.test(path))
  return Object.fromEntries(entries.map(([path, value]) => [path, value.replace(/^(\d+) \d+ /, '$1 ')]))
}

/** What a file holds. */
export function textAt(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

/** Other contents of the same length, with the time of the last writing set back to the nanosecond. */
export function writeUnseen(path: string, text: string): void {
  const reference = join(temporaryFolder(), 'reference')
  run(['cp', '-p', path, reference])
  writeFileSync(path, text)
  run(['touch', '-r', reference, path])
}

/** Copies that lie in the room, but for small files that are overwritten the next time. */
export function copiesIn(room: string): string[] {
  return readdirSync(room).filter((name) => name.includes('.copy-') && !name.endsWith('.tmp')).map((name) => basename(name)).toSorted()
}
