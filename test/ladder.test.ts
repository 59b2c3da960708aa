// The ladder of `converge` from its first rung to its end, with a real gate: what each rung does, what lowers it, and what a restart keeps.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { letGo, until } from './support/cli.js'
import { askedIn, decisionsIn, jsonIn, judgedIn, makeLoop, runArgs, scriptFile, textIn, tryOf, type Loop } from './support/ladder.js'

const ADDITION = 'Dates are in UTC.'

/** Each role has a script of its own. */
function configure(loop: Loop): void {
  const tries = Array.from({ length: 12 }, (_, n) => tryOf(['a', 'b'], `try ${n}`))
  const amendment = JSON.stringify({ diagnosis: 'no time zone', addition: ADDITION, confidence: 'high' })
  const advice = [{ say: 'The cause is line 7.', write: { state: '' } }, { say: amendment }, { say: 'Still line 7.' }]
  const agents = {
    worker: { script: scriptFile(loop, 'worker', tries) },
    adviser: { script: scriptFile(loop, 'adviser', advice) },
    thinker: { script: scriptFile(loop, 'thinker', [{ say: 'First look at the zone.' }]) },
  }
  const agent = { implementer: 'worker', consultant: 'adviser', planner: 'thinker' }
  loop.write('greenlatch.yaml', JSON.stringify({ agents, agent }))
  loop.commit('configured')
}

describe('a failure that never changes', () => {
  it('RB-07 walks every stage: minimal change, a second opinion, an amended task and a new plan, all again, and the end.', async () => {
    const loop = makeLoop()
    configure(loop)
    const { code, stderr } = await loop.run(runArgs(loop))
    const folder = loop.session()
    const asked = askedIn(folder).join(' ').replaceAll('implement', 'i')
    expect([code, asked]).toEqual([3, 'i i i diagnose i i amend replan i i i diagnose i i'])
    expect(judgedIn(folder).map(({ stall, rung, to }) => [stall.level, rung, to])).toEqual([
      [1, -1, 'implement'], [2, 0, 'implement'], [3, 1, 'diagnose'], [4, 1, 'implement'], [5, 3, 'amend'],
      [1, -1, 'implement'], [2, 0, 'implement'], [3, 1, 'diagnose'], [4, 1, 'implement'], [5, 5, '@stalled'],
    ])
    const prompt = (n: number): string => textIn(folder, `iteration-${n}/implement-prompt.md`)
    expect(prompt(2)).not.toContain('## STANCE')
    expect(prompt(3)).toContain('Make the smallest change that could work.')
    expect(prompt(3)).toContain('Change at most 5 files and 200 lines.')
    expect(prompt(4)).toContain('The cause is line 7.')
    expect(prompt(4)).toContain('Assume that their idea of the cause is wrong.')
    expect(prompt(4)).toContain('iterations 1, 2, 3: ')
    expect(prompt(6)).toContain('First look at the zone.')
    expect(prompt(6)).toContain(ADDITION)
    expect(prompt(6)).not.toContain('## STANCE')
    expect(textIn(folder, 'task.md')).not.toContain(ADDITION)
    expect(stderr).toMatch(/^ {2}pattern: +new patch same failures\n {2}why: +greenlatch explain \S+$/m)
  })

  it('RB-08 ends with its reasons, its fingerprints and the evidence of the stall.', async () => {
    const loop = makeLoop()
    const agent = loop.scripted([tryOf(['a', 'b'], 'same')])
    const ended = await loop.run(runArgs(loop, '--agent', agent))
    const folder = loop.session()
    expect(ended.code).toBe(3)
    expect(jsonIn(folder, 'completion_reasons.json')).toMatchObject({
      outcome: 'stalled',
      why: 'the same failures 5 times, so the ladder ends here',
      reasons: ['the same failures 5 times, so the ladder ends here', expect.stringContaining('FAIL a'), expect.stringContaining('FAIL b')],
      fingerprints: [expect.stringMatching(/^\d+:\w+/), expect.stringMatching(/^\d+:\w+/)],
      stall: { level: 5, repeats: 5, rung: 5 },
    })
    const stall = 'the same failures in 5 iterations in a row, a state seen before 4 times, no better for 4 iterations, since the ladder began again'
    expect((await loop.run(['report'])).stdout).toContain(`stall      ${stall}\n`)
    const diagnosis = JSON.parse((await loop.run(['explain', '--json'])).stdout) as { failing: { fingerprint: string; seen: number }[] }
    const evidence = ['the same files came out 10 times in a row', expect.any(String)]
    expect(diagnosis).toMatchObject({ state: 'stalled', pattern: 'same patch', evidence })
    expect(diagnosis.failing.map(({ seen }) => seen)).toEqual([10, 10])
    const { fingerprints } = jsonIn<{ fingerprints: string[] }>(folder, 'completion_reasons.json')
    expect(fingerprints.toSorted()).toEqual(diagnosis.failing.map(({ fingerprint }) => fingerprint).toSorted())
  })
})

