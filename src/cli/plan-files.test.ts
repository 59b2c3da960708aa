// Tests of the files that prompts show: what is read, what is bounded, and what is not followed.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openedWith, procedureOf } from '../../test/support/core-cases.js'
import { rebuild } from '../core/index.js'
import { temporaryFolder } from '../files/fixture.js'
import { planFiles } from './plan-files.js'

function shown(paths: readonly string[], tests: readonly string[], cwd: string, tokens = 10_000): Record<string, string> {
  const ref = (path: string) => ({ path, sha: '', bytes: 0 })
  const session = { ...rebuild([openedWith(procedureOf({}))]), kept: { 'plan-files': ref('plan-files.json'), tests: ref('tests.json') } }
  const texts: Record<string, string> = { 'plan-files.json': JSON.stringify(paths), 'tests.json': JSON.stringify(tests) }
  const files = planFiles(session, { read: (path) => texts[path] }, cwd, tokens)
  return Object.fromEntries(files.map(({ path, text }) => [path, text]))
}

it('IS-07 shows the files of the plan and its tests as they are now, each once', () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'src/a.py'), 'a = 1\n')
  writeFileSync(join(cwd, 'test_a.py'), 'from src.a import a\n')
  expect(shown(['src/a.py', 'src/new.py'], ['test_a.py', 'src/a.py'], cwd)).toEqual({ 'src/a.py': 'a = 1', 'src/new.py': '(not there yet)', 'test_a.py': 'from src.a import a' })
})

it('IS-07 follows no link and no path that leads out, and shows neither folders nor bytes', () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  symlinkSync('/etc/passwd', join(cwd, 'link'))
  symlinkSync('/etc', join(cwd, 'etc'))
  writeFileSync(join(cwd, 'bytes'), 'a\0b')
  const all = shown(['link', 'etc/passwd', '../x', '/etc/passwd', 'folder', 'bytes'], [], cwd)
  expect(Object.values(all).every((text) => text.startsWith('(not shown'))).toBe(true)
})

it('IS-07 keeps to a share of the prompt, and says what is not shown', () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'a'), 'a'.repeat(300))
  writeFileSync(join(cwd, 'b'), 'b'.repeat(300))
  const { a, b } = shown(['a', 'b'], [], cwd, 100)
  expect(a).toBe(`${'a'.repeat(200)}\n(100 more characters are not shown)`)
  expect(b).toBe('(not shown here: 300 bytes)')
})
