// End-to-end tests of baseline, target, labels and chance, with a real runner in real repositories.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Ended, type Place } from './support/cli.js'
import { some } from './support/subset.js'

function git(place: Place, ...args: string[]): string {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

const TESTS = (lines: string): string => `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { a, b } from '../src/ab.js'\n${lines}\n`
const AB = `test('a', () => assert.equal(a(), 1))\ntest('b', () => assert.equal(b(), 1))`

/** Two functions that should give 1 and give 0. */
function repository(tests = AB): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  place.write('src/ab.js', 'export const a = () => 0\nexport const b = () => 0\n')
  place.write('test/ab.test.js', TESTS(tests))
  place.write('package.json', '{"name":"ab","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}\n')
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

function run(place: Place, does: string, ...more: string[]): Promise<Ended> {
  const agent = place.program('agent', 'cat > /dev/null', does)
  return place.run(['run', 'fix it', '--gate', 'test=node --test', '--ai-cmd', agent, '--max-iterations', '2', '--json', ...more])
}

function finishOf({ stdout }: Ended): { outcome: string; label: string; code: number } {
  return (JSON.parse(stdout) as { finish: never }).finish
}

const FIX_A = `sed -i 's/a = () => 0/a = () => 1/' src/ab.js`
const FIX_B = `sed -i 's/b = () => 0/b = () => 1/' src/ab.js`
const ID_A = 'test/ab.test.js::a'
const ID_B = 'test/ab.test.js::b'

describe('the target', () => {
  it('RB-06 is all that failed before, unless it is named; what is excused is listed and only that may go on failing', async () => {
    const all = await run(repository(), FIX_A)
    expect(finishOf(all).outcome).not.toBe('converged')
    const place = repository()
    const excused = await run(place, FIX_A, '--excuse', ID_B)
    expect([excused.code, finishOf(excused)]).toMatchObject([0, { outcome: 'converged', label: 'verified' }])
    expect((await place.run(['report'])).stdout).toContain(ID_B)
    const targeted = await run(repository(), FIX_A, '--target', ID_A)
    expect(finishOf(targeted)).toMatchObject({ outcome: 'converged' })
    const wrong = await run(repository(), FIX_B, '--target', ID_A)
    expect(finishOf(wrong).outcome).not.toBe('converged')
  })

  it('RB-06 GL-07 is not proved while anything fails that passed before, and every end carries a label', async () => {
    const place = repository(`${AB}\ntest('c', () => assert.equal(typeof a, 'function'))`)
    const ended = await run(place, `${FIX_A}; ${FIX_B}; echo 'export const c = 1' > src/ab.js`)
    expect(finishOf(ended)).toMatchObject({ label: 'unverified' })
    expect(finishOf(ended).outcome).not.toBe('converged')
  })

  it('GL-07 is partly verified where the work wrote over the tests that judged it', async () => {
    const place = repository()
    const evil = `import { writeFileSync } from "node:fs"\\nwriteFileSync("test/ab.test.js", "")\\nexport const a = () => 1\\nexport const b = () => 1\\n`
    const ended = await run(place, `printf '${evil}' > src/ab.js`)
    expect(finishOf(ended)).toMatchObject({ outcome: 'converged', label: 'partly verified' })
    expect((await place.run(['report'])).stdout).toContain('test/ab.test.js was written over while the check ran, and put back')
  })

  it('GL-07 proved by an exit status alone is partly verified', async () => {
    const place = repository()
    const agent = place.program('agent', 'cat > /dev/null', FIX_A)
    const ended = await place.run(['run', 'fix a', '--gate', 'plain=grep -q "a = () => 1" src/ab.js', '--ai-cmd', agent, '--json'])
    expect([ended.code, finishOf(ended)]).toMatchObject([0, { outcome: 'converged', label: 'partly verified' }])
    const { stdout } = await place.run(['report'])
    expect(stdout).toMatch(/^proved +in part: all but the exceptions below$/m)
    expect(stdout).toMatch(/^exceptions:\n {2}plain names no tests.*\nfixed:\n {2}exit status of plain$/m)
  })
})

describe('the baseline', () => {
  it('RB-05 is taken from a clean copy: neither uncommitted nor ignored files have a part in it', async () => {
    const place = repository()
    place.write('src/ab.js', 'export const a = () => 1\nexport const b = () => 1\n')
    const ended = await run(place, `${FIX_A}; ${FIX_B}`, '--dirty', 'ignore')
    expect(finishOf(ended)).toMatchObject({ outcome: 'converged', label: 'verified' })
    const failures = JSON.parse(readFileSync(join(place.session(), 'baseline_failures.json'), 'utf8')) as { failures: { subject: string }[] }
    expect(failures.failures.map(({ subject }) => subject).toSorted()).toEqual([ID_A, ID_B])
  })

  it('RB-05 that cannot be taken refuses with 5 and the reason', async () => {
    const place = repository()
    const ended = await place.run(['run', 'fix it', '--gate', 'test=no-such-program --all', '--ai-cmd', 'true'])
    expect(ended.code).toBe(5)
    expect(ended.stderr).toMatch(/command not found/)
  })

  it('RB-13 leaves a gate out that says so, and takes it in afterwards', async () => {
    const place = repository()
    place.write('greenlatch.yaml', 'gates:\n  - { name: test, run: node --test }\n  - { name: heavy, run: "echo ran >> $HOME/heavy", baseline: false }\n')
    const agent = place.program('agent', 'cat > /dev/null', `test ! -e "$HOME/heavy" || exit 9`, FIX_A, FIX_B)
    const ended = await place.run(['run', 'fix it', '--ai-cmd', agent, '--json'])
    expect(finishOf(ended).outcome).toBe('converged')
    expect(place.read('home/heavy')).toContain('ran')
  })
})

describe('a gate that ran at the start and does not run now', () => {
  const ONCE = 'test -e "$HOME/asked" && rm -f broken || touch "$HOME/asked" broken'

  it('counts against the candidate that keeps it from running, and the next one goes on', async () => {
    const place = repository()
    const agent = place.program('agent', 'cat > /dev/null', ONCE, 'test -e broken && exit 0', FIX_A, FIX_B)
    const ended = await place.run(['run', 'fix it', '--gate', 'test=test ! -e broken || exit 127; node --test', '--ai-cmd', agent])
    expect(ended.stderr).toMatch(/^ +1 {2}check .*1 failing {2}REVERTED to the start/m)
    expect(ended.stdout).toMatch(/^converged\tverified\t/)
    expect(readFileSync(join(place.session(), 'iteration-2/implement-prompt.md'), 'utf8')).toMatch(/^iteration 1: .*; 1 failing; cannot run$/m)
  })

  it('refuses where it runs on the start files no more than on these', async () => {
    const place = repository()
    const agent = place.program('agent', 'cat > /dev/null', 'touch "$HOME/gone"', FIX_A)
    const ended = await place.run(['run', 'fix it', '--gate', 'test=test ! -e "$HOME/gone" || exit 127; node --test', '--ai-cmd', agent])
    expect([ended.code, ended.stderr]).toEqual([5, expect.stringContaining('pattern:  gate cannot run')])
    expect((await place.run(['explain'])).stdout).toContain('does not run any more even on the files as they were then')
  })
})

describe('chance', () => {
  /** Fails by a seeded sequence that goes on from run to run, whatever anyone does. */
  const flaky = (rate: number, seed: number): string =>
    `import { appendFileSync, readFileSync } from 'node:fs'\nlet n = 0\ntry { n = readFileSync(process.env.HOME + '/draws', 'utf8').length } catch {}\n` +
    `test('flaky', () => {\n  appendFileSync(process.env.HOME + '/draws', '.')\n  let x = ${seed} + n * 2654435761\n` +
    `  x ^= x << 13; x ^= x >>> 17; x ^= x << 5\n  assert.ok((x >>> 0) / 4294967296 >= ${rate}, 'bad luck')\n})`

  it.each(some([[0.2, 11], [0.5, 23], [0.05, 7]], 1))('RB-12 GL-04 with a test that fails at rate %d is never blamed on the agent', async (rate, seed) => {
    const place = repository(`${AB}\n${flaky(rate, seed)}`)
    const ended = await run(place, `${FIX_A}; ${FIX_B}`)
    expect([ended.code, finishOf(ended)]).toMatchObject([0, { outcome: 'converged' }])
    const { failures } = JSON.parse(readFileSync(join(place.session(), 'current_failures.json'), 'utf8')) as { failures: { subject: string; status: string }[] }
    expect(failures.filter(({ subject, status }) => subject.includes('flaky') && status !== 'flaky')).toEqual([])
  })

  it('IS-12 tells a file that cannot be loaded from a test that fails, and a time limit from both', async () => {
    const identities: string[] = []
    for (const does of ['echo "syntax error here(" > src/ab.js', `printf 'export const a = () => { for (;;); }\\nexport const b = () => 0\\n' > src/ab.js`]) {
      const place = repository()
      place.write('greenlatch.yaml', 'gates:\n  - { name: test, run: node --test, timeoutSeconds: 6 }\n')
      const agent = place.program('agent', 'cat > /dev/null', does)
      await place.run(['run', 'fix it', '--ai-cmd', agent, '--max-iterations', '1', '--json'])
      const { failures } = JSON.parse(readFileSync(join(place.session(), 'current_failures.json'), 'utf8')) as { failures: { subject: string; fingerprint: string }[] }
      identities.push(failures.map(({ fingerprint }) => fingerprint).toSorted().join())
    }
    expect(new Set(identities).size).toBe(2)
  })
})
