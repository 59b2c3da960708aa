// An agent of the Agent Client Protocol through the command line, from settings to a converged session.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Place } from './support/cli.js'

const STUB = join(import.meta.dirname, '../src/adapters/agents/acp/stub-agent.mjs')

function withAgent(place: Place, script: object, more: object = {}): void {
  const it = { acp: [process.execPath, STUB, JSON.stringify(script), join(place.root, 'heard.jsonl')], ...more }
  const gates = [{ name: 'check', run: 'grep -qx green src/answer.txt' }]
  place.write('greenlatch.yaml', JSON.stringify({ agent: 'it', agents: { it }, gates, scope: { allow: ['src/**'] } }))
  place.write('src/answer.txt', 'red\n')
}

function artifacts(place: Place, name: RegExp): string {
  const paths = readdirSync(place.session(), { recursive: true, encoding: 'utf8' }).filter((path) => name.test(path))
  return paths.map((path) => readFileSync(join(place.session(), path), 'utf8')).join('')
}

describe('an agent of the protocol', () => {
  it('converges by a write through the client, and what it may not write is refused before it happens', async () => {
    const place = makePlace()
    withAgent(place, {
      initialize: { agentInfo: { name: 'stub', version: '4.5.6' } },
      steps: [{ write: ['docs/notes.md', 'mine'] }, { write: ['src/answer.txt', 'green\n'] }, { say: 'it is green' }],
      usage: { inputTokens: 30, outputTokens: 4, totalTokens: 34 },
    })
    const ended = await place.run(['run', 'converge', 'make it green', '--dirty', 'include'])
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^converged\t/) })
    expect(ended.stderr).not.toContain('out of scope: docs/notes.md')
    expect(artifacts(place, /-answers\.jsonl$/)).toMatch(/docs\/notes\.md","answer":"refused","why":"out of scope: no rule allows it"/)
    expect(place.read('heard.jsonl')).toContain('out of scope: no rule allows it')
    expect(JSON.parse(artifacts(place, /-usage\.json$/))).toMatchObject({ agent: 'it', input: 30, output: 4 })
    expect(await place.status()).toMatchObject({ spent: { tokens: 34 } })
  })

  it('asks a person where the settings say so, shows it in status, and goes on with the answer', async () => {
    const place = makePlace()
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }, { optionId: 'no', name: 'No', kind: 'reject_once' }]
    const steps = [{ permission: { toolCall: { toolCallId: 't', kind: 'fetch', title: 'Get example.org' }, options } }, { write: ['src/answer.txt', 'green\n'] }]
    withAgent(place, { steps }, { permissions: 'ask' })
    const running = place.start(['run', 'converge', 'make it green', '--dirty', 'include'])
    await running.says(/it asks to fetch: Get example\.org; allow it with greenlatch reply \S+ --allow, or --deny; at .* it is denied/)
    expect((await place.run(['status'])).stdout).toMatch(/^waits +until .*: it asks to fetch: Get example\.org; greenlatch reply \S+ --allow, or --deny$/m)
    expect(await place.run(['reply', '--allow', '--deny'])).toMatchObject({ code: 2 })
    expect(await place.run(['reply', '--allow'], { env: { GREENLATCH_TREE: 'an agent' } })).not.toMatchObject({ code: 0 })
    expect(await place.run(['reply', '--allow'])).toMatchObject({ code: 0, stderr: expect.stringContaining('allowed: it asks to fetch') })
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(place.read('heard.jsonl')).toContain('"optionId":"yes"')
    expect(await place.run(['reply', '--allow'])).toMatchObject({ code: 2, stderr: expect.stringContaining('asks for nothing') })
  })

  it('that is not logged in ends the session as unavailable, with what to do', async () => {
    const place = makePlace()
    withAgent(place, { needsLogin: true })
    const ended = await place.run(['run', 'converge', 'make it green', '--dirty', 'include', '--max-iterations', '1'])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain('Authentication required: log in with its own command first')
  })
})
