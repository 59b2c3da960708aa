// Tests of a change in pieces, with real trees.
import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put } from '../../git/fixture.js'
import { piecesOf, treeMaker, type Piece, type Span } from './pieces.js'
import { snapshot } from './snapshot.js'
import { bench, filesOf, type Bench } from './store.fixture.js'

const LONG = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('')
const FILES = { code: LONG, script: 'go\n', gone: 'gone\n', moved: `${LONG}moved\n`, both: 'a\nb\nc\nd\ne\n', 'test/a': 'test\n' }

async function changed(change: (folder: string) => void): Promise<Bench & Span> {
  const found = await bench(FILES)
  const from = (await snapshot(found.site)).tree
  change(found.folder)
  return { ...found, from, to: (await snapshot({ ...found.site, base: from, strays: 'leave' })).tree }
}

function everything(folder: string): void {
  writeFileSync(join(folder, 'code'), LONG.replace('line 2\n', 'line two\n').replace('line 20\n', '').concat('line 30\n'))
  put(folder, { 'new/file': 'one\ntwo\n', 'test/a': 'changed\n', 'test/b': 'new\n' })
  writeFileSync(join(folder, 'binary'), Buffer.from([0, 1, 2]))
  chmodSync(join(folder, 'script'), 0o755)
  rmSync(join(folder, 'gone'))
  renameSync(join(folder, 'moved'), join(folder, 'elsewhere'))
  appendFileSync(join(folder, 'elsewhere'), 'more\n')
  chmodSync(join(folder, 'both'), 0o755)
  writeFileSync(join(folder, 'both'), 'A\nb\nc\nd\nE\n')
  symlinkSync('code', join(folder, 'link'))
}

const named = (pieces: readonly Piece[]): string[] => pieces.map(({ file, part }) => `${file} ${typeof part === 'string' ? part : 'hunk'}`)
const isTest = (path: string): boolean => path.startsWith('test/')

describe('a change in pieces', () => {
  it('takes text apart by hunks and modes, and everything else as a whole', async () => {
    const { store, from, to } = await changed(everything)
    expect(named(await piecesOf(store, { from, to }, isTest)).toSorted()).toEqual([
      'binary whole', 'both hunk', 'both hunk', 'both mode', 'code hunk', 'code hunk', 'code hunk',
      'elsewhere whole', 'gone whole', 'link whole', 'new/file whole', 'script mode',
    ])
  })

  it('makes the tree of any one piece, with what is held as it is at the end', async () => {
    const { store, site, from, to } = await changed(everything)
    const pieces = await piecesOf(store, { from, to }, isTest)
    const make = treeMaker(site, { from, to }, pieces)
    const held = { ...filesOf(store, from), 'test/a': '100644 changed', 'test/b': '100644 new' }
    expect(filesOf(store, await make([]))).toEqual(held)
    expect(await make(pieces)).toBe(to)
    const alone = async (name: string, at = 0): Promise<unknown> => {
      const files = filesOf(store, await make(pieces.filter((piece) => named([piece])[0] === name).slice(at, at + 1)))
      const differing = [...new Set([...Object.keys(files), ...Object.keys(held)])].filter((path) => files[path] !== held[path as never])
      return Object.fromEntries(differing.map((path) => [path, files[path] ?? null]))
    }
    expect(await alone('code hunk')).toEqual({ code: `100644 ${LONG.replace('line 2\n', 'line two\n').trimEnd()}` })
    expect(await alone('code hunk', 1)).toEqual({ code: `100644 ${LONG.replace('line 20\n', '').trimEnd()}` })
    expect(await alone('code hunk', 2)).toEqual({ code: `100644 ${LONG}line 30` })
    expect(await alone('script mode')).toEqual({ script: '100755 go' })
    expect(await alone('both mode')).toEqual({ both: '100755 a\nb\nc\nd\ne' })
    expect(await alone('both hunk', 1)).toEqual({ both: '100644 a\nb\nc\nd\nE' })
    expect(await alone('gone whole')).toEqual({ gone: null })
    expect(await alone('elsewhere whole')).toEqual({ moved: null, elsewhere: `100644 ${LONG}moved\nmore` })
    expect(await alone('link whole')).toEqual({ link: '120000 code' })
    expect(await alone('new/file whole')).toEqual({ 'new/file': '100644 one\ntwo' })
  })

  it('holds a move of which one end is held', async () => {
    const { store, from, to } = await changed((folder) => renameSync(join(folder, 'moved'), join(folder, 'test/moved')))
    expect(await piecesOf(store, { from, to }, isTest)).toEqual([])
    expect(named(await piecesOf(store, { from, to }, () => false))).toEqual(['test/moved whole'])
  })

  it('makes a tree where a folder stands in the place of a file', async () => {
    const { store, site, from, to } = await changed((folder) => {
      rmSync(join(folder, 'gone'))
      put(folder, { 'gone/inside': 'x\n' })
    })
    const pieces = await piecesOf(store, { from, to }, () => false)
    const make = treeMaker(site, { from, to }, pieces)
    expect(filesOf(store, await make([]))).toEqual(filesOf(store, from))
    expect(await make(pieces)).toBe(to)
  })
})
