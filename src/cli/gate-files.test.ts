// Tests of which files gates run as programs.
import { describe, expect, it } from 'vitest'
import type { GateEntry } from '../config/types.js'
import { gateCommands, gatesFromTop } from './gate-files.js'

const SOURCE = { kind: 'folder', top: '/shop' } as const

function gateFilesOf(gates: GateEntry[]): readonly string[] {
  return gateCommands({ gates, root: SOURCE.top, source: SOURCE }).gateFiles
}

describe('the files that gates run', () => {
  it.each([
    ['./scripts/test.sh --fast', ['scripts/test.sh']],
    ['CI=1 ./a/check && sh b.sh -x || bash -e tools/c.sh', ['a/check', 'b.sh', 'tools/c.sh']],
    ['npm test', []],
    ['/usr/bin/env node', []],
    ['node --check src/main.js', []],
    ['node --test --import ./tools/register.js', ['tools/register.js']],
    ['node --test --import=./a.js -r ./b.cjs --loader ./c.mjs --experimental-loader=./d.mjs', ['a.js', 'b.cjs', 'c.mjs', 'd.mjs']],
    ['NODE_OPTIONS="--import ./a.js" node --test', ['a.js']],
    ['python3 scripts/check.py', ['scripts/check.py']],
    ['timeout -k 5 60 ./verify.sh', ['verify.sh']],
    ['env -u X A=1 ./x', ['x']],
    ['time nice -n 5 nohup ./a; exec ./b; sudo -u bob ./c; stdbuf -oL ./d; xvfb-run -s "-screen 0" ./e', ['a', 'b', 'c', 'd', 'e']],
    ['! ./x', ['x']],
    ['if ./x; then ./y; fi', ['x', 'y']],
    ['bash -euo pipefail x.sh', ['x.sh']],
    ['bash -euc "cd app && ./x" && (cd lib; ./y) && ./z', ['app/x', 'lib/y', 'z']],
    ['cd app && ./x', ['app/x']],
    ['sh <x.sh 2>/dev/null', ['x.sh']],
    ['$PWD/a && "$(pwd)/b" && "${PWD}"/c', ['a', 'b', 'c']],
    ['test "$(./count)" = 0', ['count']],
    ['python3 -m tools.check', ['tools/check.py', 'tools/check/__main__.py']],
    ['uv run --with x check.py', ['check.py']],
    ['poetry run python tools/x.py', ['tools/x.py']],
    ['go run -race ./tools/check -v', ['tools/check/']],
    ['go run x.go', ['x.go']],
    ['go run . && go test ./...', []],
    ['make -f tools/x.mk check', ['tools/x.mk']],
    ['mocha -r ./x.js && npx mocha --require=./y.js', ['x.js', 'y.js']],
    ['jest --config a.js; vitest run --config=b.ts; mocha --config c.yml', ['a.js', 'b.ts', 'c.yml']],
    ['pytest -c x.ini -p tools.report -q tests', ['x.ini', 'tools/report.py', 'tools/report/__main__.py']],
    ['coverage run scripts/check.py && coverage report src/a.py', ['scripts/check.py']],
    ['eslint src/a.js && tsc --strict src/a.ts && ruff check app.py && eslint . packages/node src/b.js', []],
    ['prettier --check "src/a b.js" && cat src/a.js | grep -q x > src/out.txt # ./y', []],
    ['../up/x.sh && ~/x.sh', []],
  ])('of %j are its programs, and not the files it looks at', (run, files) => {
    expect(gateFilesOf([{ name: 'a', run }])).toEqual(files)
  })

  it('are found below the folder the gate runs in, and in lists of words', () => {
    expect(gateFilesOf([{ name: 'a', run: ['./test.sh', 'x'], cwd: 'packages/b' }])).toEqual(['packages/b/test.sh'])
    expect(gateFilesOf([{ name: 'a', run: '../tools/x.sh', cwd: 'packages' }])).toEqual(['tools/x.sh'])
  })

  it('are found from where the settings lie, below the top of the tree', () => {
    const setup = { gates: [{ name: 'a', run: './x.sh' }, { name: 'b', run: './y.sh', cwd: 'lib' }], root: '/shop/app', source: SOURCE }
    expect(gateCommands(setup).gateFiles).toEqual(['app/x.sh', 'app/lib/y.sh'])
    expect(gatesFromTop(setup).map(({ cwd }) => cwd)).toEqual(['app', 'app/lib'])
  })
})
