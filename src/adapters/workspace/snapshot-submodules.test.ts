// Tests of submodules in a folder that is taken into the store: the name of a commit, and files that would hide behind it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, plainGit, put, repositoryWith } from '../../git/fixture.js'
import { filesOf, known, type Bench } from './store.fixture.js'
import { snapshot, standsOn } from './snapshot.js'

describe('submodules', () => {
  async function withSubmodule(): Promise<Bench & { commit: string }> {
    const { site, folder, ...rest } = await known({ a: 'a' })
    const commit = repositoryWith(join(folder, 'sub'), { s: 's' })
    const { tree } = await snapshot({ ...site, strays: 'leave' })
    return { ...rest, folder, commit, site: { ...site, base: tree } }
  }

  it('are held as the name of a commit while their folder is empty', async () => {
    const { site, folder } = await withSubmodule()
    rmSync(join(folder, 'sub'), { recursive: true })
    mkdirSync(join(folder, 'sub'))
    const { tree, notices } = await snapshot(site)
    expect(tree).toBe(site.base)
    expect(notices).toEqual([])
  })

  it('in a folder of ours lose a .git that someone puts there, so that no second git is asked', async () => {
    const { site, folder } = await withSubmodule()
    const { tree, notices } = await snapshot(site)
    expect(filesOf(site.store, tree)).toEqual({ a: '100644 a', 'sub/s': '100644 s' })
    expect(notices).toEqual([expect.stringContaining('"sub/.git" was moved')])
    expect(existsSync(join(folder, 'sub/s'))).toBe(true)
  })

  it.each(['aside', 'leave'] as const)('do not hide files that are put into their empty folder (strays: %s)', async (strays) => {
    const { site: ours, folder, store } = await withSubmodule()
    const site = { ...ours, strays, excludes: join(ours.aside, '../excludes') }
    writeFileSync(site.excludes, '*.ign\n')
    rmSync(join(folder, 'sub'), { recursive: true })
    put(folder, { 'sub/x.ign': 'ignored' })
    expect(await standsOn(site, site.base)).toBe(true)
    expect(await snapshot(site)).toEqual({ tree: site.base, notices: [] })
    put(folder, { 'sub/deep/hidden': 'h' })
    expect(await standsOn(site, site.base)).toBe(false)
    const { tree } = await snapshot(site)
    expect(filesOf(store, tree)).toEqual({ a: '100644 a', 'sub/deep/hidden': '100644 h' })
    expect(await snapshot({ ...site, base: tree })).toMatchObject({ tree })
    rmSync(join(folder, 'sub/deep'), { recursive: true })
    expect((await snapshot(site)).tree).toBe(site.base)
  })

  it('stay where the user works too, and another commit in them is seen, without a program of theirs being run', async () => {
    const { site: ours, folder, root } = await withSubmodule()
    const site = { ...ours, strays: 'leave' } as const
    plainGit(join(folder, 'sub'), 'config', 'core.fsmonitor', `touch ${join(root, 'ran')}`)
    expect(await standsOn(site, site.base)).toBe(true)
    put(folder, { 'sub/s': 'changed' })
    expect((await snapshot(site)).tree).toBe(site.base)
    rmSync(join(root, 'ran'), { force: true })
    plainGit(join(folder, 'sub'), 'config', '--unset', 'core.fsmonitor')
    const commit = commitAll(join(folder, 'sub'), 'second')
    plainGit(join(folder, 'sub'), 'config', 'core.fsmonitor', `touch ${join(root, 'ran')}`)
    expect(await standsOn(site, site.base)).toBe(false)
    const { tree } = await snapshot(site)
    expect(plainGit(site.store.path, 'ls-tree', tree, 'sub')).toContain(commit)
    expect(existsSync(join(folder, 'sub/.git'))).toBe(true)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })
})
