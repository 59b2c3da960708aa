import { describe, expect, it } from 'vitest'
import { builtinProcedures } from '../../procedures/index.js'
import type { Procedure } from '../../core/types.js'
import type { AskRequest, Notice } from '../../ports.js'
import { runInMemory, type World } from '../../../test/support/loop.js'
import { streamReporter } from './stream.js'

const ooda = builtinProcedures['ooda'] as Procedure
const converge = builtinProcedures['converge'] as Procedure

function written(notices: readonly Notice[]): string {
  let text = ''
  const reporter = streamReporter({ write: (more) => (text += more), heartbeatSeconds: 60 })
  for (const notice of notices) reporter.notice(notice)
  return text.replaceAll(/\[\d\d:(\d\d:\d\d)\]/g, '[hh:$1]')
}

async function told(world: Omit<World, 'reporter'>): Promise<string> {
  return written((await runInMemory(world)).notices)
}

const limited = (iterations: number): Procedure => ({ ...ooda, budget: { ...ooda.budget, iterations } })
const failed = { ending: 'failed', note: 'exit 1', seconds: 15 } as const

describe('the stream of a procedure that tells by iteration', () => {
  it('RO-05 tells number, outcome and time of each iteration, with the time of day', async () => {
    expect(await told({ procedure: limited(3), turns: [{ seconds: 45.2 }, { seconds: 38.7 }, { seconds: 52.1 }] })).toBe(
      [
        '[hh:00:00] Starting procedure: ooda (max 3 iterations)',
        '[hh:00:00] Iteration 1/3 starting...',
        '[hh:00:45] Iteration 1/3 completed in 45.2s',
        '[hh:00:45] Iteration 2/3 starting...',
        '[hh:01:23] Iteration 2/3 completed in 38.7s',
        '[hh:01:23] Iteration 3/3 starting...',
        '[hh:02:16] Iteration 3/3 completed in 52.1s',
        '[hh:02:16] Reached max iterations: 3 (total: 2m16s)',
        '[hh:02:16] see it:   greenlatch diff 20260206-100000-test',
        '[hh:02:16] take it:  greenlatch accept 20260206-100000-test',
        '',
      ].join('\n'),
    )
  })

  it('warns of each setback with its place in the row, and the last one prints no completed line', async () => {
    await expect(await told({ procedure: limited(10), turns: [{}, failed, {}, failed] })).toMatchFileSnapshot('__golden__/ooda-abort.txt')
  })

  it('says which budgets remain when iterations are unlimited, and what gates found', async () => {
    const world = { procedure: ooda, turns: [{}, {}, failed], gates: [{ failing: ['adds'] }, { failing: [] }] }
    await expect(await told(world)).toMatchFileSnapshot('__golden__/ooda-unlimited.txt')
  })

  it('names the resume command when it is interrupted or paused', async () => {
    const interrupted = await told({ procedure: ooda, turns: [{ ending: 'aborted', before: (control) => control.interrupt('SIGINT') }] })
    expect(interrupted).toContain('Interrupted. State saved. Resume with: greenlatch resume ooda')
    const paused = await told({ procedure: ooda, turns: [{ before: (_, inbox) => inbox.put({ kind: 'pause', id: 'p', at: 0 }) }] })
    expect(paused).toContain('Paused. State saved. Resume with: greenlatch resume ooda')
  })
})

