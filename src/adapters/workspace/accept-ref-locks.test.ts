// Proves with a real git that is killed while it moves the branch: what it leaves is cleared away, and what it has done counts.
import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { run } from '../../files/fixture.js'
import { plainGit, repositoryWith } from '../../git/fixture.js'
import { inspect } from '../../git/inspect.js'
import { land, type LandRequest } from './accept-land.js'
import { dropRefLocks } from './accept-ref-locks.js'
import { openRoom, roomOf, writeIntent, type CommitIntent, type Landing } from './accept-room.js'
import { importTree } from './objects.js'
import { bench } from './store.fixture.js'

type Case = { root: string; top: string; landing: Landing; request: LandRequest; said: string[] }

async function makeCase(): Promise<Case> {
  const { root, store } = await bench()
  const [top, made] = [join(root, 'user'), join(root, 'made')]
  const head = repositoryWith(top, { a: 'one\n', gone: 'g\n' })
  for (const [key, value] of [['user.name', 'U'], ['user.email', 'u@x']] as const) plainGit(top, 'config', key, value)
  const from = await importTree(store, { gitDir: join(top, '.git'), config: 'foreign' }, head)
  repositoryWith(made, { a: 'ONE\n', 'new/b': 'b\n' })
  const to = await importTree(store, { gitDir: join(made, '.git'), config: 'foreign' }, 'HEAD')
  const facts = await inspect(top)
  if (facts.kind !== 'work tree') throw new Error(facts.kind)
  const said: string[] = []
  mkdirSync(join(root, 'session'))
  const landing: Landing = { ...facts, session: 'sess-1', store, room: roomOf(join(root, 'session')), aside: join(root, 'aside'), say: (text) => void said.push(text) }
  openRoom(landing.room)
  const request: LandRequest = { head, branch: 'main', from, to, result: to, message: 'fix: it\n\nGreenlatch-Session: sess-1\n', at: new Date(0), how: { kind: 'squash' } }
  return { root, top, landing, said, request }
}

/** From now on `update-ref` is killed, by what `how` says of it. */
function killUpdateRef(root: string, how: (real: string) => string): void {
  const real = run(['sh', '-c', 'command -v git']).trim()
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin/git'), `#!/bin/sh\ncase " $* " in *" update-ref "*) ${how(real)}; kill -9 $$ ;; esac\nexec ${real} "$@"\n`)
  chmodSync(join(root, 'bin/git'), 0o755)
  vi.stubEnv('PATH', `${join(root, 'bin')}:${process.env['PATH']}`)
}

afterEach(() => void vi.unstubAllEnvs())

describe('a git that is killed while it moves the branch', () => {
  it('has landed the result when the branch is moved, and nothing is put back.', async () => {
    const { root, top, landing, request } = await makeCase()
    killUpdateRef(root, (real) => `${real} "$@"`)
    const commit = await land(landing, request)
    expect(plainGit(top, 'rev-parse', 'main')).toBe(commit)
    expect(plainGit(top, 'status', '--porcelain')).toBe('')
  })

  it('leaves locks that are taken away, and everything is put back when the branch is not moved.', async () => {
    const { root, top, landing, request, said } = await makeCase()
    const locks = ['refs/heads/main.lock', 'HEAD.lock'].map((name) => join(top, '.git', name))
    killUpdateRef(root, () => locks.map((lock) => `: > '${lock}'`).join('; '))
    await expect(land(landing, request)).rejects.toThrow('git did not finish')
    expect(plainGit(top, 'rev-parse', 'main')).toBe(request.head)
    expect(plainGit(top, 'status', '--porcelain')).toBe('')
    expect(locks.filter((lock) => existsSync(lock))).toEqual([])
    expect(said).toEqual(locks.map((lock) => `${lock} was left by a git that was killed, and was removed`))
  })
})

describe('a lock with a part of our commit in it', () => {
  it('is ours: a git writes the name and the end of its line one after the other.', async () => {
    const { top, landing, request } = await makeCase()
    const intent: CommitIntent = { kind: 'commit', ...request, commit: 'c'.repeat(40), newFolders: [] }
    writeIntent(landing.room, intent)
    writeFileSync(join(top, '.git/refs/heads/main.lock'), 'c'.repeat(40))
    await dropRefLocks(landing, intent)
    expect(existsSync(join(top, '.git/refs/heads/main.lock'))).toBe(false)
  })
})

describe('a lock of another git', () => {
  it('stays when it names another commit, or is older than the accept.', async () => {
    const { top, landing, request } = await makeCase()
    const intent: CommitIntent = { kind: 'commit', ...request, commit: 'c'.repeat(40), newFolders: [] }
    writeIntent(landing.room, intent)
    const [other, old] = [join(top, '.git/refs/heads/main.lock'), join(top, '.git/HEAD.lock')]
    writeFileSync(other, `${'d'.repeat(40)}\n`)
    writeFileSync(old, '')
    for (const lock of [other, old]) utimesSync(lock, new Date(), new Date(Date.now() - (lock === old ? 60_000 : 0)))
    await dropRefLocks(landing, intent)
    expect([other, old].filter((lock) => !existsSync(lock))).toEqual([])
  })
})
