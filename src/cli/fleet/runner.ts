// Runs the session of a task on this machine as any session is run, and pushes its state after every iteration.
import type { Patience, Published } from '../../adapters/remote/publish.js'
import { changes } from '../../adapters/workspace/changes.js'
import type { Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import type { Attempt, Ended, Result, Runner, Task } from '../../fleet/types.js'
import { isFinal, type RemoteRef } from '../../git/remote.js'
import type { Ending, Reporter } from '../../ports.js'
import { commit, exitCodeOf, type Live } from '../../shell/live.js'
import { run } from '../../shell/run.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { prepare, type BeginFlags } from '../begin.js'
import { cancelSession } from '../cancel.js'
import { readEntry } from '../catalogue.js'
import { cloneOf, formatOf } from './clone.js'
import { forget, hold, stateRef, type Held, type Publishing, type Site } from './hold.js'
import type { Owned } from '../wire.js'
import { limited } from './limited.js'
import { hasSettings, requireTrustedState, untrusted } from './trust.js'
import { roomsOf } from '../recorded.js'

/** Sums of fractions are not exact. */
const LEAST_USD = 1e-6

export type Machine = { worker: string; state: string; repositories: string; version: string; config?: string; patienceSeconds: number }

export function sessionRunner(machine: Machine): Runner {
  return async (task, attempt) => {
    try {
      return await runTask(machine, task, attempt)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isOurs = error.code === EXIT.usage || error.code === EXIT.gate || error.code === EXIT.guard
      return { kind: 'failed', why: `${error.message} (exit ${error.code})`, next: error.next, final: isOurs || isFinal(error) }
    }
  }
}

async function runTask(machine: Machine, task: Task, attempt: Attempt): Promise<Ended> {
  const site = await siteFor(machine, task, attempt)
  const held = await hold(site, attempt)
  switch (held.kind) {
    case 'gone':
      return goneFrom(task, site.to)
    case 'foreign':
      return foreignTo(task, site.to)
    case 'over':
      return tellEnd(machine, site, held, attempt)
    case 'owned':
      return runHeld(machine, site, held, attempt)
  }
}

/** An end that only this machine knew of is none before the remote has it. */
async function tellEnd(machine: Machine, site: Site, { session, publishing, unpushed }: Extract<Held, { kind: 'over' }>, attempt: Attempt): Promise<Ended> {
  const failed = unpushed ? stopped(await pusher(machine, publishing, attempt)(session, `ended: ${session.finish?.outcome}`), site) : null
  if (failed) return failed
  const { commit, pushes } = publishing
  const result = resultOf(site, session, { ending: { kind: 'finished' }, commit, pushes, lines: await linesOf(site, session), worker: machine.worker })
  forget(site)
  return { kind: 'ended', result }
}

async function siteFor(machine: Machine, task: Task, attempt: Attempt): Promise<Site> {
  const { state } = machine
  const folder = await cloneOf(machine.repositories, task)
  const { context, plan } = await planFor(machine, task, folder)
  if (task.trust === undefined && hasSettings(folder)) attempt.say('greenlatch.yaml of the repository is not read: the task names no state of it that is trusted')
  const reporter: Reporter = { notice: (notice) => void (notice.kind === 'warning' && attempt.say(notice.text)) }
  return { task, context, plan, state, to: { url: task.remote, ref: stateRef(task.id) }, reporter }
}

/** A file of the worker's own would be read in the place of the repository's. Nobody is asked anything here. */
async function planFor({ state, version, config }: Machine, task: Task, folder: string): Promise<Pick<Site, 'context' | 'plan'>> {
  const text = task.text === '' ? [] : [task.text]
  const flags = { ...task.words, C: folder, stateDir: state, quiet: true, input: false } as BeginFlags
  if (task.trust) {
    const trusting = { ...flags, trust: task.trust }
    await requireTrustedState(task, trusting, folder)
    return prepare([...(task.procedure === null ? [] : [task.procedure]), ...text], trusting, version, 'run')
  }
  try {
    return await prepare([task.procedure ?? 'converge', ...text], { ...flags, ...(config !== undefined && { config }) }, version, 'run', 'user')
  } catch (error) {
    throw error instanceof Refusal ? untrusted(error, folder) : error
  }
}

type Owning = Extract<Held, { kind: 'owned' }>

async function runHeld(machine: Machine, site: Site, { owned, publishing, resumed }: Owning, attempt: Attempt): Promise<Ended> {
  const push = pusher(machine, publishing, attempt)
  const interrupt = (): void => owned.ports.control.interrupt('stop')
  AbortSignal.any([attempt.lost, attempt.cancelled]).addEventListener('abort', interrupt, { once: true })
  if (attempt.lost.aborted || attempt.cancelled.aborted) interrupt()
  let ended: Ended | null = null
  let ending: Ending | null = null
  let isBroke = false
  try {
    if (resumed) await countUnpushed(owned, attempt)
    ended = stopped(await push(owned.session, `claimed by ${machine.worker}`), site)
    if (ended === null) attempt.say(resumed ? `taken over after iteration ${owned.session.finished}` : 'begun')
    let pushed = owned.session.finished
    const between = async (live: Live): Promise<Ending | null> => {
      attempt.progress(progressOf(machine.worker, live.session))
      const isDraining = attempt.draining.aborted
      if (live.session.finished === pushed && !isDraining) return null
      pushed = live.session.finished
      ended = stopped(await push(live.session, `iteration ${pushed}`), site)
      return ended || isDraining ? { kind: 'stopped' } : null
    }
    if (ended === null) ending = await run(limited(owned, site.plan.setup.agents, attempt, () => (isBroke = true)), { resumed, between })
  } finally {
    await owned.close()
  }
  if (attempt.lost.aborted) return { kind: 'lost', why: String((attempt.lost.reason as Error).message) }
  if (ended !== null || ending === null) return ended ?? { kind: 'given back' }
  return conclude({ machine, site, publishing, attempt, ending, isBroke })
}

/** What was asked elsewhere and never pushed has cost money all the same. */
async function countUnpushed(owned: Owned, attempt: Attempt): Promise<void> {
  const usd = (await attempt.spent(owned.session.spent.usd).catch(() => 0)) - owned.session.spent.usd
  if (usd < LEAST_USD) return
  attempt.say(`$${usd.toFixed(2)} were spent on another machine on what was never pushed`)
  commit(owned, [{ type: 'interrupted', cause: 'stop', note: 'asked on another machine, and not pushed', spent: { seconds: 0, tokens: 0, usd } }])
}

type Over = { machine: Machine; site: Site; publishing: Publishing; attempt: Attempt; ending: Ending; isBroke: boolean }

/** What is told of a session counts only once it is on its remote. */
async function conclude({ machine, site, publishing, attempt, ending, isBroke }: Over): Promise<Ended> {
  const { task, context } = site
  const isCancelled = attempt.cancelled.aborted && ending.kind !== 'finished'
  if (isCancelled) await cancelSession(await readEntry(context.store, task.id))
  const { session } = await readEntry(context.store, task.id)
  const how: Ending = isCancelled ? { kind: 'finished' } : ending
  const failed = stopped(await pusher(machine, publishing, attempt)(session, how.kind === 'finished' ? `ended: ${session.finish?.outcome}` : how.kind), site)
  if (failed) return failed
  if (isBroke) return { kind: 'failed', why: `the money of batch ${task.batch} is spent`, next: `greenlatch fleet submit --again ${task.id} --batch-cost <usd>`, final: true }
  if (how.kind === 'stopped' || how.kind === 'interrupted' || how.kind === 'paused') return { kind: 'given back' }
  if (session.finish?.code === EXIT.agent) return { kind: 'failed', why: session.finish.why, next: `greenlatch fleet submit --again ${task.id}`, final: false }
  const result = resultOf(site, session, { ending: how, commit: publishing.commit, pushes: publishing.pushes, lines: await linesOf(site, session), worker: machine.worker })
  forget(site)
  return { kind: 'ended', result }
}

/** How much the result differs from the start; null where nothing is delivered. */
async function linesOf({ context, task }: Site, { start, finish }: Session): Promise<number | null> {
  const store = { path: roomsOf(context.store).store, format: formatOf(task.commit) }
  return finish ? (await changes(store, start, finish.delivers, 'apart')).lines : null
}

type Push = (session: Session, message: string) => Promise<Published>

function pusher({ patienceSeconds }: Machine, publishing: Publishing, attempt: Attempt): Push {
  return async (session, message) => {
    const patience: Patience = { seconds: patienceSeconds, signal: attempt.lost, onTrouble: (why) => attempt.say(`the remote does not take the state, trying again: ${why}`), announce: (commit) => unlessLost(attempt.pushing(commit), attempt.lost) }
    const published = await publishing.publish(session, message, patience)
    if (published.kind !== 'published') return published
    await unlessLost(attempt.pushed(), attempt.lost)
    await attempt.spent(session.spent.usd).catch(() => 0)
    return published
  }
}

/** A queue that is away is waited for no longer than the session is ours. */
async function unlessLost(told: Promise<void>, lost: AbortSignal): Promise<void> {
  if (lost.aborted) return
  await Promise.race([told, new Promise<void>((resolve) => void lost.addEventListener('abort', () => resolve(), { once: true }))])
}

/** Null when it was published. */
function stopped(published: Published, { task, to }: Site): Ended | null {
  switch (published.kind) {
    case 'published':
      return null
    case 'fenced':
    case 'given up':
      return { kind: 'lost', why: published.why }
    case 'gone':
      return goneFrom(task, to)
    case 'refused':
      return { kind: 'failed', why: `the remote refuses the push: ${published.why}`, next: `greenlatch fleet submit --again ${task.id}  (once workers may push refs/greenlatch/* to ${to.url})`, final: false }
    case 'unreachable':
      return { kind: 'failed', why: `the remote cannot be reached: ${published.why}`, next: `greenlatch fleet submit --again ${task.id}  (once ${to.url} answers)`, final: false }
  }
}

function goneFrom({ id }: Task, { url, ref }: RemoteRef): Ended {
  const next = `git ls-remote ${quoteWord(url)} ${quoteWord(ref)}  (once it is back: greenlatch fleet submit --again ${id})`
  return { kind: 'failed', why: `the state of the session is gone: ${ref} was deleted on the remote`, next, final: true }
}

function foreignTo({ id }: Task, { url, ref }: RemoteRef): Ended {
  const next = `git ls-remote ${quoteWord(url)} ${quoteWord(ref)}  (to go on from what is there: greenlatch fleet submit --again ${id})`
  return { kind: 'failed', why: `${ref} stands on a commit that no worker of this queue has pushed`, next, final: true }
}

function progressOf(worker: string, session: Session): Parameters<Attempt['progress']>[0] {
  return { worker, iteration: session.iteration, rung: session.rung, failing: session.best?.failing.length ?? null, spent: session.spent, budget: session.budget }
}

type Facts = { ending: Ending; commit: string | null; pushes: Result['pushes']; lines: number | null; worker: string }

function resultOf({ to }: Site, session: Session, { ending, commit, pushes, lines, worker }: Facts): Result {
  const { finish } = session
  return {
    outcome: finish?.outcome ?? 'waiting',
    code: exitCodeOf(session, ending),
    label: finish?.label ?? session.label ?? 'unverified',
    why: finish?.why ?? (ending.kind === 'waiting' ? `waits for ${ending.awaits}` : ending.kind),
    iterations: session.finished,
    spent: session.spent,
    lines,
    remote: to.url,
    ref: to.ref,
    commit,
    worker,
    pushes,
  }
}
