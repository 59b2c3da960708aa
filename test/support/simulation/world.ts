// A whole world behind the ports, made from a seed: what is on disk outlives a crash, what a process holds does not.
import { memoryFolder } from '../../../src/adapters/journal/folder.js'
import { createMemoryJournal } from '../../../src/adapters/journal/memory.js'
import { apply, FOLD_VERSION, type Failure, type Opened, type Procedure, type Tree } from '../../../src/core/index.js'
import type { Agent, Answer, Clock, Folder, Gate, Journal, JournalRecord, Workspace } from '../../../src/ports.js'
import { createControl, type Control } from '../../../src/shell/control.js'
import type { Live, Ports } from '../../../src/shell/live.js'
import { randomFrom, type Random } from '../../../src/simulate/random.js'
import { readReply } from '../../../src/text/reply/read-reply.js'
import { memoryInbox, type MemoryInbox } from '../memory-inbox.js'
import { dangerFrom, type Danger, type Odds } from './danger.js'

/** Which of the five tests fail on a tree, and a word that tells apart trees that fail alike. */
const TESTS = ['a', 'b', 'c', 'd', 'e']
export const redOf = (tree: Tree): string[] => (tree.split('|')[0] ?? '').split(',').filter(Boolean)
const treeOf = (red: readonly string[], word: string): Tree => `${red.toSorted().join(',')}|${word}`

export type World = {
  seed: number
  procedure: Procedure
  random: Random
  danger: Danger
  journal: Journal
  folder: Folder
  inbox: MemoryInbox
  clock: Clock
  /** Trees in the store: nothing else outlives the folder. */
  store: Set<Tree>
  /** What stands in the folder, and the files of the user, which nobody may touch. */
  files: { tree: Tree; user: string }
  /** Effects whose end was recorded, and those of them that were done again all the same. */
  ended: Set<string>
  repeated: string[]
  /** Records whose append has come back. */
  acknowledged: JournalRecord[]
  agents: Record<string, Agent>
  gates: Record<string, Gate>
  workspace: Workspace
  control: { current: Control }
}

export type Scenario = { seed: number; procedure: Procedure; roles: readonly string[]; odds: Odds; isPerson: boolean }

export function makeWorld({ seed, procedure, roles, odds, isPerson }: Scenario): World {
  const random = randomFrom(seed)
  const danger = dangerFrom(randomFrom(seed ^ 0x5f5f5f5f), odds)
  const start = treeOf(TESTS.slice(0, 1 + random.below(3)), 'start')
  const clock = jumpingClock(random)
  const inbox = memoryInbox()
  const { journal } = createMemoryJournal({ fold: { version: FOLD_VERSION, apply }, clock }, openedOf(procedure, roles, start, clock.now()))
  const world = {
    seed, procedure, random, danger, clock, inbox, journal, folder: memoryFolder('/nowhere'), store: new Set([start]), files: { tree: start, user: 'untouched' },
    ended: new Set<string>(), repeated: [] as string[], acknowledged: [] as JournalRecord[], agents: {}, gates: {}, control: { current: createControl(inbox) },
  }
  const whole = { ...world, workspace: workspaceOf(world) }
  whole.agents = { told: agentOf(whole, isPerson) }
  whole.gates = { test: gateOf(whole) }
  return whole
}

function openedOf(procedure: Procedure, roles: readonly string[], tree: Tree, openedAt: number): Opened {
  return {
    type: 'opened', format: 1, id: '20260206-100000-simul', procedure, tree, gates: ['test'], when: {},
    roles: Object.fromEntries(roles.map((role) => [role, 'told'])), fingerprints: 1, task: null, openedAt, setup: {},
  }
}

/** A process that owns the session: everything in memory is new, everything on disk is as it was left. */
export async function openWorld(world: World): Promise<Live> {
  const { danger, journal, folder, inbox, clock, workspace, agents, gates, control } = world
  danger.revive()
  control.current = createControl(inbox)
  const { session } = await journal.load()
  const limits = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1000 }
  const ports: Ports = {
    journal: riskyJournal(world), folder: riskyFolder(folder, danger), inbox, control: control.current, clock, workspace, agents, gates,
    fallbacks: {}, reporter: { notice: () => {} }, limits: { agent: limits, gate: limits }, read: readReply,
    compose: (_session, effect) => ({ text: `prompt of ${effect.id}`, tokens: 4, warnings: [] }),
  }
  return { session, ports, ownedSince: clock.now(), standing: null }
}

// ───────────────────────────── disk ─────────────────────────────

function riskyJournal({ journal, danger, acknowledged, ended }: World): Journal {
  return {
    ...journal,
    append(events, after) {
      const record = danger.write('a record', () => journal.append(events, after))
      acknowledged.push(record)
      for (const event of events) if (event.type === 'observed') ended.add(event.report.effect)
      return record
    },
  }
}

function riskyFolder(folder: Folder, danger: Danger): Folder {
  return { ...folder, write: (path, text) => danger.write(path, () => folder.write(path, text)), mark: (path, text) => danger.write(path, () => folder.mark(path, text)) }
}

type Parts = Pick<World, 'danger' | 'store' | 'files'>

