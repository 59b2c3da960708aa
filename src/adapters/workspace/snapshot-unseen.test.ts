// Tests of files and folders that git cannot look into: closed by an agent, or nested too deep for any path.
import { chmodSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../files/fixture.js'
import { put } from '../../git/fixture.js'
import { removeTree } from './checkout-remove.js'
import { asNobody, filesOf, known, makeDeep } from './store.fixture.js'
import { snapshot, standsOn } from './snapshot.js'

describe('what git cannot look into', () => {
  it('is opened in a folder of ours when an agent has closed it, with the bit that counts as it was', async () => {
    const { site, folder, root } = await known({ a: 'a', b: 'b' })
    put(folder, { a: 'changed', 'new/c': 'c', tool: 't' })
    run(['chown', '-R', '65534', root])
    for (const path of ['a', 'new/c']) chmodSync(join(folder, path), 0o000)
    chmodSync(join(folder, 'tool'), 0o100)
    const { tree, notices } = await asNobody(() => snapshot(site))
    expect(filesOf(site.store, tree)).toEqual({ a: '100644 changed', b: '100644 b', 'new/c': '100644 c', tool: '100755 t' })
    expect(notices.toSorted()).toEqual(['a', 'new/c', 'tool'].map((path) => `"${path}" was closed to us and has been opened`))
  })

  it.each([0o311, 0o600, 0o000])('is seen in new folders that an agent has closed, one in the other (mode %i)', async (mode) => {
    const { site, folder, root, tree } = await known({ a: 'a' })
    const deep = 'closed/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c/c'
    put(folder, { [`${deep}/hidden`]: 'h' })
    run(['chown', '-R', '65534', root])
    for (let path = deep; path !== '.'; path = dirname(path)) chmodSync(join(folder, path), mode)
    expect(await asNobody(() => standsOn(site, tree))).toBe(false)
    const found = await asNobody(() => snapshot(site))
    expect(filesOf(site.store, found.tree)).toEqual({ a: '100644 a', [`${deep}/hidden`]: '100644 h' })
    expect(found.notices).toContain('"closed" was closed to us and has been opened')
  })

  it('is refused by name where the user has closed a new folder, and only said where another user has', async () => {
    const { site: ours, folder, root, tree } = await known({ a: 'a', '.gitignore': 'ignored/\n' })
    const site = { ...ours, base: tree, strays: 'leave' } as const
    put(folder, { 'closed/x': 'x', 'ignored/deep/x': 'x' })
    run(['chown', '-R', '65534', root])
    chmodSync(join(folder, 'ignored/deep'), 0o000)
    chmodSync(join(folder, 'closed'), 0o000)
    await expect(asNobody(() => snapshot(site))).rejects.toMatchObject({ code: 10, message: expect.stringContaining('"closed" is closed to us') })
    run(['chown', '0', join(folder, 'closed')])
    expect(await asNobody(() => snapshot(site))).toEqual({ tree, notices: ['what lies in "closed" is not kept: the folder is closed to us'] })
  })

  it('is moved aside and named when it is nested too deep for any path, and the rest is kept', async () => {
    const { site, folder, store, root } = await known({ 'd/a': 'a' })
    put(folder, { 'd/new/b': 'b' })
    makeDeep(join(folder, 'd/new'), '/')
    const { tree, notices } = await snapshot(site)
    expect(Object.keys(filesOf(store, tree))).toEqual(['d/a'])
    expect(notices).toEqual([expect.stringMatching(/^"d\/new" was moved to .*: it holds folders nested too deep for any path$/)])
    expect(readFileSync(join(root, 'aside/1/d/new/b'), 'utf8')).toBe('b')
    makeDeep(folder, '/')
    const leaving = await snapshot({ ...site, base: tree, strays: 'leave' })
    expect(leaving.notices).toEqual([expect.stringMatching(/^not all that lies in "d+" is kept/)])
    removeTree(root)
  })
})
