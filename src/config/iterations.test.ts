// Tests of the order in which settings decide the number of iterations.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place, PROJECT, USER } from './fixture.js'
import { iterationLimit } from './iterations.js'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

test('Flag, environment, entry, project and user come in this order, and then the built-in procedure.', async () => {
  const limits: unknown[] = []
  const note = async (more: object): Promise<void> => {
    const limit = iterationLimit(await place.load(more), 'mine')
    limits.push(limit && [limit.iterations, limit.origin.where])
  }
  await note({})
  place.write(USER, 'default_iterations: 0')
  await note({})
  place.write(PROJECT, 'default_iterations: 2')
  await note({})
  place.write(PROJECT, 'default_iterations: 2\nprocedures:\n  mine: { extends: ooda, budget: { iterations: 3 } }')
  await note({})
  await note({ env: { GREENLATCH_DEFAULT_ITERATIONS: '4' } })
  await note({ env: { GREENLATCH_DEFAULT_ITERATIONS: '4' }, flags: { default_iterations: 0 } })
  expect(limits).toEqual([
    null,
    [0, '~/.config/greenlatch/config.yaml:1'],
    [2, 'greenlatch.yaml:1'],
    [3, 'greenlatch.yaml:3'],
    [4, 'GREENLATCH_DEFAULT_ITERATIONS'],
    [0, '--max-iterations'],
  ])
})

test('An entry without a number of its own takes that of the entry it extends, its budget included.', async () => {
  place.write(PROJECT, 'procedures: { a: { extends: b }, b: { extends: c, final: best }, c: { budget: { iterations: 6, usd: null } } }')
  const config = await place.load()
  expect(iterationLimit(config, 'a')).toEqual({ iterations: 6, origin: { tier: 'project', where: 'greenlatch.yaml:1' } })
  expect(iterationLimit(config, 'other')).toBeNull()
})

test('Entries that extend one another in a circle do not hang.', async () => {
  place.write(PROJECT, 'procedures: { a: { extends: b }, b: { extends: a } }')
  expect(iterationLimit(await place.load(), 'a')).toBeNull()
})
