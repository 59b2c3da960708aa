import { describe, expect, it } from 'vitest'
import { inMemory, runInMemory, type World } from '../../test/support/loop.js'
import type { Event, Procedure } from '../core/index.js'
import type { AskRequest, Notice } from '../ports.js'
import { builtinProcedures } from '../procedures/index.js'
import { createControl } from './control.js'
import { exitCodeOf, type Live } from './live.js'
import { markBegun } from './meter.js'
import { run, stepOnce } from './run.js'
import { recover, turn } from './turn.js'

const ooda = builtinProcedures['ooda'] as Procedure
const short: Procedure = { ...ooda, budget: { iterations: 3, then: 'completed' } }
const silent = { notice: () => {} }

function live(world: Partial<World> = {}): Live {
  return inMemory({ procedure: short, turns: [{}], reporter: silent, ...world }).live
}

async function eventsOf(session: Live): Promise<Event[][]> {
  const records: Event[][] = []
  for await (const record of session.ports.journal.records()) records.push(record.events)
  return records
}

function kinds(events: readonly Event[]): string[] {
  return events.map((event) => event.type)
}

describe('one turn', () => {
  it('writes one record: what happened together with what is asked next', async () => {
    const session = live({ gates: [{ failing: [] }] })
    for (let n = 0; n < 4; n++) await turn(session)
    const records = await eventsOf(session)
    expect(records.map(kinds)).toEqual([
      ['opened'],
      ['asked'],
      ['observed', 'decided', 'asked'],
      ['observed', 'decided', 'asked'],
      ['observed', 'decided', 'asked'],
    ])
  })

  it('AI-02 run is a loop over step and writes the same records', async () => {
    const stepped = live({ gates: [{ failing: ['a'] }, { failing: [] }] })
    while (!(await stepOnce(stepped)));
    const ran = live({ gates: [{ failing: ['a'] }, { failing: [] }] })
    await run(ran, { resumed: false })
    expect(await eventsOf(stepped)).toEqual(await eventsOf(ran))
  })

  it('tells whoever makes a candidate what may be written, and whoever answers in text that nothing is kept', async () => {
    const told: (string | null | undefined)[] = []
    const answers = (request: AskRequest) => {
      told.push(request.mayWrite?.('a.txt'))
      return {}
    }
    const workspace = { mayWrite: (path: string) => `${path} is out of scope` }
    const act = ooda.phases['act']
    if (act?.kind !== 'ask') throw new Error('ooda asks')
    const free = live({ answers, workspace })
    for (let n = 0; n < 2; n++) await turn(free)
    const inText = live({ answers, workspace, procedure: { ...short, phases: { ...short.phases, act: { ...act, replies: 'text' } } } })
    for (let n = 0; n < 2; n++) await turn(inText)
    expect(told).toEqual(['a.txt is out of scope', 'the implementer answers in text, and files it writes are not kept'])
  })

  it('leaves the next phase to a turn of its own after a phase that rests', async () => {
    const act = ooda.phases['act']
    if (act?.kind !== 'ask') throw new Error('ooda asks')
    const session = live({ procedure: { ...short, phases: { act: { ...act, rests: 'ACTED', on: { pass: 'act' } } } } })
    await turn(session)
    await turn(session)
    expect(session.session.label).toBe('ACTED')
    expect(session.session.outstanding).toBeNull()
    await turn(session)
    expect(session.session.outstanding?.iteration).toBe(2)
  })

  it.each([['person', 'waiting'], ['program', undefined]])('writes a late prompt without a record; a %s is then waited for or asked', async (who, ending) => {
    const act = ooda.phases['act']
    if (act?.kind !== 'ask') throw new Error('ooda asks')
    const session = live({ procedure: { ...short, phases: { act: { ...act, prompts: 'late', on: { pass: 'act' } } } } })
    if (who === 'person') Object.assign(session.ports.agents['told'] as object, { person: true })
    await turn(session)
    expect(session.ports.folder.read('iteration-1/act-prompt.md')).toBeUndefined()
    expect((await turn(session))?.kind).toBe(ending)
    expect(session.ports.folder.read('iteration-1/act-prompt.md')).toBe('prompt of 1.act')
    expect((await eventsOf(session)).length).toBe(2)
  })
})

