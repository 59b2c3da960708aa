// A session that this process owns: its ports, its state, and the one way to write to its journal.
import { rebuild, type Event, type Effect, type Report, type Session, type Spend, type Tree } from '../core/index.js'
import type { Agent, Clock, Commands, Ending, Folder, Gate, GateOutcome, Inbox, Journal, Limits, ReadReply, Reporter, Workspace } from '../ports.js'
import type { Control } from './control.js'
import { tell } from './meter.js'

/** A prompt as it will be sent, its size by estimate, and what was left out of it, for people. */
export type ComposedPrompt = { text: string; tokens: number; warnings: string[] }

export type Ask = Extract<Effect, { kind: 'ask' }>

/** What a gate came to, when its run was not broken off. */
export type Heard = Exclude<GateOutcome, 'aborted'>

/** How doing an effect went. */
export type Performed = { kind: 'report'; report: Report } | { kind: 'not yet' } | { kind: 'aborted'; spent: Spend }

/** Everything outside that a session works with. */
export type Ports = {
  /** Where its records go. */
  journal: Journal
  /** Where its prompts, responses and outputs lie. */
  folder: Folder
  /** What other processes have to say to it. */
  inbox: Inbox
  /** The files it works on. */
  workspace: Workspace
  /** Agents by name; which role each answers is frozen in the session. */
  agents: Readonly<Record<string, Agent>>
  /** Agent → who is asked instead of it, in this order, while it cannot be reached. */
  fallbacks: Readonly<Record<string, readonly string[]>>
  /** Gates by name. */
  gates: Readonly<Record<string, Gate>>
  /** Runs what replies want run; without it nothing is. */
  commands?: Commands
  /** Hears of everything that happens. */
  reporter: Reporter
  /** Where the time is taken from. */
  clock: Clock
  /** Without it nothing is begun on a disk that is nearly full. */
  onFullDisk?: 'goes on'
  /** What people ask of it meanwhile. */
  control: Control
  /** What one answer of an agent, and one run of a gate, is ended at. */
  limits: { agent: Limits; gate: Limits }
  /** The prompt of an ask, made when it is written. */
  compose: (session: Session, effect: Effect) => ComposedPrompt
  /** Reads what an agent said. */
  read: ReadReply
}

/** What a check needs of them. */
export type CheckPorts = Pick<Ports, 'folder' | 'workspace' | 'gates' | 'reporter' | 'clock' | 'limits'> & { control: Pick<Control, 'now'> }

/** A session as the process that owns it has it. */
export type Live = {
  readonly ports: Ports
  /** The wall clock, in milliseconds, when this process took the session. */
  readonly ownedSince: number
  /** Its state, which changes with every record. */
  session: Session
  /** The tree the folder was last seen equal to; null while nobody has looked. */
  standing: Tree | null
}

/** Writes one record, durable before anyone hears of it. `after` is what the events make of the session. */
export function commit(live: Live, events: readonly Event[], after: Session = rebuild(events, live.session)): void {
  const before = live.session
  const record = live.ports.journal.append(events, after)
  live.session = after
  live.ports.reporter.notice({ kind: 'record', record, before, after })
}

export function warn({ ports }: Live, text: string): void {
  tell(ports, text)
}

/** The exit code of an ending; outcomes carry their own. */
export function exitCodeOf(session: Session, ending: Ending): number {
  switch (ending.kind) {
    case 'finished':
      return session.finish?.code ?? 1
    case 'waiting':
    case 'paused':
      return 8
    case 'stopped':
      return 130
    case 'interrupted':
      return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, stop: 130 }[ending.signal]
  }
}
