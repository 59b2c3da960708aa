// Sessions that are cut off, given up or refused a second time, and how they go on.
import { renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, letGo, linesOf, makePlace, until, type Ended, type Place, type Started } from './support/cli.js'
import { makeWorkshop } from './support/repositories.js'

/** Goes through all iterations at once, except one in which it waits for the file `go`. */
function waitingIn(place: Place, iteration: number): string {
  const waits = `while [ "$GREENLATCH_ITERATION" = ${iteration} ] && [ ! -e "$ROOT/go" ]; do sleep 0.02; done`
  return place.program('agent', 'cat >/dev/null', waits)
}

/** The agent that `waitingIn` has made, as it is typed. */
function agentOf(place: Place): string {
  return join(place.root, 'agent')
}

async function startWaitingIn(place: Place, iteration: number, args: string[]): Promise<Started> {
  const running = place.start([...args, '--ai-cmd', waitingIn(place, iteration)])
  await until(`iteration ${iteration}`, () => place.starts('agent').length === iteration)
  return running
}

async function cutOff(place: Place, iteration: number, args: string[], signal: NodeJS.Signals): Promise<Ended> {
  const running = await startWaitingIn(place, iteration, args)
  running.send(signal)
  const ended = await running.ended
  letGo(place, 'go')
  return ended
}

describe('state', () => {
  it('RO-09 is on disk after every iteration, survives SIGKILL, and the session goes on with the iteration that was cut off.', async () => {
    const place = makePlace()
    const running = await startWaitingIn(place, 3, ['run', 'ooda', '--max-iterations', '4'])
    expect(await place.status()).toMatchObject({ status: 'running', iteration: 2, pid: running.pid })
    expect(eventsOf(place.session()).filter((event) => event.type === 'observed')).toHaveLength(2)
    running.send('SIGKILL')
    await running.ended
    expect(await place.status()).toMatchObject({ status: 'interrupted', iteration: 2, pid: null })
    letGo(place, 'go')
    const resumed = await place.run(['resume', 'ooda'])
    expect(resumed.code).toBe(0)
    expect(linesOf(resumed.stderr)).toEqual([
      'Resuming procedure: ooda from iteration 2 (max 4)',
      expect.stringMatching(/^Previous session: 2 iterations completed in \d+\.\ds$/),
      'Iteration 3/4 starting...',
      expect.stringMatching(/^Iteration 3\/4 completed in /),
      'Iteration 4/4 starting...',
      expect.stringMatching(/^Iteration 4\/4 completed in /),
      expect.stringMatching(/^Reached max iterations: 4 /),
    ])
    expect(place.starts('agent')).toHaveLength(5)
    expect(eventsOf(place.session()).filter((event) => event.type === 'interrupted')).toMatchObject([{ cause: 'crash' }])
  })

  it('RO-09 holds what was spent, so that a budget is one budget over all sittings.', async () => {
    const place = makePlace()
    const turn = { say: 'done', tokens: 10 }
    const agent = place.scripted([turn, turn, { ...turn, sleepSeconds: 300 }])
    const running = place.start(['run', 'ooda', '--max-tokens', '50', '--agent', agent])
    await running.says(/Iteration 3 starting/)
    running.send('SIGINT')
    expect((await running.ended).code).toBe(130)
    // What the cut attempt had cost is not forgotten either.
    expect(await place.status()).toMatchObject({ iteration: 2, spent: { tokens: 30 } })
    place.scripted([turn])
    expect(await place.run(['resume', 'ooda'])).toMatchObject({ code: 4 })
    expect(await place.status()).toMatchObject({ iteration: 4, spent: { tokens: 50 } })
  })

  it('RO-11 RO-23 resumes as in example 3: stopped within iteration 6, five are completed and it goes on with 6.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { build: { extends: ooda } }\n')
    const cut = await cutOff(place, 6, ['run', 'build', '--max-iterations', '10'], 'SIGINT')
    expect(cut.code).toBe(130)
    expect(linesOf(cut.stderr).at(-3)).toBe('Iteration 6/10 starting...')
    expect(linesOf(cut.stderr).at(-2)).toContain('ending what is under way')
    expect(linesOf(cut.stderr).at(-1)).toBe('Interrupted. State saved. Resume with: greenlatch resume build')
    const { spent } = (await place.status()) as { spent: { seconds: number } }
    const { stderr, code } = await place.run(['resume', 'build'])
    expect(linesOf(stderr).slice(0, 3)).toEqual([
      'Resuming procedure: build from iteration 5 (max 10)',
      `Previous session: 5 iterations completed in ${spent.seconds.toFixed(1)}s`,
      'Iteration 6/10 starting...',
    ])
    expect(linesOf(stderr).at(-1)).toMatch(/^Reached max iterations: 10 /)
    expect(code).toBe(0)
  })

  it('RO-23 resumes as in example 3 the other way: stopped within iteration 5, four are completed and it goes on with 5.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { build: { extends: ooda } }\n')
    await cutOff(place, 5, ['run', 'build', '--max-iterations', '10'], 'SIGINT')
    const { stderr } = await place.run(['resume', 'build'])
    expect(linesOf(stderr)[0]).toBe('Resuming procedure: build from iteration 4 (max 10)')
    expect(linesOf(stderr)[1]).toMatch(/^Previous session: 4 iterations completed in /)
    expect(linesOf(stderr)[2]).toBe('Iteration 5/10 starting...')
    expect(linesOf(stderr).filter((line) => / completed in \d/.test(line) && line.startsWith('Iteration'))).toHaveLength(6)
  })
})

