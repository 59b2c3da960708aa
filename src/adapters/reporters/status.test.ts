// Tests of the small file for prompts and bars, on a session run through the real loop.
import { describe, expect, it } from 'vitest'
import type { Procedure } from '../../core/types.js'
import { builtinProcedures } from '../../procedures/index.js'
import { runInMemory } from '../../../test/support/loop.js'
import { statusAfter } from './status.js'

const converge = builtinProcedures['converge'] as Procedure

type Told = { state: string; phase: string; iteration: number; failing: number | null; pid: number | null; text: string; rung: string | null }

async function told(gates: { failing: string[] }[]): Promise<Told[]> {
  const { notices } = await runInMemory({ procedure: converge, turns: [{}], gates })
  return notices.flatMap((notice) => {
    const text = statusAfter(notice)
    return text === null ? [] : [JSON.parse(text) as Told]
  })
}

describe('the status of a session', () => {
  it('tells after each record where it stands, and at the end what it came to', async () => {
    const all = await told([{ failing: ['a', 'b'] }, { failing: ['a'] }, { failing: [] }])
    expect(all[0]).toMatchObject({ state: 'running', iteration: 0, failing: null, pid: process.pid })
    expect(all.map(({ text }) => text)).toContain('converge running · iteration 2/20 · implement · 1 failing')
    expect(all.at(-1)).toMatchObject({ state: 'converged', failing: 0, pid: null, text: 'converge converged · iteration 2/20 · nothing failing' })
  })

  it('says what the rung in force changes, and stays small however long it takes', async () => {
    const { notices } = await runInMemory({ procedure: converge, turns: [{ tree: 't0' }], gates: [{ failing: ['a'] }] })
    const texts = notices.flatMap((notice) => statusAfter(notice) ?? [])
    expect(texts.some((text) => text.includes('"rung":"minimal-change'))).toBe(true)
    for (const text of texts) expect(text.length).toBeLessThan(1000)
  })
})
