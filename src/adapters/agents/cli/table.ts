// The command lines that are known by name. Each is loaded when it is asked for.
import type { CliName } from '../../../agent-entry.js'
import type { Dialect } from './types.js'

const DIALECTS: Record<CliName, () => Promise<Dialect>> = {
  claude: async () => (await import('./claude.js')).claude,
  codex: async () => (await import('./codex.js')).codex,
  opencode: async () => (await import('./opencode.js')).opencode,
  gemini: async () => (await import('./gemini.js')).gemini,
  qwen: async () => (await import('./qwen.js')).qwen,
  pi: async () => (await import('./pi.js')).pi,
  goose: async () => (await import('./goose.js')).goose,
}

export function dialectOf(name: CliName): Promise<Dialect> {
  return DIALECTS[name]()
}
