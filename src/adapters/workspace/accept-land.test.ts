// Proves with real repositories that a result lands whole or not at all, and what is made of every state that a crash can leave.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, plainGit, put, repositoryWith, stateOf, tryGit } from '../../git/fixture.js'
import { git } from '../../git/git.js'
import { inspect } from '../../git/inspect.js'
import { clearTheWay } from './accept-check.js'
import { bringObjects, writeCommit } from './accept-commit.js'
import { installIndex } from './accept-index.js'
import { holderOfIndex, whileHeld } from './accept-lock.js'
import { land, type LandRequest } from './accept-land.js'
import { recover } from './accept-recover.js'
import { gitFor, HalfDone, openRoom, readIntent, repositoryOf, roomOf, writeIntent, type CommitIntent, type Landing } from './accept-room.js'
import { importTree } from './objects.js'
import { bench } from './store.fixture.js'

const BEFORE = { a: 'one\n', 'd/b': 'b\n', gone: 'g\n', same: 's\n' }
const AFTER = { a: 'ONE\n', 'd/b': 'b\n', same: 's\n', 'new/deep/c': 'c\n' }

type Case = { top: string; landing: Landing; request: LandRequest; said: string[] }

/** A repository, and a result for it in the store. */
async function makeCase(): Promise<Case> {
  const { root, store } = await bench()
  const [top, made] = [join(root, 'user'), join(root, 'made')]
  const head = repositoryWith(top, BEFORE)
  for (const [key, value] of [['user.name', 'U'], ['user.email', 'u@x']] as const) plainGit(top, 'config', key, value)
  const from = await importTree(store, { gitDir: join(top, '.git'), config: 'foreign' }, head)
  repositoryWith(made, AFTER)
  const to = await importTree(store, { gitDir: join(made, '.git'), config: 'foreign' }, 'HEAD')
  const facts = await inspect(top)
  if (facts.kind !== 'work tree') throw new Error(facts.kind)
  const said: string[] = []
  const room = roomOf(join(root, 'session'))
  mkdirSync(join(root, 'session'))
  openRoom(room)
  const landing: Landing = { ...facts, session: 'sess-1', store, room, aside: join(root, 'aside'), say: (text) => void said.push(text) }
  const message = 'fix: it\n\nGreenlatch-Session: sess-1\n'
  return { top, landing, said, request: { head, branch: 'main', from, to, result: to, message, at: new Date(0), how: { kind: 'squash' } } }
}

function intentOf({ request: { branch, head, from, to, result } }: Case): CommitIntent {
  return { kind: 'commit', result, branch, head, from, to, commit: null, newFolders: [] }
}

function filesOf(top: string): Record<string, string> {
  const files = Object.entries(stateOf(top)).filter(([path, state]) => !path.startsWith('.git') && !state.startsWith('folder'))
  return Object.fromEntries(files.map(([path]) => [path, readFileSync(join(top, path), 'utf8')]))
}

/** As far as an accept comes before it moves the first file; the lock is left as a killed process leaves it. */
async function untilFilesMove(one: Case): Promise<CommitIntent> {
  const { landing, request } = one
  let intent = intentOf(one)
  writeIntent(landing.room, intent)
  await whileHeld(landing, async () => {
    const newFolders = await clearTheWay(landing, request)
    const commit = await writeCommit(landing, { tree: request.to, parents: [request.head], message: request.message, at: request.at })
    intent = { ...intent, commit, newFolders }
    writeIntent(landing.room, intent)
    await bringObjects(landing, commit, [request.head])
    throw new HalfDone(1, '', '')
  }).catch(() => {})
  expect(holderOfIndex(landing.gitDir)).toBe('sess-1')
  return intent
}

async function moveFiles({ landing, request }: Case): Promise<void> {
  await gitFor(landing, { ...repositoryOf(landing), index: landing.room.index }, ['read-tree', '-m', '-u', request.head, request.to])
}

describe('a result', () => {
  it('lands with files, index and branch, and the lock is gone.', async () => {
    const { top, landing, request } = await makeCase()
    const commit = await land(landing, request)
    expect([plainGit(top, 'rev-parse', 'main', 'HEAD^'), plainGit(top, 'status', '--porcelain')]).toEqual([`${commit}\n${request.head}`, ''])
    expect([filesOf(top), existsSync(join(top, '.git/index.lock'))]).toEqual([AFTER, false])
    expect(readIntent(landing.room)).toMatchObject({ commit })
  })

  it('that is refused leaves everything as it was, and no room.', async () => {
    const { top, landing, request } = await makeCase()
    put(top, { a: 'mine\n' })
    const before = stateOf(top)
    await expect(land(landing, request)).rejects.toMatchObject({ code: 2, message: expect.stringContaining('"a"') })
    expect([stateOf(top), existsSync(landing.room.path)]).toEqual([before, false])
  })

  it('meets another git in the index, and waits for nobody.', async () => {
    const { top, landing, request } = await makeCase()
    writeFileSync(join(top, '.git/index.lock'), '')
    await expect(land(landing, request)).rejects.toMatchObject({ code: 9 })
    writeFileSync(join(top, '.git/index.lock'), 'held by greenlatch session other-2\n')
    openRoom(landing.room)
    await expect(land(landing, request)).rejects.toMatchObject({ code: 9, next: 'greenlatch accept other-2' })
    expect(readFileSync(join(top, '.git/index.lock'), 'utf8')).toContain('other-2')
  })

  it('that cannot have its branch, because it moved meanwhile, is put back.', async () => {
    const { top, landing, request } = await makeCase()
    const moved = plainGit(top, 'commit-tree', '-p', request.head, '-m', 'x', `${request.head}^{tree}`)
    plainGit(top, 'update-ref', 'refs/heads/main', moved)
    await expect(land(landing, request)).rejects.toMatchObject({ code: 9 })
    expect([filesOf(top), plainGit(top, 'status', '--porcelain'), plainGit(top, 'rev-parse', 'main')]).toEqual([BEFORE, '', moved])
  })

  it('keeps others from the index while it lands.', async () => {
    const { top, landing } = await makeCase()
    await whileHeld(landing, async () => {
      expect(tryGit(top, ['commit', '-q', '--allow-empty', '-m', 'x']).stderr).toContain('index.lock')
    })
    expect(tryGit(top, ['commit', '-q', '--allow-empty', '-m', 'x']).status).toBe(0)
  })
})

