// End-to-end tests of where agents work: a checkout of their own, in place, with and without git, and what is kept and put back.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateOf } from '../src/git/fixture.js'
import { eventsOf, makePlace, type Place } from './support/cli.js'

function git(place: Place, ...args: string[]): string {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function repository(files: Record<string, string> = { 'a.txt': 'one\n' }): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries(files)) place.write(path, text)
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

function checkoutOf(place: Place): string {
  const rooms = dirname(dirname(place.session()))
  return join(rooms, 'checkouts', place.session().split('/').at(-1) ?? '')
}

function fileIn(folder: string, path: string): string | null {
  return existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null
}

function once(place: Place, agent: string, ...more: string[]) {
  return place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', place.program('agent', 'cat > /dev/null', agent), ...more])
}

describe('an agent', () => {
  it('works in a checkout on a branch of its own, with history to look at, and nothing of the user is touched.', async () => {
    const place = repository()
    const before = stateOf(place.repo)
    expect((await once(place, 'git log --oneline > log.txt; git rev-parse --abbrev-ref HEAD > branch.txt; echo two > a.txt; git add -A; git commit -qm mine')).code).toBe(0)
    const checkout = checkoutOf(place)
    expect(fileIn(checkout, 'log.txt')).toMatch(/first/)
    expect(fileIn(checkout, 'branch.txt')).toBe(`greenlatch/${checkout.split('/').at(-1)}\n`)
    expect([fileIn(checkout, 'a.txt'), fileIn(place.repo, 'a.txt')]).toEqual(['two\n', 'one\n'])
    expect(stateOf(place.repo)).toEqual(before)
  })

  it('works in the folder of the checkout that the user stands in.', async () => {
    const place = repository({ 'a.txt': 'one\n', 'packages/b/b.txt': 'b\n' })
    const agent = place.program('agent', 'cat > /dev/null', 'pwd > here.txt')
    await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', agent], { cwd: join(place.repo, 'packages/b') })
    expect(fileIn(checkoutOf(place), 'packages/b/here.txt')).toBe(`${join(checkoutOf(place), 'packages/b')}\n`)
  })

  it('finds copies of dependency folders, ignored or not, that lead nowhere else.', async () => {
    const place = repository({ 'a.txt': 'one\n', '.gitignore': 'node_modules\n' })
    place.write('node_modules/left/index.js', 'left')
    const before = stateOf(place.repo)
    const ended = await once(place, 'cat node_modules/left/index.js > found.txt; echo mine > node_modules/left/index.js')
    expect(ended.stderr).toContain('copied node_modules into the checkout')
    expect(fileIn(checkoutOf(place), 'found.txt')).toBe('left')
    expect(stateOf(place.repo)).toEqual(before)
    const diff = await place.run(['diff', '--stat'])
    expect(diff.stdout.trim().split('\n')).toHaveLength(1)
  })

  it('works without git the same way, and the folder gets its result by accept alone.', async () => {
    const place = makePlace()
    place.write('a.txt', 'one\n')
    await once(place, 'echo two > a.txt; git status --porcelain > status.txt')
    expect([fileIn(place.repo, 'a.txt'), fileIn(checkoutOf(place), 'status.txt')]).toEqual(['one\n', ' M a.txt\n?? status.txt\n'])
    expect((await place.run(['accept'])).code).toBe(0)
    expect([fileIn(place.repo, 'a.txt'), fileIn(place.repo, 'status.txt')]).toEqual(['two\n', ' M a.txt\n?? status.txt\n'])
  })
})

describe('a checkout', () => {
  it('that the agent took away is named, and made again by resume.', async () => {
    const place = repository()
    const mark = join(place.root, 'taken')
    const ended = await once(place, `test -e '${mark}' && { echo two > a.txt; exit 0; }; touch '${mark}'; rm -rf "$PWD"`)
    expect(ended.code).toBe(10)
    expect(ended.stderr).toMatch(/checkouts\/\S+ is gone\n {2}next: greenlatch resume/)
    expect((await place.run(['resume'])).code).toBe(0)
    expect([fileIn(checkoutOf(place), 'a.txt'), fileIn(place.repo, 'a.txt')]).toEqual(['two\n', 'one\n'])
  })
})

