// The example of docs/agent-kit.md, as it stands there, with the built package and Node's own test runner.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { examplesOf } from './support/docs/lists.js'

const root = join(import.meta.dirname, '..')

it('the page about the kit shows an adapter and its test, and the test passes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/greenlatch'))
  const files = examplesOf('the agent kit').map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text] as const)
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  expect(files.map(([name]) => name)).toEqual(['mumble.mjs', 'mumble.test.mjs'])
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder }
  const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'mumble.test.mjs'], { cwd: folder, encoding: 'utf8', env })
  expect(stdout.match(/^ *not ok .*$/gm) ?? []).toEqual([])
  expect([status, Number(/^# pass (\d+)$/m.exec(stdout)?.[1])]).toEqual([0, 19])
})

it('the page about the kit names every case that there is', async () => {
  const { agentKit } = (await import(join(root, 'dist/testing.js'))) as typeof import('../src/testing/index.js')
  const page = readFileSync(join(root, 'docs/agent-kit.md'), 'utf8')
  const rows = page.slice(page.indexOf('| case |'), page.indexOf('## Other far ends')).split('\n').filter((line) => line.startsWith('| `'))
  const names = rows.flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g), ([, name]) => name))
  expect(names).toHaveLength(agentKit({ make: () => expect.unreachable() }).length)
})
