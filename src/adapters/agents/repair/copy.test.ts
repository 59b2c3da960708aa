import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bundle, temporaryFolder } from '../../../files/fixture.js'
import { copiesOf, type Copies } from './copy.js'

function checkout(files: Record<string, string>): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

async function copied(root: string, count = 1): Promise<Copies & { first: string }> {
  const copies = await copiesOf(root, count)
  if (typeof copies === 'string') throw new Error(copies)
  onTestFinished(copies.remove)
  return { ...copies, first: copies.roots[0] ?? '' }
}

/** A folder for temporary files that only this test uses. */
function ownTemporaries(): string {
  const folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return folder
}

describe('a copy for trials', () => {
  it('shares no file with the checkout, installed packages included', async () => {
    const root = checkout({ 'a.js': '1', 'node_modules/dep/index.js': 'dep', 'sub/vendor/log.txt': 'log' })
    const { first } = await copied(root)
    for (const path of ['a.js', 'node_modules/dep/index.js', 'sub/vendor/log.txt']) {
      writeFileSync(join(first, path), 'overwritten')
      expect(readFileSync(join(root, path), 'utf8')).not.toBe('overwritten')
    }
  })

  it('has installed packages of its own where the checkout has only a link to them', async () => {
    const kept = checkout({ 'dep/index.js': 'dep', 'dep/coverage/__pycache__/c': 'c' })
    const root = checkout({ 'a.js': '1' })
    symlinkSync(kept, join(root, 'node_modules'))
    const { first } = await copied(root)
    writeFileSync(join(first, 'node_modules/dep/index.js'), 'overwritten')
    expect(readFileSync(join(kept, 'dep/index.js'), 'utf8')).toBe('dep')
    expect(readFileSync(join(first, 'node_modules/dep/coverage/__pycache__/c'), 'utf8')).toBe('c')
  })

  it('has links to its own files, and those that lead nowhere as they are', async () => {
    const root = checkout({ 'packages/one/index.js': 'one', 'node_modules/.keep': '' })
    symlinkSync('../packages/one', join(root, 'node_modules/one'))
    symlinkSync(join(root, 'packages'), join(root, 'whole'))
    symlinkSync('../../node_modules', join(root, 'packages/one/node_modules'))
    symlinkSync('nowhere', join(root, 'vendor'))
    const { first } = await copied(root)
    for (const path of ['node_modules/one/index.js', 'whole/one/index.js']) writeFileSync(join(first, path), 'overwritten')
    expect(readFileSync(join(root, 'packages/one/index.js'), 'utf8')).toBe('one')
    const links = ['vendor', 'packages/one/node_modules'].map((path) => readlinkSync(join(first, path)))
    expect(links).toEqual(['nowhere', '../../node_modules'])
  })

  it('is not made, and leaves nothing behind, where it cannot be whole', async () => {
    const root = temporaryFolder()
    const temporaries = ownTemporaries()
    // Its longest path is as long as paths may be, and one in the copy is longer.
    const names = Array.from({ length: 20 }, () => 'n'.repeat(200))
    const deep = join(root, ...names)
    mkdirSync(join(deep, 'd'.repeat(4085 - deep.length)), { recursive: true })
    await expect(copiesOf(root, 1)).rejects.toThrow('ENAMETOOLONG')
    expect(readdirSync(temporaries)).toEqual([])
  })
})

describe('the folder of copies', () => {
  it('is removed by the next repair when its owner was killed, and not while it lives', async () => {
    const temporaries = ownTemporaries()
    const root = checkout({ 'a.js': '1' })
    const script = `import { copiesOf } from './adapters/agents/repair/copy.js'
      console.log((await copiesOf(${JSON.stringify(root)}, 1)).folder)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, [bundle(script)], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [told] = (await once(child.stdout, 'data')) as [Buffer]
    const left = told.toString().trim()
    const { folder } = await copied(root)
    expect(existsSync(left)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await copied(root)
    expect([existsSync(left), existsSync(folder)]).toEqual([false, true])
    expect(left).toContain(temporaries)
  })

  it('is left alone where its name tells of no owner', async () => {
    const nameless = join(ownTemporaries(), 'greenlatch-repair-notes')
    mkdirSync(nameless)
    await copied(checkout({ 'a.js': '1' }))
    expect(existsSync(nameless)).toBe(true)
  })
})
