// Tests of dependencies that belong to the engine: nothing that others do changes them, and what was changed all the same is not used.
import { spawn } from 'node:child_process'
import {
  appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, temporaryFolder } from '../../files/fixture.js'
import { put, stateOf } from '../../git/fixture.js'
import { textAt, writeUnseen } from './copy.fixture.js'
import { dependencyKey } from './dependencies.js'
import { findKept, giveDependencies, keepDependencies, keepUsers, keysIn, keyUsedBy, markUse, usersOf } from './dependencies-kept.js'

const FILES = { 'package-lock.json': 'one', 'node_modules/left/index.js': 'left', 'node_modules/left/bin.js': 'run' }

function project(files: Readonly<Record<string, string>> = FILES): { user: string; room: string; to: string } {
  const user = temporaryFolder()
  put(user, files)
  mkdirSync(join(user, 'node_modules/.bin'))
  symlinkSync('../left/bin.js', join(user, 'node_modules/.bin/left'))
  return { user, room: join(temporaryFolder(), 'deps'), to: temporaryFolder() }
}

describe('a kept copy of the user’s dependencies', () => {
  it('is made once for a state of them, given out whole, and stays as it is whatever becomes of theirs and of what was given', async () => {
    const { user, room, to } = project()
    const { kept, notices } = await keepUsers(user, room)
    expect([kept.paths, kept.made, notices]).toEqual([['node_modules'], 'copied', []])
    const before = stateOf(join(room, kept.key))
    await giveDependencies(room, kept, to)
    expect([readlinkSync(join(to, 'node_modules/.bin/left')), textAt(to, 'node_modules/.bin/left')]).toEqual(['../left/bin.js', 'run'])
    appendFileSync(join(to, 'node_modules/left/index.js'), 'by an agent')
    rmSync(join(to, 'node_modules/.bin'), { recursive: true })
    expect(await findKept(room, kept.key)).toEqual(kept)
    expect((await keepUsers(user, room)).kept.key).toBe(kept.key)
    appendFileSync(join(user, 'node_modules/left/index.js'), 'by a later install')
    const later = await keepUsers(user, room)
    expect(later.kept.key).not.toBe(kept.key)
    expect(stateOf(join(room, kept.key))).toEqual(before)
    expect([keysIn(room).length, readdirSync(room).length]).toEqual([2, 2])
  })

  it.each<[string, (files: string) => void]>([
    ['other contents of the same size and time', (files) => writeUnseen(join(files, 'node_modules/left/index.js'), 'LEFT')],
    ['a new file', (files) => writeFileSync(join(files, 'node_modules/new'), '')],
    ['a missing file', (files) => rmSync(join(files, 'node_modules/left/index.js'))],
    ['other rights', (files) => chmodSync(join(files, 'node_modules/left/bin.js'), 0o755)],
    ['a link that leads elsewhere', (files) => {
      rmSync(join(files, 'node_modules/.bin/left'))
      symlinkSync('/bin/true', join(files, 'node_modules/.bin/left'))
    }],
  ])('is not used any more with %s, and is made again', async (_, spoil) => {
    const { user, room, to } = project()
    const { kept } = await keepUsers(user, room)
    spoil(join(room, kept.key, 'files'))
    expect(await findKept(room, kept.key)).toBeNull()
    expect((await keepUsers(user, room)).kept).toEqual(kept)
    await giveDependencies(room, kept, to)
    expect(textAt(to, 'node_modules/left/index.js')).toBe('left')
  })

  it('holds a path in its scripts that leads nowhere, which is that of the folder it is given to', async () => {
    const { user, room, to } = project()
    writeFileSync(join(user, 'node_modules/.bin/tool'), `${user}/node_modules/left`)
    const { kept } = await keepUsers(user, room)
    expect(textAt(room, `${kept.key}/files/node_modules/.bin/tool`)).toBe('/dev/null/greenlatch/node_modules/left')
    await giveDependencies(room, kept, to)
    expect(textAt(to, 'node_modules/.bin/tool')).toBe(`${to}/node_modules/left`)
  })

  it('is taken again when the user’s changed meanwhile', async () => {
    const { user, room } = project()
    const moment = setTimeout(() => writeFileSync(join(user, 'node_modules/left/late.js'), 'late'), 0)
    const { kept, notices } = await keepUsers(user, room)
    clearTimeout(moment)
    expect([textAt(room, `${kept.key}/files/node_modules/left/late.js`), notices, readdirSync(room)]).toEqual(['late', [], [kept.key]])
    expect((await keepUsers(user, room)).kept.key).toBe(kept.key)
  })

  it('says so when the user’s did not stand still while it was taken', async () => {
    const { user, room } = project()
    let count = 0
    const timer = setInterval(() => writeFileSync(join(user, 'node_modules/left/log'), `${(count += 1)}`), 1)
    const { kept, notices } = await keepUsers(user, room)
    clearInterval(timer)
    expect(notices).toEqual(['node_modules changed while a copy was taken; it may hold something of both'])
    expect([await findKept(room, kept.key), readdirSync(room)]).toEqual([kept, [kept.key]])
  })

  it('is one copy when two processes make it at the same time', async () => {
    const { user, room } = project()
    const child = bundle(`import { keepUsers } from './adapters/workspace/dependencies-kept.js'
console.log((await keepUsers(process.argv[2], process.argv[3])).kept.key)`)
    const started = [1, 2, 3].map(() => spawn('node', [child, user, room], { stdio: ['ignore', 'pipe', 'inherit'] }))
    const keys = await Promise.all(started.map(async (each) => {
      const [[data]] = await Promise.all([once(each.stdout, 'data'), once(each, 'close')])
      return String(data).trim()
    }))
    expect(new Set(keys).size).toBe(1)
    expect(readdirSync(room)).toEqual([keys[0]])
  })
})

