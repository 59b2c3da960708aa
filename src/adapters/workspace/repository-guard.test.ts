// Tests of the guard over a repository an agent works in: whatever could run a program later is named and put back.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { guardRepository } from './repository-guard.js'

function repository(): { gitDir: string; memory: string; aside: string; file: (path: string) => string } {
  const root = temporaryFolder()
  const gitDir = join(root, 'repo', '.git')
  for (const folder of ['hooks', 'info', 'objects/info', 'modules/lib/hooks', 'modules/deep/er/hooks']) mkdirSync(join(gitDir, folder), { recursive: true })
  writeFileSync(join(gitDir, 'config'), '[core]\n')
  writeFileSync(join(gitDir, 'hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 })
  for (const module of ['modules/lib', 'modules/deep/er']) {
    writeFileSync(join(gitDir, module, 'config'), '[core]\n')
    writeFileSync(join(gitDir, module, 'HEAD'), 'ref: refs/heads/main\n')
  }
  return { gitDir, memory: join(root, 'memory.json'), aside: join(root, 'aside'), file: (path) => readFileSync(join(gitDir, path), 'utf8') }
}

const TRICKS: [string, (gitDir: string) => void, string[]][] = [
  ['a line in the configuration', (at) => writeFileSync(join(at, 'config'), '[core]\nfsmonitor = evil\n'), ['config was changed']],
  ['a new hook', (at) => writeFileSync(join(at, 'hooks/post-checkout'), 'evil', { mode: 0o755 }), ['hooks/post-checkout was added']],
  ['a changed hook', (at) => writeFileSync(join(at, 'hooks/pre-commit'), 'evil'), ['hooks/pre-commit was changed']],
  ['a hook made a program', (at) => chmodSync(join(at, 'hooks/pre-commit'), 0o777), ['hooks/pre-commit was changed']],
  ['a hook taken away', (at) => rmSync(join(at, 'hooks/pre-commit')), ['hooks/pre-commit was removed']],
  ['attributes', (at) => writeFileSync(join(at, 'info/attributes'), '* filter=evil\n'), ['info/attributes was added']],
  ['borrowed objects', (at) => writeFileSync(join(at, 'objects/info/alternates'), '/evil\n'), ['objects/info/alternates was added']],
  ['a hook of a submodule', (at) => writeFileSync(join(at, 'modules/lib/hooks/update'), 'evil'), ['modules/lib/hooks/update was added']],
  ['the settings of a submodule with a slash in its name', (at) => writeFileSync(join(at, 'modules/deep/er/config'), 'evil'), ['modules/deep/er/config was changed']],
]

describe('a repository that an agent works in', () => {
  it.each(TRICKS)('gets %s put back, and it is named.', (_, trick, named) => {
    const places = repository()
    const guard = guardRepository(places)
    expect(guard.check()).toEqual([])
    trick(places.gitDir)
    expect(guard.check()).toEqual(named.map((line) => `.git/${line}; put back`))
    expect(guard.check()).toEqual([])
    expect(places.file('config')).toBe('[core]\n')
    expect(places.file('hooks/pre-commit')).toBe('#!/bin/sh\n')
  })

  it('keeps what was planted, so that nothing a person may want is lost.', () => {
    const places = repository()
    const guard = guardRepository(places)
    writeFileSync(join(places.gitDir, 'hooks/pre-commit'), 'changed by whom?')
    guard.check()
    expect(readFileSync(join(places.aside, '1/hooks/pre-commit'), 'utf8')).toBe('changed by whom?')
  })

  it('gets a folder of hooks back that was swapped for a link, without following it.', () => {
    const places = repository()
    const guard = guardRepository(places)
    const elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere, 'pre-commit'), 'theirs')
    renameSync(join(places.gitDir, 'hooks'), join(places.gitDir, 'hooks.gone'))
    symlinkSync(elsewhere, join(places.gitDir, 'hooks'))
    expect(guard.check()).toContain('.git/hooks was changed; put back')
    expect(places.file('hooks/pre-commit')).toBe('#!/bin/sh\n')
    expect(readdirSync(elsewhere)).toEqual(['pre-commit'])
    expect(readFileSync(join(elsewhere, 'pre-commit'), 'utf8')).toBe('theirs')
  })

  it('is compared with what stood there before the first turn, also by the process that goes on after a crash.', () => {
    const places = repository()
    guardRepository(places)
    writeFileSync(join(places.gitDir, 'config'), 'evil')
    expect(guardRepository(places).check()).toEqual(['.git/config was changed; put back'])
  })

  it('is refused in one line when it is gone altogether.', () => {
    const places = repository()
    const guard = guardRepository(places)
    rmSync(places.gitDir, { recursive: true })
    expect(() => guard.check()).toThrow(/was taken away/)
    expect(existsSync(places.gitDir)).toBe(false)
  })
})
