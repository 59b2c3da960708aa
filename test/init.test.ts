// A newcomer's path: `init` in a repository that is just there, a first run to its end, and nothing touched but what was promised.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainGit } from '../src/git/fixture.js'
import { hashesOf, makePlace, type Place } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'
import { openTmux } from './support/tmux.js'

type Sample = { files: Record<string, string>; gate: string; mends: Record<string, string> }

const SAMPLES: Record<string, Sample> = {
  Node: {
    files: {
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }\n',
      'src/sum.js': 'exports.sum = (a, b) => a - b\n',
      'test/sum.test.js': "const { sum } = require('../src/sum.js')\nrequire('node:test')('adds', () => require('node:assert').equal(sum(1, 2), 3))\n",
    },
    gate: 'npm test',
    mends: { 'src/sum.js': 'exports.sum = (a, b) => a + b\n' },
  },
  Python: {
    files: { 'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n', 'shop.py': 'def add(a, b):\n    return a - b\n', 'tests/test_shop.py': 'import unittest\nfrom shop import add\n\n\nclass Adding(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n' },
    gate: 'python3 -m unittest discover -s tests',
    mends: { 'shop.py': 'def add(a, b):\n    return a + b\n' },
  },
  Go: {
    files: {
      'go.mod': 'module example.org/shop\n\ngo 1.19\n',
      'sum.go': 'package shop\n\nfunc Sum(a, b int) int { return a - b }\n',
      'sum_test.go': 'package shop\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("does not add")\n\t}\n}\n',
    },
    gate: 'go test ./...',
    mends: { 'sum.go': 'package shop\n\nfunc Sum(a, b int) int { return a + b }\n' },
  },
}

/** Sessions where they are kept by default, below home; caches of other tools elsewhere, so that what is left is our doing. */
function newcomer(files: Record<string, string>): { place: Workshop; env: Record<string, string>; listing: () => Record<string, string> } {
  const place = makeWorkshop(files)
  const temporary = join(place.root, 'tmp')
  mkdirSync(temporary)
  const caches = join(tmpdir(), 'greenlatch-test-caches')
  const env = { GREENLATCH_STATE_HOME: '', TMPDIR: temporary, GOCACHE: join(caches, 'go'), npm_config_cache: join(caches, 'npm'), npm_config_update_notifier: 'false' }
  const listing = (): Record<string, string> => ({ ...within('home', place.home), ...within('repo', place.repo), ...within('tmp', temporary) })
  return { place, env, listing }
}

function within(name: string, folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(hashesOf(folder)).map(([path, hash]) => [`${name}/${path}`, hash]))
}

const added = (before: Record<string, string>, after: Record<string, string>): string[] => Object.keys(after).filter((path) => before[path] !== after[path])

