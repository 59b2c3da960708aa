// Tests of the private index: what becomes of a damaged or locked one, and that a look through it writes nothing.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, repositoryWith, stateOf } from '../../git/fixture.js'
import { known } from './store.fixture.js'
import { snapshot, standsOn } from './snapshot.js'
import { emptyTree } from './store.js'

describe('the private index', () => {
  it('is freed of a lock that a killed git left, which is said', async () => {
    const { site, tree } = await known({ a: 'a' })
    writeFileSync(`${site.index}.lock`, '')
    const taken = await snapshot(site)
    expect(taken).toEqual({ tree, notices: [expect.stringContaining('was left by a git that was killed')] })
    expect(existsSync(`${site.index}.lock`)).toBe(false)
  })

  it('is waited for while a process holds its lock', async () => {
    const { site, tree } = await known({ a: 'a' })
    const holder = spawn('sh', ['-c', `exec 9> '${site.index}.lock'; sleep 2; rm '${site.index}.lock'`])
    while (!existsSync(`${site.index}.lock`)) await new Promise((resolve) => setTimeout(resolve, 10))
    let left = false
    holder.once('exit', () => (left = true))
    expect(await snapshot(site)).toEqual({ tree, notices: [] })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(left).toBe(true)
  })

  it.each([
    ['is missing', (index: string) => rmSync(index), 0],
    ['is empty', (index: string) => truncateSync(index, 0), 1],
    ['is cut off', (index: string) => truncateSync(index, 100), 1],
    ['is full of zeros', (index: string) => writeFileSync(index, Buffer.alloc(500)), 1],
    ['names an object that is not there', (index: string) => writeFileSync(index, changedName(readFileSync(index))), 1],
  ])('is made again out of the last tree when it %s', async (_what, damage, notices) => {
    const { site, folder } = await known({ 'kept.log': '1', b: 'b' })
    put(folder, { '.gitignore': '*.log\n', 'd/e': 'e' })
    const { tree } = await snapshot(site)
    damage(site.index)
    const taken = await snapshot({ ...site, base: tree })
    expect(taken.tree).toBe(tree)
    expect(taken.notices).toHaveLength(notices)
  })
})

/** An entry of the index with the name of an object that does not exist, and no remembered trees. */
function changedName(index: Buffer): Buffer {
  const at = index.indexOf('.gitignore') - 22
  index[at] = (index[at] ?? 0) ^ 0xff
  const trees = index.indexOf('TREE')
  if (trees > 0) index.write('tree', trees, 'latin1')
  return index
}

describe('looking whether a folder stands on a tree', () => {
  it('writes nothing when it does, however often and however fresh the files are', async () => {
    const { site, root, tree } = await known({ a: 'a', 'd/b': 'b' })
    const before = stateOf(root)
    for (let n = 0; n < 3; n += 1) {
      expect(await standsOn(site, tree)).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    expect(stateOf(root)).toEqual(before)
  })

  it.each([
    ['a changed file', (folder: string) => put(folder, { a: 'A' })],
    ['a new file', (folder: string) => put(folder, { c: 'c' })],
    ['a missing file', (folder: string) => rmSync(join(folder, 'a'))],
    ['another mode', (folder: string) => chmodSync(join(folder, 'a'), 0o755)],
    ['a repository inside', (folder: string) => void repositoryWith(join(folder, 'r'), {})],
  ])('tells %s', async (_what, change) => {
    const { site, folder, tree } = await known({ a: 'a', 'd/b': 'b' })
    change(folder)
    expect(await standsOn(site, tree)).toBe(false)
  })

  it('tells another tree, and a missing index', async () => {
    const { site, tree } = await known({ a: 'a' })
    expect(await standsOn(site, emptyTree(site.store))).toBe(false)
    rmSync(site.index)
    expect(await standsOn(site, tree)).toBe(false)
    expect(existsSync(site.index)).toBe(false)
  })
})
