import { describe, expect, it } from 'vitest'
import { newSessionId } from './session-id.js'

const NOON = Date.parse('2026-03-01T12:00:00.500Z')

describe('the name of a session', () => {
  it('tells when it was made, and two of one moment differ.', () => {
    expect(newSessionId([], NOON)).toMatch(/^20260301-120000-dw[0-9a-z]{3}$/)
    const names = Array.from({ length: 50 }, () => newSessionId([], NOON))
    expect(new Set(names).size).toBeGreaterThan(40)
  })

  it('comes after all there are, whatever the clock says.', () => {
    const made: string[] = []
    const day = 86_400_000
    for (const now of [NOON, NOON, NOON - day, NOON - 400 * day, NOON + 1, NOON + day, NOON, NOON + day]) made.push(newSessionId(made, now))
    expect(made.toSorted()).toEqual(made)
    expect(made.at(-1)).toMatch(/^20260302-120000-/)
  })

  it('follows the time again as soon as the clock is right.', () => {
    expect(newSessionId(['20260301-120000-dwaaa'], NOON - 5000)).toMatch(/^20260301-120000-dx/)
    expect(newSessionId(['20260301-120000-dwaaa'], NOON + 5000)).toMatch(/^20260301-120005-/)
  })

  it('is not misled by folders that are no sessions of ours.', () => {
    expect(newSessionId(['zzz', '99999999-999999-zzzzz', '20260301'], NOON)).toMatch(/^20260301-120000-/)
  })
})
