// Procedure `ooda` through the command line: when it goes on, when it ends, and what it says meanwhile.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, letGo, linesOf, makePlace, until, type Place } from './support/cli.js'

/** Exits with the status that stands for this iteration in the list, 0 past its end. */
function exiting(place: Place, ...statuses: number[]): string {
  return place.program('agent', 'cat >/dev/null', `set -- ${statuses.join(' ')}`, 'n=$(wc -l < "$0.starts")', 'eval "exit \\${$n:-0}"')
}

const WAITS = 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done'

const TIME = String.raw`\[\d\d:\d\d:\d\d\]`
const SECONDS = String.raw`\d+\.\d+s`

describe('how long it goes on', () => {
  it('RO-01 runs to its maximum although all gates pass, ends completed with exit 0, and leaves nothing to resume.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', exiting(place), '--gate', 'true'])
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/^completed\tunverified\t\S+\n$/)
    expect(place.starts('agent')).toHaveLength(3)
    expect(await place.status()).toMatchObject({ status: 'completed', iteration: 3, finish: { resumesAt: null } })
    expect(await place.run(['resume', 'ooda'])).toMatchObject({ code: 2 })
  })

  it('RO-01 takes a maximum of one as one iteration.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', exiting(place)])
    expect(ended.code).toBe(0)
    expect(place.starts('agent')).toHaveLength(1)
    expect(linesOf(ended.stderr)).toHaveLength(4)
  })

  it('RO-01 ends completed also where the agent failed every time, and says so wherever its end is told.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', exiting(place, 1, 1)])
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^completed\tunverified\t/) as string })
    expect(linesOf(ended.stderr)).toContainEqual(expect.stringMatching(/^WARNING: the agent failed in 2 of 2 iterations \(pattern: agent failed\): greenlatch explain \S+$/))
    expect((await place.run(['explain'])).stdout).toMatch(/## Pattern: agent failed[^]*the agent failed in 2 of 2 iterations/)
    expect((await place.run(['report'])).stdout).toContain('pattern    agent failed · the agent failed in 2 of 2 iterations')
    const once = await place.run(['run', 'ooda', '--fresh', '--max-iterations', '2', '--ai-cmd', exiting(makePlace(), 1)])
    expect(once).toMatchObject({ code: 0, stderr: expect.not.stringContaining('pattern') as string })
  })

  it('RO-01 is ended by passing gates where the procedure says so.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { until-green: { extends: ooda, phases: { gates: { on: { pass: "@completed" } } } } }\n')
    const gate = place.program('gate', 'test "$(wc -l < "$0.starts")" -ge 2')
    const ended = await place.run(['run', 'until-green', '--max-iterations', '5', '--ai-cmd', exiting(place), '--gate', gate])
    expect(ended.code).toBe(0)
    expect(place.starts('agent')).toHaveLength(2)
    expect(ended.stderr).not.toContain('Reached max iterations')
  })

  it('RO-04 goes on without a limit of iterations when the maximum is 0, and says which other budgets end it.', async () => {
    const place = makePlace()
    const agent = place.scripted([{ say: 'done', tokens: 100 }])
    const ended = await place.run(['run', 'ooda', '--max-iterations', '0', '--max-tokens', '1200', '--max-time', '90m', '--agent', agent])
    expect(linesOf(ended.stderr)[0]).toBe('Starting procedure: ooda (unlimited iterations; ends after 1h30m of active time, 1,200 tokens)')
    expect(linesOf(ended.stderr)).toContain('Iteration 12 starting...')
    expect(ended.stderr).not.toMatch(/Iteration \d+\//)
    expect(ended.code).toBe(4)
    expect(await place.status()).toMatchObject({ iteration: 12, max_iterations: 0 })
  })

  it('RO-04 takes the maximum from flag, environment, procedure, project file, user file and built-in value, in this order.', async () => {
    const place = makePlace()
    const shown = async (flags: string[], env: Record<string, string>, config: string): Promise<string | undefined> => {
      place.write('greenlatch.yaml', config)
      const options = { env: { XDG_CONFIG_HOME: join(place.root, 'user'), ...env } }
      const ended = await place.run(['run', 'ooda', '--dry-run', '--agent', 'paste', ...flags], options)
      return /\[DRY RUN\] Iterations: (.*)/.exec(ended.stdout)?.[1]
    }
    const [project, entry] = ['default_iterations: 4\n', 'procedures: { ooda: { budget: { iterations: 5 } } }\n']
    expect(await shown([], {}, '')).toBe('unlimited')
    place.write('../user/greenlatch/config.yaml', 'default_iterations: 3\n')
    expect(await shown([], {}, '')).toBe('3 iterations')
    expect(await shown([], {}, project)).toBe('4 iterations')
    expect(await shown([], {}, project + entry)).toBe('5 iterations')
    expect(await shown([], { GREENLATCH_DEFAULT_ITERATIONS: '6' }, project + entry)).toBe('6 iterations')
    expect(await shown(['--max-iterations', '7'], { GREENLATCH_DEFAULT_ITERATIONS: '6' }, project + entry)).toBe('7 iterations')
    expect(await shown(['--max-iterations', '0'], { GREENLATCH_DEFAULT_ITERATIONS: '6' }, project + entry)).toBe('unlimited')
  })
})

