// The published names of sessions that work with a profile: their phases and statuses, every transition, and what they left.
import { openJournal } from '../adapters/journal/files.js'
import type { Effect, Event, Opened, Outcome, Procedure, Session } from '../core/index.js'
import type { Journal, JournalRecord } from '../ports.js'
import { fold } from './catalogue.js'
import { systemClock } from './clock.js'
import { promptPath } from '../shell/ask-files.js'
import { codePlace, usesProfile } from './profile-phases.js'

export type PublishedStatus = 'IN_PROGRESS' | 'SUCCESS' | 'FAILED' | 'ERROR' | 'CANCELLED'

type Named = { phase: string; status: PublishedStatus }

export type Transition = Named & { at: string }

/** A file has the hash of its content, the folder of a candidate that of its tree; a prompt that is only there to be read has none. */
export type Artifact = { path: string; iteration: number; sha: string | null }

export type Published = Named & {
  session_id: string
  current_iteration: number
  phase_history: readonly Transition[]
  updated_at: string
  artifacts: readonly Artifact[]
}

/** A session that ran out of its budget had a last review that failed. */
const ENDS: Record<Outcome, Named> = {
  converged: { phase: 'COMPLETE', status: 'SUCCESS' },
  completed: { phase: 'COMPLETE', status: 'SUCCESS' },
  exhausted: { phase: 'ERROR', status: 'FAILED' },
  stalled: { phase: 'ERROR', status: 'FAILED' },
  refused: { phase: 'ERROR', status: 'ERROR' },
  failed: { phase: 'ERROR', status: 'ERROR' },
  cancelled: { phase: 'CANCELLED', status: 'CANCELLED' },
}

function namesOf(label: string): Named {
  if (Object.hasOwn(ENDS, label)) return ENDS[label as Outcome]
  return { phase: label === 'initialized' ? 'INITIALIZED' : label, status: 'IN_PROGRESS' }
}

/** What the session itself can tell; nothing for one that works without a profile. */
export function publishedNames(session: Session): Partial<Published> {
  if (!usesProfile(session.procedure)) return {}
  return { ...namesOf(session.label), session_id: session.id, current_iteration: session.iteration }
}

// ───────────────────────────── history ─────────────────────────────

/** Hears records in their order, each once, and tells what all of them came to. */
export type History = { hear(record: JournalRecord): void; isPublished(): boolean; fields(): Partial<Published> }

export function createHistory(): History {
  let opened: Opened | null = null
  let effect: Effect | null = null
  let label = ''
  let heard = { seq: 0, at: 0 }
  const transitions: Transition[] = []
  const artifacts = new Map<string, Artifact>()
  const hearEvent = (procedure: Procedure, event: Event): void => {
    if (event.type === 'opened') label = 'initialized'
    if (event.type === 'asked') effect = event.effect
    if (event.type === 'asked') label = procedure.phases[event.effect.phase]?.label ?? event.effect.phase
    if (event.type === 'decided') label = labelAfter(event, procedure, effect) ?? label
    for (const left of leftBy(event, procedure, effect)) artifacts.set(left.path, left)
  }
  return {
    hear(record) {
      if (record.seq <= heard.seq) return
      heard = record
      const [first] = record.events
      if (first?.type === 'opened' && usesProfile(first.procedure)) opened = first
      if (!opened) return
      for (const event of record.events) hearEvent(opened.procedure, event)
      if (record.events.some(isTransition)) transitions.push({ ...namesOf(label), at: timeOf(record.at) })
    },
    isPublished: () => opened !== null,
    fields() {
      if (!opened) return {}
      const current_iteration = effect?.iteration ?? 0
      const told = { phase_history: transitions, updated_at: timeOf(heard.at), artifacts: [...artifacts.values()] }
      return { ...namesOf(label), session_id: opened.id, current_iteration, ...told }
    },
  }
}

/** The same of a session on disk, whoever runs it. */
export async function publishedOf(session: Session, folder: string): Promise<Partial<Published>> {
  if (!usesProfile(session.procedure)) return {}
  const history = createHistory()
  await hearAll(history, openJournal({ folder, fold, clock: systemClock, writable: false }))
  return history.fields()
}

/** Nothing is read twice for sessions that have no such names. */
export async function hearAll(history: History, journal: Pick<Journal, 'records'>): Promise<void> {
  for await (const record of journal.records()) {
    history.hear(record)
    if (!history.isPublished()) return
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

/** Hints, pauses, interruptions and the like are records, and lead nowhere. */
function isTransition({ type }: Event): boolean {
  return type === 'opened' || type === 'asked' || type === 'decided'
}

function labelAfter({ decision }: Extract<Event, { type: 'decided' }>, { phases }: Procedure, effect: Effect | null): string | undefined {
  if (decision.finish) return decision.finish.outcome
  return decision.repeats ? undefined : phases[effect?.phase ?? '']?.rests
}

function leftBy(event: Event, { phases }: Procedure, effect: Effect | null): Artifact[] {
  if (event.type === 'opened') return event.task ? [{ path: event.task.path, iteration: 0, sha: event.task.sha }] : []
  if (event.type === 'asked') return event.prompt ? [{ path: event.prompt.path, iteration: event.effect.iteration, sha: event.prompt.sha }] : []
  if (event.type !== 'observed' || !effect) return []
  const { iteration } = effect
  const { files, keeps, verdict, tree } = event.report
  const phase = phases[effect.phase]
  const late = phase?.kind === 'ask' && phase.prompts === 'late' ? [{ path: promptPath(effect), iteration, sha: null }] : []
  const kept = Object.values(keeps).flatMap((ref) => ref ?? [])
  const made = effect.kind === 'ask' ? effect.yields === 'candidate' : effect.kind === 'workspace' && effect.action === 'materialise'
  const code = made && verdict === 'pass' ? [{ path: codePlace(iteration), iteration, sha: tree }] : []
  return [...late, ...[...files, ...kept].map(({ path, sha }) => ({ path, iteration, sha })), ...code]
}
