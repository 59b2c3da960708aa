// Tests of reading what agents say they used, with what real ones have sent.
import { describe, expect, it } from 'vitest'
import { dollarsIn, usageOfStep, usageOfTurn } from './usage-told.js'

const nothing = { usd: null, model: null }

describe('what a turn used', () => {
  it.each([
    ['cached apart', { usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 40, cachedWriteTokens: 5, totalTokens: 165 } }, { input: 105, cachedInput: 40, output: 20 }],
    ['cached inside', { usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 40, totalTokens: 120 } }, { input: 60, cachedInput: 40, output: 20 }],
    ['thought apart', { usage: { inputTokens: 100, outputTokens: 20, thoughtTokens: 7, totalTokens: 127 } }, { input: 100, cachedInput: 0, output: 27 }],
    ['thought inside', { usage: { inputTokens: 100, outputTokens: 20, thoughtTokens: 7, totalTokens: 120 } }, { input: 100, cachedInput: 0, output: 20 }],
    ['without a total', { usage: { inputTokens: 1, outputTokens: 2, cachedReadTokens: null } }, { input: 1, cachedInput: 0, output: 2 }],
  ])('is counted once, %s', (_how, answer, told) => {
    expect(usageOfTurn(answer)).toEqual({ ...nothing, ...told })
  })

  it('is found in the other place, with the model', () => {
    const quota = { token_count: { input_tokens: 300, output_tokens: 60 }, model_usage: [{ model: 'gemini-2.5-pro', token_count: {} }] }
    expect(usageOfTurn({ stopReason: 'end_turn', _meta: { quota } })).toEqual({ input: 300, cachedInput: 0, output: 60, usd: null, model: 'gemini-2.5-pro' })
  })

  it.each([null, 'x', {}, { usage: null }, { usage: [] }, { _meta: { quota: { token_count: null, model_usage: [] } } }])('is unknown for %j', (answer) => {
    expect(usageOfTurn(answer)).toBeNull()
  })
})

describe('what a step used', () => {
  it('comes with a message, and money only in dollars', () => {
    const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120, thoughtTokens: 0, cachedReadTokens: 0 }
    expect(usageOfStep({ sessionUpdate: 'agent_message_chunk', _meta: { usage } })).toEqual({ ...nothing, input: 100, cachedInput: 0, output: 20 })
    expect(usageOfStep({ sessionUpdate: 'agent_message_chunk' })).toBeNull()
    expect([dollarsIn({ amount: 0.5, currency: 'USD' }), dollarsIn({ amount: 0.5, currency: 'EUR' }), dollarsIn(null)]).toEqual([0.5, null, null])
    expect([-1, Number.NaN, '3'].map((amount) => dollarsIn({ amount, currency: 'USD' }))).toEqual([null, null, null])
  })
})
