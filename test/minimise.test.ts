// End-to-end tests of `run --minimise` and `minimise`: what the checks do not need goes, what is left is proved anew, and nothing is lost.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, makePlace, type Ended, type Place } from './support/cli.js'
import { refusal } from './support/repositories.js'

function git(place: Place, ...args: string[]): string {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

const LINES = Array.from({ length: 12 }, (_, n) => `export const line${n} = ${n}\n`).join('')
const SUM = `export const sum = (a, b) => a - b\n${LINES}`
const TEST = `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from '../src/sum.js'\n`
const OLD = `${TEST}test('sums', () => assert.equal(sum(1, 2), 3))\n`

function repository(): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  place.write('src/sum.js', SUM)
  place.write('src/other.js', 'export const other = 1\n')
  place.write('test/sum.test.js', OLD)
  place.write('run.sh', 'echo run\n')
  place.write('package.json', '{"name":"sum","version":"1.0.0","type":"module","scripts":{"test":"node --test"}}\n')
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

const FIXED = SUM.replace('a - b', 'a + b')
/** The fix, and beside it: another spelling of lines, a debug print, a stray file, a mode, a moved file. */
const SPRAWL = {
  'src/sum.js': `${FIXED.replace('line5 = 5', 'line5 = 5 ').replace('line9 = 9', 'line9 =  9')}globalThis.seen = 1\n`,
  'notes.txt': 'what I did\n',
}
const NEW_TEST = `${OLD}test('sums more', () => assert.equal(sum(2, 2), 4))\n`

function run(place: Place, write: Record<string, string>, ...more: string[]): Promise<Ended> {
  const gate = more.includes('--gate') ? [] : ['--gate', 'test=node --test']
  return place.run(['run', 'fix it', ...gate, '--agent', place.scripted([{ write }]), '--max-iterations', '1', '--json', ...more])
}

/** A gate that names no tests, and so takes next to no time. */
const QUICK = ['--gate', 'test=grep -q "a + b" src/sum.js']

type Told = { session: string; tree: string; finish: { outcome: string; label: string; delivers: string } }
const told = ({ stdout }: Ended): Told => JSON.parse(stdout) as Told

async function delivered(place: Place, ...args: string[]): Promise<string[]> {
  return (await place.run(['diff', '--stat', ...args])).stdout.trimEnd().split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())
}

