// Tests of measuring a candidate for what makes checks look away, on trees of a real store.
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put } from '../../git/fixture.js'
import { silencedBetween } from './silenced.js'
import { snapshot } from './snapshot.js'
import { known } from './store.fixture.js'

const FILES = {
  'src/a.ts': 'export const a = 1\n', 'src/old.ts': '// @ts-nocheck\nexport const b = 1\nexport const c = 1\n', 'test/a.test.ts': "it('a', () => {})\n", 'run.sh': 'exit 1\n',
}

async function silenced(change: (folder: string) => void): Promise<string[]> {
  const { store, site, folder, tree: start } = await known(FILES)
  change(folder)
  const { tree } = await snapshot(site)
  return silencedBetween({ store, start, commands: '[]', gateFiles: ['run.sh'], caseInsensitive: false }, tree)
}

const HEAD = 'a check was told to look away: '

describe('a candidate', () => {
  it('that tells a check to look away is named with file and line, in old files and new ones.', async () => {
    const found = await silenced((at) => put(at, { 'src/a.ts': '// @ts-nocheck\nexport const a = 2\n', 'lib/b.py': 'x = 1\ny = 2  # noqa\n' }))
    expect(found).toEqual([`${HEAD}# noqa at lib/b.py:2`, `${HEAD}// @ts-nocheck at src/a.ts:1`])
  })

  it.each<[string, (folder: string) => void]>([
    ['changes nothing', () => {}],
    ['changes code', (at) => put(at, { 'src/a.ts': 'export const a = 2\n' })],
    ['takes such a line away', (at) => put(at, { 'src/old.ts': 'export const b = 1\n' })],
    ['moves such a line', (at) => put(at, { 'src/old.ts': 'export const b = 1\n// @ts-nocheck\n' })],
    ['renames a file with one', (at) => renameSync(join(at, 'src/old.ts'), join(at, 'src/new.ts'))],
    ['does it in tests and in what is pinned', (at) => put(at, { 'test/b.test.ts': '// @ts-nocheck\n', 'run.sh': '# shellcheck disable=SC1\n' })],
    ['does it in no source', (at) => put(at, { 'README.md': '// @ts-nocheck\n' })],
    ['makes a file a link', (at) => { rmSync(join(at, 'src/a.ts')); symlinkSync('// @ts-nocheck', join(at, 'src/a.ts')) }],
  ])('that %s is not.', async (_, change) => {
    expect(await silenced(change)).toEqual([])
  })

  it('hides nothing behind bytes that make a file no text, or behind its size.', async () => {
    expect(await silenced((at) => writeFileSync(join(at, 'src/a.ts'), '// \0\n// @ts-nocheck\n'))).toEqual([`${HEAD}// @ts-nocheck at src/a.ts:2`])
    expect(await silenced((at) => writeFileSync(join(at, 'src/a.ts'), '\ufeff// @ts-nocheck\n', 'utf16le'))).toEqual([`${HEAD}// @ts-nocheck at src/a.ts:1`])
    expect(await silenced((at) => put(at, { 'src/a.ts': `${' '.repeat(2 ** 21)}\n// @ts-nocheck\n` }))).toEqual([`${HEAD}// @ts-nocheck at src/a.ts:2`])
    expect(await silenced((at) => put(at, { 'src/a.ts': ' '.repeat(2 ** 24 + 1) }))).toEqual(['too large to be searched for what tells a check to look away: src/a.ts'])
  })
})
