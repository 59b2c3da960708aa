// `replay` and `backtest` through the command line: recorded sessions, without agent, gate or workspace, and without a trace.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encode } from '../src/adapters/journal/line.js'
import type { Event } from '../src/core/types.js'
import { hashesOf, recordsOf, type Ended, type Turn } from './support/cli.js'
import { makeWorkshop, refusal, type Workshop } from './support/repositories.js'

const WRONG: Turn[] = ['one', 'two', 'three', 'four'].map((text) => ({ write: { a: `${text}\n` } }))
const RIGHT: Turn = { write: { a: 'right\n' } }

/** A session of `converge` on a file that has to say "right". */
async function converge(shop: Workshop, turns: Turn[]): Promise<string> {
  const flags = ['--fresh', '--max-iterations', '4', '--agent', `implementer=${shop.scripted(turns)}`, '--gate', 'grep -q right a', '--json']
  return (JSON.parse((await shop.run(['run', 'converge', 'Say it right', ...flags])).stdout) as { session: string }).session
}

/** Nothing is left to work with but the sessions themselves. */
function leaveOnlySessions(shop: Workshop): string {
  const room = dirname(dirname(shop.session()))
  for (const name of readdirSync(room)) if (name !== 'sessions') rmSync(join(room, name), { recursive: true })
  rmSync(join(shop.root, 'script.json'))
  return join(room, 'sessions')
}

/** The newest session with one event changed, every sum in order. */
function rewrite(shop: Workshop, change: (event: Event) => Event): void {
  const folder = shop.session()
  let prev = ''
  const lines = recordsOf(folder).map(({ seq, at, epoch, events }) => {
    const { bytes, sum } = encode({ seq, at, epoch, prev, events: events.map(change) })
    prev = sum
    return bytes
  })
  writeFileSync(join(folder, 'journal.jsonl'), Buffer.concat(lines))
  rmSync(join(folder, 'session.json'))
}

function backtest(shop: Workshop, policy: string, ...args: string[]): Promise<Ended> {
  writeFileSync(join(shop.root, 'policy.yaml'), policy)
  return shop.run(['backtest', '--policy', '../policy.yaml', ...args])
}

describe('replay', () => {
  it('GL-05 feeds a session through the engine again without agent, gate, checkout or store, and writes nothing.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    const session = await converge(shop, [...WRONG.slice(0, 2), RIGHT])
    const sessions = leaveOnlySessions(shop)
    const before = hashesOf(sessions)
    const ended = await shop.run(['replay'])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/^\d+ reports replayed: every effect, judgement and decision came out as recorded\n$/)
    expect(ended.stdout).toMatch(/^ {2}2 {2}check +fail +1 failing +stall 2/m)
    expect(ended.stdout).toMatch(/→ @converged by route: accept: pass/)
    expect(JSON.parse((await shop.run(['replay', session, '--json'])).stdout)).toMatchObject({ session, same: true, deviations: 0, differences: [] })
    expect(hashesOf(sessions)).toEqual(before)
    expect(readdirSync(dirname(sessions))).toEqual(['sessions'])
  })

  it('GL-05 names the first thing that comes out otherwise than it was recorded, and exits with 1.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    await converge(shop, WRONG)
    rewrite(shop, (event) => {
      const isFirst = event.type === 'observed' && event.judgement.judged && event.judgement.stall.repeats === 1
      return isFirst ? { ...event, judgement: { ...event.judgement, stall: { ...event.judgement.stall, level: 7 } } } : event
    })
    const { code, stderr } = await shop.run(['replay'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/first in record \d+, iteration 1, check: judgement\.stall\.level was 7 and is now 1\n$/)
    const told = await shop.run(['replay', '--json'])
    expect(told.code).toBe(1)
    const { same, differences } = JSON.parse(told.stdout)
    expect([same, differences[0]]).toMatchObject([false, { what: 'judgement', phase: 'check', path: 'stall.level', recorded: 7, now: 1 }])
  })

  it('replays a session that was cancelled, and one that goes on.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    await shop.run(['open', 'ooda', 'x', '--agent', 'paste'])
    await shop.run(['step'])
    expect((await shop.run(['replay'])).code).toBe(0)
    expect((await shop.run(['stop', '--cancel'])).code).toBe(0)
    expect(await shop.run(['replay'])).toMatchObject({ code: 0, stderr: expect.stringContaining('came out as recorded') as string })
  })

  it('refuses a journal that holds nothing: nothing came out as recorded.', async () => {
    const shop = makeWorkshop({ a: 'wrong\n' })
    const id = await converge(shop, [RIGHT])
    for (const name of ['journal.jsonl', 'session.json']) writeFileSync(join(shop.session(), name), '')
    expect(refusal(await shop.run(['replay']))).toEqual([10, expect.stringContaining('holds no whole record'), `greenlatch repair ${id}`])
    const { code, stdout } = await backtest(shop, 'budget: { iterations: 2 }')
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, '0 sessions'])
  })

  it('refuses in one line where there is no session, or none of that name.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    expect(refusal(await shop.run(['replay']))).toEqual([2, 'there is no session here yet', 'greenlatch run --help'])
    await shop.work([RIGHT])
    expect(refusal(await shop.run(['replay', 'nobody']))).toEqual([2, 'there is no session "nobody"', 'greenlatch sessions'])
  })
})

