// What a session tells about itself: its state as fields, its log as data, and the numbers of its iterations and plans.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JournalRecord } from '../src/ports.js'
import { eventsOf, letGo, linesOf, makePlace, recordsOf, until, type Place } from './support/cli.js'

const FIELDS = {
  iteration: expect.any(Number),
  max_iterations: expect.any(Number),
  consecutive_failures: expect.any(Number),
  failure_threshold: expect.any(Number),
  started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  last_iteration_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  status: expect.any(String),
  procedure_name: 'ooda',
  elapsed_per_iteration: expect.any(Array),
}

type Fields = Record<string, unknown>

function kept(place: Place): Fields {
  return JSON.parse(readFileSync(join(place.session(), 'session.json'), 'utf8')) as Fields
}

function nine(fields: Fields): Fields {
  return Object.fromEntries(Object.keys(FIELDS).map((name) => [name, fields[name]]))
}

describe('the nine fields', () => {
  it('RO-24 stand under their names in status --json and in session.json, and both say the same.', async () => {
    const place = makePlace()
    const agent = place.scripted([{ say: 'a', sleepSeconds: 0.2 }, { say: 'b', ending: 'failed', sleepSeconds: 0.2 }])
    await place.run(['run', 'ooda', '--max-iterations', '3', '--failure-threshold', '5', '--agent', agent])
    expect(nine(await place.status())).toEqual(FIELDS)
    expect(nine(kept(place))).toEqual(nine(await place.status()))
    expect(kept(place)).toMatchObject({ iteration: 3, max_iterations: 3, consecutive_failures: 2, failure_threshold: 5 })
    expect(kept(place)).toMatchObject({ status: 'completed', elapsed_per_iteration: [1, 2, 3].map(() => expect.stringMatching(/^(0\.[2-9]|[1-9]\d*\.\d)s$/) as string) })
  })

  it('RO-24 know running, paused, interrupted and completed.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go-$GREENLATCH_ITERATION" ]; do sleep 0.02; done')
    const running = place.start(['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length === 1)
    expect(await place.status()).toMatchObject({ status: 'running', iteration: 0, last_iteration_at: null, elapsed_per_iteration: [] })
    expect(kept(place).status).toBe('running')
    await place.run(['pause'])
    letGo(place, 'go-1')
    expect(await running.ended).toMatchObject({ code: 8 })
    expect([(await place.status()).status, kept(place).status]).toEqual(['paused', 'paused'])
    const resumed = place.start(['resume'])
    await until('the second agent', () => place.starts('agent').length === 2)
    resumed.send('SIGTERM')
    await resumed.ended
    expect([(await place.status()).status, kept(place).status]).toEqual(['interrupted', 'interrupted'])
    for (const n of [2, 3]) letGo(place, `go-${n}`)
    await place.run(['resume'])
    expect([(await place.status()).status, kept(place).status]).toEqual(['completed', 'completed'])
  })

  it('RO-24 know aborted, and a session whose process was killed as interrupted.', async () => {
    const place = makePlace()
    await place.run(['run', 'ooda', '--ai-cmd', 'false'])
    expect([(await place.status()).status, kept(place).status]).toEqual(['aborted', 'aborted'])
    const running = place.start(['run', 'ooda', '--ai-cmd', place.program('agent', 'sleep 300')])
    await until('the agent', () => place.starts('agent').length === 1)
    running.send('SIGKILL')
    await running.ended
    expect((await place.status()).status).toBe('interrupted')
  })
})

