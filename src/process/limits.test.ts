// Proves when the watch calls back, and when it does not.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { watchLimits } from './limits.js'
import type { ProcessRequest } from './types.js'

function watch(limits: { wallSeconds: number; silenceSeconds: number }, lastOutputAt: () => number) {
  const reached: string[] = []
  const request: ProcessRequest = { argv: ['x'], cwd: '/', limits: { ...limits, outputBytes: 1 } }
  const watched = {
    request,
    startedAt: performance.now(),
    get lastOutputAt() {
      return lastOutputAt()
    },
  }
  return { reached, stop: watchLimits(watched, (limit) => reached.push(limit)) }
}

describe('watchLimits', () => {
  it('never reaches the silence limit while there is output.', async () => {
    const { reached, stop } = watch({ wallSeconds: 50, silenceSeconds: 0.05 }, () => performance.now())
    await sleep(400)
    stop()
    expect(reached).toEqual([])
  })

  it('does not take output for missing that waited to be read while we were busy.', async () => {
    let outputAt = performance.now()
    const { reached, stop } = watch({ wallSeconds: 50, silenceSeconds: 0.2 }, () => outputAt)
    const busyUntil = performance.now() + 400
    while (performance.now() < busyUntil);
    setImmediate(() => (outputAt = performance.now() + 10_000))
    await sleep(300)
    stop()
    expect(reached).toEqual([])
  })

  it('calls back once, with the limit that was reached first.', async () => {
    const began = performance.now()
    const { reached } = watch({ wallSeconds: 20, silenceSeconds: 0.1 }, () => began)
    await sleep(900)
    expect(reached).toEqual(['silence'])
  })

  it('takes zero for no limit, and is not upset by a very long one.', async () => {
    const began = performance.now()
    const warnings: string[] = []
    const onWarning = (warning: Error): unknown => warnings.push(warning.name)
    process.on('warning', onWarning)
    const given = [{ wallSeconds: 0, silenceSeconds: 0 }, { wallSeconds: 1e9, silenceSeconds: 1e12 }]
    const watches = given.map((limits) => watch(limits, () => began))
    await sleep(300)
    for (const { stop } of watches) stop()
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
    expect(watches.map(({ reached }) => reached)).toEqual([[], []])
  })
})