describe('the stream of a procedure that tells by phase', () => {
  it('tells how many fail, what got better, which stance is taken, and why it ended', async () => {
    const gates = [{ failing: ['a', 'b', 'c'] }, { failing: ['a', 'b'] }, { failing: ['a', 'b'] }, { failing: ['b', 'd'] }, { failing: [] }]
    await expect(await told({ procedure: converge, turns: [{}], gates })).toMatchFileSnapshot('__golden__/converge-converged.txt')
  })

  it('tells of a stall to its end', async () => {
    const text = await told({ procedure: converge, turns: [{ tree: 't0' }], gates: [{ failing: ['a'] }] })
    await expect(text).toMatchFileSnapshot('__golden__/converge-stalled.txt')
  })

  it('says that nothing was changed where that alone is what fails', async () => {
    const text = await told({ procedure: converge, turns: [{ tree: 't0' }], gates: [{ failing: [] }] })
    expect(text).toMatch(/^ {2}1 {2}check +1\.0s {2}no change since the start$/m)
    expect(text).not.toContain('→1 failing')
  })

  it('tells a breach apart from what the checks say, and that it was taken back', async () => {
    const breach = { gate: 'integrity', subject: 'integrity: a.test.js', class: 'integrity' as const, fingerprint: '2:x', message: 'x', runs: { failed: 1, of: 1 } }
    const keep = (tree: string) => ({ keep: () => Promise.resolve({ tree, failures: [breach], notices: [], changed: '', pins: null }) })
    const world = { procedure: converge, turns: [{ tree: 't0' }], gates: [{ failing: ['a'] }] }
    const whole = await told({ ...world, workspace: keep('t0') })
    expect(whole).toMatch(/^ {2}1 {2}implement +1\.0s {2}taken back\n {2}1 {2}check +1\.0s {2}1 failing, 1 breach$/m)
    expect(whole).toMatch(/^ {2}3 {2}check .* no better ×3$/m)
    expect(await told({ ...world, workspace: keep('t1') })).toMatch(/ changed, part of it taken back\n/)
    const fewer = await told({ ...world, gates: [{ failing: ['a', 'b'] }, { failing: ['a'] }], workspace: keep('t0') })
    expect(fewer).toContain(' 2→1 failing, 1 breach')
  })

  it('tells what a review has found, not how its agent ended', async () => {
    const cycle = builtinProcedures['cycle'] as Procedure
    const said = 'FAIL\n\n- src/a.js:3: trusts its input'
    const answers = ({ effect }: AskRequest) => (effect.role === 'auditor' ? { text: `${said}\n\nFAIL`, note: 'exit 0', tree: 't1' } : {})
    const act = () => Promise.resolve({ verdict: 'pass' as const, cause: null, note: '', files: [] })
    const text = await told({ procedure: cycle, turns: [{}], gates: [{ failing: ['a'] }, { failing: [] }], roles: ['implementer', 'auditor'], answers, workspace: { actions: ['branch', 'setup', 'commit'], act } })
    expect(text).toMatch(/ audit +1\.0s {2}fail: 1 warning: src\/a\.js: trusts its input/)
  })

  it('sets a first check against nothing, where there was none before it', async () => {
    const { baseline: _none, ...phases } = converge.phases
    const world = { procedure: { ...converge, start: 'implement', phases }, turns: [{}], gates: [{ failing: ['a'] }, { failing: [] }] }
    const text = await told(world)
    expect(text).toMatch(/^ {2}1 {2}check +1\.0s {2}1 failing$/m)
    expect(text).toMatch(/^ {2}2 {2}check +1\.0s {2}1→0 failing/m)
  })

  it('tells by which limit an agent was ended, also when what it changed counts', async () => {
    const turns = [{ ending: 'timeout', note: 'ended by the wall-clock limit of 2s' } as const]
    const world = { turns, gates: [{ failing: ['a'] }, { failing: [] }] }
    expect(await told({ procedure: converge, ...world })).toContain('changed · ended by the wall-clock limit of 2s\n')
    const byIteration = await told({ procedure: { ...converge, progress: 'iterations' }, ...world })
    expect(byIteration).toContain('WARNING: AI CLI failed (ended by the wall-clock limit of 2s); what it changed is kept\n')
  })

  it('says once why an agent could not be reached, and once why that was the end', async () => {
    const turns = [{ ending: 'unavailable', note: 'no connection', tree: 't0' } as const]
    const text = await told({ procedure: converge, turns, gates: [{ failing: ['a'] }] })
    expect(text).toMatch(/^ {2}1 {2}implement +1\.0s {2}error: no connection {2}the agent cannot be reached \(1 of 3 in a row\)$/m)
    expect(text).toMatch(/^ {2}1 {2}implement +1\.0s {2}error: no connection\nREFUSED .* the agent cannot be reached: no connection \(3 of 3 in a row\)/m)
  })

  it('tells at the start which rungs are left out because nobody fills their role', async () => {
    const policies = { ladder: { signals: ['repeats' as const], rungs: [{ at: 4, roles: { implementer: 'expert' } }] } }
    const line = 'rung 1 (no better ×4: expert answers for implementer) is left out: nobody answers as expert'
    for (const progress of [{}, { progress: 'iterations' as const }]) {
      const lines = (await told({ procedure: { ...converge, policies, ...progress }, turns: [{}], gates: [{ failing: [] }] })).split('\n')
      expect(lines.slice(0, 3).join('\n')).toContain(line)
    }
  })

  it('shows nothing of what an agent or a test wrote that could move the cursor', async () => {
    const turns = [{ ending: 'failed' as const, note: 'evil \u001b[2J\u001b]52;c;AAAA\u0007 end', tree: 't0' }]
    const text = await told({ procedure: converge, turns, gates: [{ failing: ['x\u001b[31m'] }] })
    // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    expect(text).toContain('evil')
  })
})

describe('a sign of life', () => {
  it('comes when nothing else does: which phase, against what it usually takes, and the command that runs', async () => {
    const { notices } = await runInMemory({ procedure: converge, turns: [{}], gates: [{ failing: ['a'] }, { failing: ['a'] }, { failing: [] }] })
    const at = notices.findLastIndex((notice) => notice.kind === 'record' && notice.after.outstanding?.phase === 'implement')
    let text = ''
    const reporter = streamReporter({ write: (more) => (text += more), heartbeatSeconds: 0.02, command: () => 'npm\u001B[2J test' })
    for (const notice of notices.slice(0, at + 1)) reporter.notice(notice)
    await expect.poll(() => text).toMatch(/^ {4}… implement for [\d.]+s \(usually 1\.0s\), no output for [\d.]+s: npm test$/m)
    reporter.notice(notices.at(-1) as Notice)
    const before = text
    reporter.notice({ kind: 'activity', effect: {} as never, activity: { kind: 'output', bytes: 1 }, at: 0 })
    expect(text).toBe(before)
  })
})
