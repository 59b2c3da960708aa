// The reference in docs/reference is what the code gives: `npm run docs` writes the pages anew, and a page that differs fails here.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageText, ROOT } from './support/docs/blocks.js'
import { idleWords } from './support/docs/core-words.js'
import { table } from './support/docs/page.js'
import { REFERENCE } from './support/docs/reference.js'
import { makeWorkshop } from './support/repositories.js'

/** `<n>` is a number, any other name in brackets one step of a path, and `*` at the end whatever lies below. */
function patternOf(row: string): RegExp {
  const steps = row.replaceAll('.', String.raw`\.`).replaceAll('<n>', String.raw`\d+`).replaceAll(/<\w+>/g, '[^/]+')
  return new RegExp(`^${steps.replace(/\/\*$/, '/.+').replaceAll('*', '[^/]*')}$`)
}

describe('the reference', () => {
  it.each(Object.entries(REFERENCE))('%s is what the code gives', async (name, make) => {
    await expect(make()).toMatchFileSnapshot(join(ROOT, 'docs/reference', name))
  })

  it('has no row that leaves something unsaid, and nothing that breaks off', () => {
    for (const [name, make] of Object.entries(REFERENCE)) {
      const cells = make().split('\n').filter((line) => line.startsWith('| ')).flatMap((line) => line.slice(1, -1).split(/(?<!\\)\|/))
      expect(cells.filter((cell) => cell.trim() === '' || cell.includes('…`')), name).toEqual([])
    }
    expect(() => table(['field', 'what it is'], [['`kept`', 'said'], ['`bare`', ' ']])).toThrow('says nothing of `bare`')
    expect(() => table(['field', 'what it is'], [['`short`']])).toThrow('says nothing of `short`')
  })

  it('takes every word that is kept for the engine, so that none outlives what it was for', () => {
    for (const make of Object.values(REFERENCE)) make()
    expect(idleWords()).toEqual([])
  })

  it('names every file that a session leaves on disk, and each that every session has', async () => {
    const place = makeWorkshop({ 'a.txt': 'wrong\n' })
    await place.run(['run', 'mend it', '--gate', 'grep -c right a.txt', '--agent', place.scripted([{ say: 'mended', write: { 'a.txt': 'right\n' } }])])
    const rows = Array.from(pageText('docs/reference/files.md').matchAll(/^\| `([^`]+)`/gm), ([, path = '']) => path)
    const patterns = rows.map(patternOf)
    const entries = readdirSync(place.state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(place.state.length + 1))
    expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
    const sometimes = /records|inbox|trust|excludes/
    expect(rows.filter((row, n) => !sometimes.test(row) && !paths.some((path) => patterns[n]?.test(path)))).toEqual([])
  })
})
