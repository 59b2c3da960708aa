// Proves that the tree of the user's files is what they would commit themselves, and that their repository stays as it is.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { treeOfFiles, type FilesTree } from './files-tree.js'
import { commitAll, plainGit, put, repositoryWith, stateOf, untimed } from './fixture.js'
import { git } from './git.js'

async function take(root: string): Promise<FilesTree> {
  const objects = join(temporaryFolder(), 'store.git/objects')
  await git({ gitDir: join(objects, '..'), config: 'ours' }, ['init', '-q', '--bare'])
  const before = untimed(stateOf(root))
  const taken = await treeOfFiles({ topLevel: root, gitDir: join(root, '.git'), commonDir: join(root, '.git'), objects })
  expect(untimed(stateOf(root))).toEqual(before)
  return taken
}

async function changesIn(root: string): Promise<string[]> {
  const { tree, repository } = await take(root)
  const { fields } = await git(repository, ['diff-tree', '-r', '-z', '--name-status', 'HEAD', tree])
  return fields.filter((_, at) => at % 2 === 0).map((status, at) => `${status} ${fields[at * 2 + 1]}`)
}

describe('the tree of files as they stand', () => {
  it('has everything that changed, whatever it was and whatever it is called.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { same: '', changed: '1', staged: '1', gone: '', file: '', 'folder/x': '', program: '', link: '' })
    put(root, { changed: '2', staged: '2', '-dash': '', 'new\nline': '', ':(top)x': '', 'deep/er/🐟': '' })
    plainGit(root, 'add', 'staged')
    for (const path of ['gone', 'file', 'folder', 'link']) rmSync(join(root, path), { recursive: true })
    put(root, { 'file/inside': '', folder: '' })
    chmodSync(join(root, 'program'), 0o755)
    symlinkSync('same', join(root, 'link'))
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), '')
    const { tree } = await take(root)
    commitAll(root, 'all of it')
    expect(tree).toBe(plainGit(root, 'rev-parse', 'HEAD^{tree}'))
  })

  it('is that of HEAD when nothing has changed, and is there also without a commit.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '-b', 'main')
    put(root, { a: 'x' })
    const { tree } = await take(root)
    commitAll(root, 'first')
    expect(plainGit(root, 'rev-parse', 'HEAD^{tree}')).toBe(tree)
    expect(await changesIn(root)).toEqual([])
  })

  it('leaves out what the repository or the user ignores, wherever that is written.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'r'), { '.gitignore': '*.o\n' })
    put(
      root,
      {
        'r/.git/info/exclude': 'secret\n',
        'home/.config/git/ignore': '.DS_Store\n',
        'r/a.o': '',
        'r/secret': '',
        'r/.DS_Store': '',
        'r/b': '',
      },
    )
    const { HOME } = process.env
    try {
      process.env['HOME'] = join(root, 'home')
      expect(await changesIn(join(root, 'r'))).toEqual(['A b'])
    } finally {
      process.env['HOME'] = HOME
    }
  })

  it('holds lines as they would be committed.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { '.gitattributes': '*.bat eol=crlf\n', 'same.bat': 'a\n', 'changed.bat': 'a\n' })
    put(root, { 'same.bat': 'a\r\n', 'changed.bat': 'b\r\n' })
    const { tree, repository } = await take(root)
    expect((await git(repository, ['cat-file', 'blob', `${tree}:changed.bat`])).stdout.toString()).toBe('b\n')
    expect(await changesIn(root)).toEqual(['M changed.bat'])
  })

  const ways = [[['set', 'a']], [['set', '--sparse-index', 'a']], [['set', '--no-cone', '/a/']]]
  it.each(ways)('does not miss what a sparse checkout leaves out: %j.', async (how) => {
    const root = temporaryFolder()
    repositoryWith(root, { 'a/x': '1', 'b/x': '2', 'b/c/y': '3' })
    plainGit(root, 'sparse-checkout', ...how)
    put(root, { 'a/x': 'changed', 'a/new': '' })
    expect(await changesIn(root)).toEqual(['A a/new', 'M a/x'])
  })

  it('is the same with a split index.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '1', b: '1' })
    plainGit(root, 'update-index', '--split-index')
    put(root, { a: '2' })
    expect(await changesIn(root)).toEqual(['M a'])
  })

  it('names repositories inside that are no submodules, and looks into none.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'sub'), { inner: 'x\n' })
    repositoryWith(root, { a: '' })
    plainGit(join(root, 'sub'), 'config', 'core.fsmonitor', `: > ${root}/.git/mark; false`)
    mkdirSync(join(root, 'other'))
    repositoryWith(join(root, 'other'), { b: '' })
    put(root, { 'sub/inner': 'changed\n' })
    const { left } = await take(root)
    expect(left).toEqual(['other/'])
    expect(await changesIn(root)).toEqual([])
    expect(Object.keys(stateOf(root))).not.toContain('.git/mark')
  })

  it('goes through no filter: files are taken as they stand.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { '.gitattributes': '*.up filter=up\n', 'a.up': 'A\n' })
    plainGit(root, 'config', 'filter.up.clean', 'tr a-z A-Z')
    put(root, { 'a.up': 'b\n' })
    const read = async ({ tree, repository }: FilesTree): Promise<string> => (await git(
      repository,
      ['cat-file', 'blob', `${tree}:a.up`],
    )).stdout.toString()
    expect(await read(await take(root))).toBe('b\n')
  })
})
