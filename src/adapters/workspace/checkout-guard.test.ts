// The guard of a checkout's own repository: what would run programs there goes and is named; everything else stays byte for byte.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { plainGit } from '../../git/fixture.js'
import { guardCheckout, withoutPrograms } from './checkout-guard.js'

function checkout(): { folder: string; aside: string } {
  const root = temporaryFolder()
  const folder = join(root, 'checkout')
  mkdirSync(folder)
  plainGit(folder, 'init', '-q')
  plainGit(folder, 'config', 'user.name', 'Somebody')
  return { folder, aside: join(root, 'aside') }
}

test('Hooks and settings that name a program are taken away, kept and named; a second look finds nothing.', () => {
  const guarded = checkout()
  const guard = guardCheckout(guarded)
  expect(guard.check()).toEqual([])
  const config = readFileSync(join(guarded.folder, '.git/config'), 'utf8')
  mkdirSync(join(guarded.folder, '.git/hooks'), { recursive: true })
  writeFileSync(join(guarded.folder, '.git/hooks/pre-commit'), '#!/bin/sh\n')
  chmodSync(join(guarded.folder, '.git/hooks/pre-commit'), 0o755)
  for (const [key, value] of [['core.fsmonitor', 'touch x'], ['filter.x.clean', 'cat'], ['alias.st', '!sh'], ['include.path', '/etc/x']]) {
    plainGit(guarded.folder, 'config', key ?? '', value ?? '')
  }
  const lines = guard.check()
  expect(lines.map((line) => line.split(' was ')[0])).toEqual(['.git/hooks/pre-commit', '.git/config: core.fsmonitor', '.git/config: filter.x.clean', '.git/config: alias.st', '.git/config: include.path'])
  expect(existsSync(join(guarded.folder, '.git/hooks/pre-commit'))).toBe(false)
  expect(readFileSync(join(guarded.folder, '.git/config'), 'utf8').startsWith(config)).toBe(true)
  expect(plainGit(guarded.folder, 'config', '--list', '--local')).not.toMatch(/fsmonitor|filter|alias|include/)
  expect(guard.check()).toEqual([])
})

test('Settings that run nothing stay, and a repository that is a link is not looked into.', () => {
  const guarded = checkout()
  const guard = guardCheckout(guarded)
  plainGit(guarded.folder, 'config', 'branch.x.remote', 'origin')
  plainGit(guarded.folder, 'config', 'core.fsmonitor', 'false')
  plainGit(guarded.folder, 'config', 'core.hooksPath', '.git/hooks')
  const before = readFileSync(join(guarded.folder, '.git/config'), 'utf8')
  expect(guard.check()).toEqual([])
  expect(readFileSync(join(guarded.folder, '.git/config'), 'utf8')).toBe(before)
  const other = { ...guarded, folder: join(guarded.aside, '../linked') }
  mkdirSync(other.folder)
  symlinkSync(join(guarded.folder, '.git'), join(other.folder, '.git'))
  writeFileSync(join(guarded.folder, '.git/hooks/x'), '')
  expect(guardCheckout(other).check()).toEqual([])
})

test('A value that goes on in the next line goes with its key, whatever it says there.', () => {
  const text = '[core]\n\tfsmonitor = touch \\\n\tfilemode = x\n\tfilemode = true\n[filter "a b"] clean = cat\n[diff "x"]\n\ttextconv = y\n\tbinary = true\n'
  expect(withoutPrograms(text)).toEqual({
    kept: '[core]\n\tfilemode = true\n[diff "x"]\n\tbinary = true\n', keys: ['core.fsmonitor', 'filter.a b.clean', 'diff.x.textconv'],
  })
})
