// Tests of the quick look on real files.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync, closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, symlinkSync,
  utimesSync, writeFileSync, writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { put } from '../../git/fixture.js'
import { createLook } from './look.js'

let root = ''
const at = (name: string) => join(root, name)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'greenlatch-folder-'))
  mkdirSync(at('src'))
  writeFileSync(at('src/a.txt'), 'a')
  writeFileSync(at('b.txt'), 'b')
  writeFileSync(at('tool'), 't')
  chmodSync(at('tool'), 0o755)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the tree of a folder', () => {
  it('is the same for the same contents, whatever their times and wherever they are', async () => {
    const first = await createLook(root)()
    const other = mkdtempSync(join(tmpdir(), 'greenlatch-folder-'))
    execFileSync('cp', ['-r', `${root}/.`, other])
    utimesSync(join(other, 'b.txt'), 1, 1)
    mkdirSync(join(other, 'empty'))
    expect(await createLook(other)()).toBe(first)
    rmSync(other, { recursive: true })
  })

  it.each([
    ['a changed byte', () => writeFileSync(at('b.txt'), 'c')],
    ['a longer file', () => writeFileSync(at('b.txt'), 'bb')],
    ['a new file', () => writeFileSync(at('c.txt'), '')],
    ['a removed file', () => rmSync(at('b.txt'))],
    ['a renamed file', () => renameSync(at('b.txt'), at('c.txt'))],
    ['a moved file', () => renameSync(at('b.txt'), at('src/b.txt'))],
    ['the executable bit', () => chmodSync(at('b.txt'), 0o755)],
    ['the executable bit of the owner alone', () => chmodSync(at('tool'), 0o655)],
    ['a link in place of a file', () => { rmSync(at('b.txt')); symlinkSync('src/a.txt', at('b.txt')) }],
    ['a folder whose name ends in node_modules', () => { mkdirSync(at('my-node_modules')); writeFileSync(at('my-node_modules/x'), '') }],
  ])('changes with %s', async (_what, change) => {
    const look = createLook(root)
    const before = await look()
    change()
    expect(await look()).not.toBe(before)
    expect(await createLook(root)()).toBe(await look())
  })

  it('changes with the target of a link, and does not follow it', async () => {
    symlinkSync('/nowhere/one', at('link'))
    const before = await createLook(root)()
    rmSync(at('link'))
    symlinkSync('/nowhere/two', at('link'))
    expect(await createLook(root)()).not.toBe(before)
  })

  it('goes into node_modules unless that is no part of the tree, and is not there while nobody knows', async () => {
    const known = new Map([['node_modules', true], ['src/node_modules', false]])
    const look = createLook(root, { isLeftOut: (path) => known.get(path) })
    const before = await look()
    put(root, { 'node_modules/x': 'x' })
    expect(await look()).toBe(before)
    put(root, { 'src/node_modules/x': 'x' })
    expect(await look()).not.toBe(before)
    put(root, { 'node_modules.txt': 'x', 'other/node_modules/x': 'x' })
    expect(await look()).toBeNull()
    expect(await createLook(root)()).not.toBeNull()
  })

  it('leaves out .git and what it is told to', async () => {
    const look = createLook(root, { ignore: ['dist', 'src/made/'] })
    const before = await look()
    for (const folder of ['.git', 'src/dist', 'src/made']) {
      mkdirSync(at(folder))
      writeFileSync(at(`${folder}/x`), 'x')
    }
    expect(await look()).toBe(before)
    mkdirSync(at('made'))
    writeFileSync(at('made/x'), 'x')
    expect(await look()).not.toBe(before)
  })

  it('notices a change that leaves size, and even the time of the file, as they were', async () => {
    const look = createLook(root)
    const before = await look()
    const { atime, mtime } = statSync(at('b.txt'))
    writeFileSync(at('b.txt'), 'X')
    utimesSync(at('b.txt'), atime, mtime)
    expect(await look()).not.toBe(before)
  })

  it('notices every one of many changes that follow each other at once', async () => {
    const look = createLook(root)
    const file = openSync(at('b.txt'), 'r+')
    const trees = new Set<string | null>()
    for (let n = 0; n < 200; n += 1) {
      writeSync(file, String.fromCharCode(0x100 + n), 0)
      trees.add(await look())
    }
    closeSync(file)
    expect(trees.size).toBe(200)
  })

  it('names pipes and sockets by their kind and never opens them', async () => {
    const look = createLook(root)
    const before = await look()
    writeFileSync(at('pipe'), '')
    const asFile = await look()
    rmSync(at('pipe'))
    execFileSync('mkfifo', [at('pipe')])
    expect(await look()).not.toBe(asFile)
    const server = createServer().listen(at('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    const after = await look()
    expect(after).not.toBe(before)
    expect(await look()).toBe(after)
    server.close()
  })

  it('tells names apart that are no valid text', async () => {
    const named = (byte: number) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from([byte])])
    writeFileSync(named(0xff), 'x')
    const before = await createLook(root)()
    renameSync(named(0xff), named(0xfe))
    expect(await createLook(root)()).not.toBe(before)
  })

  it('does not confuse a file with the files of a folder, nor two files with their names run together', async () => {
    const one = await createLook(root)()
    rmSync(at('b.txt'))
    writeFileSync(at('b.txt\n'), 'b')
    expect(await createLook(root)()).not.toBe(one)
  })

  it.each([
    ['large files', () => [1, 2, 3, 4, 5, 6, 7].forEach((n) => writeFileSync(at(`large-${n}`), randomBytes(16 * 1024 * 1024)))],
    ['many small files', () => fillWithEmptyFiles(60, 200)],
  ])('lets other work go on while it reads %s', async (_what, fill) => {
    fill()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    await createLook(root, { mostEntries: 20_000 })()
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(0)
  })

  it('is not there when something cannot be read, listed, or found at all', async () => {
    chmodSync(root, 0o755)
    chmodSync(at('src/a.txt'), 0o000)
    expect(await asNobody(() => createLook(root)())).toBeNull()
    chmodSync(at('src'), 0o000)
    expect(await asNobody(() => createLook(root)())).toBeNull()
    chmodSync(at('src'), 0o755)
    expect(await createLook(at('gone'))()).toBeNull()
  })

  it('is not there for many entries or a large file, which git is quicker with', async () => {
    expect(await createLook(root, { mostEntries: 4 })()).not.toBeNull()
    expect(await createLook(root, { mostEntries: 3 })()).toBeNull()
    const file = openSync(at('large'), 'w')
    ftruncateSync(file, 17 * 1024 * 1024)
    closeSync(file)
    expect(await createLook(root)()).toBeNull()
  })
})

