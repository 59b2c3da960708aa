// The hostile kit, as `greenlatch/testing` offers it: agents that must never get a result, each with one that must.
export { HOSTILE_AGENTS, writeHostileAgent, type HostileProgram, type Side } from './agents.js'
export { tryHostile, type HostileTrial, type Tried } from './trial.js'
export { WEAKENINGS, type Weakening } from './weakener.js'
export { HOSTILE_KINDS, type HostileAgent, type HostileKind, type Project } from './types.js'