describe('work that goes round in a circle', () => {
  it.each([2, 3])('RB-07 is caught with a period of %i, though no failure comes twice in a row.', async (period) => {
    const loop = makeLoop()
    const turns = Array.from({ length: 12 }, (_, n) => tryOf([`x${n % period}`, `y${n % period}`], `state ${n % period}`))
    const { code, stderr } = await loop.run(runArgs(loop, '--agent', loop.scripted(turns)))
    const judged = judgedIn(loop.session())
    expect([code, judged.some(({ stall }) => stall.repeats > 1)]).toEqual([3, false])
    expect(judged.findIndex(({ stall }) => stall.revisits > 0)).toBeLessThan(period + 3)
    expect(judged.findIndex(({ rung }) => (rung ?? -1) >= 0)).toBeLessThan(period + 3)
    expect(stderr).toMatch(new RegExp(`pattern: +oscillation, back after ${period} iterations\n`))
  })
})

describe('progress', () => {
  it('RB-07 lowers the rung at once, and the counts begin again.', async () => {
    const loop = makeLoop(['a', 'b', 'c'])
    const turns = [
      tryOf(['a', 'b', 'c'], '1'), tryOf(['a', 'b', 'c'], '2'), tryOf(['a', 'b'], '3'), tryOf(['a', 'b'], '4'), tryOf(['a', 'b'], '5'),
      tryOf([], '6'),
    ]
    const ended = await loop.run(runArgs(loop, '--agent', loop.scripted(turns)))
    expect(ended.code).toBe(0)
    const rungs = judgedIn(loop.session()).map(({ stall, rung }) => [stall.level, rung])
    expect(rungs).toEqual([[1, -1], [2, 0], [1, -1], [2, 0], [3, 1], [0, -1]])
    expect(textIn(loop.session(), 'iteration-4/implement-prompt.md')).not.toContain('## STANCE')
  })

  it('RB-07 is not bought with a sprawling change: beyond the limits of the minimal stage it is a breach, and is taken back.', async () => {
    const loop = makeLoop()
    const wide = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`wide-${n}`, 'x\n']))
    const turns = [tryOf(['a', 'b'], '1'), tryOf(['a', 'b'], '2'), { write: { ...wide, state: '' } }, tryOf([], '4')]
    const ended = await loop.run(runArgs(loop, '--agent', loop.scripted(turns)))
    expect([ended.code, judgedIn(loop.session()).length]).toEqual([0, 4])
    expect(textIn(loop.session(), 'iteration-4/implement-prompt.md')).toContain('diff budget')
    expect((await loop.run(['report', '--md'])).stdout).toMatch(/^\| 3 \| 2, 1 breach \| no, taken back \|/m)
  })
})

