// Tests of the folder workspace on real files.
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
import { folderWorkspace } from './folder.js'

let root = ''
const at = (name: string) => join(root, name)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'greenlatch-folder-'))
  mkdirSync(at('src'))
  writeFileSync(at('src/a.txt'), 'a')
  writeFileSync(at('b.txt'), 'b')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the tree of a folder', () => {
  it('is the same for the same contents, whatever their times and wherever they are', async () => {
    const first = await folderWorkspace(root).tree()
    const other = mkdtempSync(join(tmpdir(), 'greenlatch-folder-'))
    execFileSync('cp', ['-r', `${root}/.`, other])
    utimesSync(join(other, 'b.txt'), 1, 1)
    mkdirSync(join(other, 'empty'))
    expect(await folderWorkspace(other).tree()).toBe(first)
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
    ['a link in place of a file', () => { rmSync(at('b.txt')); symlinkSync('src/a.txt', at('b.txt')) }],
    ['a folder whose name ends in node_modules', () => { mkdirSync(at('my-node_modules')); writeFileSync(at('my-node_modules/x'), '') }],
  ])('changes with %s', async (_what, change) => {
    const workspace = folderWorkspace(root)
    const before = await workspace.tree()
    change()
    expect(await workspace.tree()).not.toBe(before)
    expect(await folderWorkspace(root).tree()).toBe(await workspace.tree())
  })

  it('changes with the target of a link, and does not follow it', async () => {
    symlinkSync('/nowhere/one', at('link'))
    const before = await folderWorkspace(root).tree()
    rmSync(at('link'))
    symlinkSync('/nowhere/two', at('link'))
    expect(await folderWorkspace(root).tree()).not.toBe(before)
  })

  it('leaves out .git, node_modules and what it is told to', async () => {
    const workspace = folderWorkspace(root, { ignore: ['dist', 'src/made/'] })
    const before = await workspace.tree()
    for (const folder of ['.git', 'node_modules', 'src/node_modules', 'src/dist', 'src/made']) {
      mkdirSync(at(folder))
      writeFileSync(at(`${folder}/x`), 'x')
    }
    expect(await workspace.tree()).toBe(before)
    mkdirSync(at('made'))
    writeFileSync(at('made/x'), 'x')
    expect(await workspace.tree()).not.toBe(before)
  })

  it('notices a change that leaves size, and even the time of the file, as they were', async () => {
    const workspace = folderWorkspace(root)
    const before = await workspace.tree()
    const { atime, mtime } = statSync(at('b.txt'))
    writeFileSync(at('b.txt'), 'X')
    utimesSync(at('b.txt'), atime, mtime)
    expect(await workspace.tree()).not.toBe(before)
  })

  it('notices every one of many changes that follow each other at once', async () => {
    const workspace = folderWorkspace(root)
    const file = openSync(at('b.txt'), 'r+')
    const trees = new Set<string>()
    for (let n = 0; n < 200; n += 1) {
      writeSync(file, String.fromCharCode(0x100 + n), 0)
      trees.add(await workspace.tree())
    }
    closeSync(file)
    expect(trees.size).toBe(200)
  })

  it('names pipes and sockets by their kind and never opens them', async () => {
    const workspace = folderWorkspace(root)
    const before = await workspace.tree()
    writeFileSync(at('pipe'), '')
    const asFile = await workspace.tree()
    rmSync(at('pipe'))
    execFileSync('mkfifo', [at('pipe')])
    expect(await workspace.tree()).not.toBe(asFile)
    const server = createServer().listen(at('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    const after = await workspace.tree()
    expect(after).not.toBe(before)
    expect(await workspace.tree()).toBe(after)
    server.close()
  })

  it('tells names apart that are no valid text', async () => {
    const named = (byte: number) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from([byte])])
    writeFileSync(named(0xff), 'x')
    const before = await folderWorkspace(root).tree()
    renameSync(named(0xff), named(0xfe))
    expect(await folderWorkspace(root).tree()).not.toBe(before)
  })

  it('does not confuse a file with the files of a folder, nor two files with their names run together', async () => {
    const one = await folderWorkspace(root).tree()
    rmSync(at('b.txt'))
    writeFileSync(at('b.txt\n'), 'b')
    expect(await folderWorkspace(root).tree()).not.toBe(one)
  })

  it('reads a large file in bounded memory', async () => {
    const file = openSync(at('large'), 'w')
    ftruncateSync(file, 512 * 1024 * 1024)
    closeSync(file)
    const before = process.memoryUsage().rss
    await folderWorkspace(root).tree()
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024)
  })

  it.each([
    ['a large file', () => writeFileSync(at('large'), randomBytes(128 * 1024 * 1024))],
    ['many small files', () => fillWithEmptyFiles(60, 200)],
  ])('lets other work go on while it reads %s', async (_what, fill) => {
    fill()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    await folderWorkspace(root).tree()
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(0)
  })

  it('refuses, naming it, when a file cannot be read', async () => {
    chmodSync(root, 0o755)
    chmodSync(at('src/a.txt'), 0o000)
    const look = asNobody(() => folderWorkspace(root).tree())
    await expect(look).rejects.toMatchObject({ code: 10, message: expect.stringContaining('src/a.txt') })
  })

  it('refuses when a folder cannot be listed, or the folder itself is gone', async () => {
    chmodSync(root, 0o755)
    chmodSync(at('src'), 0o000)
    await expect(asNobody(() => folderWorkspace(root).tree())).rejects.toMatchObject({ code: 10, message: expect.stringContaining('src') })
    chmodSync(at('src'), 0o755)
    await expect(folderWorkspace(at('gone')).tree()).rejects.toMatchObject({ code: 10 })
  })

  it('cannot tell lines changed, and can do no workspace phase', async () => {
    const workspace = folderWorkspace(root)
    expect(await workspace.diffLines('a', 'b')).toBe(0)
    expect(workspace.actions).toEqual([])
    expect(workspace.cwd).toBe(root)
  })
})

describe('a second look at a folder', () => {
  it('reads only what has changed since', async () => {
    const megabytes = 32 * 1024 * 1024
    for (const name of ['x', 'y']) writeFileSync(at(name), randomBytes(megabytes))
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const workspace = folderWorkspace(root)
    expect(await bytesRead(() => workspace.tree())).toBeGreaterThanOrEqual(2 * megabytes)
    expect(await bytesRead(() => workspace.tree())).toBeLessThan(megabytes)
    writeFileSync(at('x'), randomBytes(megabytes))
    const read = await bytesRead(() => workspace.tree())
    expect(read).toBeGreaterThanOrEqual(megabytes)
    expect(read).toBeLessThan(2 * megabytes)
  })
})

/** Only empty ones: reading bytes would let other work go on in any case. */
function fillWithEmptyFiles(folders: number, filesEach: number): void {
  for (const name of ['src', 'b.txt']) rmSync(at(name), { recursive: true })
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
