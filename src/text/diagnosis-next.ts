// What to type next, by what went wrong: three commands, all of which can be typed as they stand.
import type { Session } from '../core/types.js'
import type { Standing } from './diagnosis-facts.js'
import type { Pattern } from './diagnosis.js'

const MOST = 3

type Known = { standing: Standing; raise: string }

export function nextCommands(session: Session, pattern: Pattern | null, known: Known): string[] {
  const urgent = session.finish === null ? byStanding(session, known.standing) : []
  const all = [...urgent.slice(0, 1), ...(pattern === null ? [] : byPattern(session, pattern)), ...urgent, ...byEnd(session, known.raise)]
  return [...new Set(all)].slice(0, MOST)
}

function byPattern({ id, iteration, best }: Session, pattern: Pattern): string[] {
  const hint = `greenlatch hint ${id} "<what the agent cannot know>"`
  const lastTry = `greenlatch diff ${id} --iter ${iteration}`
  switch (pattern) {
    case 'agent unavailable':
      return ['greenlatch doctor', `greenlatch logs ${id} --iter ${iteration}`]
    case 'flaky gate':
      return ['greenlatch doctor --gates', `greenlatch baseline ${id} --refresh`]
    case 'cheating':
    case 'scope fight':
      return [lastTry, 'greenlatch config']
    case 'contradictory tests':
    case 'impossible target':
      return [`greenlatch baseline ${id}`, hint]
    case 'oscillation':
      return [`greenlatch diff ${id} --iter ${Math.max(1, iteration - 1)}..${iteration}`, hint]
    case 'regression':
    case 'whack-a-mole':
      return [`greenlatch diff ${id} --iter ${best?.iteration === 0 ? 'start' : 'best'}..${iteration}`, hint]
    case 'no edits':
    case 'same patch':
    case 'new patch same failures':
    case 'reviewer ping-pong':
    case 'none of these':
      return [hint, `greenlatch logs ${id} --iter ${iteration}`]
    case 'budget too small':
      return []
  }
}

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

function byEnd({ id, finish, start, setup }: Session, raise: string): string[] {
  if (!finish) return []
  const isPlaced = (setup['place'] as { inPlace?: boolean } | undefined)?.inPlace === true
  const result = finish.delivers === start ? [] : [`greenlatch diff ${id}`, ...(isPlaced ? [] : [`greenlatch accept ${id}`])]
  const goOn = finish.resumesAt === null ? [] : [`greenlatch resume ${id}${raise}`]
  const look = finish.code === 0 ? ['report', 'verify'] : ['logs', 'report']
  return [...goOn, ...result, ...look.map((verb) => `greenlatch ${verb} ${id}`)]
}
