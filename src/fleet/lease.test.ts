import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdLease } from './lease.js'

afterEach(() => void vi.useRealTimers())

const whose = (): Promise<string> => Promise.resolve('another worker holds the lease')

describe('a lease', () => {
  it('is held while it is renewed, and lost when another holds it', async () => {
    vi.useFakeTimers()
    const answers = [1, 1, 1, 0]
    const lease = holdLease({ whose, extendLock: () => Promise.resolve(answers.shift() ?? 0) }, { token: 't', milliseconds: 1000 })
    await vi.advanceTimersByTimeAsync(650)
    expect(lease.lost.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(lease.lost.reason).toEqual(new Error('another worker holds the lease'))
  })

  it('is lost by this machine\'s own clock when the server does not answer, and not before', async () => {
    vi.useFakeTimers()
    const lease = holdLease({ whose, extendLock: () => new Promise(() => {}) }, { token: 't', milliseconds: 1000 })
    await vi.advanceTimersByTimeAsync(990)
    expect(lease.lost.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(300)
    expect(lease.lost.reason).toEqual(new Error('the lease ran out before it could be renewed'))
  })

  it('outlives an error of the server that is over in time', async () => {
    vi.useFakeTimers()
    let calls = 0
    const lease = holdLease({ whose, extendLock: () => ((calls += 1) % 2 ? Promise.reject(new Error('away')) : Promise.resolve(1)) }, { token: 't', milliseconds: 1000 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(lease.lost.aborted).toBe(false)
    lease.release()
  })
})
