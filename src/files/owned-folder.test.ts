import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from './fixture.js'
import { openOwnedFolder } from './owned-folder.js'

afterEach(() => vi.unstubAllEnvs())

describe('a folder with an owner', () => {
  it('goes when its owner is done, and what a killed one left goes with the next', () => {
    const parent = temporaryFolder()
    vi.stubEnv('TMPDIR', parent)
    const { folder, remove } = openOwnedFolder('trial')
    const left = folder.replace(`-trial-${process.pid}-`, '-trial-999999999-')
    const others = [folder.replace('-trial-', '-other-').replace(`${process.pid}`, '999999999'), join(parent, 'greenlatch-trial-notes')]
    for (const path of [left, ...others]) mkdirSync(path)
    writeFileSync(join(left, 'index'), 'half')
    const second = openOwnedFolder('trial')
    expect(existsSync(left)).toBe(false)
    expect([folder, second.folder, ...others].map((path) => existsSync(path))).toEqual([true, true, true, true])
    remove()
    second.remove()
    expect([folder, second.folder].map((path) => existsSync(path))).toEqual([false, false])
  })

  it('is left alone when its owner cannot be known to be dead: of another boot, another room of processes, or untold', () => {
    const parent = temporaryFolder()
    vi.stubEnv('TMPDIR', parent)
    const [, start, boot, room] = /-trial-\d+-(\w+)-(\w+)-(\w+)-\w{6}$/.exec(openOwnedFolder('trial').folder) ?? []
    const named = (...parts: unknown[]): string => join(parent, `greenlatch-trial-999999999-${parts.join('-')}-abcdef`)
    const others = [named(start, 'f00dcafe', room), named(start, boot, 4), named(start, 'x', room), named(start, boot, 'x')]
    for (const path of [...others, named(start, boot, room)]) mkdirSync(path)
    openOwnedFolder('trial')
    expect(others.map((path) => existsSync(path))).toEqual([true, true, true, true])
    expect(existsSync(named(start, boot, room))).toBe(false)
  })

  it('is refused in one line where there is no place for it', () => {
    vi.stubEnv('TMPDIR', join(temporaryFolder(), 'nowhere'))
    expect(() => openOwnedFolder('trial')).toThrow(expect.objectContaining({ code: 10, next: expect.stringContaining('TMPDIR') }) as Error)
  })
})
