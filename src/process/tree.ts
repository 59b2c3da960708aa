// Finds and ends everything that one started process has brought forth, also what left its group, its session or its parent.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  commandOf,
  commandText,
  environmentHolds,
  hasProcfs,
  newestProcessId,
  ownStartTicks,
  processIdCount,
  processIds,
  readRow,
  type ProcessRow,
} from './procfs.js'
import type { Inner } from './types.js'

export type Tree = {
  pid: number
  /** Stands in the environment of all that belongs to the tree. */
  token: string
  startedAt: number
  /** Set when the process we started has ended and been collected: its id may then belong to another. */
  rootGone: boolean
  /** The command that people know, where another program leads to it; null for a helper of ours, which they need not know of. */
  inner?: Inner | null
  /** Nothing of the tree was started before this; without it, nothing before our own process. */
  oldestTicks?: number
}

/** What was ended, and what would not be ended. The process that we started counts in neither, nor does what only led to it. */
export type Ended = { ended: number; left: number }

export const GRACE_SECONDS = 2
const KILL_ROUNDS = 60
/** More ids than this are not looked at one by one: listing /proc is then cheaper. */
const FEW_IDS = 12
/** A rate of new processes and threads that no machine reaches for long; tells when ids cannot have begun again. */
const IDS_PER_MILLISECOND = 50

const running = new Set<Tree>()
const ownToken = randomBytes(12).toString('hex')
let made = 0
let endsAtExit = false

/** The value for one process. With a value of our own environment in front, a tree inside a tree belongs to both. */
export function newToken(): string {
  return `${ownToken}.${++made};`
}

export function registerTree(pid: number, token: string, inner?: Inner | null): Tree {
  const tree: Tree = { pid, token, startedAt: performance.now(), rootGone: false, ...(inner !== undefined && { inner }) }
  running.add(tree)
  if (!endsAtExit) process.once('exit', endAllTreesNow)
  endsAtExit = true
  return tree
}

export function forgetTree(tree: Tree): void {
  running.delete(tree)
}

/** The command line of what was started last for the session and still runs; empty where that cannot be told. */
export function newestCommand(): string {
  const newest = [...running].findLast(({ rootGone, inner }) => !rootGone && inner !== null)
  return newest ? (newest.inner ? commandText(newest.inner.argv) : commandOf(newest.pid)) : ''
}

/** True when nothing is left in the group of a tree whose root has ended. Free, however many processes the machine has. */
export function isGroupGone(tree: Tree): boolean {
  return !signal(-tree.pid, 0)
}

/** True when nothing can be left of a tree whose root has ended. Nearly free where few processes were started since. */
export function isSurelyGone(tree: Tree): boolean {
  if (!hasProcfs()) return isGroupGone(tree)
  const newest = newestProcessId()
  if (mayHaveWrapped(tree, newest)) return findMembers([tree], new Map()).length === 0
  const token = Buffer.from(tree.token)
  // A member whose parent is none holds the token or is in the session; one whose parent is a member need not be looked for.
  return !idsSince(tree.pid, newest).some((pid) => {
    const row = readRow(pid)
    return row !== null && (isInSession(row, tree) || environmentHolds(pid, token))
  })
}

/** Ids given out since `after`, `newest` being the last of them: few of all there are, also where thousands of processes run. */
function idsSince(after: number, newest: number): number[] {
  if (newest - after <= FEW_IDS) return Array.from({ length: newest - after }, (_, at) => after + 1 + at)
  const ids = processIds()
  // Asked again, so that what was started before the list was made is in it.
  const last = Math.max(newest, newestProcessId())
  return ids.filter((pid) => pid > after && pid <= last)
}

function mayHaveWrapped(tree: Tree, newest: number): boolean {
  return newest < tree.pid || (performance.now() - tree.startedAt) * IDS_PER_MILLISECOND > processIdCount()
}

function isInSession(row: ProcessRow, tree: Tree): boolean {
  return row.session === tree.pid || row.group === tree.pid
}

/**
 * All living processes of these trees: those that hold a token, are in the session or group of a root, were known before, or
 * descend from one of them.
 */
