// `fleet submit`: binds tasks to commits, makes sure their state can be kept, and puts them into the queue.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openOwnedFolder } from '../../files/owned-folder.js'
import { makeOutbox, repositoryOf, writeCommit, writeTree } from '../../adapters/remote/outbox.js'
import { parseDuration } from '../../config/duration.js'
import { EXIT, Refusal } from '../../errors.js'
import { submit as enqueue, USUAL_PRIORITY, type Submission } from '../../fleet/queues.js'
import { batches, KEY, noteBatch, parseRate } from '../../fleet/shared.js'
import type { Task } from '../../fleet/types.js'
import { git, GitError, type Repository } from '../../git/git.js'
import { discover } from '../../git/discover.js'
import { listRemote, pushTo, refuseAddress } from '../../git/remote.js'
import { counted } from '../../text/amounts.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { Call } from '../program.js'
import { newSessionId } from '../session-id.js'
import { withFleet, type Fleet, type FleetFlags } from './open.js'
import { adopt, again } from './again.js'
import { formatOf } from './clone.js'
import { wantedTasks, type SubmitFlags, type Wanted } from './submit-tasks.js'

const ATTEMPTS = 3
const BACK_OFF_SECONDS = 30
const AT_ONCE = 8

export default function submit({ args, flags }: Call<SubmitFlags & FleetFlags>): Promise<number> {
  return withFleet(flags, async (fleet) => {
    const rates = ratesOf(flags.rate ?? [])
    if (flags.again) {
      await again(fleet, flags.again, flags.batchCost)
      return setRates(fleet, rates)
    }
    const wanted = wantedTasks(args, flags, fleet.context.cwd, await originOf(fleet.context.cwd))
    const { folder: scratch, remove } = openOwnedFolder('submit')
    try {
      const repository = repositoryOf(makeOutbox(join(scratch, 'git'), 'sha1', join(scratch, 'git')))
      const commits = await commitsOf(repository, wanted)
      refuseMixed(flags.remote, [...commits.values()])
      const batch = await batchFor(fleet, flags.batch, wanted.length)
      const remotes = new Map(wanted.map((one) => [flags.remote ?? one.repository, commits.get(one) ?? '']))
      await inLots([...remotes], ([url, commit]) => probe(scratch, url, batch, commit))
      const tasks = wanted.map((one, at) => taskOf(one, { batch, at, remote: flags.remote ?? one.repository, commit: commits.get(one) ?? '' }))
      const submissions = submissionsOf(tasks, wanted, flags)
      const there = flags.batch === undefined ? 0 : await adopt(fleet.server.redis, tasks)
      await noteBatch(fleet.server.redis, batch, { at: Date.now(), tasks: tasks.length, usd: flags.batchCost ?? null })
      await setRates(fleet, rates)
      await enqueue(fleet.peers, fleet.server.redis, submissions)
      return tell(fleet, { batch, there }, tasks)
    } finally {
      remove()
    }
  })
}

/** A batch that was submitted before keeps its name, and so do its sessions, in the same order. */
async function batchFor({ server: { redis } }: Fleet, named: string | undefined, tasks: number): Promise<string> {
  const known = await batches(redis)
  if (named === undefined) return newSessionId([...known.keys()], Date.now())
  const next = "git ls-remote <remote> 'refs/greenlatch/fleet/*'"
  if (!/^[\w-]{1,60}$/.test(named)) throw new Refusal(EXIT.usage, `--batch: ${JSON.stringify(named)} is no name of a batch`, next)
  const before = known.get(named)
  if (before && before.tasks !== tasks) throw new Refusal(EXIT.usage, `--batch: ${named} is in the queue with ${counted(before.tasks, 'session')}, and these are ${tasks}`, `greenlatch fleet status ${named}`)
  return named
}

function submissionsOf(tasks: readonly Task[], wanted: readonly Wanted[], { attempts = ATTEMPTS, backOff }: SubmitFlags): Submission[] {
  const backoffSeconds = backOff === undefined ? BACK_OFF_SECONDS : parseDuration(backOff, '--back-off')
  return tasks.map((task, at) => ({ task, priority: wanted[at]?.priority ?? USUAL_PRIORITY, attempts: Math.max(1, attempts), backoffSeconds }))
}

type Binding = { batch: string; at: number; remote: string; commit: string }

function taskOf({ procedure, text, repository, words, labels, trust, candidate }: Wanted, { batch, at, remote, commit }: Binding): Task {
  const id = `${batch}-${String(at + 1).padStart(5, '0')}`
  return { format: 1, id, batch, repository, commit, remote, procedure, text, words, labels, ...(trust && { trust }), ...(candidate && { candidate: { ...candidate, group: `${batch}-${candidate.group}` } }) }
}

