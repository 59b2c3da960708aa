// Tests of which files the scripts of a package run.
import { describe, expect, it } from 'vitest'
import { followCommand } from './scripts.js'

const SCRIPTS = {
  pretest: './scripts/before.sh',
  test: 'npm run -s build && CI=1 node --enable-source-maps scripts/all.mjs src/index.js',
  build: 'tsx tools/build.ts || python3 -u tools/build.py',
  start: 'node src/server.js',
  lint: 'eslint src/index.js && node --check src/main.js',
  loop: 'yarn loop',
  unit: 'cross-env A=1 node -r ./setup.cjs --import=./hooks.mjs --test test/a.js',
  all: 'run-s unit "lint" && bash -e tools/last.sh && python -m pytest tests/a.py',
}

describe('the files that scripts run', () => {
  it.each([
    ['npm test', ['scripts/before.sh', 'scripts/all.mjs', 'tools/build.ts', 'tools/build.py']],
    ['npm t -- --bail', ['scripts/before.sh', 'scripts/all.mjs', 'tools/build.ts', 'tools/build.py']],
    ['pnpm run all', ['tools/last.sh', 'pytest.py', 'pytest/__main__.py', 'tests/a.py', 'setup.cjs', 'hooks.mjs', 'test/a.js']],
    ['yarn lint', []],
    ['yarn loop', []],
    ['node --run unit', ['setup.cjs', 'hooks.mjs', 'test/a.js']],
    ['make test', []],
    ['bash -c "npm run start"', ['src/server.js']],
    ['/usr/bin/node ../other/x.js', []],
    ['npm run toString', []],
    ['node --test checks/run.js checks', ['checks/run.js']],
    ['pytest checks/run.py::adds -k add --tb short src/', ['checks/run.py']],
    ['python3 -m unittest checks.run', ['unittest.py', 'unittest/__main__.py', 'checks.py', 'checks/__main__.py', 'checks/run.py', 'checks/run/__main__.py']],
    ['deno test ./checks/run.ts', ['checks/run.ts']],
    ['vitest run add -t price checks/run.ts', ['checks/run.ts']],
    ["mocha 'checks/**/*.js'", ['checks/**/*.js']],
    ['cd "$(git rev-parse --show-toplevel)/ci" && sh all.sh', ['ci/all.sh']],
    ['env -C tools A=1 sh all.sh', ['tools/all.sh']],
  ])('are followed from %j.', (command, files) => {
    expect(followCommand(command, '.', () => SCRIPTS).files).toEqual(files)
  })

  it('are those of the nearest folder above that has scripts, as npm looks for them.', () => {
    const scripts: Record<string, Record<string, string>> = { '.': { test: 'sh all.sh' }, app: { test: 'sh own.sh' } }
    const filesIn = (folder: string): string[] => followCommand('npm test', folder, (place) => scripts[place] ?? {}).files
    expect([filesIn('app/deep'), filesIn('lib/deep')]).toEqual([['app/own.sh'], ['all.sh']])
    expect(followCommand('npm test', 'a/b', () => ({})).folders).toEqual(['a/b', 'a', '.'])
  })
})
