// Tests of giving up what a session holds.
import { describe, expect, it } from 'vitest'
import { createHeld } from './held.js'

describe('what is held', () => {
  it('is given up the other way round, all of it, and the first fault is thrown then', async () => {
    const told: string[] = []
    const held = createHeld()
    const tell = (word: string): void => void told.push(word)
    expect(held.hold('lock', tell)).toBe('lock')
    held.hold('journal', (part) => { tell(part); throw new Error('no journal') })
    held.hold('workspace', async (part) => { tell(part); throw new Error('no workspace') })
    await expect(held.release()).rejects.toThrow('no workspace')
    expect(told).toEqual(['workspace', 'journal', 'lock'])
  })

  it('is given up once', async () => {
    let times = 0
    const held = createHeld()
    held.hold(null, () => { times += 1 })
    await held.release()
    await held.release()
    expect(times).toBe(1)
  })
})
