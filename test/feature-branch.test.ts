// End-to-end tests of a procedure with a feature branch: made before the loop, one commit on success, the candidate left on failure.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Ended, type Place } from './support/cli.js'

const PROCEDURES = `procedures:
  feature:
    start: branch
    phases:
      branch: { kind: workspace, action: branch, on: { pass: make } }
      make: { kind: ask, role: implementer, yields: candidate, opensIteration: true, prompt: [{ title: TASK, fragments: [{ section: task }] }], on: { pass: check, error: make } }
      check: { kind: check, gates: ['@configured'], on: { pass: commit, fail: make } }
      commit: { kind: workspace, action: commit, on: { pass: '@completed' } }
    budget: { iterations: 2 }
`

function git(place: Place, ...args: string[]): string {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  return execFileSync('git', [...who, ...args], { cwd: place.repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

function repository(): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'config', 'user.name', 'Someone')
  git(place, 'config', 'user.email', 'someone@example.com')
  place.write('a.txt', 'one\n')
  place.write('greenlatch.yaml', PROCEDURES)
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

function feature(place: Place, gate: string, ...more: string[]): Promise<Ended> {
  const agent = place.scripted([{ write: { 'a.txt': 'two\n', 'b.txt': 'new\n' } }])
  return place.run(['run', 'feature', 'Add two.', '--branch', 'feature/cycle-05', '--agent', agent, '--gate', gate, ...more])
}

describe('a feature branch', () => {
  it('is made and gone to, and gets one clean commit of the checked files when it succeeds.', async () => {
    const place = repository()
    const before = git(place, 'rev-parse', 'main')
    expect((await feature(place, 'grep -q two a.txt')).code).toBe(0)
    expect(git(place, 'symbolic-ref', '--short', 'HEAD')).toBe('feature/cycle-05')
    expect(git(place, 'log', '--format=%s', 'main..HEAD')).toBe('feat: add two')
    expect(git(place, 'diff', '--name-only', 'main', 'HEAD').split('\n')).toEqual(['a.txt', 'b.txt'])
    expect([git(place, 'status', '--porcelain'), git(place, 'rev-parse', 'main')]).toEqual(['', before])
  })

  it('has nothing committed when it fails, and the last candidate left in the files.', async () => {
    const place = repository()
    const ended = await feature(place, 'false')
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain('left in your files on feature/cycle-05, not committed')
    expect(git(place, 'rev-parse', 'HEAD')).toBe(git(place, 'rev-parse', 'main'))
    expect(git(place, 'status', '--porcelain').split('\n').map((line) => line.trim())).toEqual(['M a.txt', '?? b.txt'])
    expect(readFileSync(join(place.repo, 'a.txt'), 'utf8')).toBe('two\n')
  })

  it('that is there already is refused before anything is done.', async () => {
    const place = repository()
    git(place, 'branch', 'feature/cycle-05')
    const ended = await feature(place, 'true')
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/there is a branch feature\/cycle-05 already \(greenlatch resume .*\)\n {2}next: greenlatch run .* --branch <another name>\n/)
    expect(place.sessions()).toEqual([])
  })

  it('is committed to without touching files that are not clean.', async () => {
    const place = repository()
    writeFileSync(join(place.repo, 'a.txt'), 'mine\n')
    expect((await feature(place, 'grep -q two a.txt', '--dirty', 'ignore')).code).toBe(0)
    expect(git(place, 'symbolic-ref', '--short', 'HEAD')).toBe('main')
    expect([readFileSync(join(place.repo, 'a.txt'), 'utf8'), git(place, 'show', 'feature/cycle-05:a.txt')]).toEqual(['mine\n', 'two'])
    expect(git(place, 'rev-list', '--count', 'main..feature/cycle-05')).toBe('1')
  })

  it('that git cannot make is named with what git said, and nothing is lost.', async () => {
    const place = repository()
    writeFileSync(join(place.repo, '.git/HEAD.lock'), '')
    const ended = await feature(place, 'true')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/HEAD\.lock/)
    expect(git(place, 'symbolic-ref', '--short', 'HEAD')).toBe('main')
  })
})
