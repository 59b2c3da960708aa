// Takes hold of the session of a task: makes it, goes on with it where it is, or brings it here from its remote; then claims it there.
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeOutbox, repositoryOf } from '../../adapters/remote/outbox.js'
import { publish, type Patience, type Published } from '../../adapters/remote/publish.js'
import { fetchState, restoreState } from '../../adapters/remote/restore.js'
import { nothingKnown, type Known } from '../../adapters/remote/state.js'
import { removeCheckout } from '../../adapters/workspace/checkout-remove.js'
import { openStore } from '../../adapters/workspace/store.js'
import type { Session } from '../../core/index.js'
import { EXIT } from '../../errors.js'
import type { Attempt, Task } from '../../fleet/types.js'
import { makeFolder, replaceFile } from '../../files/durable.js'
import { git } from '../../git/git.js'
import { remoteTip, type RemoteRef } from '../../git/remote.js'
import type { Reporter } from '../../ports.js'
import { readEntry } from '../catalogue.js'
import type { Context } from '../context.js'
import { sourceOf, type Source } from '../ground.js'
import type { Plan } from '../setup.js'
import { createSession, ownExisting, type Owned } from '../wire.js'
import { formatOf } from './clone.js'
import { refuseOther } from './same-task.js'
import { roomsOf } from '../recorded.js'

export type Site = { task: Task; context: Context; plan: Plan; state: string; to: RemoteRef; reporter: Reporter }

/** `over`: it had ended before, and what was missing is only that somebody was told; `unpushed`: not even the remote was. */
export type Held = { kind: 'gone' } | { kind: 'foreign' } | { kind: 'over'; session: Session; publishing: Publishing; unpushed: boolean } | { kind: 'owned'; owned: Owned; publishing: Publishing; resumed: boolean }

export type Publishing = { publish(session: Session, message: string, patience: Patience): Promise<Published>; readonly commit: string | null; readonly pushes: { count: number; seconds: number } }

export function stateRef(id: string): string {
  return `refs/greenlatch/fleet/${id}`
}

export async function hold(site: Site, { standing }: Pick<Attempt, 'standing'>): Promise<Held> {
  const { task, context, plan, state, to, reporter } = site
  const { source } = await sourceOf(plan.setup, plan.procedure, context.store)
  const format = source.kind === 'repository' ? source.format : 'sha1'
  const store = await openStore(roomsOf(context.store).store, format)
  const outbox = makeOutbox(join(state, 'outbox', task.id), format, store.path)
  const tip = await remoteTip(repositoryOf(outbox), to)
  const stands = await standing(tip)
  if (stands === 'gone') return { kind: 'gone' }
  if (stands === 'foreign') return { kind: 'foreign' }
  const folder = join(context.store, task.id)
  if (tip === null) {
    setAside(site, folder)
    const owned = await createSession(plan, context.store, reporter, { id: task.id })
    return { kind: 'owned', owned, publishing: publishingOf(site, folder, nothingKnown()), resumed: false }
  }
  // Also where the session is here already: the next commit is made on this one.
  await fetchState(to, { store: store.path, session: task.id })
  const known = readKnown(folder, tip) ?? (await bring(site, folder, tip))
  const { session } = await readEntry(context.store, task.id)
  refuseOther(session, plan, { folder, id: task.id, start: await startOf(source, task) })
  // An agent that could not be reached may be reached by now, and is asked again.
  if (session.finish && session.finish.code !== EXIT.agent) {
    const unpushed = statSync(join(folder, 'journal.jsonl')).size > known.bytes
    return { kind: 'over', session, publishing: publishingOf(site, folder, known), unpushed }
  }
  const owned = await ownExisting(folder, reporter, { anew: { procedure: plan.procedure, roles: plan.roles, setup: { ...plan.setup, source } } })
  return { kind: 'owned', owned, publishing: publishingOf(site, folder, known), resumed: session.asked > 0 }
}

/** Of a clone that nobody has touched. */
async function startOf(source: Source, { commit }: Task): Promise<string> {
  const gitDir = source.kind === 'repository' ? source.gitDir : join(source.top, '.git')
  return (await git({ gitDir, config: 'foreign' }, ['rev-parse', '--verify', `${commit}^{tree}`])).text
}

/** What is here already counts only where it is what was pushed last: then nobody else has had the session since. */
function readKnown(folder: string, tip: string): Known | null {
  try {
    const known = JSON.parse(readFileSync(join(folder, 'fleet.json'), 'utf8')) as Omit<Known, 'files'>
    return known.commit === tip && existsSync(join(folder, 'journal.jsonl')) ? { ...known, files: new Map() } : null
  } catch {
    return null
  }
}

async function bring(site: Site, folder: string, tip: string): Promise<Known> {
  const { task, context } = site
  setAside(site, folder)
  makeFolder(context.store)
  return restoreState(tip, { store: roomsOf(context.store).store, folder, session: task.id })
}

/** What an earlier attempt left here and nobody was told of is kept, out of the way. */
function setAside({ task, context, state }: Site, folder: string): void {
  removeCheckout(join(roomsOf(context.store).checkouts, task.id))
  if (!existsSync(folder)) return
  const left = join(state, 'left')
  makeFolder(left)
  renameSync(folder, join(left, `${task.id}-${Date.now()}`))
}

function publishingOf({ task, context, state, to }: Site, folder: string, before: Known): Publishing {
  let known = before
  const pushes = { count: 0, seconds: 0 }
  const store = roomsOf(context.store).store
  const outbox = { path: join(state, 'outbox', task.id), format: formatOf(task.commit), store }
  return {
    get commit() {
      return known.commit
    },
    pushes,
    async publish(session, message, patience) {
      const began = performance.now()
      const published = await publish(to, { folder, outbox, session }, known, message, patience)
      if (published.kind === 'published') {
        known = published.known
        pushes.count += 1
        pushes.seconds += (performance.now() - began) / 1000
        replaceFile(join(folder, 'fleet.json'), JSON.stringify({ ...known, files: undefined }))
      }
      return published
    },
  }
}

/** The remote has it all: what was made of it here is taken away. */
export function forget({ task, context, state }: Pick<Site, 'task' | 'context' | 'state'>): void {
  const { store, checkouts } = roomsOf(context.store)
  removeCheckout(join(checkouts, task.id))
  for (const path of [join(context.store, task.id), join(store, 'refs', 'greenlatch', task.id), join(state, 'outbox', task.id)]) rmSync(path, { recursive: true, force: true })
}
