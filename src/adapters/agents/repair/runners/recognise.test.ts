import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../files/fixture.js'
import { recognise } from './recognise.js'
import { testFiles } from './test-files.js'

const seen = (run: string, cwd = '/', folder = ''): ReturnType<typeof recognise> => recognise(run, { top: cwd, folder, environment: { PATH: '' } })

describe('a command', () => {
  it.each([
    ['python3 -m unittest discover -s tests', { runner: 'unittest', program: 'python3', args: ['discover', '-s', 'tests'] }],
    ['python -m pytest -q', { runner: 'pytest', args: ['-q'], asModule: true }],
    ['DEBUG=1 pytest tests', { runner: 'pytest', args: ['tests'], env: { DEBUG: '1' }, asModule: false }],
    ['node --test', { runner: 'node', flags: [], paths: [] }],
    ['node --import tsx --test --test-reporter=spec a.test.ts', { runner: 'node', flags: ['--import', 'tsx'], paths: ['a.test.ts'] }],
  ])('is recognised: %s', (run, warm) => {
    expect(seen(run)).toMatchObject(warm)
  })

  it.each(['make test', 'npx vitest run', 'cd a && pytest', 'node --watch --test', 'pytest | tee log', 'npm test'])(
    'is taken as it is: %s',
    (run) => {
      expect(seen(run)).toBeNull()
    },
  )

  it('of pytest is run by the Python that its program names, through a link too', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'own'), '#!/opt/own/bin/python3.12\n', { mode: 0o755 })
    mkdirSync(join(folder, 'bin'))
    symlinkSync('../own', join(folder, 'bin/pytest'))
    expect(recognise('pytest -q', { top: folder, folder: '', environment: { PATH: join(folder, 'bin') } })).toMatchObject({ program: '/opt/own/bin/python3.12' })
  })

  it('is looked up in package.json, unless something else has to run before it', () => {
    const folder = temporaryFolder()
    const scripts = { test: 'node --test test', check: 'npm test', more: 'node --test', premore: 'make' }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
    expect(seen('npm test', folder)).toMatchObject({ runner: 'node', paths: ['test'] })
    expect(seen('npm run check', folder)).toMatchObject({ runner: 'node', paths: ['test'] })
    expect(seen('npm run more', folder)).toBeNull()
  })

  it('runs in the folder it is started in, except that npm looks for the nearest package above', () => {
    const top = temporaryFolder()
    const manifest = JSON.stringify({ scripts: { test: 'node --test' } })
    for (const [path, text] of Object.entries({ 'package.json': manifest, 'test/deep/a.js': '', 'packages/web/package.json': manifest, 'packages/web/src/a.js': '', 'other/node_modules/a.js': '' })) {
      mkdirSync(join(top, path, '..'), { recursive: true })
      writeFileSync(join(top, path), text)
    }
    expect(seen('node --test', top, 'test/deep')).toMatchObject({ folder: 'test/deep' })
    expect(seen('pytest', top, 'test')).toMatchObject({ folder: 'test' })
    expect(['test/deep', 'packages/web', 'packages/web/src'].map((folder) => seen('npm test', top, folder)?.folder)).toEqual(['', 'packages/web', 'packages/web'])
    expect([seen('npm test', top, 'other'), seen('pnpm test', top, 'test')]).toEqual([null, null])
  })
})

describe('files of tests', () => {
  it('are those that Node would run', () => {
    const root = temporaryFolder()
    for (const path of ['src', 'test/deep', 'node_modules/x/test']) mkdirSync(join(root, path), { recursive: true })
    for (const path of ['src/a.js', 'src/a.test.js', 'test/b.js', 'test/deep/c.mjs', 'node_modules/x/test/d.js', 'test-e.cjs'])
      writeFileSync(join(root, path), '')
    expect(testFiles(root, '', [])).toEqual(['src/a.test.js', 'test-e.cjs', 'test/b.js', 'test/deep/c.mjs'])
    expect(testFiles(root, '', ['src/*.test.js'])).toEqual(['src/a.test.js'])
    expect(testFiles(root, '', ['./src/a.test.js', 'test/deep'])).toEqual(['src/a.test.js', 'test/deep/c.mjs'])
  })
})
