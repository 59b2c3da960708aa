// Plays one simulated session through the real engine, from its opening to its end.
import {
  apply, emptyReport, issue, reissue, step,
  type Effect, type Event, type Opened, type Outcome, type Procedure, type Report, type Session,
} from '../core/index.js'
import type { Pattern } from '../text/diagnosis/diagnosis.js'
import { matchPattern } from '../text/diagnosis/patterns.js'
import { noTurns, takeEvent, type Turns } from '../text/diagnosis/turns.js'
import type { Agent } from './agents.js'
import type { Random } from './random.js'
import { candidateReport, checkReport, GATE, isRight, reviewReport, stateOf, treeOf, type Project } from './world.js'

/** More than any sound procedure with these budgets can ask for. */
const MOST_EFFECTS = 1000

export type Scene = { random: Random; project: Project; agent: Agent }

/** What the session may use: the procedure, and which roles are filled. */
export type Rules = { procedure: Procedure; roles: Readonly<Record<string, string>> }

export type Played = {
  outcome: Outcome | 'endless'
  iterations: number
  pattern: Pattern | null
  period: number | null
  /** What it was called after each iteration so far as anything had been judged, first iteration first. */
  names: { iteration: number; pattern: Pattern; period: number | null }[]
  /** It ended converged on files that are not right. */
  falseComplete: boolean
}

export function play(scene: Scene, rules: Rules): Played {
  const turns = noTurns()
  const names: Played['names'] = []
  const take = (before: Session | null, event: Event): Session => {
    takeEvent(turns, event)
    return apply(before, event)
  }
  let session = take(null, opened(scene, rules))
  for (let effects = 0; effects < MOST_EFFECTS && !session.finish; effects++) {
    const effect = issue(session)
    if (!effect) break
    session = take(session, { type: 'asked', effect, prompt: null })
    for (const event of step(session, reissue(session) ?? reportOf(scene, effect))) session = take(session, event)
    if (session.judged) noteName(names, session, turns)
  }
  return playedOf(scene, session, { turns, names })
}

function opened({ project }: Scene, { procedure, roles }: Rules): Opened {
  return {
    type: 'opened', format: 1, id: 'simulated', procedure, tree: treeOf(project.start), gates: [GATE], when: {}, roles: { ...roles },
    fingerprints: 1, task: null, openedAt: 0, setup: {},
  }
}

function reportOf({ random, project, agent }: Scene, effect: Effect): Report {
  switch (effect.kind) {
    case 'check':
      return checkReport(random, effect, project)
    case 'workspace':
      return emptyReport(effect)
    case 'ask':
      if (effect.yields === 'candidate') return candidateReport(effect, agent.answer(stateOf(effect.tree)))
      return reviewReport(effect, effect.role === 'reviewer' ? agent.review(stateOf(effect.tree)) : [])
  }
}

function noteName(names: Played['names'], session: Session, turns: Turns): void {
  if (names.at(-1)?.iteration === session.iteration) return
  const { pattern, period } = nameOf(turns, session)
  if (pattern !== null) names.push({ iteration: session.iteration, pattern, period })
}

function nameOf(turns: Turns, session: Session): Pick<Played, 'pattern' | 'period'> {
  const match = matchPattern(turns, session)
  return { pattern: match?.pattern ?? null, period: match?.period ?? null }
}

function playedOf({ project }: Scene, session: Session, { turns, names }: { turns: Turns; names: Played['names'] }): Played {
  const { finish, iteration } = session
  const { pattern, period } = nameOf(turns, session)
  const falseComplete = finish?.outcome === 'converged' && !isRight(stateOf(finish.delivers), project)
  return { outcome: finish?.outcome ?? 'endless', iterations: iteration, pattern, period, names, falseComplete }
}