describe('after a crash', () => {
  it('before any file was moved there is only a lock to take away.', async () => {
    const one = await makeCase()
    const before = filesOf(one.top)
    const intent = await untilFilesMove(one)
    expect(await recover(one.landing, intent)).toBeNull()
    expect([filesOf(one.top), existsSync(join(one.top, '.git/index.lock')), existsSync(one.landing.room.path)]).toEqual([before, false, false])
    expect(one.said).toEqual(['an accept that was cut off had left its lock on your index; it is taken away'])
  })

  it('before the index was copied there is nothing to put back.', async () => {
    const one = await makeCase()
    writeIntent(one.landing.room, intentOf(one))
    expect(await recover(one.landing, intentOf(one))).toBeNull()
    expect(plainGit(one.top, 'status', '--porcelain')).toBe('')
  })

  it('between the files and the index everything is put back, new folders included.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    expect(await recover(one.landing, intent)).toBeNull()
    expect([filesOf(one.top), plainGit(one.top, 'status', '--porcelain'), existsSync(join(one.top, 'new'))]).toEqual([BEFORE, '', false])
  })

  it('between the index and the branch everything is put back too, byte for byte.', async () => {
    const one = await makeCase()
    const index = readFileSync(join(one.top, '.git/index'))
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    installIndex(one.landing, one.landing.room.index)
    expect(await recover(one.landing, intent)).toBeNull()
    expect([filesOf(one.top), readFileSync(join(one.top, '.git/index'))]).toEqual([BEFORE, index])
  })

  it('with the branch moved it has landed, whatever came on top of it.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    installIndex(one.landing, one.landing.room.index)
    plainGit(one.top, 'update-ref', 'refs/heads/main', intent.commit ?? '')
    rmSync(join(one.top, '.git/index.lock'))
    put(one.top, { later: 'x\n' })
    commitAll(one.top, 'later')
    expect(await recover(one.landing, intent)).toBe(intent.commit)
    expect(plainGit(one.top, 'status', '--porcelain')).toBe('')
  })

  it('a commit that git commit made is known by its message, and gets its index.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    plainGit(one.top, 'update-ref', 'refs/heads/main', intent.commit ?? '')
    expect(await recover(one.landing, { ...intent, commit: null })).toBe(intent.commit)
    expect([plainGit(one.top, 'status', '--porcelain'), existsSync(join(one.top, '.git/index.lock'))]).toEqual(['', false])
  })

  it('a file that is half written is moved aside and made whole, and so is one that somebody has changed since.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    put(one.top, { a: 'ON', 'new/deep/c': '', same: 'changed since\n' })
    expect(await recover(one.landing, intent)).toBeNull()
    expect(filesOf(one.top)).toEqual({ ...BEFORE, same: 'changed since\n' })
    expect(one.said.slice(0, 2)).toEqual([expect.stringMatching(/^"a" was moved to/), expect.stringMatching(/^"new\/deep\/c" was moved to/)])
    expect([readFileSync(join(one.landing.aside, '1/a'), 'utf8'), plainGit(one.top, 'status', '--porcelain')]).toEqual(['ON', ' M same'])
  })

  it('files that somebody took in hand meanwhile are theirs.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    rmSync(join(one.top, '.git/index.lock'))
    plainGit(one.top, 'add', '-A')
    const before = filesOf(one.top)
    expect(await recover(one.landing, intent)).toBeNull()
    expect([filesOf(one.top), plainGit(one.top, 'diff', '--cached', '--name-only')]).toEqual([before, 'a\ngone\nnew/deep/c'])
  })

  it('a lock that was taken away by hand does not keep things from being put back.', async () => {
    const one = await makeCase()
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    rmSync(join(one.top, '.git/index.lock'))
    plainGit(one.top, 'status')
    expect(await recover(one.landing, intent)).toBeNull()
    expect([filesOf(one.top), plainGit(one.top, 'status', '--porcelain')]).toEqual([BEFORE, ''])
  })

  it('what others have staged and changed stays as it was.', async () => {
    const one = await makeCase()
    put(one.top, { same: 'staged\n' })
    plainGit(one.top, 'add', 'same')
    put(one.top, { same: 'changed\n', untracked: 'u\n' })
    const index = readFileSync(join(one.top, '.git/index'))
    const intent = await untilFilesMove(one)
    await moveFiles(one)
    installIndex(one.landing, one.landing.room.index)
    expect(await recover(one.landing, intent)).toBeNull()
    expect([readFileSync(join(one.top, '.git/index')), filesOf(one.top)]).toEqual([index, { ...BEFORE, same: 'changed\n', untracked: 'u\n' }])
  })
})

describe('the store', () => {
  it('has no commit of the user in it afterwards.', async () => {
    const { landing, request } = await makeCase()
    const commit = await land(landing, request)
    expect((await git({ gitDir: landing.store.path, config: 'ours' }, ['cat-file', '-e', commit], { accepts: [1, 128] })).code).not.toBe(0)
    expect((await git({ gitDir: landing.store.path, config: 'ours' }, ['fsck', '--full', '--no-dangling'])).text).toBe('')
  })
})
