import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../files/fixture.js'
import { copiesOf } from '../copy.js'
import type { Run } from '../localise.js'
import type { Checker, Verdict } from './types.js'
import { warmChecker } from './warm.js'
import { noSandbox } from '../../../sandbox/none.js'

type Files = Record<string, string>

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function warm(
  files: Files,
  flags: readonly string[] = [],
): Promise<{ checker: Checker; run: Run | null; passes(path: string, text: string): Promise<Verdict> }> {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const copies = await copiesOf(root, 1)
  if (typeof copies === 'string') throw new Error(copies)
  const command = { folder: '', runner: 'node', program: process.execPath, flags, paths: [], env: {} } as const
  const checker = warmChecker({ sandbox: noSandbox(), warm: command, gate: {}, copies, signal: new AbortController().signal, wallSeconds: 120 })
  open.push(async () => {
    await checker.close()
    copies.remove()
  })
  const run = await checker.first(async () => [])
  checker.aim(run?.tests.filter(({ passed }) => !passed).map(({ id }) => id) ?? [])
  return { checker, run, passes: (path, text) => checker.try({ path, text }, 0) }
}

const ASSERTING = "import test from 'node:test'\nimport assert from 'node:assert/strict'"

const test = (imports: string, expected: string): string =>
  [ASSERTING, imports, "test('right', () => assert.equal(value, 1))", expected].join('\n')

const KEPT = "test('kept', () => assert.equal(other, 1))"

describe('a warm runner of Node', () => {
  it('loads modules anew for each candidate, whichever way they are loaded', async () => {
    const { run, passes } = await warm({
      'a.js': "import { createRequire } from 'node:module'\nexport const { value } = createRequire(import.meta.url)('./b.cjs')\n",
      'b.cjs': 'exports.value = 2\n',
      'c.js': 'export const other = 1\n',
      'a.test.js': test("import { value } from './a.js'\nimport { other } from './c.js'", KEPT),
    })
    expect(run?.tests.map(({ id, passed }) => [id, passed])).toEqual([['a.test.js::right', false], ['a.test.js::kept', true]])
    const tried = [
      await passes('b.cjs', 'exports.value = 1\n'),
      await passes('b.cjs', 'exports.value = 3\n'),
      await passes('a.js', 'export const value = 1\n'),
      await passes('c.js', 'export const other = 2\n'),
    ]
    expect(tried.map(({ fixed, broken }) => [fixed.length, broken.length])).toEqual([[1, 0], [0, 0], [1, 0], [0, 0]])
  })

  it('ends a candidate that does not end or ends the process, and goes on with the next', async () => {
    const { passes } = await warm({ 'a.js': 'export const value = 2\n', 'a.test.js': test("import { value } from './a.js'", '') })
    expect(await passes('a.js', 'for (;;);\nexport const value = 1\n')).toMatchObject({ fixed: [], note: 'did not end' })
    expect(await passes('a.js', 'process.exit(0)\nexport const value = 1\n')).toMatchObject({ fixed: [] })
    expect(await passes('a.js', 'export const value = 1\n')).toMatchObject({ fixed: ['a.test.js::right'], broken: [] })
  })

  it('gives up a test that waits for what never comes, as the command does', async () => {
    const { run, passes } = await warm({
      'a.js': 'export const value = 2\nexport const never = null\n',
      'a.test.js': test("import { never, value } from './a.js'", "test('comes', async () => await never)"),
    })
    expect(run?.tests.map(({ passed }) => passed)).toEqual([false, true])
    expect(await passes('a.js', 'export const value = 1\nexport const never = new Promise(() => {})\n')).toMatchObject({
      broken: ['a.test.js::comes'],
      note: '',
    })
    expect(await passes('a.js', 'export const value = 1\nexport const never = null\n')).toMatchObject({
      fixed: ['a.test.js::right'],
      broken: [],
    })
  })

  it('keeps hooks of the command, which never see that a module was loaded before', async () => {
    const hook = [
      'export async function load(url, context, next) {',
      '  const found = await next(url, context)',
      "  return url.endsWith('/a.js') ? { ...found, source: String(found.source).replace('one', '1') } : found",
      '}',
    ].join('\n')
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'hook.mjs'), hook)
    writeFileSync(join(folder, 'register.mjs'), "import { register } from 'node:module'\nregister('./hook.mjs', import.meta.url)\n")
    const { passes } = await warm({ 'a.js': 'export const value = 2\n', 'a.test.js': test("import { value } from './a.js'", '') }, [
      '--import',
      join(folder, 'register.mjs'),
    ])
    expect(await passes('a.js', 'export const value = one\n')).toMatchObject({ fixed: ['a.test.js::right'] })
  })

  it('takes a fresh thread for each candidate where tests tell what ran before them', async () => {
    const { passes } = await warm({
      'a.js': 'export const value = 2\n',
      'a.test.js': test("import { value } from './a.js'\nconst other = (globalThis.runs = (globalThis.runs ?? 0) + 1)", KEPT),
    })
    const right = 'export const value = 1\n'
    expect([await passes('a.js', right), await passes('a.js', `${right} `)]).toMatchObject([
      { fixed: ['a.test.js::right'], broken: [] },
      { fixed: ['a.test.js::right'], broken: [] },
    ])
  })
})
