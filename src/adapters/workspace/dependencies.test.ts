// Tests of dependency folders: what is found, how it is copied, and that nothing leads back into the user's folder.
import {
  chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { writeUnseen } from './copy.fixture.js'
import { copyFolders, dependencyFolders, dependencyKey, lockfilesIn, usersKey } from './dependencies.js'

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

  it('that are links by their whole path into the user\'s folder lead to the copy; others lead where they led', async () => {
    const [from, to] = [folderWith({ ...PROJECT, 'packages/b/index.js': 'b' }), temporaryFolder()]
    symlinkSync(join(from, 'packages/b'), join(from, 'node_modules/b'))
    symlinkSync('../packages/b', join(from, 'node_modules/relative'))
    symlinkSync('/usr', join(from, 'node_modules/system'))
    symlinkSync('../../sibling', join(from, 'node_modules/sibling'))
    await copyFolders(from, to, ['node_modules'])
    const led = ['b', 'relative', 'system', 'sibling'].map((name) => readlinkSync(join(to, 'node_modules', name)))
    expect(led).toEqual(['../packages/b', '../packages/b', '/usr', join(dirname(from), 'sibling')])
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

describe('the key of dependencies', () => {
  it('that a command makes follows the command and the lockfiles, and manifests only where nothing is locked', () => {
    const keyOf = (files: Record<string, string>, command = ['npm', 'ci']): string => dependencyKey(folderWith(files), command)
    const key = keyOf(PROJECT)
    expect(keyOf(PROJECT)).toBe(key)
    expect(keyOf({ ...PROJECT, 'package-lock.json': 'other' })).not.toBe(key)
    expect(keyOf(PROJECT, ['npm', 'install'])).not.toBe(key)
    expect(keyOf({ ...PROJECT, 'package.json': 'other', 'packages/a/package.json': 'new' })).toBe(key)
    expect(keyOf({ 'package.json': 'one' })).not.toBe(keyOf({ 'package.json': 'two' }))
    const elsewhere = { 'packages/a/poetry.lock': 'x' }
    expect(keyOf({ ...elsewhere, 'pyproject.toml': 'one' })).not.toBe(keyOf({ ...elsewhere, 'pyproject.toml': 'two' }))
  })

  it('that the user has follows every file in them, even one of the same size and time, and no cache of a tool', async () => {
    const root = folderWith({ ...PROJECT, 'node_modules/.cache/x': 'x', '.venv/lib/__pycache__/x.pyc': 'x' })
    const key = await usersKey(root)
    writeFileSync(join(root, 'node_modules/.cache/x'), 'more')
    writeFileSync(join(root, '.venv/lib/__pycache__/y.pyc'), 'new')
    writeFileSync(join(root, 'src.ts'), 'not a dependency')
    expect(await usersKey(root)).toBe(key)
    const file = join(root, 'node_modules/left/node_modules/deep/index.js')
    writeUnseen(file, 'DEEP')
    const changed = await usersKey(root)
    expect(changed).not.toBe(key)
    chmodSync(file, 0o755)
    expect(await usersKey(root)).not.toBe(changed)
  })
})
