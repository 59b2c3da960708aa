// In what a session that is there already differs from what is typed now: going on with it would drop that.
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../core/index.js'
import type { Plan } from './setup.js'
import { concealedAll, concealedGate } from './agents-env.js'
import { setupOf } from './recorded.js'

/** Where and when a session was opened says nothing about what it does. */
const CIRCUMSTANCES = new Set(['root', 'cwd', 'keys', 'source', 'drive', 'parallel', 'origins', 'versions', 'unpriced', 'absent', 'confinement', 'trusted'])

/** In words that follow "with"; empty when there is none. `task` is that of the session. */
export function differences(plan: Plan, session: Session, task: string | null): string[] {
  const { agents, gates, scope, place, commands, ...rest } = plan.setup
  const before = setupOf(session)
  const { agents: _agents, gates: _gates, scope: _scope, place: _place, commands: commandsBefore, ...restBefore } = before
  const { budget, ...procedure } = plan.procedure
  const { budget: budgetBefore, ...procedureBefore } = session.procedure
  const sameRest = same(withoutCircumstances(rest), withoutCircumstances(restBefore))
  // Whether there are gates at all changes the procedure too, and which there are what commands may be run: that is said once.
  const sameGates = same(gates.map(concealedGate), before.gates)
  const all: [string, boolean][] = [
    ['another task', plan.task === null || plan.task === task],
    ['another agent', same([concealedAll(agents), plan.roles], [before.agents, session.roles])],
    ['other gates', sameGates],
    ['other bounds', same(budget, budgetBefore) || same(budget, session.budget)],
    ['another scope', same(scope, before.scope)],
    ['another place to work', same(place, before.place)],
    ['other settings', sameRest && (!sameGates || same([procedure, commands], [procedureBefore, commandsBefore]))],
  ]
  return all.filter(([, isSame]) => !isSame).map(([words]) => words)
}

function withoutCircumstances(setup: object): object {
  return Object.fromEntries(Object.entries(setup).filter(([key]) => !CIRCUMSTANCES.has(key)))
}

/** As a journal would hold them. */
function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
}
