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
    ['pnpm run all', ['tools/last.sh', 'pytest.py', 'pytest/__main__.py', 'setup.cjs', 'hooks.mjs']],
    ['yarn lint', []],
    ['yarn loop', []],
    ['node --run unit', ['setup.cjs', 'hooks.mjs']],
    ['make test', []],
    ['bash -c "npm run start"', ['src/server.js']],
    ['/usr/bin/node ../other/x.js', []],
    ['npm run toString', []],
  ])('are followed from %j.', (command, files) => {
    expect(followCommand(command, '.', () => SCRIPTS).files).toEqual(files)
  })
})