function findMembers(trees: readonly Tree[], known: ReadonlyMap<number, number>): ProcessRow[] {
  const newest = newestProcessId()
  const lowest = Math.min(...trees.map((tree) => (mayHaveWrapped(tree, newest) ? 0 : tree.pid)))
  const oldest = Math.min(...trees.map((tree) => tree.oldestTicks ?? ownStartTicks()))
  const rows = processIds()
    .filter((pid) => pid >= lowest || known.has(pid))
    .map(readRow)
    .filter((row) => row !== null)
    .filter((row) => row.startTicks >= oldest && row.pid !== process.pid)
  const tokens = trees.map((tree) => Buffer.from(tree.token))
  const members = new Set<ProcessRow>()
  for (const row of rows) {
    const belongs = known.get(row.pid) === row.startTicks || trees.some((tree) => isInSession(row, tree) || isRoot(row, tree))
    if (belongs || tokens.some((token) => environmentHolds(row.pid, token))) members.add(row)
  }
  addDescendants(rows, members)
  return [...members]
}

function isRoot(row: ProcessRow, tree: Tree): boolean {
  return row.pid === tree.pid && !tree.rootGone
}

function addDescendants(rows: readonly ProcessRow[], members: Set<ProcessRow>): void {
  const ids = new Set([...members].map((row) => row.pid))
  for (let before = -1; before < ids.size; ) {
    before = ids.size
    for (const row of rows) {
      if (ids.has(row.pid) || !ids.has(row.parent)) continue
      ids.add(row.pid)
      members.add(row)
    }
  }
}

/** Whether the signal could be sent. A negative id is a group. To the system -1 is everything there is, and 0 and 1 are not ours. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  if (Math.abs(pid) <= 1) return false
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Signals all that is left of the trees, each process once, and says what that was. */
function signalMembers(trees: readonly Tree[], name: 'SIGTERM' | 'SIGKILL', known: Map<number, number>): ProcessRow[] {
  const members = hasProcfs() ? findMembers(trees, known) : []
  const hasGroup = (tree: Tree): boolean => !tree.rootGone || !hasProcfs() || members.some((row) => row.group === tree.pid)
  const groups = new Set(trees.filter(hasGroup).map((tree) => tree.pid))
  for (const group of groups) signal(-group, name)
  for (const member of members) {
    known.set(member.pid, member.startTicks)
    if (!groups.has(member.group)) signal(member.pid, name)
  }
  return members
}

/** Asks the whole tree to end, waits for at most the grace, then ends by force what is left, over and over until nothing is. */
export async function endTree(tree: Tree, graceSeconds: number): Promise<Ended> {
  const known = new Map<number, number>()
  const leading = new Set<number>()
  const deadline = performance.now() + graceSeconds * 1000
  const signalAll = (name: 'SIGTERM' | 'SIGKILL'): ProcessRow[] => {
    const members = signalMembers([tree], name, known)
    for (const { pid, name: program } of members) if (program === tree.inner?.through) leading.add(pid)
    return members
  }
  signalAll('SIGTERM')
  for (let pause = 5; performance.now() < deadline && isAnyAlive(tree, known); pause = Math.min(pause * 2, 50)) await sleep(pause)
  let left = signalAll('SIGKILL')
  for (let round = 0; round < KILL_ROUNDS && left.length > 0; round++) {
    await sleep(Math.min(2 + round * 2, 50))
    left = signalAll('SIGKILL')
  }
  for (const pid of [tree.pid, ...leading]) known.delete(pid)
  const stubborn = left.filter((row) => known.has(row.pid)).length
  return { ended: known.size - stubborn, left: stubborn }
}

function isAnyAlive(tree: Tree, known: ReadonlyMap<number, number>): boolean {
  if (!hasProcfs()) return !isGroupGone(tree)
  for (const [pid, startTicks] of known) if (readRow(pid)?.startTicks === startTicks) return true
  return false
}

/**
 * Ends what a process of ours that was killed has left running: everything with this variable in its environment, and what
 * descends from it. Only for a variable that nothing else can have.
 */
export async function endStrays(name: string, value: string): Promise<Ended> {
  const noRoot = { pid: -1, startedAt: -Infinity, rootGone: true, oldestTicks: 0 }
  const tree: Tree = { ...noRoot, token: `${name}=${value}\0` }
  const isNone = !hasProcfs() || findMembers([tree], new Map()).length === 0
  return isNone ? { ended: 0, left: 0 } : endTree(tree, GRACE_SECONDS)
}

/** Ends by force, and before it returns, every tree this process has started and that still runs. */
export function endAllTreesNow(): void {
  if (running.size === 0) return
  const trees = [...running]
  const known = new Map<number, number>()
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let round = 0; round < KILL_ROUNDS && signalMembers(trees, 'SIGKILL', known).length > 0; round++) Atomics.wait(clock, 0, 0, 5)
}
