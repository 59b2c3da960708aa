// The session's folder: whole files with their references, and no way out of it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { memoryFolder, openFolder } from './folder.js'

const kinds = [
  ['on disk', openFolder],
  ['in memory', memoryFolder],
] as const

describe.each(kinds)('a folder %s', (_, open) => {
  test('What was written is read back, with a reference to path, SHA-256 and bytes.', () => {
    const folder = open(temporaryFolder())
    const ref = folder.write('iteration-1/implement-prompt.md', 'Grüße ✓')
    const sha = createHash('sha256').update('Grüße ✓').digest('hex')
    expect(ref).toEqual({ path: 'iteration-1/implement-prompt.md', bytes: 11, sha })
    expect(folder.read('iteration-1/implement-prompt.md')).toBe('Grüße ✓')
    expect([folder.has(ref.path), folder.has('iteration-1/other.md')]).toEqual([true, false])
    expect(folder.refer(folder.resolve(ref.path))).toEqual(ref)
    folder.write(ref.path, 'other')
    expect(folder.read(ref.path)).toBe('other')
  })

  test('What is not there, or not inside, is undefined.', () => {
    const folder = open(temporaryFolder())
    expect(folder.read('a/b')).toBeUndefined()
    for (const path of [join(folder.path, 'none'), folder.path, join(folder.path, '..', 'x'), '/etc/hostname']) {
      expect(folder.refer(path)).toBeUndefined()
    }
  })

  test('A mark is overwritten by a shorter one without a trace of the longer.', () => {
    const folder = open(temporaryFolder())
    folder.mark('marks/begun.json', '{"long":"mark"}')
    folder.mark('marks/begun.json', '{}')
    expect(folder.read('marks/begun.json')).toBe('{}')
  })

  test('Paths that lead out are refused by every door.', () => {
    const folder = open(temporaryFolder())
    const write = (relative: string): unknown => folder.write(relative, 'x')
    const mark = (relative: string): unknown => folder.mark(relative, 'x')
    for (const path of ['../x', '/x', 'a/../../x', 'a\0', '']) {
      for (const door of [folder.resolve, folder.read, write, mark]) {
        expect(() => door(path)).toThrow(expect.objectContaining({ code: 6 }))
      }
    }
  })
})

describe('a folder on disk', () => {
  test('Files are private and no temporary file is left.', () => {
    const path = temporaryFolder()
    openFolder(path).write('a/b.md', 'x')
    openFolder(path).mark('a/c', 'x')
    const modes = ['a', 'a/b.md', 'a/c'].map((name) => statSync(join(path, name)).mode & 0o777)
    expect([modes, readdirSync(join(path, 'a'))]).toEqual([[0o700, 0o600, 0o600], ['b.md', 'c']])
  })

  test('Nothing is read or written through a link, and nothing outside changes.', () => {
    const path = temporaryFolder()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'file'), 'theirs')
    symlinkSync(outside, join(path, 'sub'))
    symlinkSync(join(outside, 'file'), join(path, 'link'))
    linkSync(join(outside, 'file'), join(path, 'twin'))
    const folder = openFolder(path)
    for (const relative of ['sub/file', 'sub/new', 'link']) {
      expect(() => folder.write(relative, 'ours')).toThrow(/is a link/)
      expect(() => folder.mark(relative, 'ours')).toThrow(/is a link/)
      expect(() => folder.read(relative)).toThrow(/is a link/)
    }
    expect(() => folder.mark('twin', 'ours')).toThrow(/not a plain file of its own/)
    folder.write('twin', 'ours')
    expect([readFileSync(join(outside, 'file'), 'utf8'), existsSync(join(outside, 'new'))]).toEqual(['theirs', false])
  })

  test('A pipe or a folder in place of a file is neither waited for nor replaced.', () => {
    const path = temporaryFolder()
    execFileSync('mkfifo', [join(path, 'pipe')])
    mkdirSync(join(path, 'sub'))
    const folder = openFolder(path)
    for (const relative of ['pipe', 'sub']) {
      expect(folder.read(relative)).toBeUndefined()
      expect(folder.refer(join(path, relative))).toBeUndefined()
      expect(() => folder.write(relative, 'x')).toThrow(/not a plain file/)
    }
    expect(statSync(join(path, 'pipe')).isFIFO()).toBe(true)
  })

  test('A large file that somebody else left is referred to by its own digest.', () => {
    const path = temporaryFolder()
    const bytes = Buffer.alloc(1_000_001, 'abc')
    writeFileSync(join(path, 'big'), bytes)
    const sha = createHash('sha256').update(bytes).digest('hex')
    expect(openFolder(path).refer(join(path, 'big'))).toEqual({ path: 'big', bytes: 1_000_001, sha })
  })
})