describe('each iteration', () => {
  it('RO-02 starts a new process and pipes the whole prompt into it.', async () => {
    const place = makePlace()
    const script = ['cat > "$ROOT/seen-$GREENLATCH_ITERATION"', 'echo "$#" >> "$ROOT/arguments"', 'echo "answer $GREENLATCH_ITERATION"']
    const agent = place.program('agent', ...script)
    await place.run(['run', 'ooda', 'tidy the parser', '--max-iterations', '3', '--ai-cmd', agent])
    expect(new Set(place.starts('agent')).size).toBe(3)
    expect(place.read('arguments')).toBe('0\n0\n0\n')
    for (const n of [1, 2, 3]) {
      const written = readFileSync(join(place.session(), `iteration-${n}/act-prompt.md`), 'utf8')
      expect(place.read(`seen-${n}`)).toBe(written)
      expect(written).toContain('tidy the parser')
      expect(readFileSync(join(place.session(), `iteration-${n}/act-response.md`), 'utf8')).toBe(`answer ${n}\n`)
    }
  })

  it('RO-03 is counted from 0 in the state and from 1 wherever people look.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', WAITS)
    const running = place.start(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', agent])
    await until('the first agent', () => place.starts('agent').length === 1)
    expect(await place.status()).toMatchObject({ iteration: 0, status: 'running' })
    expect((await place.run(['status', '--short'])).stdout).toContain('iteration 1/2')
    letGo(place, 'go')
    const ended = await running.ended
    expect(await place.status()).toMatchObject({ iteration: 2 })
    const logs = (await place.run(['logs'])).stdout
    expect(logs).toMatch(/^ +\d+ {2}\S+ {4}1 {2}act +asked/m)
    expect(ended.stderr + logs).not.toMatch(/iteration[ -]0|0\/2/i)
  })

  it('RO-05 is told when it is over and before the next one is: time of day, number, how long it took.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'sleep 0.3', '[ "$GREENLATCH_ITERATION" = 1 ] && exit 0', WAITS)
    const running = place.start(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent])
    await running.says(/Iteration 2\/3 starting/)
    expect(running.stderr()).not.toContain('Iteration 2/3 completed')
    const told = new RegExp(`^${TIME} Iteration 1/3 completed in (\\d+\\.\\d)s$`, 'm').exec(running.stderr())
    expect(Number(told?.[1])).toBeGreaterThanOrEqual(0.3)
    expect(Number(told?.[1])).toBeLessThan(20)
    letGo(place, 'go')
    expect((await running.ended).code).toBe(0)
  })

  it('RO-05 RO-06 tells its outcome: the exit status of an agent that failed, or the signal that ended it.', async () => {
    const place = makePlace()
    const ends = 'case $GREENLATCH_ITERATION in 1) exit 23;; 2) kill -KILL $$;; esac'
    const agent = place.program('agent', 'cat >/dev/null', 'echo "error: all is lost"', ends)
    const ended = await place.run(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent])
    expect(linesOf(ended.stderr)).toEqual([
      'Starting procedure: ooda (max 3 iterations)',
      'Iteration 1/3 starting...',
      'WARNING: AI CLI failed (exit 23), consecutive failures: 1/3',
      expect.stringMatching(/^Iteration 1\/3 completed in /),
      'Iteration 2/3 starting...',
      'WARNING: AI CLI failed (ended by SIGKILL), consecutive failures: 2/3',
      expect.stringMatching(/^Iteration 2\/3 completed in /),
      'Iteration 3/3 starting...',
      expect.stringMatching(/^Iteration 3\/3 completed in /),
      expect.stringMatching(/^Reached max iterations: 3/),
    ])
    const observed = eventsOf(place.session()).filter((event) => event.type === 'observed')
    const outcomes = observed.map(({ judgement, report }) => [judgement.verdict, report.note])
    expect(outcomes).toEqual([['error', 'exit 23'], ['error', 'ended by SIGKILL'], ['pass', 'exit 0']])
  })
})