function workspaceOf({ danger, store, files }: Parts): Workspace {
  return {
    cwd: '/nowhere',
    top: '/nowhere',
    actions: [],
    async stand({ tree }) {
      const paths = files.tree === tree ? [] : [files.tree]
      const salvage = paths.length > 0 && !store.has(files.tree) ? `salvage/${store.size}` : null
      if (salvage) danger.write('salvage', () => store.add(files.tree))
      // A kill in the middle leaves something that nobody made.
      if (paths.length > 0) danger.write('half of a tree', () => (files.tree = treeOf(TESTS, `half of ${tree}`)))
      danger.write('the rest of a tree', () => (files.tree = tree))
      return Promise.resolve({ salvage, paths, more: 0, notices: [] })
    },
    async keep() {
      danger.write('a checkpoint', () => store.add(files.tree))
      return Promise.resolve({ tree: files.tree, failures: [], notices: [], changed: files.tree, pins: null })
    },
    read: () => null,
    write: () => Promise.resolve({ refused: [] }),
    mayWrite: () => null,
    diffLines: () => Promise.resolve(1),
    patch: () => Promise.resolve(''),
    async copy(tree) {
      danger.point('a copy')
      return Promise.resolve({ top: `/copy/${tree}`, notices: [], shadows: () => [], putBack: () => Promise.resolve([]), remove: () => Promise.resolve() })
    },
    seal: () => Promise.resolve({ pins: 'pins', exceptions: [], withTests: null, withoutTests: null }),
    act: () => Promise.resolve('aborted'),
  }
}

// ───────────────────────────── agents and gates ─────────────────────────────

function begun({ ended, repeated }: World, effect: string): void {
  if (ended.has(effect)) repeated.push(effect)
}

/** Mends, breaks, wanders, stops, fails; a person needs a few looks before there is an answer. */
function agentOf(world: World, isPerson: boolean): Agent {
  const { random, danger, files, inbox } = world
  const looks = new Map<string, number>()
  return {
    name: 'told', describe: 'told', person: isPerson, inText: false, priced: true,
    ready: () => Promise.resolve(null),
    async ask({ effect }): Promise<Answer | undefined> {
      const seen = (looks.get(effect.id) ?? 0) + 1
      looks.set(effect.id, seen)
      if (isPerson && seen < 3) return Promise.resolve(undefined)
      danger.point('an ask')
      begun(world, effect.id)
      disturb(world, inbox)
      if (world.control.current.now.aborted) return Promise.resolve(answerOf('aborted'))
      const ending = random.chance(0.08) ? random.pick(['failed', 'unavailable', 'timeout', 'silence'] as const) : 'done'
      if (effect.yields === 'candidate' && ending !== 'unavailable') files.tree = nextTree(random, files.tree)
      danger.point('the end of an ask')
      return Promise.resolve(answerOf(ending, effect.yields === 'review' ? 'VERDICT: PASS' : ''))
    },
  }
}

function nextTree(random: Random, tree: Tree): Tree {
  const red = redOf(tree)
  const word = `w${random.below(1000)}`
  const what = random.next()
  if (what < 0.35) return treeOf(red.slice(1), word)
  if (what < 0.5) return treeOf([...new Set([...red, random.pick(TESTS)])], word)
  if (what < 0.6) return tree
  if (what < 0.7) return treeOf([], word)
  return treeOf([...new Set([...red.slice(1), random.pick(TESTS)])], word)
}

function answerOf(ending: Answer['ending'], text = ''): Answer {
  return { ending, note: ending, text, files: [], spent: { seconds: 1, tokens: 10, usd: 0 } }
}

/** Somebody pauses, stops, hints, or presses Ctrl+C. */
function disturb({ random, control, clock }: World, inbox: World['inbox']): void {
  const id = `m${random.below(1_000_000)}`
  const at = clock.now() + 1
  const what = random.next()
  if (what < 0.02) control.current.interrupt(random.pick(['SIGINT', 'SIGTERM', 'SIGHUP'] as const))
  else if (what < 0.04) inbox.put({ id, at, kind: 'pause' })
  else if (what < 0.06) inbox.put({ id, at, kind: 'stop', now: random.chance(0.5) })
  else if (what < 0.08) inbox.put({ id, at, kind: 'hint', text: 'look there' })
}

/** What it says follows from the tree alone, except that it may fail by chance, and never passes by it. */
function gateOf(world: World): Gate {
  const { random, danger, files } = world
  return {
    name: 'test', describe: 'npm test',
    async run({ cwd, effect }) {
      danger.point('a gate')
      begun(world, effect.id)
      const tree = cwd === '/nowhere' ? files.tree : cwd.slice('/copy/'.length)
      const failing = random.chance(0.03) ? [...new Set([...redOf(tree), random.pick(TESTS)])] : redOf(tree)
      const exit = failing.length > 0 ? 'fail' : 'pass'
      danger.point('the end of a gate')
      const result = { gate: 'test', exit, complete: true, known: true, missing: 0, seconds: 1, note: '' } as const
      return Promise.resolve({ result, failures: failing.map(failureOf), ids: null, skipped: [], files: [] })
    },
  }
}

function failureOf(subject: string): Failure {
  return { gate: 'test', subject, class: 'behaviour', fingerprint: `1:${subject}`, message: `${subject} failed`, runs: { failed: 1, of: 1 } }
}

// ───────────────────────────── time and messages ─────────────────────────────

/** The wall clock jumps, back too; what is measured does not. */
function jumpingClock(random: Random): Clock {
  let seconds = 0
  let offset = 0
  return {
    now: () => {
      if (random.chance(0.05)) offset += (random.next() - 0.5) * 1e9
      return Math.round(1.77e12 + offset + seconds * 1000)
    },
    seconds: () => (seconds += 0.1),
    sleep: (by) => Promise.resolve(void (seconds += by)),
  }
}
