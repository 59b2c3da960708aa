// Tests of who is asked in the end: agents out of reach, others in their place, limits that are waited for, budgets within a call.
import { describe, expect, it } from 'vitest'
import { inMemory, type Turn, type World } from '../../test/support/loop.js'
import type { MemoryInbox } from '../../test/support/memory-inbox.js'
import type { Procedure } from '../core/index.js'
import type { Agent, Answer, AskRequest, Clock, Ending, Notice } from '../ports.js'
import { builtinProcedures } from '../procedures/index.js'
import { createControl } from './control.js'
import { exitCodeOf, type Live } from './live.js'
import { run } from './run.js'

const converge = builtinProcedures['converge'] as Procedure
const STARTED = Date.UTC(2026, 1, 6, 10, 0, 0)
const MINUTE = 60_000

type Answers = (request: AskRequest, signal: AbortSignal) => Turn | Promise<Turn>

type Staged = {
  live: Live
  inbox: MemoryInbox
  asked: string[]
  /** What reporters were told in words. */
  said(): string[]
  waits(): { until: number; note: string }[]
  run(): Promise<Ending>
  /** Taken up by another process. */
  resume(): Promise<Ending>
}

/** Agents by name, the first of them in the role; `onLook` is called when the first wait begins. */
function staged(answers: Record<string, Answers>, world: Partial<World> = {}, onLook: (live: Live, inbox: MemoryInbox) => void = () => {}): Staged {
  const notices: Notice[] = []
  const asked: string[] = []
  let given: Turn = {}
  const { live: plain, inbox } = inMemory({
    procedure: converge, turns: [], answers: () => given, gates: [{ failing: ['a'] }, { failing: [] }], started: STARTED,
    reporter: { notice: (notice) => void notices.push(notice) }, ...world,
  })
  const told = plain.ports.agents['told'] as Agent
  const names = Object.keys(answers)
  const agents = Object.fromEntries(names.map((name, index): [string, Agent] => [index === 0 ? 'told' : name, {
    ...told, name,
    async ask(request, signal) {
      asked.push(name)
      given = (await answers[name]?.(request, signal)) ?? {}
      return told.ask(request, signal)
    },
  }]))
  let looks = 0
  const clock: Clock = { ...plain.ports.clock, sleep: (seconds, signal) => {
    if ((looks += 1) === 1) onLook(live, inbox)
    return plain.ports.clock.sleep(seconds, signal)
  } }
  const live: Live = { ...plain, ports: { ...plain.ports, clock, agents, fallbacks: { told: names.slice(1) } } }
  return {
    live, inbox, asked,
    said: () => notices.flatMap((notice) => (notice.kind === 'warning' ? [notice.text] : [])),
    waits: () => notices.flatMap((notice) => (notice.kind === 'activity' && notice.activity.kind === 'waiting' ? [notice.activity] : [])),
    run: () => run(live, { resumed: false }),
    resume: () => run({ ...live, standing: null, ports: { ...live.ports, control: createControl(live.ports.inbox) } }, { resumed: true }),
  }
}

const refused = { ending: 'unavailable', note: 'connection refused' } as const
const limitedFor = (minutes: number): Turn => ({ ending: 'unavailable', note: 'usage limit reached', until: STARTED + minutes * MINUTE })

describe('an agent that cannot be reached', () => {
  it('is no setback of the agent, and ends the session with exit 7 after three times in a row', async () => {
    const { live, run: go, asked } = staged({ a: () => ({ ...refused, tree: 't0' }) })
    const ending = await go()
    expect([exitCodeOf(live.session, ending), asked]).toEqual([7, ['a', 'a', 'a']])
    expect(live.session).toMatchObject({ iteration: 1, infrastructure: 3, setbacks: { row: 0 }, finish: { outcome: 'refused', resumesAt: 'implement' } })
  })

  it('is asked again after a pause, each longer than the one before, which is shown', async () => {
    let now = (): number => 0
    const at: number[] = []
    const { live, run: go, waits, said } = staged({ a: () => (at.push((now() - STARTED) / 1000), { ...refused, tree: 't0' }) }, { procedure: { ...converge, policies: { ...converge.policies, infrastructure: { limit: 6 } } } })
    now = live.ports.clock.now
    await go()
    const gaps = at.slice(1).map((each, index) => each - (at[index] ?? 0) - 1)
    expect(gaps).toEqual([2, 8, 32, 60, 60])
    expect(waits()).toHaveLength(5)
    expect(said()).toContain(`implement: a could not be reached; waiting until ${new Date(STARTED + ((at[1] ?? 0)) * 1000).toLocaleTimeString('en-GB')}`)
  })

  it('is paused for no longer than the session may last', async () => {
    const { live, run: go } = staged({ a: () => ({ ...refused, tree: 't0' }) }, { procedure: { ...converge, budget: { seconds: 5 } } })
    await go()
    expect(live.session.spent.seconds).toBeLessThan(8)
  })

  it('until somebody has logged in is not asked again', async () => {
    const { live, run: go, asked, waits } = staged({ a: () => ({ ending: 'unavailable', closed: true, note: 'not logged in: run `a login`', tree: 't0' }) })
    const ending = await go()
    expect([exitCodeOf(live.session, ending), asked, waits()]).toEqual([7, ['a'], []])
    expect(live.session.finish).toMatchObject({ outcome: 'refused', why: 'the agent cannot be reached: not logged in: run `a login`' })
  })

  it('twice and then can goes on in the same iteration', async () => {
    let times = 0
    const { live, run: go } = staged({ a: () => ((times += 1) < 3 ? { ...refused, tree: 't0' } : {}) })
    await go()
    expect(live.session).toMatchObject({ iteration: 1, infrastructure: 0, finish: { outcome: 'converged' } })
  })
})

