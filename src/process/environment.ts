// What a process that we start finds in its environment: ours, without what belongs to whoever started us.

/** Set in everything we start; a process that holds it was started by Greenlatch, at any depth. */
export const TREE_VARIABLE = 'GREENLATCH_TREE'

const FOREIGN_PREFIXES = ['GREENLATCH_', 'VITEST', 'NODE_TEST_', 'npm_lifecycle_', 'npm_package_']

const FOREIGN_NAMES = new Set([
  // test runners and Node's own ways of reaching into a child
  'JEST_WORKER_ID',
  'MOCHA_WORKER_ID',
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  // an npm script that is running
  'npm_command',
  'npm_execpath',
  'npm_node_execpath',
  'npm_config_user_agent',
  'npm_config_local_prefix',
  'INIT_CWD',
  // an agent whose terminal we were started from
  'AI_AGENT',
  'AGENT_SESSION_ID',
  'CLAUDECODE',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_EXECPATH',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_CI',
  'CODEX_MANAGED_BY_NPM',
  'CODEX_MANAGED_PACKAGE_ROOT',
  'CODEX_VERSION',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'OPENCODE',
  'OPENCODE_PID',
  'PI_CODING_AGENT',
  'QWEN_CODE',
  // a git hook that we were started from: with these a child's git would work on another repository
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  // the folder that was left
  'OLDPWD',
])

type Variables = Readonly<Record<string, string | undefined>>

/** What is put over the parent's variables. */
type Own = { cwd: string; tree: string; extra: Variables | undefined }

/** What is handed on of an environment, by that environment: reading our own, variable by variable, is slow. */
const inherited = new WeakMap<Variables, Readonly<Record<string, string>>>()

export function childEnvironment(parent: Variables, own: Own): Record<string, string> {
  const environment = { ...(inherited.get(parent) ?? inherit(parent)) }
  // `make` and others believe PWD before they ask the system.
  environment['PWD'] = own.cwd
  for (const [name, value] of Object.entries(own.extra ?? {})) {
    if (value === undefined) delete environment[name]
    else environment[name] = value
  }
  environment[TREE_VARIABLE] = own.tree
  return environment
}

function inherit(parent: Variables): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of Object.keys(parent)) {
    const value = isForeign(name) ? undefined : parent[name]
    if (value !== undefined) environment[name] = value
  }
  inherited.set(parent, environment)
  return environment
}

function isForeign(name: string): boolean {
  const isEntryPoint = name.startsWith('CLAUDE_CODE_') && name.endsWith('ENTRYPOINT')
  return isEntryPoint || FOREIGN_NAMES.has(name) || FOREIGN_PREFIXES.some((prefix) => name.startsWith(prefix))
}

/** The tree we were ourselves started in, or null when no Greenlatch is above us. */
export function insideGreenlatch(environment: Variables): string | null {
  return environment[TREE_VARIABLE] || null
}