describe('a session that has ended', () => {
  it('RO-07 goes on with resume where it aborted, its setbacks forgotten.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', '[ -e "$ROOT/go" ] && [ "$GREENLATCH_ITERATION" != 4 ]')
    expect(await place.run(['run', 'ooda', '--max-iterations', '6', '--ai-cmd', agent])).toMatchObject({ code: 7 })
    expect(await place.status()).toMatchObject({ status: 'aborted', iteration: 3, consecutive_failures: 3 })
    letGo(place, 'go')
    const resumed = await place.run(['resume', 'ooda'])
    expect(linesOf(resumed.stderr)).toContain('Iteration 4/6 starting...')
    expect(resumed.stderr).toContain('consecutive failures: 1/3')
    expect(resumed.code).toBe(0)
    expect(place.sessions()).toHaveLength(1)
    expect(await place.status()).toMatchObject({ status: 'completed', iteration: 6 })
  })

  it('RO-07 with all its iterations used goes on only when the maximum is raised.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', '[ -e "$ROOT/go" ]')
    await place.run(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent])
    letGo(place, 'go')
    const refused = await place.run(['resume', 'ooda'])
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(/all 3 iterations are done\n {2}next: greenlatch resume \S+ --max-iterations/)
    const raised = await place.run(['resume', 'ooda', '--max-iterations', '5'])
    expect(raised.code).toBe(0)
    expect(linesOf(raised.stderr)).toContain('Iteration 4/5 starting...')
  })

  it('and stands on its best state goes on from where it was, without a word of files that somebody had changed.', async () => {
    const place = makeWorkshop({ 'check.txt': 'FAIL\n' })
    const agent = place.program('agent', 'cat >/dev/null', 'echo more >> notes.txt')
    const ended = await place.run(['run', 'mend it', '--gate', 'check=sh -c "cat check.txt; exit 1"', '--ai-cmd', agent, '--max-iterations', '2'])
    expect(ended).toMatchObject({ code: 4 })
    const resumed = await place.run(['resume', '--max-iterations', '3'])
    expect(resumed).toMatchObject({ code: 4 })
    expect(resumed.stderr).toMatch(/^ {2}3 {2}implement .* changed "notes\.txt" \(1 line\)$/m)
    expect(resumed.stderr).not.toContain('put back')
    writeFileSync(join(dirname(dirname(place.session())), 'checkouts', basename(place.session()), 'mine.txt'), 'by somebody\n')
    expect((await place.run(['resume', '--max-iterations', '4'])).stderr).toMatch(/put back: mine\.txt \(kept as salvage\/1\)/)
  })

  it('RO-07 does not stand in the way of a plain run, which starts afresh.', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--ai-cmd', 'false'])
    const again = await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    expect(again.code).toBe(0)
    expect(linesOf(again.stderr)[0]).toBe('Starting procedure: ooda (max 1 iteration)')
    expect(place.sessions()).toHaveLength(2)
  })

  it('RO-17 that was completed leaves nothing to resume, no question to the next run, and stays readable.', async () => {
    const place = makePlace()
    const first = await place.run(['run', 'ooda', '--max-iterations', '2', '--ai-cmd', 'true'])
    const id = first.stdout.trim().split('\t')[2] ?? ''
    const refused = await place.run(['resume', id])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('it ended completed; there is nothing to resume\n  next: greenlatch run ooda')
    expect(await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])).toMatchObject({ code: 0 })
    expect((await place.run(['sessions'])).stdout.trim().split('\n')).toHaveLength(2)
    expect((await place.run(['status', id])).stdout).toContain('completed')
    expect((await place.run(['logs', id])).stdout).toContain('observed  pass')
  })
})

