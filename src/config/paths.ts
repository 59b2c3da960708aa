// Makes the paths of a layer absolute: each is meant relative to where it was written.
import type { Fragment, Part } from '../core/types.js'
import { commandWords } from '../text/commands/command-words.js'
import type { AgentEntry, CommandLine } from '../agent-entry.js'
import type { Layer, ProcedureEntry, PromptSettings, SandboxSettings } from './types.js'

type Resolve = (path: string) => string

export function withAbsolutePaths(layer: Layer, resolve: Resolve): Layer {
  return {
    ...layer,
    ...(layer.stateDir !== undefined && { stateDir: resolve(layer.stateDir) }),
    ...(layer.task !== undefined && { task: resolve(layer.task) }),
    ...(layer.philosophy !== undefined && { philosophy: resolve(layer.philosophy) }),
    ...(layer.agents && !Array.isArray(layer.agents) && { agents: mapValues(layer.agents, (entry) => agent(entry, resolve)) }),
    ...(layer.notify?.command && { notify: { ...layer.notify, command: listed(layer.notify.command, resolve) } }),
    ...(layer.hooks && { hooks: mapValues(layer.hooks, (hook) => ({ ...hook, run: listed(hook.run, resolve) })) }),
    ...(layer.sandbox && { sandbox: sandbox(layer.sandbox, resolve) }),
    ...(layer.prompts && { prompts: prompts(layer.prompts, resolve) }),
    ...(layer.context && { context: fragments(layer.context, resolve) }),
    ...(layer.procedures && { procedures: mapValues(layer.procedures, (entry) => procedure(entry, resolve)) }),
  }
}

function sandbox({ read, write, ...others }: Partial<SandboxSettings>, resolve: Resolve): Partial<SandboxSettings> {
  return { ...others, ...(read && { read: read.map(resolve) }), ...(write && { write: write.map(resolve) }) }
}

function agent(entry: AgentEntry, resolve: Resolve): AgentEntry {
  if ('script' in entry) return { ...entry, script: resolve(entry.script) }
  if ('command' in entry) return { ...entry, command: command(entry.command, resolve) }
  if ('acp' in entry) return { ...entry, acp: command(entry.acp, resolve) }
  return 'cli' in entry && entry.program?.includes('/') ? { ...entry, program: resolve(entry.program) } : entry
}

/** The program is started in a copy of the repository, where a relative path would lead to another file or nowhere; a bare name is looked for on PATH. */
function command(line: CommandLine, resolve: Resolve): CommandLine {
  const split = typeof line === 'string' ? commandWords(line) : { kind: 'words' as const, words: line }
  const [program, ...rest] = split.kind === 'words' ? split.words : []
  return program?.includes('/') ? [resolve(program), ...rest] : line
}

/** Text is for a shell, which goes by the folder it is started in. */
function listed(line: CommandLine, resolve: Resolve): CommandLine {
  return typeof line === 'string' ? line : command(line, resolve)
}

function procedure(entry: ProcedureEntry, resolve: Resolve): ProcedureEntry {
  return {
    ...entry,
    ...(entry.prompts && { prompts: prompts(entry.prompts, resolve) }),
    ...(entry.phases && { phases: mapValues(entry.phases, (phase) => withPrompt(phase, resolve)) }),
  }
}

function withPrompt<T extends object | null>(phase: T, resolve: Resolve): T {
  if (phase === null || !('prompt' in phase) || !phase.prompt) return phase
  return { ...phase, prompt: (phase.prompt as Part[]).map((part) => withFragments(part, resolve)) }
}

function withFragments(part: Part, resolve: Resolve): Part {
  return { ...part, fragments: fragments(part.fragments, resolve) }
}

function prompts(settings: PromptSettings, resolve: Resolve): PromptSettings {
  return mapValues(settings as Record<string, Fragment[]>, (list) => fragments(list, resolve))
}

function fragments(list: Fragment[], resolve: Resolve): Fragment[] {
  return list.map((fragment) => ('file' in fragment ? { file: resolve(fragment.file) } : fragment))
}

function mapValues<T>(values: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
