// Where a session stands, as the fields that programs read.
import type { Session } from '../core/index.js'
import type { JournalRecord } from '../ports.js'
import { exceptionsOf } from '../text/exceptions.js'
import { knownSpend, originOf, whoAnswers } from '../text/who-answers.js'
import type { Standing } from './catalogue.js'
import { publishedNames, type History } from './published.js'

/** The statuses of loop state files: what people who script against them expect. */
export type LoopStatus = 'running' | 'paused' | 'completed' | 'aborted' | 'interrupted'

export type StatusFields = {
  iteration: number
  max_iterations: number
  consecutive_failures: number
  failure_threshold: number
  started_at: string
  last_iteration_at: string | null
  status: LoopStatus
  procedure_name: string
  /** Of the last hundred iterations. */
  elapsed_per_iteration: string[]
}

function statusFields(session: Session, status: LoopStatus): StatusFields {
  return {
    iteration: session.finished,
    max_iterations: session.budget.iterations ?? 0,
    consecutive_failures: session.setbacks.row,
    failure_threshold: session.procedure.policies.setbacks?.limit ?? 0,
    started_at: new Date(session.openedAt).toISOString(),
    last_iteration_at: session.finishedAt === null ? null : new Date(session.finishedAt).toISOString(),
    status,
    procedure_name: session.procedure.name,
    elapsed_per_iteration: session.elapsed.map((seconds) => `${seconds.toFixed(1)}s`),
  }
}

/** What session.json tells beside the session: as it rests, and of one with published names all that happened. */
export function viewOf(history: History): (session: Session, last: JournalRecord) => object {
  return (session, last) => {
    history.hear(last)
    return { ...statusFields(session, restingStatus(session)), ...history.fields() }
  }
}

/** What the session itself says; whether its process still lives is for the caller to know. */
function restingStatus(session: Session): LoopStatus {
  if (session.finish) return session.finish.code === 0 ? 'completed' : 'aborted'
  switch (session.rest) {
    case 'running':
      return 'running'
    case 'paused':
      return 'paused'
    case 'stopped':
    case 'interrupted':
      return 'interrupted'
  }
}

/** What programs that know only these five words are told. */
export function loopStatus(session: Session, standing: Standing): LoopStatus {
  switch (standing) {
    case 'finished':
      return restingStatus(session)
    case 'running':
      return 'running'
    case 'waiting':
    case 'answered':
    case 'paused':
    case 'idle':
      return 'paused'
    case 'stopped':
    case 'interrupted':
      return 'interrupted'
  }
}

export function summaryOf(session: Session, status: LoopStatus): object {
  return {
    session: session.id,
    ...statusFields(session, status),
    phase: session.outstanding?.phase ?? session.at,
    label: session.finish?.label ?? null,
    exceptions: exceptionsOf(session),
    ...publishedNames(session),
    tree: session.tree,
    agents: whoAnswers(session),
    agents_from: originOf(session),
    spent: knownSpend(session),
    budget: session.budget,
    finish: session.finish,
  }
}
