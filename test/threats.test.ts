// The table of threats: it names all fifteen, only files that are there, and edits that still fit the sources.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

type Threat = { id: string; tests: string[]; still?: string; off?: { file: string; find: string; test: string } }

const root = join(import.meta.dirname, '..')
const { THREATS, threatsPage } = (await import(join(root, 'scripts/faults/threats.mjs'))) as { THREATS: Threat[]; threatsPage: () => string }

it('docs/threats.md is as the table of threats says, for all fifteen', () => {
  expect(THREATS.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, at) => `T${at + 1}`))
  expect(readFileSync(join(root, 'docs/threats.md'), 'utf8')).toBe(threatsPage())
})

it('each threat names tests that are there, and the edit that takes its countermeasure away fits the sources, for ten of them at least', () => {
  const edits = THREATS.flatMap(({ off }) => (off ? [off] : []))
  const missing = [...THREATS.flatMap(({ tests }) => tests), ...edits.map(({ test }) => test)].filter((path) => !existsSync(join(root, path)))
  const unfit = edits.filter(({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2).map(({ file }) => file)
  expect([missing, unfit]).toEqual([[], []])
  expect(edits.length).toBeGreaterThanOrEqual(10)
})
