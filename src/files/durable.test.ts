// Durable files: what is on disk afterwards, which calls were made in which order, and what people are told when it fails.
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../errors.js'
import { makeFolder, printable, replaceFile, stateRefusal, syncFolder, writeDurable } from './durable.js'
import { bundle, run, temporaryFolder } from './fixture.js'

const modeOf = (path: string): number => statSync(path).mode & 0o777

function told(code: string): Error {
  return stateRefusal(Object.assign(new Error(`${code}: strange thing, write`), { code }), '/x/y', 'next', 1234)
}

describe('writing a file', () => {
  test.each([writeDurable, replaceFile])('%o leaves the new content, mode 0600 and no temporary file.', (write) => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.json')
    write(path, 'one')
    chmodSync(path, 0o666)
    write(path, new TextEncoder().encode('two ✓'))
    expect(readFileSync(path, 'utf8')).toBe('two ✓')
    expect(modeOf(path)).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  test.each([writeDurable, replaceFile])('%o takes away what a killed process left, and writes through no link.', (write) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'foreign'), 'theirs')
    symlinkSync(join(folder, 'foreign'), join(folder, '.a.json.tmp'))
    write(join(folder, 'a.json'), 'ours')
    expect(readdirSync(folder)).toEqual(['a.json', 'foreign'])
    expect(readFileSync(join(folder, 'foreign'), 'utf8')).toBe('theirs')
  })

  test('A link at the target is replaced and a second name of the old file keeps its content.', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'foreign'), 'theirs')
    symlinkSync(join(folder, 'foreign'), join(folder, 'link'))
    linkSync(join(folder, 'foreign'), join(folder, 'twin'))
    replaceFile(join(folder, 'link'), 'ours')
    writeDurable(join(folder, 'twin'), 'ours')
    expect(readFileSync(join(folder, 'foreign'), 'utf8')).toBe('theirs')
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('ours')
  })

  test('A target that cannot be replaced is refused and its temporary file removed.', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'taken'))
    expect(() => writeDurable(join(folder, 'taken'), 'x')).toThrow(Refusal)
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  test('A durable file is synced before it gets its name, and its folder after.', () => {
    const folder = temporaryFolder()
    const child = bundle(`import { writeDurable } from './files/durable.js'; writeDurable(process.argv[2], 'x')`)
    const trace = join(folder, 'trace')
    run(['strace', '-f', '-o', trace, '-e', 'trace=fsync,rename', process.execPath, child, join(folder, 'a')])
    const calls = [...readFileSync(trace, 'utf8').matchAll(/\b(fsync|rename)\(/g)].map((match) => match[1])
    expect(calls).toEqual(['fsync', 'rename', 'fsync'])
  })
})

describe('making folders', () => {
  test('Every new level is private, and making it again changes nothing.', () => {
    const folder = temporaryFolder()
    makeFolder(join(folder, 'a', 'b', 'c'))
    makeFolder(join(folder, 'a', 'b', 'c'))
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(folder, path)))).toEqual([0o700, 0o700, 0o700])
  })

  test('A file in the way is a refusal that names it.', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a'), '')
    expect(() => makeFolder(join(folder, 'a'))).toThrow(/a: file already exists \(EEXIST\)/)
    expect(() => makeFolder(join(folder, 'a', 'b'))).toThrow(Refusal)
    expect(() => syncFolder(join(folder, 'missing'))).toThrow(Refusal)
    expect(existsSync(join(folder, 'a', 'b'))).toBe(false)
  })
})

describe('telling people', () => {
  test.each([
    ['ENOSPC', /no space left to write \/x\/y: need 1,234 bytes/],
    ['EDQUOT', /quota used up.*need 1,234 bytes/],
    ['Unknown system error -122', /quota used up.*need 1,234 bytes/],
    ['EROFS', /read-only/],
    ['EACCES', /no permission for \/x\/y/],
    ['EIO', /disk reported an error/],
    ['EMFILE', /too many open files/],
    ['EWEIRD', /\/x\/y: strange thing \(EWEIRD\)/],
  ])('%s becomes one line with exit code 10 and a next command.', (code, line) => {
    expect(told(code)).toMatchObject({ code: 10, next: 'next', message: expect.stringMatching(line) })
    expect(told(code).message).not.toContain('\n')
  })

  test('A bug is handed back as it is, and a refusal is not translated twice.', () => {
    const bug = new TypeError('x is not a function')
    expect(stateRefusal(bug, '/x', 'next')).toBe(bug)
    const refusal = new Refusal(9, 'held', 'wait')
    expect(stateRefusal(refusal, '/x', 'next')).toBe(refusal)
  })

  test('A path with control characters is shown escaped.', () => {
    expect(printable('/a\n\u001b[31m\u202e')).toBe(String.raw`/a\u000a\u001b[31m\u202e`)
    expect(printable('/a b/ü')).toBe('/a b/ü')
  })
})
