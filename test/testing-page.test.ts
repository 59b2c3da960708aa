// The example of docs/testing.md, as it stands there, with the built package; and that the page leaves out no key and no fault.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { examplesOf } from './support/docs/lists.js'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')

it('the page about testing shows a test with the model server, and it passes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/greenlatch'))
  symlinkSync(join(root, 'dist/greenlatch.cjs'), join(folder, 'node_modules/.bin/greenlatch'))
  const [{ text }, ...others] = examplesOf('a model server')
  expect(others).toEqual([])
  const [, name = ''] = /^\/\/ (\S+)\n/.exec(text) ?? []
  writeFileSync(join(folder, name), text)
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder }
  const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', name], { cwd: folder, encoding: 'utf8', env })
  expect([status, /^# pass (\d+)$/m.exec(stdout)?.[1]], stdout).toEqual([0, '1'])
})

it('the page about testing names every fault that there is, and no other', async () => {
  const { MODEL_FAULTS } = (await import(join(root, 'dist/testing.js'))) as typeof import('../src/testing/index.js')
  const rows = page.slice(page.indexOf('| faults |'), page.indexOf('## What it tells')).split('\n').filter((line) => line.startsWith('| `'))
  const names = rows.flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g), ([, name]) => name))
  expect(names.toSorted()).toEqual([...MODEL_FAULTS].toSorted())
})
