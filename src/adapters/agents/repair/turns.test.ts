import { afterAll, expect, it } from 'vitest'
import { closeReader, read } from './fixture.js'
import { withCounters } from './turns.js'

afterAll(closeReader)

it('counted loops end, and every line stays where it is', async () => {
  const source = 'let n = 0\nwhile (true) {\n  n += 1\n}\nfor (;;) n += 1\n'
  const counted = withCounters(await read('a.js', source))
  expect(counted.split('\n').length).toBe(source.split('\n').length)
  expect(() => new Function(counted)()).toThrow('did not end')
  expect(() => new Function(counted.replace('while (true)', 'while (false)'))()).toThrow('did not end')
})
