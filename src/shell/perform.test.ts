// Tests of what an effect leaves behind that was not brought to its end.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inMemory } from '../../test/support/loop.js'
import type { Procedure } from '../core/index.js'
import type { Workspace } from '../ports.js'
import { builtinProcedures } from '../procedures/index.js'
import { turn } from './turn.js'

const broken = (): Promise<never> => Promise.reject(new Error('the disk is gone'))

afterEach(() => void vi.useRealTimers())

describe('an effect that an error ends', () => {
  it.each<[string, Partial<Workspace>, Partial<Procedure['phases']>]>([
    ['an ask', { keep: broken }, {}],
    ['a check', { diffLines: broken }, {}],
    ['work on the files', { actions: ['survey'], act: broken }, { act: { kind: 'workspace', action: 'survey', on: { pass: 'gates' } } }],
  ])('leaves no mark that goes on being written: %s', async (_, workspace, phases) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const ooda = builtinProcedures['ooda'] as Procedure
    const procedure = { ...ooda, phases: { ...ooda.phases, ...phases } as Procedure['phases'] }
    const { live } = inMemory({ procedure, turns: [{}], gates: [{ failing: [] }], reporter: { notice: () => {} }, workspace })
    await expect((async () => { for (let n = 0; n < 4; n++) await turn(live) })()).rejects.toThrow('the disk is gone')
    expect(vi.getTimerCount()).toBe(0)
  })
})
