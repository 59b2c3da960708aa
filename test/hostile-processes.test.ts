// Agents and gates that flood, never end or leave something behind, through the command line: the limit is named, nothing is left.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf, isAlive, makePlace, until, type Ended, type Place } from './support/cli.js'
import { some } from './support/subset.js'

const TWO_GIBIBYTES = 2 ** 31
const MOST_MEMORY_BYTES = 200_000_000

/** Everything a place starts carries its folder in this variable. */
const marked = (place: Place): { env: Record<string, string> } => ({ env: { HOSTILE_MARK: place.root } })

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function stillRunning(place: Place): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isAlive(Number(name)))
  const ours = pids.filter((pid) => textOf(`/proc/${pid}/environ`).includes(`HOSTILE_MARK=${place.root}\0`))
  return ours.map((pid) => textOf(`/proc/${pid}/cmdline`))
}

/** The most memory a process has ever had in use, looked at as long as it lives. */
async function watchMemory(pid: number): Promise<number> {
  for (let peak = 0; ; ) {
    const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
    if (kilobytes === 0) return peak
    peak = kilobytes * 1024
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

type Run = Ended & { peakBytes: number; left: string[]; note: string }

/** One iteration of `ooda` with these limits; `note` is what the journal says of its last phase. */
async function iterate(place: Place, limits: Record<string, number>, args: readonly string[]): Promise<Run> {
  place.write('greenlatch.yaml', `limits: ${JSON.stringify(limits)}\n`)
  const started = place.start(['run', 'ooda', '--max-iterations', '1', '--failure-threshold', '1', '--pass-env', 'HOSTILE_MARK', ...args], marked(place))
  const [ended, peakBytes] = await Promise.all([started.ended, watchMemory(started.pid)])
  const left = stillRunning(place)
  const reports = eventsOf(place.session()).flatMap((event) => (event.type === 'observed' ? [event.report] : []))
  return { ...ended, peakBytes, left, note: reports.at(-1)?.note ?? '' }
}

describe('an agent that floods two gibibytes', () => {
  it.each(some([
    ['in lines on standard output', `yes 'a line of the flood that is like every other' | head -c ${TWO_GIBIBYTES}`],
    ['in one line on standard output', `head -c ${TWO_GIBIBYTES} /dev/zero`],
  ], 1))('%s is heard to its end in less than 200 MB, and the limit is named.', async (_name, flood) => {
    const place = makePlace()
    const run = await iterate(place, { outputBytes: 2 ** 20 }, ['--ai-cmd', place.program('agent', flood)])
    expect(run.stderr).toContain('WARNING: act: standard output went past its limit of 1 MiB and the rest was dropped')
    expect(run.stderr.match(/past its limit/g)).toHaveLength(1)
    expect(run.note).toMatch(/^exit 0; standard output went past its limit/)
    expect(run.code).toBe(0)
    expect(run.peakBytes).toBeGreaterThan(0)
    expect(run.peakBytes).toBeLessThan(MOST_MEMORY_BYTES)
    expect(run.left).toEqual([])
  })
})

const DAEMON = `setsid sh -c 'trap "" TERM; echo $$ > "$ROOT/daemon.pid"; while :; do sleep 1; done' </dev/null >/dev/null 2>&1 &`
const UNTIL_DAEMON = 'while [ ! -s "$ROOT/daemon.pid" ]; do sleep 0.05; done'

describe('an agent that never ends', () => {
  it.each([
    ['and says nothing', 'sleep 1000', { agentSilenceSeconds: 1 }, 'ended after 1 s without output (silence limit)'],
    ['and never stops talking', 'while :; do echo talk; sleep 0.1; done', { agentSeconds: 2 }, 'ended after 2 s (wall-clock limit)'],
    ['and floods all the time', 'exec yes', { agentSeconds: 2, outputBytes: 100_000 }, '(wall-clock limit); standard output went past its limit'],
  ])('%s is ended by its limit, which is named, with exit 7.', async (_name, script, limits, note) => {
    const place = makePlace()
    const run = await iterate(place, limits, ['--ai-cmd', place.program('agent', script)])
    expect(run.stderr).toContain(note)
    expect(run.code).toBe(7)
    expect(run.peakBytes).toBeLessThan(MOST_MEMORY_BYTES)
    expect(run.left).toEqual([])
  })

  it('is deaf to SIGTERM and has made a daemon is ended by force together with the daemon.', async () => {
    const place = makePlace()
    const agent = place.program('agent', `export ROOT; trap "" TERM; ${DAEMON} ${UNTIL_DAEMON}; echo ready; while :; do sleep 1; done`)
    const run = await iterate(place, { agentSilenceSeconds: 3 }, ['--ai-cmd', agent])
    expect(run.stderr).toContain('ended after 3 s without output (silence limit)')
    expect(run.code).toBe(7)
    expect(place.read('daemon.pid')).not.toBe('')
    expect(run.left).toEqual([])
  })
})

describe('an agent that leaves a daemon behind', () => {
  it('has it ended, which is said, although the agent itself ended well.', async () => {
    const place = makePlace()
    const agent = place.program('agent', `export ROOT; ${DAEMON} ${UNTIL_DAEMON}`)
    const run = await iterate(place, {}, ['--ai-cmd', agent])
    expect(run.code).toBe(0)
    expect(run.note).toMatch(/^exit 0; \d process(es were| was) left running and ended$/)
    expect(run.left).toEqual([])
  })

  it('and whose loop is killed has both ended by resume before it is asked again.', async () => {
    const place = makePlace()
    const agent = place.program('agent', `export ROOT; [ -e "$ROOT/daemon.pid" ] && exit 0; ${DAEMON} exec sleep 1000`)
    const started = place.start(['run', 'ooda', '--max-iterations', '1', '--pass-env', 'HOSTILE_MARK', '--ai-cmd', agent], marked(place))
    await until('the daemon', () => place.read('daemon.pid') !== '')
    started.send('SIGKILL')
    await started.ended
    expect(stillRunning(place).length).toBeGreaterThanOrEqual(2)
    const resumed = await place.run(['resume'], marked(place))
    expect(resumed.stderr).toMatch(/the run before had left \d processes running; ended now/)
    expect(resumed.code).toBe(0)
    expect(stillRunning(place)).toEqual([])
    expect(place.starts('agent')).toHaveLength(2)
  })
})

describe('a gate that never ends', () => {
  it.each([
    ['and says nothing', 'sleep 1000'],
    ['and floods, deaf to SIGTERM, with a daemon', `export ROOT; trap "" TERM; ${DAEMON} yes; while :; do sleep 1; done`],
  ])('%s is ended by its limit, which is named, with exit 3.', async (_name, script) => {
    const place = makePlace()
    const gate = place.program('gate', script)
    const run = await iterate(place, { gateSeconds: 2, outputBytes: 100_000 }, ['--ai-cmd', 'true', '--gate', gate])
    expect(run.stderr).toContain('ended after 2 s (wall-clock limit)')
    expect(run.code).toBe(3)
    expect(run.peakBytes).toBeLessThan(MOST_MEMORY_BYTES)
    expect(run.left).toEqual([])
  })
})
