// Tests of Claude Code's dialect with what version 2.1.197 wrote.
import { describe, expect, it } from 'vitest'
import { claude } from './claude.js'
import { readFixture, WISH } from './fixture.js'

describe('Claude Code', () => {
  it('says what a run cost and which model answered', () => {
    expect(readFixture(claude, 'claude-done.jsonl').usage).toMatchObject({ usd: 0.00483, model: 'claude-sonnet-4-5' })
  })

  it('counts an answer once that comes in several records, while the run goes on', () => {
    const read = claude.newReader()
    const usage = { input_tokens: 600, cache_creation_input_tokens: 50, cache_read_input_tokens: 400, output_tokens: 1 }
    const line = (type: string) => JSON.stringify({ type: 'assistant', message: { id: 'msg_1', model: 'm', content: [{ type, text: 'a', name: 'Bash', input: {} }], usage } })
    const used = [...read(line('text')), ...read(line('tool_use'))].filter(({ kind }) => kind === 'used')
    expect(used).toEqual([{ kind: 'used', usage: { input: 650, cachedInput: 400, output: 1, usd: null, model: 'm' } }])
  })

  it('takes what a helper of the agent says for no answer', () => {
    const message = { id: 'msg_2', model: 'm', content: [{ type: 'text', text: 'found it' }], usage: {} }
    const told = claude.newReader()(JSON.stringify({ type: 'assistant', message, parent_tool_use_id: 'toolu_1' }))
    expect(told.some(({ kind }) => kind === 'text')).toBe(false)
  })

  it('tells of retries, and of none as an end', () => {
    const { retries, ended } = readFixture(claude, 'claude-retrying.jsonl')
    expect(retries[0]).toBe('its model does not answer (status 500), attempt 1 of 10')
    expect(ended).toBeNull()
  })

  it('is unavailable at a usage limit, until the time that its records name', () => {
    const { ended } = readFixture(claude, 'claude-limit.jsonl')
    expect(ended).toMatchObject({ how: 'unavailable', until: expect.any(Number) as number })
    expect(ended?.note).toMatch(/^You've hit your session limit · resets .* \(status 429\)$/)
    expect((ended as { until: number }).until % 1000).toBe(0)
  })

  it('calls a success that is an error by its own word a failure', () => {
    expect(readFixture(claude, 'claude-refused.jsonl').ended).toEqual({ kind: 'ended', how: 'failed', note: 'API Error: 400 The request is not valid.' })
  })

  it('fails where its bound in money is reached, and counts what the plain sum of that record leaves out', () => {
    const { ended, usage } = readFixture(claude, 'claude-budget.jsonl')
    expect(ended).toMatchObject({ how: 'failed', note: 'Reached maximum budget ($0.001)' })
    expect(usage).toMatchObject({ input: 600, cachedInput: 400, output: 50, usd: 0.00267 })
  })

  it('is bounded by the money that is left, and never by nothing', () => {
    const bound = (usd: number) => claude.args({ ...WISH, left: { tokens: null, usd } }).join(' ')
    expect(bound(1.5)).toMatch(/--max-budget-usd 1\.5000$/)
    expect(bound(0)).toMatch(/--max-budget-usd 0\.0001$/)
    expect(claude.args(WISH).join(' ')).not.toContain('budget')
  })

  it('names what keeps it from working as root, which only the user may set aside', () => {
    const asRoot = process.getuid?.() === 0
    expect(claude.obstacle?.({})).toEqual(asRoot ? expect.stringContaining('IS_SANDBOX=1') as string : null)
    expect(claude.obstacle?.({ IS_SANDBOX: '1' })).toBeNull()
  })
})
