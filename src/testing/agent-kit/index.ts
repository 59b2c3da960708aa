// The kit for adapters of agents, as `greenlatch/testing` offers it.
export type { Behaviour } from './behaviours.js'
export { agentKit, PROCESS_CASES, testAgent, type KitCase, type KitCaseName } from './cases.js'
export { plainSpeech, type Closing, type Speech } from './speech.js'
export { cliSpeeches } from './speeches.js'
export { writeStubAgent, type StubAgent, type StubOptions, type StubStart } from './stub.js'
export type { AgentKitOptions, KitPlace, Made } from './trial.js'
