// In what a session that is there already differs from what is typed now: going on with it would drop that.
import type { Session } from '../core/index.js'
import type { Plan } from './setup.js'
import { concealedAll, concealedGate } from './agents-env.js'
import { sameRecorded, setupOf } from './recorded.js'

/** Where and when a session was opened says nothing about what it does. */
const CIRCUMSTANCES = new Set(['root', 'cwd', 'keys', 'source', 'drive', 'parallel', 'typed', 'origins', 'versions', 'unpriced', 'absent', 'confinement', 'trusted'])

/** In words that follow "with"; empty when there is none. `task` is that of the session. */
export function differences(plan: Plan, session: Session, task: string | null): string[] {
  const { agents, gates, scope, place, commands, ...rest } = plan.setup
  const before = setupOf(session)
  const { agents: _agents, gates: _gates, scope: _scope, place: _place, commands: commandsBefore, ...restBefore } = before
  const { budget, ...procedure } = plan.procedure
  const { budget: budgetBefore, ...procedureBefore } = session.procedure
  const sameRest = sameRecorded(withoutCircumstances(rest), withoutCircumstances(restBefore))
  // Whether there are gates at all changes the procedure too, and which there are what commands may be run: that is said once.
  const sameGates = sameRecorded(gates.map(concealedGate), before.gates)
  const all: [string, boolean][] = [
    ['another task', plan.task === null || plan.task === task],
    ['another agent', sameRecorded([concealedAll(agents), plan.roles], [before.agents, session.roles])],
    ['other gates', sameGates],
    ['other bounds', sameRecorded(budget, budgetBefore) || sameRecorded(budget, session.budget)],
    ['another scope', sameRecorded(scope, before.scope)],
    ['another place to work', sameRecorded(place, before.place)],
    ['other settings', sameRest && (!sameGates || sameRecorded([procedure, commands], [procedureBefore, commandsBefore]))],
  ]
  return all.filter(([, isSame]) => !isSame).map(([words]) => words)
}

function withoutCircumstances(setup: object): object {
  return Object.fromEntries(Object.entries(setup).filter(([key]) => !CIRCUMSTANCES.has(key)))
}