describe('a newcomer', () => {
  it.each(Object.entries(SAMPLES))('with %s gets settings without a question, converges at the first run, and finds nothing touched but what was promised', async (_, { files, gate, mends }) => {
    const { place, env, listing } = newcomer(files)
    const before = listing()
    const init = await place.run(['init'], { env })
    expect(init, init.stderr).toMatchObject({ code: 0, stdout: place.file('greenlatch.yaml') })
    expect(place.file('greenlatch.yaml')).toMatch(/^# yaml-language-server: \$schema=\S+\n/)
    expect(place.file('greenlatch.yaml')).toContain(`run: ${gate}\n`)
    // What it wrote is trusted, in the user's own state folder.
    expect(added(before, listing()).filter((path) => !/^home\/\.local(\/state(\/greenlatch(\/trust(\/[^/]+\.json)?)?)?)?$/.test(path))).toEqual(['repo/greenlatch.yaml'])
    const run = await place.run(['run', 'make the tests pass', '--agent', place.scripted([{ say: 'mended', write: mends }]), '--json'], { env, trust: 'none' })
    expect(run.code, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ finish: { outcome: 'converged' } })
    const after = listing()
    expect(added(before, after).filter((path) => !/^home\/(\.local(\/state(\/greenlatch(\/.*)?)?)?)$/.test(path))).toEqual(['repo/greenlatch.yaml'])
    expect(Object.keys(before).filter((path) => !(path in after))).toEqual([])
  })

  it('at a terminal is asked two questions, and takes what is offered by Enter', async () => {
    const sample = SAMPLES['Node'] as Sample
    const place = makeWorkshop(sample.files)
    const tmux = await openTmux(place, { columns: 80, rows: 24 })
    tmux.greenlatch('init')
    await tmux.shows('Which command tests it? [npm test]')
    tmux.press('Enter')
    await tmux.shows('Who answers: repair, paste?')
    tmux.press('Enter')
    await tmux.shows('code 0')
    expect(place.file('greenlatch.yaml')).toContain('run: npm test\n')
    tmux.greenlatch(`run "make the tests pass" --ui stream --agent ${place.scripted([{ write: sample.mends }])}`)
    for (const sign of [/baseline .*failing/, /1 {2}check/, 'CONVERGED']) await tmux.shows(sign)
    expect(tmux.written().match(/^.*\? \[/gm)).toHaveLength(2)
  })

  it('who leaves a question by Ctrl+C has nothing written, and one who answers otherwise gets that', async () => {
    const place = makeWorkshop((SAMPLES['Node'] as Sample).files)
    const tmux = await openTmux(place, { columns: 80, rows: 24 })
    tmux.greenlatch('init')
    await tmux.shows('[npm test]')
    tmux.press('C-c')
    await tmux.shows('code 11')
    expect(existsSync(join(place.repo, 'greenlatch.yaml'))).toBe(false)
    tmux.greenlatch('init --agent paste')
    await tmux.shows(/\[npm test\][^]*\[npm test\]/)
    tmux.type('node --test test')
    tmux.press('Enter')
    await tmux.shows('code 0')
    expect(place.file('greenlatch.yaml')).toMatch(/^agent: paste$[^]*run: node --test test$/m)
  })
})

describe('init', () => {
  it('says what it has written where it cannot be trusted yet', async () => {
    const place = makePlace()
    place.write('package.json', '{"scripts":{"test":"node --test"}}')
    place.write('state/trust', '')
    chmodSync(join(place.repo, 'state'), 0o700)
    const ended = await place.run(['init', '--yes'], { env: { GREENLATCH_STATE_HOME: join(place.repo, 'state') } })
    expect([ended.code, ended.stderr]).toEqual([10, expect.stringMatching(/greenlatch: \S+greenlatch\.yaml is written, and not yet trusted: .*not a directory \(ENOTDIR\)\n {2}next: greenlatch trust grant\n$/)])
    expect(existsSync(join(place.repo, 'greenlatch.yaml'))).toBe(true)
  })

  it('writes over nothing, and shows with --dry-run what it would write, for every template', async () => {
    const place = makePlace()
    place.write('package.json', '{"scripts":{"test":"node --test"}}')
    place.write('greenlatch.yaml', 'agent: paste\n')
    const before = hashesOf(place.repo)
    const refused = await place.run(['init'])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^greenlatch: .*greenlatch\.yaml is there already.*\n {2}next: greenlatch init --dry-run\n$/) as string })
    for (const template of ['converge', 'ooda', 'tdd', 'cycle', 'artifact']) {
      const { code, stdout } = await place.run(['init', '--dry-run', '--template', template, '--json'])
      const told = JSON.parse(stdout) as { text: string; written: boolean }
      expect([code, told.written]).toEqual([0, false])
      expect(hashesOf(place.repo)).toEqual(before)
      const other = makePlace()
      other.write('greenlatch.yaml', told.text)
      expect(await other.run(['config']), told.text).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(new RegExp(`^procedure +"${template}"`, 'm')) as string })
    }
  })

  it('takes what AGENTS.md tells as a proposal, says where it is from, and runs nothing of it', async () => {
    const place = makePlace()
    const trap = place.program('make', 'touch "$ROOT/ran"')
    place.write('AGENTS.md', '# Work here\n\n```sh\nmake test\n```\n\nNever `make test; rm -rf /`.\n')
    place.write('Makefile', 'test:\n\tfalse\n')
    const { code, stdout, stderr } = await place.run(['init', '--yes'], { env: { PATH: `${join(trap, '..')}:${process.env['PATH']}` } })
    expect([code, stderr]).toEqual([0, expect.stringContaining('make test (AGENTS.md:4)')])
    expect(stdout).toContain('  - name: test  # AGENTS.md:4\n    run: make test\n')
    expect(place.starts('make')).toEqual([])
  })

  it.each<[string[], number, string, string]>([
    [['init'], 2, 'no test command was found', 'greenlatch init --test "<your test command>"'],
    [['init', '--template', 'cycel'], 2, 'there is no "cycel" (did you mean "cycle"?)', 'greenlatch init --template cycle'],
    [['init', '--test', 'true', '--agent', 'clade'], 2, 'there is no agent "clade" (did you mean "claude"?)', 'greenlatch init --agent claude'],
    [['init', '--test', ' '], 2, 'the command is empty', 'greenlatch init --test'],
    [['init', '--config', 'x.yaml'], 2, '--config has no meaning here', 'greenlatch init'],
    [['init', 'full'], 2, 'is not empty', 'greenlatch init -C full'],
    [['init', 'full/file'], 2, 'is no folder', 'greenlatch init <name>'],
    [['init', ''], 2, 'cannot be the name of a project', 'greenlatch init <name>'],
    [['init', 'full/file/x'], 2, 'full/file is no folder', 'greenlatch init <name>'],
    [['init', '/proc/new'], 10, '/proc/new', 'greenlatch init <name>'],
    [['init', 'new', 'er'], 2, 'too many arguments', 'greenlatch init --help'],
    [['init', '-C', '../home', '--test', 'true'], 2, 'would hold for all that is below it', 'greenlatch init -C ../home <name>'],
  ])('%j is refused with %i, and nothing is written', async (args, code, words, next) => {
    const place = makePlace()
    place.write('full/file', 'mine\n')
    const before = hashesOf(place.root)
    const { stderr, ...ended } = await place.run(args)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(stderr).toContain(words)
    expect(stderr).toContain(`\n  next: ${next}`)
    expect(hashesOf(place.root)).toEqual(before)
  })

  it('is not led astray by links, odd names and manifests that nobody can read', async () => {
    const place = makePlace()
    symlinkSync('/etc/passwd', join(place.repo, 'AGENTS.md'))
    symlinkSync('.', join(place.repo, 'round'))
    place.write('package.json', '{ broken')
    place.write('web\n[31m/package.json', '{"scripts":{"test":"jest"}}')
    const { code, stdout, stderr } = await place.run(['init', '--json'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ gates: [{ run: 'npm test', cwd: 'web\n[31m' }] })
    expect(await place.run(['config'])).toMatchObject({ code: 0, stderr: '' })
  })
})

