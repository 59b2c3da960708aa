// Tests of the agents that are known by name.
import { describe, expect, it } from 'vitest'
import { traitsOf } from './table.js'

describe('an agent that speaks the protocol', () => {
  it.each([
    ['gemini', ['gemini', '--acp'], undefined],
    ['qwen', ['qwen', '--acp'], undefined],
    ['opencode', ['opencode', 'acp'], undefined],
    ['goose', ['goose', 'acp'], undefined],
    ['claude', ['claude-agent-acp'], undefined],
    ['codex', ['codex-acp'], 'agent-full-access'],
  ])('is started by its name: %s', (acp, argv, mode) => {
    expect(traitsOf({ acp })).toMatchObject({ argv })
    expect(traitsOf({ acp }).mode).toBe(mode)
  })

  it('is in the way of itself when it is claude, works for root, and nobody says that this is a sandbox', () => {
    const isRoot = process.getuid?.() === 0
    expect(traitsOf({ acp: 'claude' }).obstacle?.({})).toEqual(isRoot ? expect.stringContaining('IS_SANDBOX=1') : null)
    expect(traitsOf({ acp: 'claude' }).obstacle?.({ IS_SANDBOX: '1' })).toBeNull()
  })

  it('is known by its program too, and its command is then taken as it is', () => {
    expect(traitsOf({ acp: '/opt/codex-acp --verbose' })).toMatchObject({ argv: ['/opt/codex-acp', '--verbose'], mode: 'agent-full-access' })
    expect(traitsOf({ acp: ['npx', 'gemini', '--acp'] })).toEqual({ argv: ['npx', 'gemini', '--acp'], login: 'log in with its own command first' })
  })
})