describe('a dirty tree', () => {
  const dirty = (): Place => {
    const place = repository({ 'a.txt': 'one\n', 'b.txt': 'one\n', '.gitignore': 'secret\n' })
    writeFileSync(join(place.repo, 'a.txt'), 'staged\n')
    git(place, 'add', 'a.txt')
    writeFileSync(join(place.repo, 'b.txt'), 'unstaged\n')
    for (const name of ['new.txt', 'secret']) writeFileSync(join(place.repo, name), `${name}\n`)
    return place
  }

  it('is refused, naming what is dirty and the two ways on, before anything is made.', async () => {
    const place = dirty()
    const ended = await once(place, 'true')
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/1 staged \("a\.txt"\), 1 changed \("b\.txt"\), 1 untracked \("new\.txt"\) \(--dirty include .*--dirty ignore .*\)\n {2}next: greenlatch run .* --dirty include\n/)
    expect(place.sessions()).toEqual([])
  })

  it.each([
    ['include', ['staged\n', 'unstaged\n', 'new.txt\n', null]],
    ['ignore', ['one\n', 'one\n', null, null]],
  ])('is taken as asked for: %s.', async (how, files) => {
    const place = dirty()
    const before = stateOf(place.repo)
    expect((await once(place, 'true', '--dirty', how)).code).toBe(0)
    expect(['a.txt', 'b.txt', 'new.txt', 'secret'].map((path) => fileIn(checkoutOf(place), path))).toEqual(files)
    expect(stateOf(place.repo)).toEqual(before)
  })

  it('is not what the settings of this tool or a state folder inside make of it.', async () => {
    const place = repository()
    place.write('greenlatch.yaml', 'setbacks: 2\n')
    expect((await once(place, 'true', '--state-dir', join(place.repo, 'state'))).code).toBe(0)
    expect((await once(place, 'true', '--state-dir', join(place.repo, 'state'), '--fresh', '--dirty', 'include')).code).toBe(0)
  })
})

describe('in place', () => {
  it('the agent works in the user\'s folder, and what it does to their repository is named and put back.', async () => {
    const place = repository()
    const hook = join(place.repo, '.git/hooks/post-checkout')
    const ended = await once(place, `echo two > a.txt; echo evil > '${hook}'; git config core.fsmonitor evil`, '--in-place')
    expect(ended.code).toBe(0)
    expect(fileIn(place.repo, 'a.txt')).toBe('two\n')
    expect(existsSync(hook)).toBe(false)
    expect(fileIn(place.repo, '.git/config')).not.toContain('fsmonitor')
    for (const named of ['.git/hooks/post-checkout was added', '.git/config was changed']) expect(ended.stderr).toContain(named)
  })

  it('what stood there before comes back by undo.', async () => {
    const place = repository()
    writeFileSync(join(place.repo, 'a.txt'), 'mine, not committed\n')
    await once(place, 'echo two > a.txt', '--in-place')
    expect((await place.run(['undo', '--to', 'start'])).code).toBe(0)
    expect(fileIn(place.repo, 'a.txt')).toBe('mine, not committed\n')
  })
})

describe('gates', () => {
  it('that write into the tree have it put back and named, and count neither in the diff nor in the candidate.', async () => {
    const place = repository()
    const ended = await once(place, 'echo two > a.txt', '--gate', 'echo written > report.xml; echo broken > a.txt')
    expect(ended.stderr).toMatch(/echo-written-report wrote into the tree; put back: a\.txt, report\.xml \(kept as salvage\/1\)/)
    expect(readdirSync(checkoutOf(place)).toSorted()).toEqual(['.git', 'a.txt'])
    expect(fileIn(checkoutOf(place), 'a.txt')).toBe('two\n')
  })
})

describe('setup', () => {
  it('runs first in the checkout, its folders are kept for the next session, and its failure refuses.', async () => {
    const place = repository({ 'a.txt': 'one\n', 'package-lock.json': '{}\n' })
    place.write('greenlatch.yaml', `setup: echo ran >> '${place.root}/setup.log'; mkdir -p node_modules; echo dep > node_modules/dep\n`)
    git(place, 'add', '-A')
    git(place, 'commit', '-qm', 'settings')
    expect((await once(place, 'cp node_modules/dep found.txt')).code).toBe(0)
    expect(fileIn(checkoutOf(place), 'found.txt')).toBe('dep\n')
    expect((await once(place, 'cp node_modules/dep found.txt', '--fresh')).code).toBe(0)
    expect([fileIn(checkoutOf(place), 'found.txt'), place.read('setup.log')]).toEqual(['dep\n', 'ran\n'])
    place.write('greenlatch.yaml', 'setup: "echo no such registry >&2; exit 3"\n')
    const ended = await once(place, 'true', '--fresh')
    expect(ended.code).toBe(5)
    expect(ended.stderr).toContain('no such registry')
    expect(place.starts('agent')).toHaveLength(2)
  })
})

describe('a survey', () => {
  it('IS-01 is a phase that writes what there is for the prompts to come.', async () => {
    const place = repository({ 'src/cart.py': 'import os\n\ndef total(items, rate=0.2):\n    return sum(items)\n' })
    place.write('greenlatch.yaml', 'procedures: { seen: { extends: ooda, start: survey, phases: { survey: { kind: workspace, action: survey, on: { pass: act } } } } }\n')
    const agent = place.program('agent', 'cat > /dev/null')
    await place.run(['run', 'seen', '--max-iterations', '1', '--ai-cmd', agent])
    expect(readFileSync(join(place.session(), 'survey.md'), 'utf8')).toMatch(/src\/\n +cart\.py +Python, 4 lines\n +imports: os\n +def total\(items, rate=0\.2\)/)
    expect(eventsOf(place.session()).some((event) => event.type === 'observed' && event.report.note === '1 file, 1 looked into')).toBe(true)
  })
})