// ───────────────────────────── a new project ─────────────────────────────

function withIdentity(place: Place): Place {
  writeFileSync(join(place.home, '.gitconfig'), '[user]\n  name = A User\n  email = user@example.com\n[init]\n  defaultBranch = trunk\n')
  return place
}

describe('init <name>', () => {
  it('asks nobody to work on a task that is still the template, and names the file', async () => {
    const place = withIdentity(makePlace())
    expect((await place.run(['init', 'parser'])).code).toBe(0)
    place.write('parser/greenlatch.yaml', 'task: task.md\n')
    const agent = place.program('agent', 'cat > /dev/null')
    const words = ['-C', 'parser', 'run', 'converge', '--gate', 'false', '--max-iterations', '1', '--dirty', 'ignore', '--ai-cmd', agent]
    const refused = await place.run(words)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/the task file \S+\/parser\/task\.md is still the template that init wrote.*\n {2}next: greenlatch run -C parser "<the task>"\n$/) as string })
    expect(await place.run([...words.slice(0, 4), 'make a parser', ...words.slice(4)])).toMatchObject({ code: 4 })
    expect(place.starts('agent')).toHaveLength(1)
    place.write('parser/task.md', '# Task\n\nA parser.\n')
    expect(await place.run([...words, '--fresh'])).toMatchObject({ code: 4 })
    expect(place.starts('agent')).toHaveLength(2)
  })

  it('IS-21 makes a project with task.md and philosophy.md and a first commit, and a run there needs no flags', async () => {
    const place = withIdentity(makePlace())
    const made = await place.run(['init', 'parser', '--agent', 'paste'])
    expect(made.code, made.stderr).toBe(0)
    const folder = join(place.repo, 'parser')
    expect(readdirSync(folder).toSorted()).toEqual(['.git', 'greenlatch.yaml', 'philosophy.md', 'task.md'])
    expect(plainGit(folder, 'log', '--format=%an %s', 'trunk')).toBe('A User chore: begin the project')
    expect(plainGit(folder, 'status', '--porcelain')).toBe('')
    const run = await place.run(['run', '--dry-run', '--json'], { cwd: folder })
    expect(JSON.parse(run.stdout)).toMatchObject({ procedure: 'tdd', warnings: [] })
    expect(JSON.parse((await place.run(['init', 'lexer', '--agent', 'paste', '--json'])).stdout)).toMatchObject({ written: true, branch: 'trunk' })
    for (const name of ['task.md', 'philosophy.md']) expect((JSON.parse(run.stdout) as { prompt: string }).prompt).toContain(readFileSync(join(folder, name), 'utf8').trim())
  })

  it('IS-21 leaves nothing where git does not know who commits, and says how to tell it', async () => {
    const place = makePlace()
    const before = hashesOf(place.repo)
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.useConfigOnly', GIT_CONFIG_VALUE_0: 'true' }
    writeFileSync(join(place.home, '.gitconfig'), '[user]\n  useConfigOnly = true\n')
    const refused = await place.run(['init', 'parser'], { env })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/next: git config --global user\.name/) as string })
    expect(hashesOf(place.repo)).toEqual(before)
  })
})

