// Tests of what plans and audits may do to the files, on a real store.
import { describe, expect, it } from 'vitest'
import { put } from '../../git/fixture.js'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { correctionOf } from './correction.js'
import { snapshot } from './snapshot.js'
import { bench } from './store.fixture.js'

const OLD = "import { test } from 'node:test'\ntest('a', () => { assert.equal(a(), 1) })\ntest('b', () => { assert.equal(b(), 1) })\n"
const GIVEN = { 'src/a.js': 'export const a = () => 0\n', 'test/given.test.js': OLD }

/** What is said of a tree in which these files were put, null taking one away. */
async function said(yields: 'plan' | 'tests', files: Readonly<Record<string, string | null>>, planned: Readonly<Record<string, string>> = {}) {
  const { site, store, folder } = await bench(GIVEN)
  const { tree: start } = await snapshot(site)
  put(folder, planned)
  const { tree: pins } = await snapshot({ ...site, base: start })
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, path))
    else put(folder, { [path]: text })
  }
  const { tree } = await snapshot({ ...site, base: pins })
  const { failures, paths } = await correctionOf({ store, start }, { tree: pins, pins, yields }, tree)
  return { failures: failures.map(({ message }) => message), paths }
}

describe('a plan', () => {
  it('may add test files and add tests to those that were there', async () => {
    const more = `${OLD}test('c', () => { assert.equal(c(), 1) })\n`
    expect(await said('plan', { 'test/new.test.js': OLD, 'test/given.test.js': more })).toEqual({ failures: [], paths: ['test/given.test.js', 'test/new.test.js'] })
  })

  it('may not touch anything that is no test, nor bring one as a link', async () => {
    expect((await said('plan', { 'src/a.js': 'export const a = () => 1\n', 'test/new.test.js': OLD })).failures).toEqual(['src/a.js: is no test file'])
    const { site, store, folder } = await bench(GIVEN)
    const { tree: start } = await snapshot(site)
    symlinkSync('../src/a.js', join(folder, 'test/link.test.js'))
    const { tree } = await snapshot({ ...site, base: start })
    expect((await correctionOf({ store, start }, { tree: start, pins: start, yields: 'plan' }, tree)).failures).toHaveLength(1)
  })

  it('may not make the tests weaker that people wrote, though an audit may correct them', async () => {
    const weaker = OLD.replace('assert.equal(b(), 1)', 'assert.equal(b(), 2)')
    expect((await said('plan', { 'test/given.test.js': weaker })).failures).not.toEqual([])
    expect((await said('tests', { 'test/given.test.js': weaker })).failures).toEqual([])
  })

  it('may rewrite the tests of an earlier plan, as long as none is lost', async () => {
    const planned = { 'test/planned.test.js': OLD }
    expect((await said('plan', { 'test/planned.test.js': OLD.replaceAll('1)', '2)') }, planned)).failures).toEqual([])
    expect((await said('plan', { 'test/planned.test.js': OLD.replace(/test\('b'.*\n/, '') }, planned)).failures).toEqual([expect.stringContaining('"b"')])
  })
})

describe('an audit', () => {
  it.each([
    ['loses a test', OLD.replace(/test\('b'.*\n/, '')],
    ['skips one', OLD.replace("test('b'", "test.skip('b'")],
    ['empties one', OLD.replace('assert.equal(b(), 1)', '')],
    ['deletes the file', null],
  ])('IS-17 that %s is turned down', async (_, text) => {
    expect((await said('tests', { 'test/given.test.js': text })).failures.length).toBeGreaterThan(0)
  })
})