describe('setbacks', () => {
  it('RO-07 aborts after three failures of the agent in a row with exit 7, also when three was the maximum.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', exiting(place, 1, 1, 1)])
    expect(ended.code).toBe(7)
    expect(ended.stderr).not.toContain('Reached max iterations')
    expect(linesOf(ended.stderr).at(-1)).toMatch(/^ERROR: Aborting after 3 consecutive failures \(3 iterations completed, total: /)
    expect(await place.status()).toMatchObject({ status: 'aborted', iteration: 3, consecutive_failures: 3, failure_threshold: 3 })
  })

  it('RO-07 RO-16 aborts with exit 3 when gates were the setbacks; the last one decides.', async () => {
    const place = makePlace()
    const byGates = await place.run(['run', 'ooda', '--max-iterations', '9', '--ai-cmd', exiting(place), '--gate', 'lint=exit 4'])
    expect(byGates.code).toBe(3)
    expect(linesOf(byGates.stderr)).toContain('WARNING: Quality gates failed: lint: exit 4, consecutive failures: 3/3')
    expect(place.starts('agent')).toHaveLength(3)
    const other = makePlace()
    const mixed = await other.run(['run', 'ooda', '--max-iterations', '9', '--ai-cmd', exiting(other, 0, 0, 5), '--gate', 'lint=exit 4'])
    expect(mixed.code).toBe(7)
  })

  it('RO-07 has a limit that flag, environment and file can set.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'setbacks: 1\n')
    const abortsAt = async (flags: string[], env: Record<string, string>): Promise<string | undefined> => {
      const { stderr } = await place.run(['run', 'ooda', '--ai-cmd', 'false', ...flags], { env })
      return /Aborting after (\d+) consecutive/.exec(stderr)?.[1]
    }
    expect(await abortsAt([], {})).toBe('1')
    expect(await abortsAt([], { GREENLATCH_SETBACKS: '2' })).toBe('2')
    expect(await abortsAt(['--failure-threshold', '4'], { GREENLATCH_SETBACKS: '2' })).toBe('4')
  })

  it('RO-08 are forgotten with one good iteration, whoever caused them.', async () => {
    const place = makePlace()
    const gate = place.program('gate', 'test "$(wc -l < "$0.starts")" != 1')
    const ended = await place.run(['run', 'ooda', '--max-iterations', '7', '--ai-cmd', exiting(place, 1, 0, 0, 1, 1, 0, 1), '--gate', gate])
    expect(ended.code).toBe(0)
    expect([...ended.stderr.matchAll(/consecutive failures: (\d)\/3/g)].map((found) => found[1])).toEqual(['1', '2', '1', '2', '1'])
  })
})