describe('backtest', () => {
  const STOPS_AT_2 = 'policies:\n  ladder:\n    rungs: [{ at: 2, to: "@stalled" }]\n'

  it('GL-05 tells of every recorded session what another policy would have done: earlier, the same, longer, or a good run lost.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    const hopeless = await converge(shop, WRONG)
    const saved = await converge(shop, [...WRONG.slice(0, 2), RIGHT])
    const sessions = leaveOnlySessions(shop)
    const before = hashesOf(sessions)
    const eager = JSON.parse((await backtest(shop, STOPS_AT_2, '--json')).stdout)
    expect(eager).toMatchObject({
      sessions: [
        { session: hopeless, kind: 'earlier', recorded: { outcome: 'exhausted', iterations: 4 }, tried: { outcome: 'stalled', iterations: 2 }, saved: { iterations: 2 } },
        { session: saved, kind: 'lost', recorded: { outcome: 'converged', iterations: 3 }, tried: { outcome: 'stalled', iterations: 2 } },
      ],
      totals: { sessions: 2, earlier: 1, lost: 1, iterationsSaved: 2 },
    })
    const patient = JSON.parse((await backtest(shop, 'budget: { iterations: 9 }\n', '--json')).stdout)
    expect(patient.sessions).toMatchObject([{ session: hopeless, kind: 'longer' }, { session: saved, kind: 'same' }])
    expect(hashesOf(sessions)).toEqual(before)
  })

  it('GL-05 prints a table with totals, of the sessions that are named.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    await converge(shop, [...WRONG.slice(0, 2), RIGHT])
    const hopeless = await converge(shop, WRONG)
    const { code, stdout } = await backtest(shop, STOPS_AT_2, hopeless)
    const [head = '', row = '', , total] = stdout.split('\n')
    expect(code).toBe(0)
    expect(head.split(/ {2,}/)).toEqual(['session', 'procedure', 'recorded', 'with the policy', 'ends', 'saved', 'why'])
    expect(row).toMatch(new RegExp(`^${hopeless} +converge +exhausted after 4 .+ stops earlier +stalled after 2 .+ 2 iterations, .+ the same failures 2 times`))
    expect(total).toMatch(/^1 session: 1 stops earlier; saved 2 iterations, /)
  })

  it('GL-05 says from where on answers would be needed that nobody has given, and which policy does not fit a procedure.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    await converge(shop, WRONG)
    await shop.work([RIGHT])
    const told = await backtest(shop, 'policies: { ladder: { signals: [repeats], rungs: [{ at: 2, to: diagnose }] } }\n', '--json')
    const { sessions } = JSON.parse(told.stdout)
    expect(sessions).toMatchObject([
      { procedure: 'converge', kind: 'diverged', tried: { iterations: 2 } },
      { procedure: 'ooda', kind: 'unfit', tried: { why: expect.stringContaining('diagnose') as string } },
    ])
    const only = await backtest(shop, STOPS_AT_2, '--procedure', 'converge')
    expect(only.stdout).toMatch(/^1 session: /m)
  })

  it('refuses a bad policy file in one line with the file, its line, the key and the nearest key.', async () => {
    const shop = makeWorkshop({ a: 'zero\n' })
    await shop.work([RIGHT])
    const next = 'greenlatch schema procedure'
    const told = async (policy: string): Promise<unknown> => refusal(await backtest(shop, policy))
    expect(await told('budget: {}\npolicies:\n  laddr: {}\n')).toEqual([2, '../policy.yaml:3: unknown key "laddr" in policies (did you mean "ladder"?)', next])
    expect(await told('polices: {}\n')).toEqual([2, '../policy.yaml:1: unknown key "polices" (did you mean "policies"?)', next])
    expect(await told('phases: {}\n')).toEqual([2, '../policy.yaml:1: unknown key "phases" (allowed: policies, budget)', next])
    expect(await told('budget: { iterations: many }\n')).toEqual([2, expect.stringContaining('../policy.yaml:1: budget.iterations: expected') as string, next])
    expect(await told('')).toEqual([2, '../policy.yaml changes nothing: expected policies or budget', next])
    expect(await told('a: [')).toEqual([2, expect.stringContaining('../policy.yaml:1: not valid YAML') as string, next])
    expect(refusal(await shop.run(['backtest', '--policy', 'none.yaml']))).toEqual([2, 'none.yaml does not exist', 'greenlatch backtest --policy <file>'])
    expect(refusal(await shop.run(['backtest']))[0]).toBe(2)
    expect(refusal(await backtest(shop, STOPS_AT_2, '--procedure', 'odda'))).toEqual([2, 'there is no session of a procedure "odda" (did you mean "ooda"?)', 'greenlatch sessions'])
  })
})
