// The library: the engine, the shell that drives it, and the ports to write adapters against.
export * from './core/index.js'
export type * from './ports.js'
export { resolveProcedure, type ProcedureEntry, type Resolved } from './config/resolve.js'
export { EXIT, Refusal } from './errors.js'
export { commandAgent, type CommandAgentOptions } from './adapters/agents/command.js'
export { bubblewrap } from './adapters/sandbox/bubblewrap.js'
export type { Ground, SandboxLimits, Work } from './adapters/sandbox/ground.js'
export { noSandbox } from './adapters/sandbox/none.js'
export type { Captured, Pipe, ProcessRequest, ProcessResult } from './process/types.js'
export { createControl, type Control } from './shell/control.js'
export { exitCodeOf, type ComposedPrompt, type Live, type Ports } from './shell/live.js'
export { openSession, run, step, type OpenSession, type SessionOptions } from './library/session.js'
export { defineAgent, defineGate, defineProcedure, type AgentDefinition, type GateDefinition, type GateVerdict, type ProcedureDefinition } from './library/define.js'
export { builtinProcedures } from './procedures/index.js'
export {
  defineProfile, type Profile, type ProfileContext, type ProfileFile, type ProfileParameter, type ProfilePhase, type ProfileResult, type ProfileStatus,
  type ReplyForm,
} from './adapters/profiles/types.js'