describe('the flags of a run', () => {
  const dry = async (place: Place, ...args: string[]): Promise<{ code: number | null; prompt: string; error: string; stderr: string }> => {
    const { code, stdout, stderr } = await place.run(['run', ...args, '--dry-run', '--json'])
    return { ...(JSON.parse(stdout) as { prompt: string; error: string }), code, stderr }
  }

  it('IS-21 --project, --task, --philosophy, --workspace, --url and --min-iterations name what a session works with', async () => {
    const place = makePlace()
    place.write('home/task.md', 'the task of the project')
    place.write('home/philosophy.md', 'the philosophy of the project')
    place.write('home/greenlatch.yaml', 'floor: 2\n')
    place.write('other.md', 'another text')
    place.write('work/a.txt', 'x')
    const whole = await dry(place, 'tdd', '--project', 'home', '--url', 'http://127.0.0.1:1', '--min-iterations', '4')
    expect(whole.prompt).toMatch(/the task of the project[^]*PHILOSOPHY\n\nthe philosophy of the project/)
    const named = await dry(place, 'tdd', '--task', 'other.md', '--philosophy', 'home/philosophy.md', '--workspace', 'work', '--agent', 'paste')
    expect(named.prompt).toMatch(/another text[^]*PHILOSOPHY\n\nthe philosophy of the project/)
    const opened = await place.run(['open', 'tdd', '--project', 'home', '--workspace', 'work', '--agent', 'paste', '--dirty', 'ignore', '--json'])
    expect(opened.code, opened.stderr).toBe(0)
    const first = JSON.parse(readFileSync(join(place.session(), 'journal.jsonl'), 'utf8').split('\n')[0] ?? '') as { events: { setup: object }[] }
    expect(first.events[0]?.setup).toMatchObject({ cwd: join(place.repo, 'work'), philosophy: 'the philosophy of the project' })
  })

  it('IS-21 a missing task file is exit 2, a missing philosophy a warning', async () => {
    const place = makePlace()
    mkdirSync(join(place.repo, 'home'))
    expect(await dry(place, 'tdd', '--project', 'home', '--agent', 'paste')).toMatchObject({ code: 2, error: expect.stringContaining('the task file') as string })
    place.write('greenlatch.yaml', 'task: gone.md\n')
    expect(await dry(place, 'tdd', '--agent', 'paste')).toMatchObject({ code: 2, error: expect.stringContaining('gone.md cannot be read') as string })
    const without = await dry(place, 'tdd', 'do it', '--philosophy', 'gone.md', '--agent', 'paste')
    expect(without).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: the philosophy .*gone\.md cannot be read/) as string })
    expect(without.prompt).not.toContain('PHILOSOPHY')
  })
})