describe('a second look at a folder', () => {
  it('reads only what has changed since', async () => {
    const megabytes = 8 * 1024 * 1024
    for (const name of ['x', 'y']) writeFileSync(at(name), randomBytes(megabytes))
    // Younger stamps are not believed: a file may change twice within one step of its clock.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const look = createLook(root)
    expect(await bytesRead(() => look())).toBeGreaterThanOrEqual(2 * megabytes)
    expect(await bytesRead(() => look())).toBeLessThan(megabytes)
    writeFileSync(at('x'), randomBytes(megabytes))
    const read = await bytesRead(() => look())
    expect(read).toBeGreaterThanOrEqual(megabytes)
    expect(read).toBeLessThan(2 * megabytes)
  })
})

/** Only empty ones: reading bytes would let other work go on in any case. */
function fillWithEmptyFiles(folders: number, filesEach: number): void {
  for (const name of ['src', 'b.txt', 'tool']) rmSync(at(name), { recursive: true })
  for (let n = 0; n < folders; n += 1) {
    mkdirSync(at(`d${n}`))
    for (let m = 0; m < filesEach; m += 1) writeFileSync(at(`d${n}/f${m}`), '')
  }
}

async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const before = bytesReadSoFar()
  await work()
  return bytesReadSoFar() - before
}

function bytesReadSoFar(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

/** Root may read everything: as root these tests look with another user's eyes. */
async function asNobody<T>(look: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return look()
  process.seteuid?.(65_534)
  try {
    return await look()
  } finally {
    process.seteuid?.(0)
  }
}
