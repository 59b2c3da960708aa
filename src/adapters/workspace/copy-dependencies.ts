// Which dependencies of the engine's own belong to a tree: those the session began with, or new ones where its lockfiles have changed.
import { join } from 'node:path'
import type { Limits, Sandbox } from '../../ports.js'
import { dependencyFolders, dependencyKey, locksIn } from './dependencies.js'
import { findKept, keepDependencies, keepUsers, keyUsedBy, markUse, type Kept } from './dependencies-kept.js'
import { isDone, SETUP_REACH, whyNot } from './ready.js'

export type DependencyPlan = {
  /** Where copies are kept. */
  room: string
  session: string
  /** Whose dependencies are copied, and who works there: where agents do, only the copy of the beginning counts. Null: none are. */
  users: { folder: string; by: 'the user' | 'agents' } | null
  setup: SetupPlan | null
}

export type SetupPlan = {
  /** Variables that it is given besides. */
  env?: Readonly<Record<string, string>>
  argv: readonly [string, ...string[]]
  /** Where it runs, below the top of the tree. */
  below: string
  limits: Limits
  log: string
  sandbox: Sandbox
}

/** `spoilt`: the command has run in the folder, which now holds more than its tree. */
export type Chosen = { kept: Kept | null; notices: string[]; folder: 'as it was' | 'spoilt' }

type First = Omit<Chosen, 'folder'>

/** Takes the copy a session begins with, before anyone has worked. Where agents will work, even nothing is worth remembering. */
export async function beginDependencies({ room, session, users }: DependencyPlan): Promise<First> {
  if (users === null || (users.by === 'the user' && dependencyFolders(users.folder).length === 0)) return { kept: null, notices: [] }
  const { kept, notices } = await keepUsers(users.folder, room)
  markUse(room, kept.key, session)
  return { kept, notices }
}

/** What the session began with. It is copied again when it is gone or was changed, and that is said. */
export async function firstDependencies(plan: DependencyPlan): Promise<First> {
  const { room, session, users } = plan
  const key = keyUsedBy(room, session)
  const there = key === null ? null : await findKept(room, key)
  if (there || users === null) return { kept: there, notices: [] }
  const { kept, notices } = await beginDependencies(plan)
  if (kept === null || (users.by === 'the user' && key === null)) return { kept, notices }
  const where = users.by === 'agents' ? ', where agents have worked' : ''
  const again = `the copy of your dependencies from the beginning is gone or was changed; they are taken as they are now${where}`
  return { kept, notices: [...notices, again] }
}

/** `folder` holds the tree alone. */
export async function chooseDependencies(plan: DependencyPlan, folder: string, signal?: AbortSignal): Promise<Chosen> {
  const first = await firstDependencies(plan)
  if (first.kept && fits(plan, first.kept, folder)) return { ...first, folder: 'as it was' }
  if (plan.setup === null) return { ...first, notices: [...first.notices, ...mismatch(first.kept, folder)], folder: 'as it was' }
  const key = dependencyKey(folder, plan.setup.argv)
  const kept = await findKept(plan.room, key)
  if (kept) return { kept, notices: first.notices, folder: 'as it was' }
  const made = await runSetup(plan, plan.setup, folder, key, signal)
  if (typeof made !== 'string') return { kept: made, notices: first.notices, folder: 'spoilt' }
  const failed = `setup failed in a clean copy (${made}), see ${plan.setup.log}; the dependencies of the beginning are used`
  return { kept: first.kept, notices: [...first.notices, failed], folder: 'spoilt' }
}

/** Whether these dependencies are the ones that belong to the tree in `folder`. */
export function fits({ setup }: DependencyPlan, kept: Kept, folder: string): boolean {
  if (kept.made === 'setup') return setup !== null && kept.key === dependencyKey(folder, setup.argv)
  return differing(kept, folder).length === 0
}

export function mismatch(kept: Kept | null, folder: string): string[] {
  const paths = kept ? differing(kept, folder) : []
  if (paths.length === 0) return []
  const advice = 'with "setup: <command>" they would be made anew'
  return [`${paths.join(', ')} is not the one your dependencies were installed for; those are used as they were (${advice})`]
}

/** Lockfiles of the tree that are not what the copy was made for. Others may lie in the user's folder and are no part of the tree. */
function differing({ locks }: Kept, folder: string): string[] {
  return Object.entries(locksIn(folder)).filter(([path, hash]) => locks[path] !== hash).map(([path]) => path)
}

/** What was made, or one line saying why nothing was. */
async function runSetup(plan: DependencyPlan, setup: SetupPlan, folder: string, key: string, signal?: AbortSignal): Promise<Kept | string> {
  const { argv, below, limits, log, sandbox } = setup
  const env = { ...setup.env, GREENLATCH_SESSION: plan.session }
  const stop = signal && { signal }
  const result = await sandbox.run({ argv, cwd: join(folder, below), env, limits, stdoutPath: log, stderrPath: `${log}.stderr`, ...stop, reach: SETUP_REACH })
  if (!isDone(result)) return whyNot(result)
  return keepDependencies({ from: folder, room: plan.room, key, made: 'setup' })
}