describe('the state', () => {
  it('is one word, the same in status, sessions, step, run, open, hint and the stream, beside the status of five words.', async () => {
    const place = makePlace()
    const json = async (...args: string[]): Promise<Fields> => JSON.parse((await place.run([...args, '--json'])).stdout) as Fields
    const told = async (): Promise<unknown[]> => {
      const [listed] = JSON.parse((await place.run(['sessions', '--json'])).stdout) as Fields[]
      return [await place.status(), listed].map((fields) => [fields?.state, fields?.status])
    }
    const agent = place.scripted([{ say: 'a' }])
    expect(await json('open', 'ooda', '--max-iterations', '1', '--agent', agent)).toMatchObject({ state: 'idle', status: 'paused' })
    expect(await told()).toEqual([['idle', 'paused'], ['idle', 'paused']])
    expect(await json('step')).toMatchObject({ state: 'idle', status: 'paused' })
    expect(await told()).toEqual([['idle', 'paused'], ['idle', 'paused']])
    expect(await json('hint', 'look')).toMatchObject({ state: 'idle' })
    expect(await json('step')).toMatchObject({ state: 'completed', status: 'completed' })
    expect(await told()).toEqual([['completed', 'completed'], ['completed', 'completed']])
    expect(await json('run', 'ooda', '--agent', 'paste')).toMatchObject({ state: 'waiting', status: 'paused', awaits: expect.any(String) })
    expect(await told()).toEqual([['waiting', 'paused'], ['waiting', 'paused']])
    const stream = (await place.run(['resume', '--output', 'jsonl'])).stdout.trim().split('\n')
    expect(JSON.parse(stream.at(-1) ?? '')).toMatchObject({ ended: { kind: 'waiting' }, state: 'waiting' })
    const all = (await place.run(['status', '--json'])).stdout + (await place.run(['sessions', '--json'])).stdout
    expect(all).not.toContain('standing')
  })

  it('of a spent budget comes with the command that raises it, and that command goes on.', async () => {
    const place = makePlace()
    const gate = ['--gate', '[ -e "$DONE" ]', '--ai-cmd', place.program('agent', 'date +%N > moved; sleep 0.2')]
    const ended = await place.run(['run', 'make it', '--max-iterations', '2', '--max-time', '0.1s', ...gate])
    expect(ended.code).toBe(4)
    const [, next = ''] = /^next: +greenlatch (resume .*)$/m.exec((await place.run(['status'])).stdout) ?? []
    expect(next).toMatch(/^resume \S+ --max-time \d+s$/)
    const again = await place.run(next.split(' '))
    expect(again.stderr).toContain('resumed after')
    expect(await place.status()).toMatchObject({ state: 'exhausted', iteration: expect.any(Number) })
  })

  it('of spent iterations comes with a higher number.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'procedures: { short: { extends: ooda, budget: { then: exhausted } } }')
    expect(await place.run(['run', 'short', '--max-iterations', '2', '--ai-cmd', 'true'])).toMatchObject({ code: 4 })
    expect((await place.run(['status'])).stdout).toMatch(/^next: +greenlatch resume \S+ --max-iterations 4$/m)
    expect(await place.run(['resume', '--max-iterations', '4'])).toMatchObject({ code: 4 })
  })
})

describe('the log', () => {
  const RUN = ['run', 'ooda', '--max-iterations', '2', '--gate', 'lint=exit 3']

  function entries(records: JournalRecord[]): unknown[] {
    const asked = records.flatMap((record) => record.events).filter((event) => event.type === 'asked')
    return records.flatMap(({ at, events }) =>
      events.flatMap((event) => {
        if (event.type !== 'observed') return []
        const { iteration, phase } = asked.find(({ effect }) => effect.id === event.report.effect)?.effect ?? {}
        return [{ at, iteration, phase, outcome: event.judgement.verdict, seconds: event.report.spent.seconds }]
      }),
    )
  }

  it('RO-14 has timing, phase, number and outcome of every iteration as data: as it happens, and afterwards.', async () => {
    const place = makePlace()
    const ended = await place.run([...RUN, '--output', 'jsonl', '--agent', place.scripted([{ say: 'done', sleepSeconds: 0.1 }])])
    const streamed = ended.stdout.trim().split('\n').map((line) => JSON.parse(line) as JournalRecord & { ended?: unknown })
    const records = streamed.filter((line) => 'seq' in line)
    const any = { at: expect.any(Number), seconds: expect.any(Number) }
    expect(entries(records)).toEqual([
      { ...any, iteration: 1, phase: 'act', outcome: 'pass' },
      { ...any, iteration: 1, phase: 'gates', outcome: 'fail' },
      { ...any, iteration: 2, phase: 'act', outcome: 'pass' },
      { ...any, iteration: 2, phase: 'gates', outcome: 'fail' },
    ])
    expect((entries(records)[0] as { seconds: number }).seconds).toBeGreaterThanOrEqual(0.1)
    expect(streamed.at(-1)).toMatchObject({ ended: { kind: 'finished' }, finish: { outcome: 'completed' } })
    const written = recordsOf(place.session())
    expect(records).toEqual(written.slice(1))
    const afterwards = await place.run(['logs', '--output', 'jsonl'])
    expect(afterwards.stdout.trim().split('\n').map((line) => JSON.parse(line))).toEqual(written)
    expect(JSON.parse((await place.run(['logs', '--json'])).stdout)).toEqual(written)
  })

  it('RO-14 is told in lines too, of one iteration or one phase when asked.', async () => {
    const place = makePlace()
    await place.run([...RUN, '--ai-cmd', 'true'])
    const all = (await place.run(['logs'])).stdout
    expect(all).toMatch(/^ +\d+ {2}\d\d:\d\d:\d\d {4}1 {2}gates {7}observed {2}fail in \d+\.\ds: lint: exit 3$/m)
    const second = (await place.run(['logs', '--iter', '2'])).stdout.trim().split('\n')
    expect(second).toHaveLength(6)
    expect(second.every((line) => / {4}2 {2}(act|gates) /.test(line))).toBe(true)
    const gates = (await place.run(['logs', '--phase', 'gates'])).stdout.trim().split('\n')
    expect(gates).toHaveLength(6)
    expect(gates.every((line) => line.includes('gates'))).toBe(true)
    const data = JSON.parse((await place.run(['logs', '--iter', '2', '--phase', 'gates', '--json'])).stdout) as JournalRecord[]
    expect(data.map((record) => record.seq)).toEqual(recordsOf(place.session()).slice(-2).map((record) => record.seq))
  })

  it('RO-14 of an iteration or a phase that does not exist is refused; where nothing happened it is empty.', async () => {
    const place = makePlace()
    await place.run([...RUN, '--ai-cmd', 'true'])
    for (const flags of [['--json'], ['--output', 'jsonl']]) {
      expect(await place.run(['logs', '--iter', '99', ...flags])).toMatchObject({ code: 2 })
    }
    const beyond = await place.run(['logs', '--iter', '99'])
    expect(beyond).toMatchObject({ code: 2, stdout: '' })
    expect(beyond.stderr).toMatch(/^greenlatch: session \S+ has no iteration 99: it has 1 to 2\n {2}next: .*\n$/)
    expect((await place.run(['logs', '--phase', 'gate'])).stderr).toMatch(/has no phase "gate" \(did you mean "gates"\?\)\n/)
    expect(await place.run(['logs', '--iter', '0', '--phase', 'gates'])).toMatchObject({ code: 0, stdout: '' })
  })

  it('RO-14 can be followed while the session runs, to its end.', async () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'while [ ! -e "$ROOT/go" ]; do sleep 0.02; done')
    const running = place.start(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', agent])
    await until('the agent', () => place.starts('agent').length === 1)
    const following = place.start(['logs', '-f'])
    await following.says(/asked {5}1\.act/)
    letGo(place, 'go')
    await running.ended
    const followed = await following.ended
    expect(followed.code).toBe(0)
    expect(followed.stdout).toContain('decided   @completed')
    expect(followed.stdout).toBe((await place.run(['logs'])).stdout)
  })
})