function tell({ output }: Fleet, { batch, there }: { batch: string; there: number }, tasks: readonly Task[]): number {
  if (output.format === 'text') output.data(batch)
  else output.json({ batch, sessions: tasks.map(({ id }) => id) })
  output.say(`${counted(tasks.length, 'session')} queued${there > 0 ? `, ${there} of them to go on from what their remote holds` : ''}\n  next:  greenlatch fleet status ${batch}\n         greenlatch fleet results ${batch}`)
  return EXIT.ok
}

type NamedRate = { name: string; rate: string }

function ratesOf(rates: readonly string[]): NamedRate[] {
  return rates.map((text) => {
    const [, name, rate = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (name === undefined || parseRate(rate) === null) throw new Refusal(EXIT.usage, `--rate: ${JSON.stringify(text)} is not like claude=30/m`, 'greenlatch fleet submit --rate claude=30/m')
    return { name, rate }
  })
}

async function setRates({ server: { redis } }: Fleet, rates: readonly NamedRate[]): Promise<number> {
  for (const { name, rate } of rates) await redis.hset(KEY.rates, name, rate)
  return EXIT.ok
}

// ───────────────────────────── repositories ─────────────────────────────

async function originOf(cwd: string): Promise<string | null> {
  try {
    const found = discover(cwd)
    if (found.kind !== 'work tree') return null
    const { code, text } = await git({ gitDir: found.gitDir, config: 'foreign' }, ['config', '--get', 'remote.origin.url'], { accepts: [1] })
    return code === 0 && text !== '' ? text : null
  } catch {
    return null
  }
}

async function commitsOf(repository: Repository, wanted: readonly Wanted[]): Promise<Map<Wanted, string>> {
  const known = new Map<string, string>()
  const key = ({ repository: url, ref }: Wanted): string => `${url}\0${ref}`
  await inLots([...new Map(wanted.map((one) => [key(one), one])).values()], async (one) => void known.set(key(one), await commitOf(repository, one)))
  return new Map(wanted.map((one) => [one, known.get(key(one)) ?? '']))
}

async function commitOf(repository: Repository, { repository: url, ref }: Wanted): Promise<string> {
  refuseAddress(url)
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return ref
  const names = [ref, `refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`]
  const found = await listRemote(repository, url, [...new Set([ref, `${ref}^{}`])]).catch((error: unknown) => {
    if (error instanceof GitError) throw new Refusal(EXIT.usage, `the repository ${url} cannot be read: ${error.stderr.split('\n')[0] || error.explanation}`, `git ls-remote ${quoteWord(url)}`)
    throw error
  })
  const commit = names.flatMap((name) => found.get(name) ?? [])[0]
  if (commit !== undefined) return commit
  throw new Refusal(EXIT.usage, `${url} has no branch or tag "${ref}"`, `git ls-remote ${quoteWord(url)}`)
}

/** Objects of a repository have names of one length. */
function refuseMixed(remote: string | undefined, commits: readonly string[]): void {
  if (remote === undefined || new Set(commits.map(({ length }) => length)).size < 2) return
  throw new Refusal(EXIT.usage, 'some of these repositories are of SHA-1 and some of SHA-256, and one --remote cannot hold the state of both', 'greenlatch fleet submit  (once for each kind, with a --remote of that kind)')
}

/** A ref is made and taken away again: nothing else tells whether it may be. */
async function probe(scratch: string, url: string, batch: string, commit: string): Promise<void> {
  refuseAddress(url)
  const path = join(scratch, `probe-${createHash('sha256').update(url).digest('hex').slice(0, 32)}`)
  const outbox = makeOutbox(path, formatOf(commit), path)
  const made = writeCommit(outbox, { tree: writeTree(outbox, []), parents: [], message: 'may this be written?', at: Date.now() })
  const ref = `refs/greenlatch/probe/${batch}`
  try {
    await pushTo(repositoryOf(outbox), url, [{ ref, from: null, to: made }])
    await pushTo(repositoryOf(outbox), url, [{ ref, from: made, to: null }])
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const said = error.stderr.split('\n').find((line) => /^(remote: |fatal: | ! )/.test(line)) ?? error.explanation
    throw new Refusal(EXIT.guard, `${url} does not take refs/greenlatch/*: ${said.trim()}`, 'greenlatch fleet submit --remote <a repository that may be pushed to>')
  }
}

async function inLots<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(act))
}
