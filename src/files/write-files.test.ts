// Tests of writing the files of a reply: real folders, hostile names, links and other things in the way.
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printable } from './durable.js'
import { run, temporaryFolder } from './fixture.js'
import { readText, writeFiles } from './write-files.js'

/** A folder to write into, and one beside it that nothing may reach. */
function places(): { root: string; outside: string } {
  const base = temporaryFolder()
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  mkdirSync(join(root, '.git'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, '.git/config'), 'as it was')
  writeFileSync(join(outside, 'secret'), 'as it was')
  return { root, outside }
}

const everything = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()

const HOSTILE = [
  '../outside/secret', 'a/../../outside/secret', '/etc/greenlatch', 'C:/x', 'C:x', 'a\\..\\b', '', '.', './a', 'a//b', 'a/', '..',
  '.git/config', '.GIT/config', '.git', 'a/.git/hooks/post-checkout', '.git /config', '.git./config', 'git~1/config', 'GIT~2/x',
  '.git::$INDEX_ALLOCATION/config', '.g\u200Cit/config', '\uFF0Egit/config', 'a\0b', 'a\nb', 'a/b\rc', 'a\u001B[2Jb', 'a\u2028b',
  'CON', 'nul.txt', 'a/COM1', 'aux.c', 'name.', 'name ', 'a/b:stream', 'what?', 'x'.repeat(300),
]

describe('files of a reply', () => {
  it('IS-08 are written with their folders, as the text they came with, and keep the mode of what stood there.', async () => {
    const { root } = places()
    writeFileSync(join(root, 'run.sh'), 'old', { mode: 0o600 })
    chmodSync(join(root, 'run.sh'), 0o755)
    const { refused } = await writeFiles(root, [
      { path: 'src/deep/a.py', text: 'x = "ü"\n' },
      { path: 'run.sh', text: 'new' },
      { path: '.github/.gitignore', text: '' },
    ])
    expect(refused).toEqual([])
    expect(readFileSync(join(root, 'src/deep/a.py'), 'utf8')).toBe('x = "ü"\n')
    expect([readFileSync(join(root, 'run.sh'), 'utf8'), lstatSync(join(root, 'run.sh')).mode & 0o777]).toEqual(['new', 0o755])
    expect(existsSync(join(root, '.github/.gitignore'))).toBe(true)
  })

  it.each(HOSTILE)('IS-08 are refused by name at %j, and nothing is written anywhere.', async (path) => {
    const { root, outside } = places()
    const before = [everything(root), everything(outside)]
    const { refused } = await writeFiles(root, [{ path, text: 'evil' }, { path: 'good.txt', text: 'good' }])
    expect(refused).toHaveLength(1)
    expect(refused[0]).toBe(printable(refused[0] ?? ''))
    expect(readFileSync(join(root, '.git/config'), 'utf8') + readFileSync(join(outside, 'secret'), 'utf8')).toBe('as it wasas it was')
    expect([everything(root), everything(outside)]).toEqual(before)
  })

  it('IS-08 are taken back when one of them cannot be written after all: new ones, changed ones, deleted ones and their folders.', async () => {
    const { root } = places()
    writeFileSync(join(root, 'old.sh'), 'as it was', { mode: 0o755 })
    writeFileSync(join(root, 'gone.txt'), 'still here')
    const before = everything(root)
    const files = ['old.sh', 'deep/er/new.txt', 'clash', 'clash/below'].map((path) => ({ path, text: 'new' }))
    const { refused } = await writeFiles(root, files, ['gone.txt'])
    expect(refused).toEqual(['clash/below: a file stands where a folder is needed'])
    expect(everything(root)).toEqual(before)
    expect([readFileSync(join(root, 'old.sh'), 'utf8'), lstatSync(join(root, 'old.sh')).mode & 0o777]).toEqual(['as it was', 0o755])
    expect(readFileSync(join(root, 'gone.txt'), 'utf8')).toBe('still here')
  })

  it('are read as text where they are text, inside, and behind no link.', () => {
    const { root, outside } = places()
    writeFileSync(join(root, 'a.txt'), 'a\r\nb')
    writeFileSync(join(root, 'b.bin'), Buffer.from([0xff, 0xfe, 0]))
    symlinkSync(join(outside, 'secret'), join(root, 'link'))
    expect(['a.txt', 'b.bin', 'link', '../outside/secret', '.git/config', 'none', 'a.txt/x'].map((path) => readText(root, path))).toEqual(['a\r\nb', null, null, null, null, null, null])
  })

  it('IS-08 are deleted before others are written, and where one is not there, that is said and nothing done.', async () => {
    const { root } = places()
    for (const path of ['old.py', 'place']) writeFileSync(join(root, path), 'old')
    const files = [{ path: 'place/new.py', text: 'new' }]
    expect(await writeFiles(root, files, ['old.py', 'place', 'never.py'])).toEqual({ refused: ['never.py: there is no such file to delete'] })
    expect(['old.py', 'place'].map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['old', 'old'])
    expect(await writeFiles(root, files, ['old.py', 'place'])).toEqual({ refused: [] })
    expect([existsSync(join(root, 'old.py')), readFileSync(join(root, 'place/new.py'), 'utf8')]).toEqual([false, 'new'])
  })

  it.each([...HOSTILE, 'link', 'folder/secret', 'folder'])('IS-08 are not deleted at %j, nor anything else.', async (path) => {
    const { root, outside } = places()
    symlinkSync(join(outside, 'secret'), join(root, 'link'))
    symlinkSync(outside, join(root, 'folder'))
    const before = [everything(root), everything(outside)]
    expect((await writeFiles(root, [], [path])).refused).toHaveLength(1)
    expect([everything(root), everything(outside)]).toEqual(before)
  })

  it('IS-08 go through no link: neither as the file itself, nor on the way, nor where a link leads nowhere.', async () => {
    const { root, outside } = places()
    symlinkSync(join(outside, 'secret'), join(root, 'link'))
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync(join(outside, 'new'), join(root, 'dangling'))
    const { refused } = await writeFiles(root, ['link', 'folder/secret', 'folder/sub/new', 'dangling'].map((path) => ({ path, text: 'evil' })))
    expect(refused).toHaveLength(4)
    expect(refused.every((line) => line.includes('is a link'))).toBe(true)
    expect([everything(outside), readFileSync(join(outside, 'secret'), 'utf8')]).toEqual([['secret'], 'as it was'])
  })

  it('IS-08 leave a file outside alone that has a second name inside.', async () => {
    const { root, outside } = places()
    linkSync(join(outside, 'secret'), join(root, 'twin'))
    expect(await writeFiles(root, [{ path: 'twin', text: 'mine' }])).toEqual({ refused: [] })
    expect([readFileSync(join(root, 'twin'), 'utf8'), readFileSync(join(outside, 'secret'), 'utf8')]).toEqual(['mine', 'as it was'])
  })

  it('IS-08 replace no folder and no pipe, and need folders where files stand.', async () => {
    const { root } = places()
    mkdirSync(join(root, 'folder'))
    run(['mkfifo', join(root, 'pipe')])
    writeFileSync(join(root, 'file'), 'as it was')
    const { refused } = await writeFiles(root, ['folder', 'pipe', 'file/below'].map((path) => ({ path, text: 'x' })))
    expect(refused).toEqual([
      'folder: something else than a file stands there',
      'pipe: something else than a file stands there',
      'file/below: a file stands where a folder is needed',
    ])
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('as it was')
  })
})