describe('--minimise', () => {
  it('GL-04 leaves out what the checks do not need, keeps tests, and what is left is verified', async () => {
    const place = repository()
    const ended = await run(place, { ...SPRAWL, 'test/sum.test.js': NEW_TEST }, '--minimise', '--permit', 'tests')
    expect([ended.code, told(ended).finish]).toMatchObject([0, { outcome: 'converged', label: 'verified' }])
    expect(ended.stderr).toMatch(/minimising: 5 pieces in 2 files; at most 100 trials and 10m00s/)
    expect(ended.stderr).toMatch(/ {2}trial 1: 0 of 5 pieces are too few/)
    expect(ended.stderr).toContain('1 of 5 pieces are needed')
    expect(await delivered(place)).toEqual(['modified +1 −1 src/sum.js', 'modified +1 −0 test/sum.test.js'])
    const { session, finish } = told(ended)
    expect((await place.run(['verify'])).stdout).toBe(`holds, and proves the task\tconverged, verified\t${session}\n`)
    expect((await place.run(['status'])).stdout).toContain('minimised')
    const minimised = eventsOf(place.session()).find(({ type }) => type === 'minimised')
    expect(minimised).toMatchObject({ report: { tree: finish.delivers, sealed: { tree: finish.delivers } }, judgement: { verdict: 'pass' } })
  })

  it('GL-04 can be taken back and brought forward again, and what is accepted is the smaller one', async () => {
    const place = repository()
    const { session } = told(await run(place, SPRAWL, '--minimise', ...QUICK))
    const checkout = join(dirname(dirname(place.session())), 'checkouts', basename(place.session()))
    expect(existsSync(join(checkout, 'notes.txt'))).toBe(false)
    expect(await delivered(place, '--iter', 'minimised..1')).toEqual(['added +1 −0 notes.txt', 'modified +3 −2 src/sum.js'])
    expect((await place.run(['undo'])).stdout).toBe('iteration 1 (partly verified)\n')
    expect(existsSync(join(checkout, 'notes.txt'))).toBe(true)
    expect((await place.run(['redo'])).stdout).toBe('minimised (partly verified)\n')
    expect((await place.run(['undo', session, '--to', '1'])).code).toBe(0)
    expect((await place.run(['undo', session, '--to', 'minimised'])).code).toBe(0)
    git(place, 'config', 'user.name', 'A User')
    git(place, 'config', 'user.email', 'user@example.com')
    expect((await place.run(['accept'])).code).toBe(0)
    expect(git(place, 'show', '--stat', '--format=')).toMatch(/^src\/sum.js \| 2 \+-\n 1 file changed/)
    expect(refusal(await place.run(['minimise']))[1]).toMatch(/cannot be minimised: its result was accepted already/)
  })

  it('keeps its label wherever one goes: a tree that was sealed stays proved, and status and report say the same of it', async () => {
    const place = repository()
    const { session } = told(await run(place, SPRAWL, '--minimise', ...QUICK))
    const steps: [string[], string, boolean][] = [
      [['undo'], 'partly verified', true],
      [['redo'], 'partly verified', true],
      [['undo', session, '--to', 'start'], 'unverified', false],
      [['undo', session, '--to', '1'], 'partly verified', true],
    ]
    for (const [args, label, proved] of steps) {
      expect((await place.run(args)).code).toBe(0)
      const report = JSON.parse((await place.run(['report', '--json'])).stdout) as Record<string, unknown>
      expect([args, report['label'], report['proved'], (report['exceptions'] as string[]).length > 0]).toEqual([args, label, proved, proved])
      expect((await place.status())['finish']).toMatchObject({ label })
    }
  })

  it('GL-04 of a session that ended before: moved, binary, new and executable files go as wholes, and what is to be kept stays', async () => {
    const place = repository()
    const agent = place.program('agent', 'cat > /dev/null', `sed -i 's/a - b/a + b/' src/sum.js`, `printf '\\000\\001' > data.bin`, 'chmod +x run.sh',
      'git mv src/other.js src/another.js', 'mkdir -p docs; echo how > docs/how.md; echo x > "new name"')
    const ended = await place.run(['run', 'fix it', ...QUICK, '--ai-cmd', agent, '--max-iterations', '1', '--json'])
    expect(told(ended).finish.label).toBe('partly verified')
    expect(await delivered(place)).toHaveLength(6)
    const done = await place.run(['minimise', '--keep', 'docs', '--json'])
    expect(JSON.parse(done.stdout)).toMatchObject({
      result: 'smaller', label: 'partly verified', kept: 1, pieces: 5, whole: true, after: { files: 2, lines: 3 },
      left_out: ['data.bin', 'new name', 'run.sh', 'src/another.js'],
    })
    expect(await delivered(place)).toEqual(['added +1 −0 docs/how.md', 'modified +1 −1 src/sum.js'])
    const again = await place.run(['minimise', '--keep', 'docs'])
    expect([again.code, again.stdout.split('\t')[0]]).toEqual([0, 'as it was'])
    expect(again.stderr).toContain('every piece of it is needed')
  })

  it('keeps tests that stand beside the code they test', async () => {
    const place = repository()
    const inline = `if (import.meta.vitest) {\n  const { it } = import.meta.vitest\n  it('holds', () => {})\n}\n`
    const { finish } = told(await run(place, { 'src/sum.js': `${FIXED}${inline}`, 'src/other.js': 'export const other = 2\n' }, '--minimise', ...QUICK))
    expect(finish.outcome).toBe('converged')
    expect(await delivered(place)).toEqual(['modified +5 −1 src/sum.js'])
  })

  it('keeps what a test that was run needs to be found', async () => {
    const place = repository()
    const gate = 'test=node --test test/sum.test.js $(ls *.mjs 2> /dev/null)'
    const ended = await run(place, { 'src/sum.js': FIXED, 'more.mjs': OLD.replace('../src', './src'), 'notes.txt': 'x\n' }, '--minimise', '--gate', gate)
    expect(told(ended).finish).toMatchObject({ outcome: 'converged', label: 'verified' })
    expect(await delivered(place)).toEqual(['added +4 −0 more.mjs', 'modified +1 −1 src/sum.js'])
  })

  it('stops at its bounds, and keeps what was found and proved by then', async () => {
    const place = repository()
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`stray-${n}.txt`, `${n}\n`]))
    await run(place, { ...files, 'src/sum.js': FIXED }, ...QUICK)
    const done = await place.run(['minimise', '--max-trials', '3', '--json'])
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout)).toMatchObject({ result: 'smaller', whole: false, trials: 3 })
    expect(done.stderr).toContain('at most 3 trials')
    expect((await delivered(place)).length).toBeLessThan(7)
    expect((await place.run(['verify'])).code).toBe(0)
  })

  it('leaves everything as it was when it is interrupted, and says how to go on', async () => {
    const place = repository()
    const slow = `test=if [ -e "$HOME/slow" ]; then sleep 60; fi; grep -q "a + b" src/sum.js`
    await run(place, SPRAWL, '--gate', slow)
    const before = readFileSync(join(place.session(), 'journal.jsonl'), 'utf8')
    place.write('../home/slow', '')
    const going = place.start(['minimise'])
    await going.says(/minimising:/)
    going.send('SIGINT')
    const ended = await going.ended
    expect([ended.code, ended.stdout.split('\t')[0]]).toEqual([130, 'interrupted'])
    expect(ended.stderr).toContain('greenlatch minimise ')
    expect(readFileSync(join(place.session(), 'journal.jsonl'), 'utf8')).toBe(before)
  })

  it('is refused where nothing could show that less is enough', async () => {
    const place = repository()
    expect(refusal(await place.run(['run', 'ooda', 'x', '--minimise', '--ai-cmd', 'true']))).toEqual([2, expect.stringContaining('has no deciding check'), 'greenlatch run --help'])
    const failed = await run(place, { 'notes.txt': 'no fix\n' }, '--minimise', ...QUICK)
    expect(failed.code).toBe(4)
    expect(failed.stderr).toContain('not minimised: it ended exhausted')
    expect(refusal(await place.run(['minimise']))[1]).toMatch(/it ended exhausted, and only what is proved can be made smaller/)
    expect(refusal(await place.run(['minimise', '--keep', '/etc']))[1]).toContain('--keep')
  })
})

