// Tests of the folder of shims itself, with real shells.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layShims, type Shims, type ShimOptions } from './shims.js'

let folder = ''
const laid: string[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlatch-shims-')))
})
afterEach(() => {
  for (const path of [folder, ...laid.splice(0)]) rmSync(path, { recursive: true, force: true })
})

/** Programs that only say how they were called. */
function programs(...names: string[]): string {
  const bin = join(folder, 'programs')
  mkdirSync(bin, { recursive: true })
  for (const name of names) {
    const options = name === 'pytest' ? 'echo "$PYTEST_ADDOPTS"' : ''
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf "%s|" "\${0##*/}" "$@"\n${options}\n`, { mode: 0o755 })
  }
  return `${bin}:/usr/bin:/bin`
}

function lay(rest: Partial<ShimOptions> = {}): Shims {
  const base = join(folder, 'state', 'check')
  const environment = rest.environment ?? { PATH: programs('cargo') }
  const shims = layShims({ base, root: folder, only: null, testTimeoutSeconds: null, ...rest, environment })
  laid.push(shims.folder)
  return shims
}

function sh(shims: Shims, command: string, cwd = folder): string {
  return execFileSync('/bin/sh', ['-c', command], { cwd, encoding: 'utf8', env: { ...shims.environment, HOME: folder } }).trim()
}

describe('the folder', () => {
  it('is private, fresh for each run and has a shim for each program that is there.', () => {
    const [one, other] = [lay({ environment: { PATH: programs('mocha', 'cargo') } }), lay({ base: join(folder, 'state', 'check-run-2') })]
    expect(dirname(one.folder)).toBe(join(folder, 'state'))
    expect(one.folder).not.toBe(other.folder)
    for (const path of [one.folder, one.reports, join(one.folder, 'bin')]) expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(one.folder, 'bin'))).toContain('mocha')
    expect(readdirSync(join(other.folder, 'bin'))).not.toContain('jest')
  })

  it('lies elsewhere when its path would mean something to PATH or pytest.', () => {
    const shims = lay({ base: join(folder, 'a:b$c', 'check') })
    expect(shims.folder).not.toMatch(/[:$]/)
    // By its name the next process knows whose it is, once this one is gone.
    expect(basename(shims.folder)).toMatch(new RegExp(`^greenlatch-gate-${process.pid}-`))
    expect(sh(shims, 'cargo check')).toMatch(/^cargo\|check\|/)
  })
})

describe('a shim', () => {
  it('hands words on as they are, whatever is in them.', () => {
    const shims = lay()
    const said = execFileSync('cargo', ['build', 'a b', '$x', "'", '', '*', 'new\nline'], { encoding: 'utf8', env: shims.environment })
    expect(said).toContain("cargo|build|a b|$x|'||*|new\nline|")
    expect(readdirSync(shims.reports)).toEqual([])
  })

  it('says what a shell says of a program that has gone.', () => {
    const shims = lay()
    rmSync(join(folder, 'programs/cargo'))
    const environment = { ...shims, environment: { ...shims.environment, PATH: join(shims.folder, 'bin') } }
    expect(sh(environment, 'cargo test 2>&1; echo $?')).toBe('cargo: not found\n127')
  })

  it('notes each start under a number of its own, however many start at once.', async () => {
    const shims = lay({ environment: { PATH: programs('pytest') } })
    const starts = Array.from({ length: 12 }, () => spawn('pytest', ['-q'], { cwd: folder, env: shims.environment, stdio: 'ignore' }))
    await Promise.all(starts.map((child) => new Promise((resolve) => child.once('close', resolve))))
    const noted = readdirSync(shims.reports).filter((name) => name.endsWith('.start'))
    expect(noted).toHaveLength(12)
    expect(noted.map((name) => readFileSync(join(shims.reports, name), 'utf8'))).toEqual(Array(12).fill(`pytest\njunit\n${folder}\n\n`))
  })

  it('adds to what the user has for pytest, and leaves that alone where it does not report.', () => {
    const shims = lay({ environment: { PATH: programs('pytest'), PYTEST_ADDOPTS: '--color no' } })
    const added = `--junitxml='${shims.reports}/1.junit/$PYTEST_CURRENT_TEST/pytest.xml' -o junit_family=xunit1`
    expect(sh(shims, 'pytest tests')).toBe(`pytest|tests|--color no ${added}`)
    expect(sh(shims, 'PYTEST_ADDOPTS=-x pytest tests')).toMatch(/^pytest\|tests\|-x --junitxml=/)
    expect(sh(shims, 'pytest --version')).toBe('pytest|--version|--color no')
  })

  it('reports without the variables that a tool may hold back, and not inside a test.', () => {
    const shims = lay()
    sh(shims, 'NODE_TEST_CONTEXT=child-v8 cargo test')
    expect(readdirSync(shims.reports)).toEqual([])
    sh(shims, 'env -i PATH="$PATH" cargo test')
    expect(readdirSync(shims.reports).toSorted()).toEqual(['1.cargo', '1.start'])
  })

  it('does nothing more once the folder of reports is gone.', () => {
    const shims = lay()
    rmSync(shims.reports, { recursive: true })
    expect(sh(shims, 'cargo test')).toBe('cargo|test|')
    expect(existsSync(shims.reports)).toBe(false)
  })

  it.each([
    ['vitest', 'run', '--reporter=default|--reporter=L/vitest-report.mjs|--testTimeout=1500|--testNamePattern=P|run|R'],
    ['vitest', 'run -t x', '--reporter=default|--reporter=L/vitest-report.mjs|--testTimeout=1500|run|-t|x|'],
    ['vitest', 'run src', '--reporter=default|--reporter=L/vitest-report.mjs|--testTimeout=1500|--testNamePattern=P|run|src|'],
    ['vitest', 'watch', 'watch|'],
    ['vitest', '--watch', '--watch|'],
    ['jest', '--testTimeout=9', '--json|--outputFile=R/1.jest|--testNamePattern=P|--runTestsByPath|--testTimeout=9|R'],
    ['jest', '--watchAll', '--watchAll|'],
    ['jest', '--json', '--json|'],
    ['mocha', '--timeout 9 x.js', '--require=L/mocha-report.cjs|--grep=P|--timeout|9|x.js|'],
    ['mocha', '-w', '-w|'],
  ])('of %s with "%s" adds what is wanted and not given.', (name, words, expected) => {
    const shims = lay({ environment: { PATH: programs(name) }, only: ['a.test.js::P'], testTimeoutSeconds: 1.5 })
    const said = sh(shims, `${name} ${words}`).slice(name.length + 1)
    const plain = said.replaceAll(shims.reports, 'R').replaceAll(join(shims.folder, 'lib'), 'L').replaceAll(/\^\\s\*\(\?:P\)\\s\*\$/g, 'P')
    expect(plain.replace(`${folder}/a.test.js|`, 'R')).toBe(expected)
  })
})
