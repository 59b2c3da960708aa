import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainGit, repositoryWith } from '../../git/fixture.js'
import { renderSurvey } from '../../text/survey/render.js'
import type { FileContent } from '../../text/survey/survey.js'
import { treeOf, type MadeUpTree } from './fixture.js'
import { readListing } from './listing.js'
import { surveyTree, type ReadBlobs, type SurveyResult } from './survey.js'

let folder: string
let cacheFolder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-survey-'))
  cacheFolder = join(folder, 'cache')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function survey({ entries, read }: Pick<MadeUpTree, 'entries' | 'read'>): Promise<SurveyResult> {
  return surveyTree({ entries, read, cacheFolder })
}

function contents({ survey: { files } }: SurveyResult): Record<string, FileContent> {
  return Object.fromEntries(files.map(({ path, content }) => [path, content]))
}

const FILES = {
  'a.py': 'def a(): pass\n',
  'b.ts': 'export function b(): void {}\n',
  'c.md': 'one\ntwo',
  'd/e.go': 'package d\nfunc E() {}\n',
}

describe('a survey', () => {
  it('IS-02 of an empty workspace is exactly (empty workspace)', async () => {
    const result = await survey(treeOf({}))
    expect(renderSurvey(result.survey, 1000)).toBe('(empty workspace)')
    expect(renderSurvey(result.survey, 0)).toBe('(empty workspace)')
  })

  it('IS-01 reads a tree as git lists it: sources, other texts, binaries, links, submodules and odd names', async () => {
    const root = join(folder, 'repository')
    const python = 'import os\n\ndef f(a: int) -> int:\n    return a\n'
    repositoryWith(root, { 'src/a.py': python, 'notes.md': 'one\ntwo', 'odd\nname ü.ts': 'let a', 'none.txt': '' })
    symlinkSync('notes.md', join(root, 'link.py'))
    writeFileSync(join(root, 'image.py'), Buffer.from([1, 0, 2]))
    writeFileSync(join(root, 'large.ts'), 'a'.repeat(1_000_001))
    plainGit(root, 'add', '-A')
    plainGit(root, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    const { stdout } = spawnSync('git', ['ls-tree', '-r', '-z', '-l', plainGit(root, 'write-tree')], { cwd: root })
    const result = await survey({ entries: readListing(stdout), read: blobsOf(root) })
    expect(contents(result)).toEqual({
      'image.py': { kind: 'binary' },
      'large.ts': { kind: 'huge' },
      'link.py': { kind: 'link' },
      module: { kind: 'submodule' },
      'none.txt': { kind: 'text', lines: 0 },
      'notes.md': { kind: 'text', lines: 2 },
      'odd\nname ü.ts': { kind: 'source', language: 'TypeScript', lines: 1, imports: [], signatures: [], unlisted: 0, errors: 0 },
      'src/a.py': {
        kind: 'source',
        language: 'Python',
        lines: 4,
        imports: ['os'],
        signatures: [{ kind: 'function', owner: null, name: 'f', text: 'def f(a: int) -> int' }],
        unlisted: 0,
        errors: 0,
      },
    })
    expect(result.survey.files.map(({ path }) => path)).toEqual(Object.keys(contents(result)).toSorted())
  })

  it('IS-01 of the sample project, written for a prompt, stays as it is', async () => {
    const paths = readdirSync('src/cli/demo/shop', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const files = paths.map((path) => [relative('src/cli/demo/shop', path), readFileSync(path)] as const)
    const result = await survey(treeOf(Object.fromEntries(files)))
    await expect(`${renderSurvey(result.survey, 1000)}\n`).toMatchFileSnapshot('__golden__/shop.txt')
  })

  it('says of a blob that is not to be had that it is missing, and asks for it again the next time', async () => {
    const { entries } = treeOf({ 'a.py': 'def a(): pass\n' })
    expect(contents(await survey({ entries, read: () => [] }))).toEqual({ 'a.py': { kind: 'missing' } })
    const tree = treeOf({ 'a.py': 'def a(): pass\n' })
    expect(contents(await survey(tree))).toMatchObject({ 'a.py': { kind: 'source' } })
  })

  it('says of a source that cannot be parsed within bounds that it was not parsed', async () => {
    const result = await survey(treeOf({ 'forever.rs': 'r#"'.repeat(60_000), 'next.rs': 'fn f() {}\n' }))
    expect(contents(result)).toMatchObject({
      'forever.rs': { kind: 'unparsed', language: 'Rust', lines: 1 },
      'next.rs': { kind: 'source' },
    })
  })

  it('looks at the same bytes as each language that names them', async () => {
    const text = 'export const a = 1\n'
    const result = await survey(treeOf({ 'a.ts': text, 'b.js': text, 'c.txt': text }))
    expect(result.blobsRead).toBe(1)
    const [a, b, c] = [{ language: 'TypeScript' }, { language: 'JavaScript' }, { kind: 'text' }]
    expect(contents(result)).toMatchObject({ 'a.ts': a, 'b.js': b, 'c.txt': c })
  })

  it('stops when it is told to, and what it had found out is not looked for again', async () => {
    const tree = treeOf({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.py': 'c = 1\n', 'd.py': 'd = 1\n' })
    const stop = new AbortController()
    async function* halfway(ids: readonly string[]): AsyncGenerator<readonly [string, Buffer]> {
      for await (const blob of tree.read(ids)) {
        if (tree.reads.length === 3) stop.abort(new Error('enough'))
        yield blob
      }
    }
    const { entries } = tree
    await expect(surveyTree({ entries, read: halfway, cacheFolder, signal: stop.signal })).rejects.toThrow('enough')
    expect((await survey(tree)).blobsRead).toBe(2)
  })
})

describe('the cache of surveys', () => {
  const cacheFile = (): string => join(cacheFolder, 'survey.cache')

  it('makes a second survey read nothing and come out the same', async () => {
    const first = await survey(treeOf(FILES))
    const again = treeOf(FILES)
    const second = await survey(again)
    expect([first.blobsRead, first.isKept]).toEqual([4, true])
    expect(again.reads).toEqual([])
    expect(second).toEqual({ ...first, blobsRead: 0 })
  })

  it('makes a survey after one change read one blob', async () => {
    await survey(treeOf(FILES))
    const changed = treeOf({ ...FILES, 'a.py': 'def other(): pass\n' })
    const result = await survey(changed)
    expect(changed.reads).toHaveLength(1)
    expect(contents(result)['a.py']).toMatchObject({ signatures: [{ name: 'other' }] })
  })

  it.each([
    ['a byte in it was changed', (bytes: Buffer) => flip(bytes, bytes.indexOf('def a()'))],
    ['its checksum was changed', (bytes: Buffer) => flip(bytes, bytes.indexOf(' 2 python:') - 1)],
    ['its version is another', (bytes: Buffer) => ofVersion(bytes, 0)],
  ])('makes a line anew when %s', async (_, damage) => {
    const first = await survey(treeOf(FILES))
    writeFileSync(cacheFile(), damage(readFileSync(cacheFile())))
    const second = await survey(treeOf(FILES))
    expect(second).toEqual({ ...first, blobsRead: 1 })
    expect((await survey(treeOf(FILES))).blobsRead).toBe(0)
  })

  it('loses only the line in which it was cut off', async () => {
    const first = await survey(treeOf(FILES))
    const bytes = readFileSync(cacheFile())
    writeFileSync(cacheFile(), bytes.subarray(0, -5))
    expect(await survey(treeOf(FILES))).toEqual({ ...first, blobsRead: 1 })
    expect((await survey(treeOf(FILES))).blobsRead).toBe(0)
  })

  it.each([
    ['garbage', () => writeFileSync(cacheFile(), Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)))],
    ['a link to elsewhere', () => symlinkSync(join(folder, 'elsewhere'), cacheFile())],
  ])('is made anew where %s lies', async (_, spoil) => {
    writeFileSync(join(folder, 'elsewhere'), 'theirs')
    mkdirSync(cacheFolder, { recursive: true })
    spoil()
    const result = await survey(treeOf(FILES))
    expect([result.blobsRead, result.isKept]).toEqual([4, true])
    expect((await survey(treeOf(FILES))).blobsRead).toBe(0)
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('theirs')
  })

  it('may be impossible to keep without the survey failing', async () => {
    mkdirSync(cacheFile(), { recursive: true })
    const result = await survey(treeOf(FILES))
    expect(result.isKept).toBe(false)
    expect(Object.keys(contents(result))).toEqual(Object.keys(FILES))
  })

  it('drops what the last survey did not use once that is most of it', async () => {
    await survey(treeOf(FILES))
    appendFileSync(cacheFile(), `00000000 2 python:${'0'.repeat(40)} {}\n`.repeat(100_000))
    expect((await survey(treeOf(FILES))).blobsRead).toBe(0)
    expect(statSync(cacheFile()).size).toBeLessThan(5_000)
    expect((await survey(treeOf(FILES))).blobsRead).toBe(0)
  })
})

/** All as it should be, but for the version of the line for Python. */
function ofVersion(bytes: Buffer, version: number): Buffer {
  const lines = bytes.toString('utf8').split('\n').map((line) => {
    const [, body] = / 2 (python:.*)$/.exec(line) ?? []
    return body === undefined ? line : `${crc32(`${version} ${body}`).toString(16).padStart(8, '0')} ${version} ${body}`
  })
  return Buffer.from(lines.join('\n'))
}

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

function blobsOf(root: string): ReadBlobs {
  return (ids) => ids.map((id) => [id, spawnSync('git', ['cat-file', 'blob', id], { cwd: root, maxBuffer: 1e7 }).stdout] as const)
}
