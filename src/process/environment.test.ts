// Proves what a child finds in its environment and what it does not.
import { describe, expect, it } from 'vitest'
import { childEnvironment, handedOn, insideGreenlatch } from './environment.js'

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
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DATABASE_URL',
    'SSH_AUTH_SOCK',
    'CODEX_API_KEY',
    'npm_config__authToken',
    'whatever_nobody_thought_of',
  ])('leaves out %s.', (name) => {
    expect(childEnvironment({ [name]: 'x', HOME: '/home/me' }, own)).toEqual({ HOME: '/home/me', ...always })
  })

  it.each(['PATH', 'LC_ALL', 'XDG_CACHE_HOME', 'CI', 'HTTPS_PROXY', 'JAVA_HOME', 'npm_config_registry', 'GIT_AUTHOR_NAME', 'NODE_EXTRA_CA_CERTS'])('keeps %s.', (name) => {
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

describe('handedOn', () => {
  const parent = { DATABASE_URL: 'x', ANTHROPIC_API_KEY: 'y', ANTHROPIC_BASE_URL: 'z', CLAUDE_CODE_SSE_PORT: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CONFIG_DIR: '/c' }

  it('takes names as they are, and a * at the end for whatever follows, but what belongs to whoever started us only by its name.', () => {
    expect(handedOn(parent, ['DATABASE_URL', 'NOT_THERE'])).toEqual({ DATABASE_URL: 'x' })
    expect(handedOn(parent, ['ANTHROPIC_*', 'CLAUDE_*'])).toEqual({ ANTHROPIC_API_KEY: 'y', ANTHROPIC_BASE_URL: 'z', CLAUDE_CONFIG_DIR: '/c' })
    expect(handedOn(parent, ['CLAUDE_CODE_SSE_PORT'])).toEqual({ CLAUDE_CODE_SSE_PORT: '1' })
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