describe('diff --culprit', () => {
  it('GL-04 shows only the pieces that make a test fail which passed before', async () => {
    const place = repository()
    const two = `${TEST}import { line3 } from '../src/sum.js'\ntest('sums', () => assert.equal(sum(1, 2), 3))\ntest('three', () => assert.equal(line3, 3))\n`
    place.write('test/sum.test.js', two)
    git(place, 'commit', '-qam', 'two tests')
    const broken = FIXED.replace('line3 = 3', 'line3 = 4').replace('line9 = 9', 'line9 = 10')
    const { session } = told(await run(place, { 'src/sum.js': broken, 'notes.txt': 'x\n' }))
    const before = readFileSync(join(place.session(), 'journal.jsonl'), 'utf8')
    const { code, stdout, stderr } = await place.run(['diff', '--iter', '0..1', '--culprit', 'test/sum.test.js::three'])
    expect([code, stdout.split('\n').filter((line) => /^[+-][^+-]/.test(line))]).toEqual([0, ['-export const line3 = 3', '+export const line3 = 4']])
    expect(stderr).toContain('1 piece of 4 makes it fail')
    expect(readFileSync(join(place.session(), 'journal.jsonl'), 'utf8')).toBe(before)
    expect(refusal(await place.run(['diff', session, '--iter', '0..1', '--culprit', 'test/sum.test.js::sums']))[1]).toContain('fails before the change already')
  })
})
