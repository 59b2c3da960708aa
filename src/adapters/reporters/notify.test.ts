// Tests of notes to the desktop: for what there is one, in which form, and that no text of others gets out of it.
import { describe, expect, it } from 'vitest'
import type { Procedure } from '../../core/types.js'
import type { Notice } from '../../ports.js'
import { builtinProcedures } from '../../procedures/index.js'
import { runInMemory } from '../../../test/support/loop.js'
import { notifyReporter, type Ways } from './notify.js'

const converge = builtinProcedures['converge'] as Procedure

function written(notices: readonly Notice[], ways: Ways): string[] {
  const all: string[] = []
  const reporter = notifyReporter((text) => all.push(text), ways)
  for (const notice of notices) reporter.notice(notice)
  return all
}

const converging = (): ReturnType<typeof runInMemory> => runInMemory({ procedure: converge, turns: [{}], gates: [{ failing: ['a', 'b'] }, { failing: ['a'] }, { failing: [] }] })
const stalling = (): ReturnType<typeof runInMemory> => runInMemory({ procedure: converge, turns: [{ tree: 't0' }], gates: [{ failing: ['a'] }] })

describe('a note to the desktop', () => {
  it('is written at the end, and for nothing on the way there that goes well', async () => {
    const notes = written((await converging()).notices, { note: 'OSC 9', progress: false })
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/^\u001B\]9;greenlatch: converge converged: .*\u0007$/) // oxlint-disable-line no-control-regex
  })

  it('is written for each rung, in the form the terminal knows', async () => {
    const notes = written((await stalling()).notices, { note: 'OSC 777', progress: false })
    expect(notes[0]).toContain(']777;notify;greenlatch;converge is no better: minimal-change')
    expect(notes.at(-1)).toContain(';converge stalled: ')
  })

  it('holds no text that could end it', async () => {
    const { notices } = await stalling()
    const how = { kind: 'waiting', awaits: 'x\u0007\u001B[2J;evil\ny'.padEnd(900, 'z'), prompt: '', path: '', cwd: null } as const
    const ended = { ...(notices.at(-1) as Extract<Notice, { kind: 'ended' }>), how }
    const [note = ''] = written([ended], { note: 'OSC 777', progress: false })
    expect(note.slice(0, -1)).toMatch(/^.\]777;notify;greenlatch;converge needs you: x,evil y/)
    expect(note.slice(1, -1)).not.toMatch(/\p{Cc}/u)
    expect(note.length).toBeLessThan(250)
  })

  it('is none where the terminal takes none', async () => {
    expect(written((await stalling()).notices, { note: null, progress: false })).toEqual([])
  })
})

describe('how far it is', () => {
  it('is the share of what failed and is gone, told when it changes, and taken away at the end', async () => {
    const shown = written((await converging()).notices, { note: null, progress: true })
    expect(shown.map((text) => text.slice(1, -1))).toEqual([']9;4;3', ']9;4;1;0', ']9;4;1;50', ']9;4;1;100', ']9;4;0'])
  })
})
