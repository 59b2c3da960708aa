import { describe, expect, it } from 'vitest'
import { providerOf, type AgentEntry } from './agent-entry.js'

describe('the provider of an agent', () => {
  const cases: [string, AgentEntry | undefined, string][] = [
    ['fast', { cli: 'claude', model: 'small' }, 'claude'],
    ['mine', { command: 'npx @example/codex-next --quiet' }, 'codex'],
    ['mine', { command: ['/opt/bin/codex', 'exec'] }, 'codex'],
    ['talk', { acp: 'gemini --acp' }, 'gemini'],
    ['local', { chat: 'http://127.0.0.1:1234/v1' }, '127.0.0.1:1234'],
    ['far', { chat: 'https://api.example.com/v1', key: 'KEY' }, 'api.example.com'],
    ['odd', { chat: 'no address' }, 'odd'],
    ['ai-cmd', { command: './agent.sh' }, 'ai-cmd'],
    ['unknown', undefined, 'unknown'],
  ]
  it.each(cases)('of "%s" as %j is %s', (name, entry, provider) => {
    expect(providerOf(name, entry)).toBe(provider)
  })
})