describe('gates', () => {
  it('RO-16 run in their order after the agent, each iteration, and not after an agent that failed.', async () => {
    const place = makePlace()
    const note = (what: string): string => `echo ${what} >> "${place.root}/order"`
    const agent = place.program('agent', 'cat >/dev/null', note('agent'), '[ "$GREENLATCH_ITERATION" != 2 ]')
    const gates = ['--gate', `one=${note('one')}`, '--gate', `two=${note('two')}; false`, '--gate', `three=${note('three')}`]
    const ended = await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', agent, ...gates])
    expect(place.read('order')).toBe('agent\none\ntwo\nagent\n')
    expect(ended.stderr).toContain('WARNING: Quality gates failed: two: exit 1, consecutive failures: 1/3')
    expect(ended.stderr).toContain('consecutive failures: 2/3')
  })

  it('RO-16 that cannot be run at all end the session with exit 5 instead of counting against the agent.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '9', '--ai-cmd', exiting(place), '--gate', 'no-such-program-here'])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('command not found')
    expect(place.starts('agent')).toHaveLength(1)
  })

  it('RO-16 are not needed: without any the result of the agent alone decides.', async () => {
    const place = makePlace()
    const ended = await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', exiting(place, 1, 0)])
    expect(ended.code).toBe(0)
    expect(eventsOf(place.session()).filter((event) => event.type === 'asked' && event.effect.kind === 'check')).toEqual([])
  })
})

describe('the published examples', () => {
  const BUILD = 'procedures: { build: { extends: ooda } }\n'

  it('RO-23 prints the lines of example 1: limited iterations.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', BUILD)
    const ended = await place.run(['run', 'build', '--max-iterations', '3', '--ai-cmd', exiting(place)])
    const iterations = [1, 2, 3].flatMap((n) => [`Iteration ${n}/3 starting\\.\\.\\.`, `Iteration ${n}/3 completed in ${SECONDS}`])
    const lines = ['Starting procedure: build \\(max 3 iterations\\)', ...iterations, `Reached max iterations: 3 \\(total: ${SECONDS}\\)`]
    expect(ended.stderr).toMatch(new RegExp(`^${lines.map((line) => `${TIME} ${line}\n`).join('')}$`))
    expect(ended.code).toBe(0)
    expect((await place.run(['resume', 'build'])).stderr).toContain('there is no session of "build" to resume')
  })

  it('RO-23 prints the lines of example 2: abort after three failures, whose last iteration has no "completed" line.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', BUILD)
    const ended = await place.run(['run', 'build', '--max-iterations', '10', '--ai-cmd', exiting(place, 0, 0, 0, 1, 1, 1)])
    const iterations = [1, 2, 3, 4, 5, 6].flatMap((n) => [
      `Iteration ${n}/10 starting\\.\\.\\.`,
      ...(n > 3 ? [`WARNING: AI CLI failed \\(exit 1\\), consecutive failures: ${n - 3}/3`] : []),
      ...(n < 6 ? [`Iteration ${n}/10 completed in ${SECONDS}`] : []),
    ])
    const last = `ERROR: Aborting after 3 consecutive failures \\(6 iterations completed, total: ${SECONDS}\\)`
    const lines = ['Starting procedure: build \\(max 10 iterations\\)', ...iterations, last]
    expect(ended.stderr).toMatch(new RegExp(`^${lines.map((line) => `${TIME} ${line}\n`).join('')}$`))
    expect(await place.status()).toMatchObject({ status: 'aborted', iteration: 6 })
  })

  it('RO-23 prints the lines of example 5: unlimited iterations that recover from one failure and end with Ctrl+C.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', `default_iterations: 0\n${BUILD}`)
    const running = place.start(['run', 'build', '--ai-cmd', exiting(place, 0, 0, 1)])
    await running.says(/Iteration 6 starting/)
    running.send('SIGINT')
    const ended = await running.ended
    expect(linesOf(ended.stderr)[0]).toMatch(/^Starting procedure: build \(unlimited iterations/)
    expect(linesOf(ended.stderr).slice(5, 10)).toEqual([
      'Iteration 3 starting...',
      'WARNING: AI CLI failed (exit 1), consecutive failures: 1/3',
      expect.stringMatching(/^Iteration 3 completed in /),
      'Iteration 4 starting...',
      expect.stringMatching(/^Iteration 4 completed in /),
    ])
    expect(await place.status()).toMatchObject({ status: 'interrupted', consecutive_failures: 0 })
    expect(ended.code).toBe(130)
  })
})
