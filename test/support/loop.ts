// A whole loop in memory: the real engine and shell, with answers and gate results given by the test.
import { readReply } from '../../src/text/reply/read-reply.js'
import { createMemoryJournal } from '../../src/adapters/journal/memory.js'
import { memoryFolder } from '../../src/adapters/journal/folder.js'
import { apply, FOLD_VERSION, type Failure, type Opened, type Procedure } from '../../src/core/index.js'
import type { Agent, Answer, AskRequest, Ending, Gate, Message, Notice, ReadReply, Reporter, Workspace } from '../../src/ports.js'
import { createControl, type Control } from '../../src/shell/control.js'
import type { Live } from '../../src/shell/live.js'
import { run } from '../../src/shell/run.js'
import { memoryInbox, type MemoryInbox } from './memory-inbox.js'

export type Turn = Partial<Answer> & { seconds?: number; tree?: string; before?: (control: Control, inbox: MemoryInbox) => void }
export type GateTurn = { failing: string[]; seconds?: number; exit?: 'error' | 'timeout' }

export type World = { procedure: Procedure; turns: Turn[]; gates?: GateTurn[]; reporter: Reporter; messages?: Message[]; started?: number } & Others

/** For procedures with more than one role: who is asked decides what is said. */
type Others = { roles?: readonly string[]; answers?: (request: AskRequest) => Turn; workspace?: Partial<Workspace>; read?: ReadReply }

/** Time passes only when a turn says so, and while it is slept. The last turn and the last gate result go on for ever. */
export function inMemory(world: World): { live: Live; inbox: MemoryInbox } {
  let seconds = 0
  const started = world.started ?? Date.UTC(2026, 1, 6, 10, 0, 0)
  const sleep = (by: number): Promise<void> => Promise.resolve(void (seconds += by))
  const clock = { now: () => started + Math.round(seconds * 1000), seconds: () => seconds, sleep }
  const inbox = memoryInbox(world.messages ?? [])
  const control = createControl(inbox)
  let tree = 't0'
  let kept = tree
  let asks = 0
  let checks = 0
  const agent: Agent = {
    name: 'told',
    describe: 'told',
    person: false,
    inText: false,
    priced: true,
    ready: () => Promise.resolve(null),
    ask(request) {
      const turn = world.answers?.(request) ?? world.turns[Math.min(asks, world.turns.length - 1)] ?? {}
      asks += 1
      turn.before?.(control, inbox)
      seconds += turn.seconds ?? 1
      tree = turn.tree ?? `t${asks}`
      return Promise.resolve({ ending: 'done', note: '', text: '', files: [], spent: { seconds: 0, tokens: 0, usd: 0 }, ...turn } satisfies Answer)
    },
  }
  const gate: Gate = {
    name: 'test',
    describe: 'npm test',
    run() {
      const result = world.gates?.[Math.min(checks++, world.gates.length - 1)] ?? { failing: [] }
      seconds += result.seconds ?? 1
      const exit = result.exit ?? (result.failing.length > 0 ? ('fail' as const) : ('pass' as const))
      return Promise.resolve({
        result: { gate: 'test', exit, complete: exit !== 'timeout', known: true, missing: 0, seconds: 1, note: `exit ${exit === 'pass' ? 0 : 1}` },
        failures: result.failing.map(failureOf),
        ids: null,
        skipped: [],
        files: [],
      })
    },
  }
  const opened: Opened = {
    type: 'opened', format: 1, id: '20260206-100000-test', procedure: world.procedure, tree, gates: world.gates ? ['test'] : [], when: {},
    roles: Object.fromEntries((world.roles ?? ['implementer']).map((role) => [role, 'told'])), fingerprints: 1, task: null, openedAt: started, setup: {},
  }
  const { journal, loaded } = createMemoryJournal({ fold: { version: FOLD_VERSION, apply }, clock }, opened)
  const limits = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1000 }
  const live: Live = {
    session: loaded.session,
    ownedSince: started,
    standing: null,
    ports: {
      journal, inbox, control, clock,
      fallbacks: {},
      folder: memoryFolder('/nowhere'),
      workspace: {
        cwd: '/nowhere',
        top: '/nowhere',
        actions: [],
        stand(on) {
          const paths = tree === on.tree ? [] : [tree]
          const salvage = paths.length > 0 && tree !== kept ? 'salvage/1' : null
          tree = on.tree
          return Promise.resolve({ salvage, paths, more: 0, notices: [] })
        },
        keep() {
          kept = tree
          return Promise.resolve({ tree, failures: [], notices: [], changed: '', pins: null })
        },
        read: () => null,
        write: () => Promise.resolve({ refused: [] }),
        mayWrite: () => null,
        diffLines: () => Promise.resolve(0),
        patch: () => Promise.resolve(''),
        copy: () => Promise.resolve({ top: '/nowhere', notices: [], shadows: () => [], putBack: () => Promise.resolve([]), remove: () => Promise.resolve() }),
        seal: () => Promise.resolve({ pins: 'pins', exceptions: [], withTests: null, withoutTests: null }),
        act: () => Promise.resolve('aborted'),
        ...world.workspace,
      },
      agents: { told: agent },
      gates: { test: gate },
      reporter: world.reporter,
      limits: { agent: limits, gate: limits },
      compose: (session, effect) => ({ text: `prompt of ${effect.id}`, tokens: 4, warnings: session.iteration > 90 ? ['long'] : [] }),
      read: world.read ?? readReply,
    },
  }
  return { live, inbox }
}

function failureOf(subject: string): Failure {
  return { gate: 'test', subject, class: 'behaviour', fingerprint: `1:${subject}`, message: `${subject} failed`, runs: { failed: 1, of: 1 } }
}

/** Runs it to its end and hands back everything a reporter heard. */
export async function runInMemory(world: Omit<World, 'reporter'>): Promise<{ live: Live; ending: Ending; notices: Notice[]; inbox: MemoryInbox }> {
  const notices: Notice[] = []
  const { live, inbox } = inMemory({ ...world, reporter: { notice: (notice) => void notices.push(notice) } })
  const ending = await run(live, { resumed: false })
  return { live, ending, notices, inbox }
}