describe('iterations and plans', () => {
  const PLANNED = `
procedures:
  planned:
    start: plan
    phases:
      plan:
        kind: ask
        role: planner
        yields: plan
        opensPlan: true
        prompt: &prompt [{ title: DO, fragments: [Do.] }]
        on: { pass: implement }
      implement:
        kind: ask
        role: implementer
        yields: candidate
        opensIteration: true
        prompt: *prompt
        on: { pass: test, error: implement }
      test: { kind: check, gates: ["@configured"], on: { pass: "@completed", fail: plan } }
    budget: { iterations: 3 }
  planned-by-iteration: { extends: planned, progress: iterations }
`
  const ITERATIONS = [1, 2, 3, 4, 5]

  it('IS-06 count iterations from 1, never start over, and announce each with its plan, in the stream and in the log.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', PLANNED)
    const first = await place.run(['run', 'planned', '--gate', 'false', '--ai-cmd', 'echo one step after another'])
    expect(first.code).toBe(4)
    const second = await place.run(['resume', 'planned', '--max-iterations', '5'])
    const announced = linesOf(first.stderr + second.stderr).filter((line) => line.startsWith('iteration '))
    expect(announced).toEqual(ITERATIONS.map((n) => `iteration ${n} · plan ${n}`))
    const { stdout } = await place.run(['logs', '--phase', 'implement'])
    const logged = [...stdout.matchAll(/ (\d+) {2}implement +asked .*\(plan (\d+)\)/g)]
    expect(logged.map(([, iteration, plan]) => [iteration, plan])).toEqual(ITERATIONS.map((n) => [`${n}`, `${n}`]))
    const asked = eventsOf(place.session()).filter((event) => event.type === 'asked')
    expect(asked.filter(({ effect }) => effect.opensIteration).map(({ effect }) => effect.iteration)).toEqual(ITERATIONS)
  })

  it('IS-06 are announced by the lines of iterations as well, and by status.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', PLANNED)
    const ended = await place.run(['run', 'planned-by-iteration', '--gate', 'false', '--ai-cmd', 'echo one step after another'])
    const starting = linesOf(ended.stderr).filter((line) => line.includes('starting'))
    expect(starting).toEqual([1, 2, 3].map((n) => `Iteration ${n}/3 starting... (plan ${n})`))
    expect((await place.run(['status'])).stdout).toMatch(/^iteration {2}3 of 3 · 3 finished · plan 4$/m)
  })
})
