// The scripted model server, as `greenlatch/testing` offers it.
export { MODEL_FAULTS, type FaultKind } from './faults.js'
export { startModelServer, type ModelServerOptions } from './server.js'
export type {
  ModelIntent,
  ModelRequest,
  ModelScript,
  ModelServer,
  ModelTool,
  ModelToolCall,
  ModelTurn,
  ModelUsage,
  RecordedRequest,
  ServedTokens,
} from './types.js'
