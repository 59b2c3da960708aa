// Tests of what leads back to where dependencies were copied from: real virtual environments and the scripts of package managers.
import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../../files/fixture.js'
import { put } from '../../git/fixture.js'
import { textAt } from './copy.fixture.js'
import { copyFolders } from './copy-folders.js'
import { turnedScript } from './copy-turn.js'
import { asNobody } from './store.fixture.js'

/** A project with a virtual environment in which it is installed from its source, as `pip install -e` does. */
function pythonProject(root: string, named = root): void {
  put(root, { 'src/thing.py': `WHERE = __file__\n` })
  run(['python3', '-m', 'venv', '--without-pip', join(named, '.venv')])
  const [packages = ''] = run(['sh', '-c', `ls -d '${root}'/.venv/lib/python*/site-packages`]).split('\n')
  put(packages, { '_editable_impl_thing.pth': `${named}/src\n` })
  put(packages, { '__editable___thing_finder.py': `MAPPING = {'thing': '${named}/src/thing'}\n` })
  put(root, { '.venv/bin/where': `#!${named}/.venv/bin/python\nimport sys, thing\nprint(sys.prefix)\nprint(thing.WHERE)\n` })
  chmodSync(join(root, '.venv/bin/where'), 0o755)
}

function printed(program: string): string[] {
  const { stdout, stderr } = spawnSync(program, { encoding: 'utf8' })
  return `${stdout}${stderr}`.trim().split('\n')
}

async function copied(from: string, to: string): Promise<void> {
  put(to, { 'src/thing.py': `WHERE = __file__\n` })
  await copyFolders(from, to, ['.venv'])
}

describe('a virtual environment', () => {
  it('runs its programs and imports the project from the copy, not from the user’s folder', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()]
    pythonProject(from)
    await copied(from, to)
    expect(printed(join(to, '.venv/bin/where'))).toEqual([join(to, '.venv'), join(to, 'src/thing.py')])
    expect(printed(join(from, '.venv/bin/where'))).toEqual([join(from, '.venv'), join(from, 'src/thing.py')])
    expect(run(['sh', '-c', `grep -rlI '${from}' '${to}' || true`])).toBe('')
    expect(lstatSync(join(to, '.venv/bin/where')).mode & 0o777).toBe(0o755)
  })

  it('works where the path is longer than a first line may be, or has a space in it, and on the way back', async () => {
    const [from, base, back] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    const to = join(base, `a folder ${'x'.repeat(130)}`)
    pythonProject(from)
    mkdirSync(to)
    await copied(from, to)
    expect(printed(join(to, '.venv/bin/where'))).toEqual([join(to, '.venv'), join(to, 'src/thing.py')])
    await copied(to, back)
    expect(printed(join(back, '.venv/bin/where'))).toEqual([join(back, '.venv'), join(back, 'src/thing.py')])
    expect(readFileSync(join(back, '.venv/bin/where'))).toEqual(Buffer.from(textAt(from, '.venv/bin/where').replaceAll(from, back)))
  })

  it('that was made through a link to the folder leads to the copy too', async () => {
    const [base, to] = [temporaryFolder(), temporaryFolder()]
    mkdirSync(join(base, 'real'))
    symlinkSync(join(base, 'real'), join(base, 'named'))
    pythonProject(join(base, 'real'), join(base, 'named'))
    await copied(join(base, 'real'), to)
    expect(printed(join(to, '.venv/bin/where'))).toEqual([join(to, '.venv'), join(to, 'src/thing.py')])
  })
})

describe('paths in scripts', () => {
  it.each([
    ['export NODE_PATH="/u/p/node_modules/.pnpm/x:/u/p/y"', 'export NODE_PATH="/c/node_modules/.pnpm/x:/c/y"'],
    ['{"url": "file:///u/p"}', '{"url": "file:///c"}'],
    ['/u/p', '/c'],
    ['/u/project /v/u/p /u/p.old /u/p-1 x/u/p', '/u/project /v/u/p /u/p.old /u/p-1 x/u/p'],
    ['#!/usr/bin/env node\nrequire("/u/p/x")', '#!/usr/bin/env node\nrequire("/c/x")'],
    ['#!/u/p/.venv/bin/python -sE\nx', '#!/c/.venv/bin/python -sE\nx'],
  ])('%j become %j', (text, turned) => {
    expect(turnedScript(text, { from: ['/u/p'], to: '/c' })).toBe(turned)
  })

  it('are turned in programs only: a text of a package, a large file and a binary one stay as they are', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()]
    const paths = ['node_modules/x/.bin/tool', 'node_modules/x/readme', 'node_modules/.bin/binary', 'node_modules/.bin/large']
    const [text, more] = [`${from}/a`, { binary: '\0', large: ' '.repeat(2 ** 20) } as Record<string, string>]
    put(from, Object.fromEntries(paths.map((path) => [path, `${text}${more[path.split('/').at(-1) ?? ''] ?? ''}`])))
    await copyFolders(from, to, ['node_modules'])
    expect(paths.map((path) => readFileSync(join(to, path), 'latin1').startsWith(`${to}/a`))).toEqual([true, false, false, false])
  })

  it('are turned without touching a second name of the file, in folders that may not be written to', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()]
    put(from, { 'node_modules/.bin/tool': `${from}/a` })
    linkSync(join(from, 'node_modules/.bin/tool'), join(from, 'node_modules/second'))
    chmodSync(join(from, 'node_modules/.bin/tool'), 0o444)
    chmodSync(join(from, 'node_modules/.bin'), 0o555)
    run(['chown', '-R', '65534', from, to])
    await asNobody(async () => void (await copyFolders(from, to, ['node_modules'])))
    expect([textAt(to, 'node_modules/.bin/tool'), textAt(to, 'node_modules/second')]).toEqual([`${to}/a`, `${from}/a`])
    const modes = ['node_modules/.bin', 'node_modules/.bin/tool'].map((path) => lstatSync(join(to, path)).mode & 0o777)
    expect(modes).toEqual([0o555, 0o444])
    chmodSync(join(to, 'node_modules/.bin'), 0o755)
  })
})
