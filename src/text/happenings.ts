// What happens in a session and is worth telling outside it: to whoever should look, and to commands that are run for it.
import type { Event, Session } from '../core/types.js'
import type { Ending, Notice } from '../ports.js'
import { rungName } from './ladder.js'

/** What people are told of wherever they are. */
export const NOTE_EVENTS = ['needs-you', 'rung', 'blocked', 'stopped', 'converged'] as const
/** What commands can be run for: the same, and what happens on the way. */
export const HOOK_EVENTS = ['began', 'phase', 'iteration', 'best', 'reverted', ...NOTE_EVENTS] as const

export type NoteEvent = (typeof NOTE_EVENTS)[number]
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** `text` is one line for people; `state` the one word for where the session stands. */
export type Happening = { event: HookEvent; text: string; session: Session; state: string; at: number }

export function isNote(event: HookEvent): event is NoteEvent {
  return (NOTE_EVENTS as readonly string[]).includes(event)
}

/** In the order in which they happened. `known` is the session as it was last told of, for notices without one. */
export function happeningsOf(notice: Notice, known: Session | null): Happening[] {
  switch (notice.kind) {
    case 'began':
      return [happening('began', notice.resumed ? 'goes on' : 'begins', notice.session, notice.at)]
    case 'record':
      return recorded(notice)
    case 'activity': {
      const { activity, at } = notice
      return known && activity.kind === 'waiting' && activity.wish !== undefined ? [happening('needs-you', `needs you: ${activity.note}`, known, at)] : []
    }
    case 'warning':
      return known && notice.blocked ? [happening('blocked', `has held back a command: ${notice.text}`, known, notice.at)] : []
    case 'ended':
      return [ended(notice.session, notice.how, notice.at)]
  }
}

function happening(event: HookEvent, says: string, session: Session, at: number, state = 'running'): Happening {
  return { event, text: `${session.procedure.name} ${says}`, session, state, at }
}

function recorded({ record, before, after }: Extract<Notice, { kind: 'record' }>): Happening[] {
  const state = after.finish?.outcome ?? after.rest
  const told = record.events.flatMap((event) => saidOf(event, before, after))
  const isOver = after.finished > before.finished
  const all: [HookEvent, string][] = [...told, ...(isOver ? [['iteration', `has ended iteration ${after.finished}`] as [HookEvent, string]] : [])]
  return all.map(([event, says]) => happening(event, says, after, record.at, state))
}

function saidOf(event: Event, before: Session, after: Session): [HookEvent, string][] {
  const effect = before.outstanding
  if (event.type === 'observed') {
    const { report, judgement } = event
    const note = report.note === '' ? '' : ` (${report.note})`
    return [
      ['phase', `has ended ${effect?.phase ?? 'a phase'}: ${judgement.verdict}${note}`],
      ...(judgement.better && after.best ? [['best', `is at its best in iteration ${after.best.iteration}: ${after.best.failing.length} failing`] as [HookEvent, string]] : []),
    ]
  }
  if (event.type !== 'decided') return []
  const { restore, fired } = event.decision
  const rung = rungName(after.procedure.policies.ladder?.rungs[after.rung])
  return [
    ...(restore ? [['reverted', `has gone back to ${restore.iteration === 0 ? 'the start' : `iteration ${restore.iteration}`}`] as [HookEvent, string]] : []),
    // What only an iteration after the end would take up is not taken up.
    ...(fired && !after.finish ? [['rung', `is no better: ${rung}`] as [HookEvent, string]] : []),
  ]
}

function ended(session: Session, how: Ending, at: number): Happening {
  if (how.kind === 'waiting') return happening('needs-you', `needs you: ${how.awaits}`, session, at, 'waiting')
  const { finish } = session
  if (how.kind !== 'finished' || !finish) return happening('stopped', `is ${how.kind}`, session, at, how.kind)
  return happening(finish.outcome === 'converged' ? 'converged' : 'stopped', `${finish.outcome}: ${finish.why}`, session, at, finish.outcome)
}
