// Simulated sessions through the real engine, for `npm run simulate` and its test.
import { DEFAULT } from './kinds.js'
import type { Rules } from './play.js'

export { boundsOf, FAST, LIMITS, simulate, WHOLE } from './bounds.js'
export { curveOf } from './curve.js'
export { documentOf } from './document.js'

/** As one agent fills every role, which is what a run has unless roles are named; and as it fills only the one that is needed. */
export const EVERY_ROLE: Rules = {
  procedure: DEFAULT,
  roles: { implementer: 'agent', consultant: 'agent', planner: 'agent', reviewer: 'agent' },
}
export const ONE_ROLE: Rules = { procedure: DEFAULT, roles: { implementer: 'agent', reviewer: 'agent' } }
