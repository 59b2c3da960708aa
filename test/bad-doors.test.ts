// Bad input at every door: settings, environment, replies, inbox, names of files, arguments; none gets a stack trace or does harm.
import { expect, it } from 'vitest'
import { knockEverywhere } from './support/doors.js'

it('forty bad inputs at each of seven doors are answered, or refused in one clear line', async () => {
  const results = await knockEverywhere(40, 1)
  expect(results.flatMap(({ faults }) => faults)).toEqual([])
  expect(results.map(({ knocks }) => knocks)).toEqual([40, 40, 40, 40, 40, 40, 40])
})
