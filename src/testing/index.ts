// For tests of those who build on the engine: a scripted agent and a journal in memory, the same ones our own tests use.
export { scriptedAgent } from '../adapters/agents/scripted.js'
export { createMemoryJournal } from '../adapters/journal/memory.js'
export { memoryFolder } from '../adapters/journal/folder.js'
export * from './model-server/index.js'
export * from './agent-kit/index.js'
export * from './hostile/index.js'