describe('the folder', () => {
  it('is put back before an attempt that follows a cut-off one, and that is said', async () => {
    const notices: Notice[] = []
    const turns = [{ ending: 'aborted', tree: 'half', before: (control: { interrupt(by: 'SIGINT'): void }) => control.interrupt('SIGINT') } as const, {}]
    const { live: first } = inMemory({ procedure: short, turns, reporter: { notice: (notice) => void notices.push(notice) } })
    await run(first, { resumed: false })
    const again: Live = { ...first, standing: null, ports: { ...first.ports, control: createControl(first.ports.inbox) } }
    await run(again, { resumed: true })
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'warning', text: expect.stringMatching(/^put back: half \(kept as salvage\/1\), since an attempt that was cut off.*: greenlatch undo \S+ --to salvage\/1$/) }))
  })

  it('is left alone while a person who was asked may be at work in it', async () => {
    const session = live()
    Object.assign(session.ports.agents['told'] as object, { person: true, ask: () => Promise.resolve(undefined) })
    await turn(session)
    const stands: unknown[] = []
    const watched = { ...session.ports.workspace, stand: (on: unknown) => Promise.resolve(stands.push(on) as never) }
    const again: Live = { ...session, standing: null, ports: { ...session.ports, workspace: watched } }
    expect(await turn(again)).toMatchObject({ kind: 'waiting' })
    expect(stands).toEqual([])
  })
})

describe('messages', () => {
  it('takes a hint that arrives during an ask into the next candidate ask, and only there', async () => {
    const { live: ended } = await runInMemory({
      procedure: short,
      turns: [{ before: (_, inbox) => inbox.put({ kind: 'hint', id: 'h1', at: 1, text: 'look left' }) }, {}],
    })
    const asked = (await eventsOf(ended)).flat().flatMap((event) => (event.type === 'asked' && event.effect.kind === 'ask' ? [event.effect.hints.map((hint) => hint.text)] : []))
    expect(asked).toEqual([[], ['look left'], []])
  })

  it('does not take a hint twice when it was journalled but its file outlived a crash', async () => {
    const notices: Notice[] = []
    const { live: session, inbox } = inMemory({ procedure: short, turns: [{}], reporter: { notice: (notice) => void notices.push(notice) } })
    const hint = { kind: 'hint', id: 'h1', at: 1, text: 'look left' } as const
    inbox.put(hint)
    await turn(session)
    inbox.put(hint)
    await turn(session)
    expect((await eventsOf(session)).flat().filter((event) => event.type === 'hinted').length).toBe(1)
    expect(notices.some((notice) => notice.kind === 'warning' && notice.text.includes('h1'))).toBe(true)
  })

  it('pauses and stops at the end of the phase under way, with its result kept', async () => {
    for (const kind of ['pause', 'stop'] as const) {
      const message = kind === 'pause' ? ({ kind, id: 'm', at: Number.MAX_SAFE_INTEGER } as const) : ({ kind, id: 'm', at: Number.MAX_SAFE_INTEGER, now: false } as const)
      const { live: session, ending, inbox } = await runInMemory({ procedure: short, turns: [{ before: (_, box) => box.put(message) }] })
      expect(exitCodeOf(session.session, ending)).toBe(kind === 'pause' ? 8 : 130)
      expect(kinds((await eventsOf(session)).at(-1) ?? [])).toEqual(['observed', 'decided', kind === 'pause' ? 'paused' : 'stopped'])
      expect(inbox.peek()).toEqual([])
      expect(session.session.at).toBe('gates')
    }
  })

  it('ends the effect under way on stop --now and records what it had cost', async () => {
    const { live: session, ending } = await runInMemory({
      procedure: short,
      turns: [{ ending: 'aborted', seconds: 7, before: (_, inbox) => inbox.put({ kind: 'stop', id: 's', at: Number.MAX_SAFE_INTEGER, now: true }) }],
    })
    expect(ending).toEqual({ kind: 'interrupted', signal: 'stop' })
    expect(session.session.spent.seconds).toBe(7)
    expect(session.session.outstanding?.id).toBe('1.act')
  })

  it('drops a stop that was meant for an owner before us, and says so', async () => {
    const { notices, ending } = await runInMemory({ procedure: short, turns: [{}], messages: [{ kind: 'stop', id: 's', at: 5, now: true }] })
    expect(ending.kind).toBe('finished')
    expect(notices.some((notice) => notice.kind === 'warning' && notice.text.includes('left over'))).toBe(true)
  })

  it('names a reply that nobody waits for', async () => {
    const { notices } = await runInMemory({ procedure: short, turns: [{ before: (_, inbox) => inbox.put({ kind: 'reply', id: 'r', at: 1, effect: '9.act', text: 'x' }) }] })
    expect(notices.some((notice) => notice.kind === 'warning' && notice.text.includes('9.act'))).toBe(true)
  })
})