describe('a run that is killed in mid-ladder', () => {
  it('RB-04 goes on with the same counts, hashes of failures and files, and stage as one that was not.', async () => {
    const scene = async (killed: boolean): Promise<unknown> => {
      const loop = makeLoop()
      const waits = 'while [ "$n" = 4 ] && [ ! -e "$ROOT/go" ]; do sleep 0.02; done'
      const agent = loop.program('agent', 'cat >/dev/null', 'n=$GREENLATCH_ITERATION', waits, 'echo "try $n" > notes; echo fine')
      if (!killed) letGo(loop, 'go')
      const args = runArgs(loop, '--max-iterations', '6', '--ai-cmd', agent)
      const running = loop.start(args)
      if (killed) {
        await until('iteration 4, after a second opinion', () => loop.starts('agent').length === 5)
        running.send('SIGKILL')
        await running.ended
        rmSync(join(loop.session(), 'session.json'), { force: true })
        letGo(loop, 'go')
        expect((await loop.run(['resume'])).code).toBe(4)
      } else expect((await running.ended).code).toBe(4)
      const { stall, fingerprints } = jsonIn(loop.session(), 'completion_reasons.json')
      return { judged: judgedIn(loop.session()), stall, fingerprints }
    }
    const [straight, cut] = [await scene(false), await scene(true)]
    expect(cut).toEqual(straight)
    const stages = [{}, {}, { rung: 1 }, { rung: 1, stall: { level: 4 } }, { rung: 3, to: 'amend' }, { stall: { level: 1 } }]
    expect(straight).toMatchObject({ judged: stages })
  })
})

describe('stall control', () => {
  const procedures = (text: string): string => `procedures:\n  mine:\n    ${text}\n`

  it('RB-14 is on in converge, and one line takes it out.', async () => {
    const loop = makeLoop()
    loop.write('greenlatch.yaml', procedures('{ extends: converge, policies: { ladder: null }, budget: { iterations: 7 } }'))
    loop.commit('configured')
    const agent = loop.scripted([tryOf(['a', 'b'], 'same')])
    const ended = await loop.run(['run', 'mine', 'x', '--gate', loop.gate, '--agent', agent])
    expect([ended.code, new Set(askedIn(loop.session()))]).toEqual([4, new Set(['implement'])])
    expect(decisionsIn(loop.session()).every(({ rung, fired }) => rung === null && !fired)).toBe(true)
  })

  it('RB-14 is put into any other procedure by one line.', async () => {
    const loop = makeLoop()
    const ladder = '{ signals: [repeats], rungs: [{ at: 2, to: "@stalled" }] }'
    loop.write('greenlatch.yaml', procedures(`{ extends: ooda, policies: { setbacks: null, ladder: ${ladder} } }`))
    loop.commit('configured')
    const agent = loop.scripted([tryOf(['a', 'b'], 'same')])
    const ended = await loop.run(['run', 'mine', 'x', '--gate', loop.gate, '--max-iterations', '9', '--agent', agent])
    expect([ended.code, judgedIn(loop.session()).map(({ stall }) => stall.level)]).toEqual([3, [1, 2]])
  })
})

describe('the text of a stance', () => {
  it('RB-15 reaches the prompt as it is, and neither a shell nor the command of an agent nor its environment.', async () => {
    const loop = makeLoop()
    const hostile = 'Be careful; $(touch stance-ran) `touch stance-ran` && touch stance-ran #'
    const mine = { extends: 'converge', stances: { 'minimal-change': hostile }, budget: { iterations: 3 } }
    loop.write('greenlatch.yaml', JSON.stringify({ procedures: { mine } }))
    loop.commit('configured')
    const keeps = ['cat > "$ROOT/prompt-$GREENLATCH_ITERATION"', 'echo "$@" >> "$ROOT/args"', 'env >> "$ROOT/args"']
    const agent = loop.program('agent', ...keeps, 'date +%N > notes')
    const ended = await loop.run(['run', 'mine', 'x', '--gate', loop.gate, '--ai-cmd', `${agent} --flag`])
    expect([ended.code, loop.read('prompt-3').includes(hostile)]).toEqual([4, true])
    expect(loop.read('args')).toContain('--flag')
    expect(loop.read('args')).not.toContain('stance-ran')
    const { stdout: diff } = await loop.run(['diff', '--iter', 'start..3', '--stat'])
    expect([diff.includes('stance-ran'), ...[loop.repo, loop.root].map((folder) => existsSync(join(folder, 'stance-ran')))]).toEqual([false, false, false])
  })
})
