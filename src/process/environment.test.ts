// Proves what a child finds in its environment and what it does not.
import { describe, expect, it } from 'vitest'
import { childEnvironment, insideGreenlatch } from './environment.js'

const own = { cwd: '/somewhere', tree: 'token;', extra: undefined }
const always = { PWD: '/somewhere', GREENLATCH_TREE: 'token;' }

describe('childEnvironment', () => {
  it.each([
    'VITEST',
    'VITEST_POOL_ID',
    'JEST_WORKER_ID',
    'NODE_TEST_CONTEXT',
    'NODE_OPTIONS',
    'NODE_V8_COVERAGE',
    'NODE_CHANNEL_FD',
    'npm_lifecycle_event',
    'npm_package_name',
    'npm_execpath',
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_SESSION_ID',
    'AI_AGENT',
    'CODEX_TOOL_CALL_ID',
    'OPENCODE_PID',
    'QWEN_CODE',
    'PI_CODING_AGENT',
    'GREENLATCH_HOME',
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'OLDPWD',
  ])('leaves out %s.', (name) => {
    expect(childEnvironment({ [name]: 'x', HOME: '/home/me' }, own)).toEqual({ HOME: '/home/me', ...always })
  })

  it.each(['PATH', 'CLAUDE_CODE_OAUTH_TOKEN', 'CODEX_HOME', 'CODEX_API_KEY', 'OPENCODE_CONFIG', 'GOOSE_PROVIDER', 'npm_config_registry', 'GIT_AUTHOR_NAME', 'NODE_EXTRA_CA_CERTS'])('keeps %s.', (name) => {
    expect(childEnvironment({ [name]: 'x' }, own)).toHaveProperty(name, 'x')
  })

  it('adds and removes what the request asks for, also names that are taken out otherwise.', () => {
    const extra = { NODE_OPTIONS: '--no-warnings', HOME: undefined, GIT_INDEX_FILE: '/tmp/index' }
    const environment = childEnvironment({ HOME: '/home/me', NODE_OPTIONS: '--inspect' }, { ...own, extra })
    expect(environment).toEqual({ NODE_OPTIONS: '--no-warnings', GIT_INDEX_FILE: '/tmp/index', ...always })
  })

  it('does not let a request take the mark away by which its processes are found.', () => {
    expect(childEnvironment({}, { ...own, extra: { GREENLATCH_TREE: undefined } })).toHaveProperty('GREENLATCH_TREE', 'token;')
  })
})

describe('insideGreenlatch', () => {
  it('names the tree that we were started in.', () => {
    expect(insideGreenlatch({ GREENLATCH_TREE: 'abc;' })).toBe('abc;')
  })

  it('is null without one.', () => {
    expect(insideGreenlatch({})).toBeNull()
    expect(insideGreenlatch({ GREENLATCH_TREE: '' })).toBeNull()
  })
})