describe('a fallback', () => {
  it('is asked instead and works on the tree that was meant; what the first left is kept and named', async () => {
    let stood = ''
    const { live, run: go, asked, said } = staged({
      a: () => ({ ...refused, tree: 'half' }),
      b: async () => {
        stood = (await live.ports.workspace.keep({} as never)).tree
        return { tree: 't9', tokens: 7 } as Turn
      },
    })
    await go()
    expect([asked, stood, live.session.finish?.outcome]).toEqual([['a', 'b'], 't0', 'converged'])
    expect(said()).toEqual(expect.arrayContaining(['a cannot be reached (connection refused): b is asked instead', 'a wrote into the tree; put back: half (kept as salvage/1)']))
  })

  it('is paid for together with what the first had spent', async () => {
    const spent = (tokens: number): Pick<Answer, 'spent'> => ({ spent: { seconds: 1, tokens, usd: 0.5 } })
    const { live, run: go } = staged({ a: () => ({ ...refused, ...spent(10) }), b: () => spent(7) })
    await go()
    expect(live.session.spent).toMatchObject({ tokens: 17, usd: 1 })
  })

  it('that cannot be reached either counts once, whoever was asked', async () => {
    const { live, run: go, asked } = staged({ a: () => ({ ...refused, tree: 't0' }), b: () => ({ ...refused, tree: 't0' }) })
    await go()
    expect([asked.length, live.session.infrastructure, live.session.finish?.code]).toEqual([6, 3, 7])
  })

  it('is not asked when the first only failed', async () => {
    const { run: go, asked } = staged({ a: () => ({ ending: 'failed', note: 'no idea' }), b: () => ({}) }, { procedure: { ...converge, budget: { iterations: 1 } } })
    await go()
    expect(asked).not.toContain('b')
  })
})

