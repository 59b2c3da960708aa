// Tests of naming what makes a check green where agents work and red in a clean copy.
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { put } from '../../git/fixture.js'
import { writeUnseen } from './copy.fixture.js'
import { copyFolders } from './copy-folders.js'
import { shadowsOf } from './shadows.js'

const TRACKED = { 'src/a.ts': 'a', 'package.json': '{}' }

/** A checkout and a copy with the same tree and the same dependencies, out of one folder. */
async function pair(): Promise<{ checkout: string; copy: string }> {
  const [root, kept] = [temporaryFolder(), temporaryFolder()]
  const [checkout, copy] = [join(root, 's-1'), join(root, 's-1.copy-1')]
  put(kept, { 'node_modules/left/index.js': 'left', 'node_modules/left/main.js': 'main' })
  put(kept, { 'node_modules/.bin/script': `#!/bin/sh\n${kept}/x`, '.venv/bin/pytest': `#!${kept}/.venv/bin/python\n` })
  symlinkSync('../left/main.js', join(kept, 'node_modules/.bin/left'))
  for (const to of [checkout, copy]) {
    put(to, TRACKED)
    mkdirSync(join(to, '.git'))
    await copyFolders(kept, to, ['node_modules', '.venv'])
  }
  writeFileSync(`${checkout}.excludes`, '')
  await sleep(20)
  return { checkout, copy }
}

describe('shadows', () => {
  it('there are none between folders made the same way, whatever the repository, and gates’ reports in the copy', async () => {
    const { checkout, copy } = await pair()
    put(checkout, { '.git/x': 'x', 'src/a.ts': 'another state of a tracked file' })
    put(copy, { 'report.xml': 'x' })
    expect(shadowsOf(checkout, copy)).toEqual([])
  })

  it('are named, the most telling first: programs, what is loaded by itself, other files, dependencies, caches', async () => {
    const { checkout, copy } = await pair()
    put(checkout, { '.env': 'A=1', 'out/x': 'x', 'out/y': 'y', 'src/__pycache__/a.pyc': 'x' })
    put(checkout, { 'node_modules/new/index.js': 'x', '.pytest_cache/v': 'x' })
    put(checkout, { 'node_modules/.vite/x': 'x', 'node_modules/left/index.js': 'patched', '.venv/bin/pytest': '#!/bin/true\n' })
    for (const path of ['left', 'script']) rmSync(join(checkout, 'node_modules/.bin', path))
    symlinkSync('/bin/true', join(checkout, 'node_modules/.bin/left'))
    expect(shadowsOf(checkout, copy)).toEqual([
      '.venv/bin/pytest', 'node_modules/.bin/left', 'node_modules/.bin/script', '.env', 'out/',
      'node_modules/left/index.js', 'node_modules/new/', '.pytest_cache/', 'node_modules/.vite/', 'src/__pycache__/',
    ])
  })

  it('are found in a dependency that has the size and the time it had', async () => {
    const { checkout, copy } = await pair()
    writeUnseen(join(checkout, 'node_modules/left/main.js'), 'MAIN')
    expect(shadowsOf(checkout, copy)).toEqual(['node_modules/left/main.js'])
  })

  it('are at most 20, and odd names are shown as text', async () => {
    const { checkout, copy } = await pair()
    put(checkout, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}.log`, ''])))
    appendFileSync(Buffer.from(`${checkout}/.env\xff`, 'latin1'), '')
    expect(shadowsOf(checkout, copy)).toHaveLength(20)
    expect(shadowsOf(checkout, copy)[0]).toBe('".env\uFFFD"')
  })

  it('leave out a folder that holds the copy itself, as when the state lies in the user’s folder', async () => {
    const { copy } = await pair()
    expect(shadowsOf(join(copy, '../..'), copy)).not.toContain(`${copy.split('/').at(-2)}/`)
  })

  it('of a folder that is gone are no error', () => {
    expect(shadowsOf('/nonexistent/a', '/nonexistent/b')).toEqual([])
  })
})
