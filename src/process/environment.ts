// What a process that we start finds in its environment: what everything needs, and what the settings hand on. Nothing else of ours.

/** Set in everything we start; a process that holds it was started by Greenlatch, at any depth. */
export const TREE_VARIABLE = 'GREENLATCH_TREE'

/** What is handed on without being asked for. None of it is a login; the list stands in docs/trust.md as well. */
const ALLOWED = new Set(
  [
    // the user, the system and the terminal
    'PATH HOME USER LOGNAME SHELL HOSTNAME LANG LANGUAGE TZ TERM COLORTERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TMPDIR TMP TEMP CI',
    'DEBIAN_FRONTEND SOURCE_DATE_EPOCH LOCALE_ARCHIVE WSL_DISTRO_NAME WSL_INTEROP SystemRoot COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE',
    // the network
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO',
    // who makes commits
    'GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL',
    // compilers and libraries
    'CC CXX AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH LIBRARY_PATH LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH',
    'PKG_CONFIG_PATH CMAKE_PREFIX_PATH MAKEFLAGS',
    // languages and their tools
    'NODE_ENV NODE_PATH NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME',
    'PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED PYTHONWARNINGS',
    'VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION POETRY_HOME UV_CACHE_DIR UV_PYTHON PIP_CACHE_DIR',
    'GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOTOOLCHAIN GO111MODULE GOOS GOARCH CGO_ENABLED GOPROXY GOSUMDB GOPRIVATE GONOSUMDB GONOPROXY',
    'CARGO_HOME CARGO_TARGET_DIR CARGO_BUILD_JOBS CARGO_INCREMENTAL RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE RUST_LOG',
    'JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME MAVEN_OPTS GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS SDKMAN_DIR KOTLIN_HOME ANDROID_HOME ANDROID_SDK_ROOT',
    'GEM_HOME GEM_PATH RBENV_ROOT RBENV_VERSION BUNDLE_PATH BUNDLE_GEMFILE RAILS_ENV RACK_ENV RUBYOPT COMPOSER_HOME MIX_ENV MIX_HOME HEX_HOME',
    'DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR PLAYWRIGHT_BROWSERS_PATH PUPPETEER_EXECUTABLE_PATH CHROME_BIN DOCKER_HOST',
  ].flatMap((names) => names.split(' ')),
)
const ALLOWED_PREFIXES = ['LC_', 'XDG_', 'NIX_', 'npm_config_', 'NPM_CONFIG_']

/** Not even one that is handed on may have such a name, unless the settings name it outright. */
const CALLED_SECRET = /key|token|secret|passw|credential|auth/i

/** What belongs to whoever started us, though its name fits a pattern: it would take its child for a part of itself. */
const FOREIGN = new Set([
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
  'GEMINI_CLI',
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
  // files by which one step of a build at GitHub steers the next
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_OUTPUT',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
  // the folder that was left
  'OLDPWD',
  'npm_config_user_agent',
  'npm_config_local_prefix',
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
  const environment = picked(parent, Object.keys(parent).filter(isAllowed))
  inherited.set(parent, environment)
  return environment
}

function isAllowed(name: string): boolean {
  if (ALLOWED.has(name)) return true
  return ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix)) && !CALLED_SECRET.test(name) && !FOREIGN.has(name)
}

/** What is handed on besides: by name, or by how names begin, with `*` at the end. */
export function handedOn(parent: Variables, names: readonly string[]): Record<string, string> {
  const patterns = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  const fitting = patterns.length === 0 ? [] : Object.keys(parent).filter((name) => patterns.some((pattern) => name.startsWith(pattern)) && !isForeign(name))
  return picked(parent, [...fitting, ...names])
}

function isForeign(name: string): boolean {
  return FOREIGN.has(name) || (name.startsWith('CLAUDE_CODE_') && name.endsWith('ENTRYPOINT'))
}

function picked(parent: Variables, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]]])))
}

/** The tree we were ourselves started in, or null when no Greenlatch is above us. */
export function insideGreenlatch(environment: Variables): string | null {
  return environment[TREE_VARIABLE] || null
}