describe('a kept copy of what a command made', () => {
  it('is given for the same lockfiles and command', async () => {
    const { user, room, to } = project()
    const key = dependencyKey(user, ['npm', 'ci'])
    expect(await findKept(room, key)).toBeNull()
    const kept = await keepDependencies({ from: user, room, key, made: 'setup' })
    expect([kept.paths, await findKept(room, key)]).toEqual([['node_modules'], kept])
    expect((await giveDependencies(room, kept, to)).paths).toEqual(['node_modules'])
    expect(await keepDependencies({ from: user, room, key, made: 'setup' })).toEqual(kept)
  })

  it('is not there when its making was cut off, nor when an earlier version left it', async () => {
    const { user, room } = project()
    const key = dependencyKey(user, ['npm', 'ci'])
    put(room, { [`.${key}.making-1/files/node_modules/x`]: 'half', [`${key}/complete`]: '[]', [`${key}/node_modules/x`]: 'old' })
    expect(await findKept(room, key)).toBeNull()
    await keepDependencies({ from: user, room, key, made: 'setup' })
    expect([existsSync(join(room, key, 'node_modules')), existsSync(join(room, key, 'files/node_modules/left'))]).toEqual([false, true])
  })
})

describe('the sessions that use a copy', () => {
  it('have one each, the last that was marked', async () => {
    const { user, room } = project()
    const first = (await keepUsers(user, room)).kept.key
    markUse(room, first, 's-1')
    markUse(room, first, 's-2')
    appendFileSync(join(user, 'node_modules/left/index.js'), 'changed')
    const second = (await keepUsers(user, room)).kept.key
    markUse(room, second, 's-1')
    expect([keyUsedBy(room, 's-1'), keyUsedBy(room, 's-2'), keyUsedBy(room, 's-3')]).toEqual([second, first, null])
    expect([usersOf(room, first), usersOf(room, second), (await findKept(room, first))?.key]).toEqual([['s-2'], ['s-1'], first])
  })
})
