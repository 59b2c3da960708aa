// What to type next, by what went wrong: at most three commands, none of which would be refused.
import type { CheckPhase, Session } from '../../core/types.js'
import type { Standing } from './facts.js'
import type { Match } from './rules.js'
import type { Turns } from './turns.js'
import { askingAnother, begunAnew, onwardFrom, resultCommands, withKnownTest } from '../commands/result-commands.js'
import { wideningFlags } from './widen.js'

const MOST = 3

type Known = { standing: Standing; raise: string; turns: Turns }

export function nextCommands(session: Session, match: Match | null, known: Known): string[] {
  const urgent = session.finish === null ? byStanding(session, known.standing) : []
  const all = [...urgent.slice(0, 1), ...(match === null ? [] : byPattern(session, match, known)), ...urgent, ...byEnd(session, known.raise, match)]
  return [...new Set(all)].slice(0, MOST)
}

// ───────────────────────────── by what went wrong ─────────────────────────────

function byPattern(session: Session, match: Match, { raise, turns: { turns, baseline } }: Known): string[] {
  const { id } = session
  const tried = turns.at(-1)?.iteration
  const hint = canGoOn(session) ? [`greenlatch hint ${id} "<what the agent cannot know>"`] : []
  const logs = [`greenlatch logs ${id}${session.iteration > 0 ? ` --iter ${session.iteration}` : ''}`]
  const diff = (place: string): string[] => (tried === undefined ? [] : [`greenlatch diff ${id} --iter ${place}`])
  switch (match.pattern) {
    case 'nothing fails':
      return [begunAnew(session, '--gate "<a command that fails until it is done>"'), ...logs]
    case 'search out of time':
      return [`greenlatch resume ${id}${raise}`, ...askingAnother(session, raise), 'greenlatch agents']
    case 'search out of candidates':
    case 'nothing left to try':
      return [...askingAnother(session, raise), 'greenlatch agents', `greenlatch resume ${id}${raise} --url "<address of a model>"`]
    case 'agent failed':
      return [`greenlatch path ${id}`, ...askingAnother(session, raise), 'greenlatch agents']
    case 'agent unavailable':
      return ['greenlatch doctor', ...logs]
    case 'gate cannot run':
      return baseline ? [...logs, ...(onwardFrom(session, '', match.pattern)?.commands ?? [])] : [begunAnew(session, '--gate "<a command that runs>"'), 'greenlatch config', ...logs]
    case 'unknown test':
      return [withKnownTest(session), ...logs, 'greenlatch config']
    case 'flaky gate':
      return ['greenlatch doctor --gates', ...refresh(session)]
    case 'cheating':
      return [...diff(match.kept ?? `${tried}`), ...askingAnother(session, raise)]
    case 'scope fight':
      return [...diff(match.kept ?? `${tried}`), ...widened(session, match), 'greenlatch config']
    case 'contradictory tests':
    case 'impossible target':
      return [...(session.baseline === null ? [] : [`greenlatch baseline ${id}`]), ...hint]
    case 'oscillation':
      return [...diff(`${turns.at(-2)?.iteration ?? 'start'}..${tried}`), ...hint]
    case 'regression':
    case 'whack-a-mole':
      return [...diff(`${session.best?.iteration ? 'best' : 'start'}..${tried}`), ...hint]
    case 'unusable answer':
      return [...logs, 'greenlatch doctor']
    case 'no edits':
      return [...hint, ...(canGoOn(session) ? [`greenlatch resume ${id}${raise}`, ...askingAnother(session, raise)] : logs)]
    case 'same patch':
    case 'new patch same failures':
    case 'reviewer ping-pong':
    case 'none of these':
      return [...hint, ...logs]
    case 'budget too small':
      return []
  }
}

/** The scope of a session stays as it was frozen, so that it takes a new one. */
function widened(session: Session, { breached = [] }: Match): string[] {
  const flags = wideningFlags(session, breached)
  return flags === '' ? [] : [begunAnew(session, flags)]
}

function canGoOn({ finish }: Session): boolean {
  return finish === null || finish.resumesAt !== null
}

function hasCheck({ procedure }: Session, kind: 'baseline' | 'sealed'): boolean {
  return Object.values(procedure.phases).some((phase) => phase.kind === 'check' && (phase as CheckPhase)[kind] === true)
}

function refresh(session: Session): string[] {
  return canGoOn(session) && hasCheck(session, 'baseline') ? [`greenlatch baseline ${session.id} --refresh`] : []
}

// ───────────────────────────── by where it stands ─────────────────────────────

function byStanding({ id }: Session, standing: Standing): string[] {
  switch (standing) {
    case 'running':
      return [`greenlatch logs -f ${id}`, `greenlatch status ${id}`, `greenlatch stop ${id}`]
    case 'waiting':
      return [`greenlatch reply ${id} --file <file>`, `greenlatch status ${id}`, `greenlatch logs ${id}`]
    case 'answered':
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'idle':
    case 'finished':
      return [`greenlatch resume ${id}`, `greenlatch status ${id}`, `greenlatch logs ${id}`]
  }
}

function byEnd(session: Session, raise: string, match: Match | null): string[] {
  const { id, finish } = session
  if (!finish) return []
  const result = resultCommands(session)
  const goOn = onwardFrom(session, raise, match?.pattern ?? '')?.commands ?? []
  const verify = hasCheck(session, 'sealed') ? ['verify'] : []
  const look = finish.code === 0 ? ['report', ...verify, 'logs'] : ['logs', 'report', 'status']
  return [...goOn, ...(result ? [result.see, ...(result.take ? [result.take.command] : [])] : []), ...look.map((verb) => `greenlatch ${verb} ${id}`)]
}