describe('a limit', () => {
  it('of every agent is waited for until the first of them is over, which is shown with the clock', async () => {
    let now = (): number => 0
    const until = (minutes: number): Turn => (now() < STARTED + minutes * MINUTE ? { ...limitedFor(minutes), tree: 't0' } : {})
    const { live, run: go, asked, said, waits } = staged({ a: () => until(60), b: () => until(15) })
    now = live.ports.clock.now
    await go()
    expect([asked, live.session.finish?.outcome]).toEqual([['a', 'b', 'a', 'b'], 'converged'])
    expect(waits()).toEqual([{ kind: 'waiting', until: STARTED + 15 * MINUTE, note: 'b: usage limit reached' }])
    const shown = new Date(STARTED + 15 * MINUTE).toLocaleTimeString('en-GB')
    expect(said()).toContain(`implement: b: usage limit reached; waiting until ${shown}`)
    expect(live.session.spent.seconds).toBeLessThan(15 * 60)
  })

  it('beyond the budget of time ends the session at once with exit 7, and says when to resume', async () => {
    const { live, run: go, asked, waits } = staged({ a: () => ({ ...limitedFor(120), tree: 't0' }) }, { procedure: { ...converge, budget: { seconds: 3600 } } })
    const ending = await go()
    expect([exitCodeOf(live.session, ending), asked, waits(), live.session.setbacks.row]).toEqual([7, ['a'], [], 0])
    const shown = new Date(STARTED + 120 * MINUTE).toLocaleTimeString('en-GB')
    expect(live.session.finish).toMatchObject({
      outcome: 'refused', resumesAt: 'implement',
      why: `the agent cannot be reached: a: usage limit reached; that is over at ${shown}, too late to be waited for: resume it then`,
    })
  })

  it('counts what the ask has taken already against the budget', async () => {
    const { live, run: go, waits } = staged({ a: () => ({ ...limitedFor(40), seconds: 1800, tree: 't0' }) }, { procedure: { ...converge, budget: { seconds: 2400 } } })
    await go()
    expect([waits(), live.session.finish?.code]).toEqual([[{ kind: 'waiting', until: STARTED + 40 * MINUTE, note: 'a: usage limit reached' }], 7])
  })

  it('further away than the longest window is not waited for, with no budget of time either', async () => {
    const { live, run: go, waits } = staged({ a: () => ({ ...limitedFor(7 * 60), tree: 't0' }) }, { procedure: { ...converge, budget: {} } })
    await go()
    expect([waits(), live.session.finish?.code]).toEqual([[], 7])
  })

  it('that is ever another one is not waited for without end', async () => {
    const { live, run: go, asked } = staged({ a: () => ({ ending: 'unavailable', note: 'slow down', until: live.ports.clock.now() - 1, tree: 't0' }) }, { procedure: { ...converge, budget: {} } })
    await go()
    expect([asked.length, live.session.finish?.code]).toEqual([6, 7])
    expect(live.session.finish?.why).toBe('the agent cannot be reached: a: slow down; that was met 6 times in a row, and is not waited for again: resume it later')
  })

  it.each([
    ['a limit', limitedFor(60)],
    ['another try', refused],
  ])('that is waited for (%s) leaves the session paused when it is to pause, and goes on from there', async (_, first) => {
    let times = 0
    const { live, run: go, resume } = staged({ a: () => ((times += 1) === 1 ? { ...first, tree: 't0' } : {}) }, {}, (__, inbox) => inbox.put({ kind: 'pause', id: 'p', at: Number.MAX_SAFE_INTEGER }))
    const ending = await go()
    expect([ending, exitCodeOf(live.session, ending), live.session.rest, live.session.outstanding?.phase]).toEqual([{ kind: 'paused' }, 8, 'paused', 'implement'])
    expect(live.ports.inbox.peek()).toEqual([])
    await resume()
    expect([times, live.session.finish?.outcome]).toEqual([2, undefined])
  })

  it.each([
    ['a signal', 'SIGINT', (live: Live) => live.ports.control.interrupt('SIGINT')],
    ['a stop', 'stop', (_: Live, inbox: MemoryInbox) => inbox.put({ kind: 'stop', id: 's', at: Number.MAX_SAFE_INTEGER, now: false })],
  ] as const)('that is waited for is broken off by %s, and the session goes on from there when it is resumed', async (_, signal, onLook) => {
    let times = 0
    const { live, run: go, resume } = staged({ a: () => ((times += 1) === 1 ? limitedFor(60) : {}) }, {}, onLook)
    const ending = await go()
    expect([ending, exitCodeOf(live.session, ending), live.session.outstanding?.phase]).toEqual([{ kind: 'interrupted', signal }, 130, 'implement'])
    await resume()
    expect(times).toBe(2)
  })
})

describe('a budget of tokens or money', () => {
  /** Has changed the files, says what it has spent, and would go on for ever. */
  const spending = (tokens: number, usd: number): Answers => (request, signal) => {
    const spent = { seconds: 1, tokens, usd }
    request.onActivity({ kind: 'spent', spent })
    return { ending: signal.aborted ? 'aborted' : 'done', note: signal.aborted ? 'stopped on request' : '', spent, tree: 'partial' }
  }

  it.each([
    [{ tokens: 1000 }, 'ended during the call: 1,200 of 1,000 tokens are spent'],
    [{ usd: 2 }, 'ended during the call: $3.00 of $2.00 are spent'],
  ])('%j ends a call that is under way; what it has done is a candidate and is checked', async (budget, note) => {
    const { live, run: go, asked } = staged({ a: spending(1200, 3) }, { procedure: { ...converge, budget } })
    await go()
    const reports = []
    for await (const { events } of live.ports.journal.records()) for (const event of events) if (event.type === 'observed') reports.push(event.report)
    expect(reports.find(({ note: said }) => said === note)).toMatchObject({ verdict: 'pass', cause: 'timeout', tree: 'partial' })
    expect([asked, live.session.finish]).toMatchObject([['a'], { outcome: 'converged' }])
  })

  it('that is spent by a candidate which does not pass ends the session with exit 4', async () => {
    const { live, run: go, asked } = staged({ a: spending(1200, 0) }, { procedure: { ...converge, budget: { tokens: 1000 } }, gates: [{ failing: ['a'] }] })
    const ending = await go()
    expect([exitCodeOf(live.session, ending), asked]).toEqual([4, ['a']])
  })

  it('leaves a call alone that keeps within it, and tells the agent what is left', async () => {
    const left: AskRequest['left'][] = []
    const { live, run: go } = staged({ a: (request, signal) => (left.push(request.left), spending(900, 1)(request, signal)) }, { procedure: { ...converge, budget: { tokens: 1000, usd: 2 } } })
    await go()
    expect([left, live.session.finish?.outcome]).toEqual([[{ tokens: 1000, usd: 2 }], 'converged'])
  })
})
