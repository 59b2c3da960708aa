// Tests of dependency folders: what is found, how it is copied, and that nothing leads back into the user's folder.
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { copyFolders, dependencyFolders, dependencyKey, giveDependencies, hasDependencies, keepDependencies, lockfilesIn } from './dependencies.js'

function folderWith(files: Record<string, string>): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const PROJECT = {
  'package.json': '{}',
  'package-lock.json': 'one',
  'node_modules/left/index.js': 'left',
  'node_modules/left/node_modules/deep/index.js': 'deep',
  'packages/a/node_modules/right/index.js': 'right',
  'packages/a/poetry.lock': 'two',
  '.venv/bin/python': 'python',
  '.git/node_modules/x': 'never',
  'a/b/c/d/e/node_modules/x': 'too deep',
}

describe('dependency folders', () => {
  it('are found at the root and in packages, each once, and not in .git', () => {
    expect(dependencyFolders(folderWith(PROJECT))).toEqual(['.venv', 'node_modules', 'packages/a/node_modules'])
    expect(lockfilesIn(folderWith(PROJECT))).toEqual(['package-lock.json', 'packages/a/poetry.lock'])
  })

  it('are copied with names in them that are no text; folders with such names are passed over', async () => {
    const [from, to] = [folderWith(PROJECT), temporaryFolder()]
    for (const path of ['caf\xe9/node_modules/x', 'node_modules/caf\xe9/node_modules']) mkdirSync(Buffer.from(`${from}/${path}`, 'latin1'), { recursive: true })
    symlinkSync(join(from, 'packages'), Buffer.from(`${from}/node_modules/caf\xe9/\xff`, 'latin1'))
    const { paths } = await copyFolders(from, to, dependencyFolders(from))
    expect(paths).toEqual(['.venv', 'node_modules', 'packages/a/node_modules'])
    expect(readlinkSync(Buffer.from(`${to}/node_modules/caf\xe9/\xff`, 'latin1'))).toBe('../../packages')
  })

  it('are copied whole, and a copy that is changed leaves the user\'s as it was', async () => {
    const [from, to] = [folderWith(PROJECT), temporaryFolder()]
    const copied = await copyFolders(from, to, dependencyFolders(from))
    expect(copied.paths).toEqual(['.venv', 'node_modules', 'packages/a/node_modules'])
    writeFileSync(join(to, 'node_modules/left/index.js'), 'changed')
    expect(readFileSync(join(from, 'node_modules/left/index.js'), 'utf8')).toBe('left')
    expect(readFileSync(join(to, 'packages/a/node_modules/right/index.js'), 'utf8')).toBe('right')
    expect(readdirSync(to).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('that are links by their whole path into the user\'s folder lead to the copy; relative ones and others stay', async () => {
    const [from, to] = [folderWith({ ...PROJECT, 'packages/b/index.js': 'b' }), temporaryFolder()]
    symlinkSync(join(from, 'packages/b'), join(from, 'node_modules/b'))
    symlinkSync('../packages/b', join(from, 'node_modules/relative'))
    symlinkSync('/usr', join(from, 'node_modules/system'))
    await copyFolders(from, to, ['node_modules'])
    expect(['b', 'relative', 'system'].map((name) => readlinkSync(join(to, 'node_modules', name)))).toEqual(['../packages/b', '../packages/b', '/usr'])
  })

  it('that are there already are left alone', async () => {
    const [from, to] = [folderWith(PROJECT), folderWith({ 'node_modules/mine.js': 'mine' })]
    expect((await copyFolders(from, to, ['node_modules'])).paths).toEqual([])
    expect(existsSync(join(to, 'node_modules/left'))).toBe(false)
  })

  it('that cannot be copied are named in one line, and nothing half-made stays', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()]
    await expect(copyFolders(from, to, ['node_modules'])).rejects.toMatchObject({ name: 'Refusal', code: 10, message: expect.stringContaining('node_modules') })
    expect(readdirSync(to)).toEqual([])
  })
})

describe('kept dependencies', () => {
  it('are given to the next checkout with the same lockfiles and command, and to no other', async () => {
    const [first, second, store] = [folderWith(PROJECT), temporaryFolder(), temporaryFolder()]
    const key = dependencyKey(first, 'npm ci')
    expect(hasDependencies(store, key)).toBe(false)
    await keepDependencies(first, store, key)
    expect(hasDependencies(store, key)).toBe(true)
    expect((await giveDependencies(store, key, second)).paths.length).toBe(3)
    expect(readFileSync(join(second, 'node_modules/left/node_modules/deep/index.js'), 'utf8')).toBe('deep')
    expect(dependencyKey(folderWith({ ...PROJECT, 'package-lock.json': 'other' }), 'npm ci')).not.toBe(key)
    expect(dependencyKey(first, 'npm install')).not.toBe(key)
    expect(dependencyKey(folderWith({ ...PROJECT, 'package.json': 'other' }), 'npm ci')).toBe(key)
  })
})