describe('a second run', () => {
  const RUN = ['run', 'ooda', '--max-iterations', '2']

  it.each(['SIGINT', 'SIGKILL'] as const)('RO-10 after %s refuses without a terminal, naming resume and --fresh.', async (signal) => {
    const place = makePlace()
    await cutOff(place, 2, RUN, signal)
    const refused = await place.run([...RUN, '--ai-cmd', agentOf(place)])
    expect(refused.code).toBe(2)
    const [what, next] = refused.stderr.split('\n')
    expect(what).toMatch(/^greenlatch: session \S+ of "ooda" is interrupted after 2 iterations, 1 finished, \S+; --fresh begins anew$/)
    expect(next).toBe('  next: greenlatch resume ooda')
    expect(place.sessions()).toHaveLength(1)
    const fresh = await place.run([...RUN, '--ai-cmd', 'true', '--fresh'])
    expect(linesOf(fresh.stderr)[1]).toBe('Iteration 1/2 starting...')
    expect(place.sessions()).toHaveLength(2)
  })

  it('RO-10 offers to resume in a terminal, and takes no answer for none.', async () => {
    const place = makePlace()
    await cutOff(place, 2, RUN, 'SIGINT')
    const answering = async (typed: string): Promise<Ended> => {
      const asking = place.startInTerminal([...RUN, '--ai-cmd', agentOf(place)])
      await asking.says(/is interrupted after 2 iterations, 1 finished, .*Go on with it\? \[Y\/n\]/)
      asking.type(typed)
      return asking.ended
    }
    for (const key of ['\u0003', '\u0004']) {
      const unanswered = await answering(key)
      expect(unanswered.stdout).toContain('greenlatch: no answer was given, so nothing was begun')
      expect(unanswered.code).toBe(11)
    }
    expect(await place.startInTerminal([...RUN, '--ai-cmd', 'true', '--no-input']).ended).toMatchObject({ code: 2 })
    expect(place.sessions()).toHaveLength(1)
    const accepted = await answering('\r')
    expect(accepted.stdout).toContain('Resuming procedure: ooda from iteration 1 (max 2)')
    expect(accepted.code).toBe(0)
    expect(place.sessions()).toHaveLength(1)
  })

  it('RO-10 begins anew in a terminal when the offer is declined.', async () => {
    const place = makePlace()
    await cutOff(place, 2, RUN, 'SIGINT')
    const asking = place.startInTerminal([...RUN, '--ai-cmd', agentOf(place)])
    await asking.says(/Go on with it\? \[Y\/n\]/)
    asking.type('n\r')
    expect((await asking.ended).stdout).toContain('Starting procedure: ooda (max 2 iterations)')
    expect(place.sessions()).toHaveLength(2)
  })

  it('RO-10 goes on without asking with --yes.', async () => {
    const place = makePlace()
    await cutOff(place, 2, RUN, 'SIGTERM')
    const resumed = await place.run([...RUN, '--ai-cmd', agentOf(place), '--yes'])
    expect(linesOf(resumed.stderr)[0]).toBe('Resuming procedure: ooda from iteration 1 (max 2)')
    expect(resumed.code).toBe(0)
  })

  it('RO-10 beside one that is really running refuses with 9, and so does resume, until it is told --parallel.', async () => {
    const place = makePlace()
    const running = await startWaitingIn(place, 1, RUN)
    const second = await place.run([...RUN, '--ai-cmd', 'true', '--fresh'])
    expect(second).toMatchObject({ code: 9, stdout: '' })
    expect(second.stderr).toContain(`"ooda" is already running in this repository (process ${running.pid})`)
    expect(await place.run(['resume', 'ooda'])).toMatchObject({ code: 9 })
    expect(place.sessions()).toHaveLength(1)
    expect(await place.run([...RUN, '--ai-cmd', 'true', '--parallel'])).toMatchObject({ code: 0 })
    letGo(place, 'go')
    expect(await running.ended).toMatchObject({ code: 0 })
  })
})

describe('the newest session', () => {
  it('is the one made last, also when the clock was set back in between.', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', 'true'])
    // As a session is called that was made while the clock stood at the end of the century.
    const early = join(dirname(place.session()), '20991231-235959-zzzzz')
    renameSync(place.session(), early)
    const made = (await place.run(['open', 'ooda', '--ai-cmd', 'true'])).stdout.trim()
    expect(await place.status()).toMatchObject({ session: made })
    const later = (await place.run(['open', 'ooda', '--ai-cmd', 'true'])).stdout.trim()
    expect(await place.status()).toMatchObject({ session: later })
  })
})
