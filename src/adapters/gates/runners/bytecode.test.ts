// Tests of telling compiled Python that may be out of date, with a real Python.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasDoubtfulBytecode } from './bytecode.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-bytecode-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function valueOf(extra: Record<string, string> = {}): string {
  const env = { PATH: process.env['PATH'] ?? '', ...extra }
  return execFileSync('python3', ['-c', 'import one; print(one.value)'], { cwd: folder, encoding: 'utf8', env }).trim()
}

/** Writes a source that was last changed at this second. */
function write(value: number, second: number): void {
  writeFileSync(join(folder, 'one.py'), `value = ${value}\n`)
  utimesSync(join(folder, 'one.py'), second, second)
}

function compiledAt(second: number): void {
  const cache = join(folder, '__pycache__')
  for (const name of readdirSync(cache)) utimesSync(join(cache, name), second, second)
}

describe('compiled Python', () => {
  it('is read only from plain files: a pipe is not waited for.', () => {
    mkdirSync(join(folder, '__pycache__'))
    execFileSync('mkfifo', [join(folder, '__pycache__/a.pyc')])
    expect(hasDoubtfulBytecode(folder)).toBe(false)
  })

  it('is doubtful when it was made in the second of the last change, in which Python itself is taken in.', () => {
    write(1, 1_700_000_000)
    expect(valueOf()).toBe('1')
    compiledAt(1_700_000_000.9)
    write(2, 1_700_000_000)
    expect(valueOf()).toBe('1')
    expect(hasDoubtfulBytecode(folder)).toBe(true)
    expect(valueOf({ PYTHONPYCACHEPREFIX: join(folder, 'fresh') })).toBe('2')
  })

  it('is sound when it was made later, since no change after that can have the same time.', () => {
    write(1, 1_700_000_000)
    expect(valueOf()).toBe('1')
    compiledAt(1_700_000_001)
    expect(hasDoubtfulBytecode(folder)).toBe(false)
  })

  it('is doubtful where more lies than is looked through.', () => {
    for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name))
    expect(hasDoubtfulBytecode(folder, 4)).toBe(false)
    expect(hasDoubtfulBytecode(folder, 3)).toBe(true)
  })

  it('is doubtful when it says itself that it is never to be compared, and nothing when it is damaged.', () => {
    const cache = join(folder, 'a/b/__pycache__')
    const library = join(folder, 'lib/site-packages/__pycache__')
    for (const path of [cache, library]) mkdirSync(path, { recursive: true })
    const withFlags = (flags: number): Buffer => Buffer.from([1, 2, 3, 4, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    writeFileSync(join(library, 'x.pyc'), withFlags(1))
    for (const bytes of [Buffer.alloc(0), withFlags(3)]) {
      writeFileSync(join(cache, 'x.pyc'), bytes)
      expect(hasDoubtfulBytecode(folder)).toBe(false)
    }
    writeFileSync(join(cache, 'x.pyc'), withFlags(1))
    expect(hasDoubtfulBytecode(folder)).toBe(true)
  })
})