describe('what was cut off', () => {
  it('keeps what an attempt changed before it was cut as the change of the next attempt', async () => {
    const converge = builtinProcedures['converge'] as Procedure
    const turns = [{ ending: 'aborted', tree: 'half', before: (control: { interrupt(by: 'SIGINT'): void }) => control.interrupt('SIGINT') } as const, { tree: 'half' }]
    const world = { procedure: converge, turns, gates: [{ failing: ['a'] }, { failing: [] }], reporter: silent }
    const { live: first } = inMemory(world)
    await run(first, { resumed: false })
    const again: Live = { ...first, ports: { ...first.ports, control: createControl(first.ports.inbox) } }
    await run(again, { resumed: true })
    expect(again.session.finish?.outcome).toBe('converged')
  })

  it('I8 is not begun again on a spent budget', async () => {
    const turns = [{ ending: 'aborted', seconds: 30, before: (control: { interrupt(by: 'SIGINT'): void }) => control.interrupt('SIGINT') } as const]
    const { live: first } = inMemory({ procedure: { ...short, budget: { seconds: 20 } }, turns, reporter: silent })
    await run(first, { resumed: false })
    const asked = { ...first.ports.agents['told'], ask: () => expect.unreachable('it must not be asked') } as never
    const again: Live = { ...first, ports: { ...first.ports, agents: { told: asked }, control: createControl(first.ports.inbox) } }
    await run(again, { resumed: true })
    expect(again.session.finish).toMatchObject({ outcome: 'exhausted', code: 4, resumesAt: 'act' })
  })

  it('records what an agent did even when the next prompt cannot be made', async () => {
    const act = ooda.phases['act']
    if (act?.kind !== 'ask') throw new Error('ooda asks')
    const session = live({ procedure: { ...short, phases: { act: { ...act, on: { pass: 'act' } } } } })
    await turn(session)
    const broken: Live = { ...session, ports: { ...session.ports, compose: () => { throw new Error('no such file') } } }
    await expect(turn(broken)).rejects.toThrow('no such file')
    expect(kinds((await eventsOf(session)).at(-1) ?? [])).toEqual(['observed', 'decided'])
  })
})

describe('after a crash', () => {
  it('says once that the effect was cut off, with its cost, and begins it again under its own id', async () => {
    const session = live()
    await turn(session)
    markBegun.write(session.ports.folder, { effect: '1.act', cuts: 0, spent: { seconds: 30, tokens: 5, usd: 0 } })
    recover(session)
    recover(session)
    expect(kinds((await eventsOf(session)).flat())).toEqual(['opened', 'asked', 'interrupted'])
    expect(session.session.spent).toEqual({ seconds: 30, tokens: 5, usd: 0 })
    await turn(session)
    expect((await eventsOf(session)).flat().flatMap((event) => (event.type === 'observed' ? [event.report.effect] : []))).toEqual(['1.act'])
  })

  it('reports an effect that crashed three times as an error instead of beginning it once more', async () => {
    const session = live({ turns: [{ before: () => expect.unreachable('it must not be asked') }] })
    await turn(session)
    for (const cuts of [0, 1, 2]) {
      markBegun.write(session.ports.folder, { effect: '1.act', cuts, spent: { seconds: 1, tokens: 0, usd: 0 } })
      recover(session)
    }
    await turn(session)
    expect(session.session.setbacks.row).toBe(1)
    expect(session.session.iteration).toBe(2)
  })

  it('says when an effect was given up that is not begun once more', async () => {
    const session = live()
    await turn(session)
    for (const cuts of [0, 1, 2]) {
      markBegun.write(session.ports.folder, { effect: '1.act', cuts, spent: { seconds: 1, tokens: 0, usd: 0 } })
      recover(session)
    }
    await turn(session)
    expect(session.session.finishedAt).toBe(session.ports.clock.now())
  })

  it('believes no mark that cannot be read', async () => {
    const session = live()
    await turn(session)
    session.ports.folder.mark(markBegun.file, '{"effect":"1.a')
    recover(session)
    expect((await eventsOf(session)).length).toBe(2)
  })
})
