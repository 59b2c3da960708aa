// Holds every git command that may be used against every known way of running a foreign program, and counts what ran.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { plainGit, tryGit, WHO } from './fixture.js'
import { git, GitError, type Repository } from './git.js'
import { addNested, buildLair, copyLair, lairAt, marksIn, plantAll, type Lair } from './lair.fixture.js'
import { VECTORS, type Vector } from './vectors.fixture.js'
import { VERBS, type Verb } from './verbs.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-vectors-'))
/** Always at the same path, since the programs are named by whole paths. */
const lair = lairAt(join(folder, 'lair'))
const plain = buildLair(join(folder, 'plain'))
const nested = copyLair(plain, join(folder, 'nested'))
addNested(nested)
const pack = spawnSync('git', ['pack-objects', '-q', '--revs', '--stdout'], { cwd: plain.other, input: 'HEAD\n' }).stdout
const patch = `${plainGit(plain.work, 'diff', '--full-index', 'main~1', 'other', '--', 'both')}\n`

const inherited = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
  Object.assign(process.env, inherited)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Form = { args: readonly string[]; input?: string | Buffer; accepts?: readonly number[] }

/** Every verb in the forms in which the product uses it, or might; the type says when one is missing. */
const FORMS: Record<Verb, readonly Form[]> = {
  'rev-parse': [{ args: ['rev-parse', '--verify', 'HEAD^{tree}'] }],
  'cat-file': [{ args: ['cat-file', '-p', 'HEAD:f0'] }, { args: ['cat-file', '--batch'], input: 'HEAD:f0\nHEAD:theirs-too\n' }],
  'check-attr': [
    { args: ['check-attr', '-z', '--stdin', 'filter'], input: 'f0\0f1\0' },
    { args: ['check-attr', '--cached', '--all', 'f0'] },
  ],
  'check-ignore': [{ args: ['check-ignore', '-z', '--stdin'], input: 'ignored\0' }],
  'check-ref-format': [{ args: ['check-ref-format', 'refs/heads/x'] }],
  config: [{ args: ['config', '--list', '-z'] }, { args: ['config', 'greenlatch.test', 'x'] }],
  'for-each-ref': [{ args: ['for-each-ref', '--format=%(refname) %(objectname) %(contents:trailers)'] }],
  'show-ref': [{ args: ['show-ref'], accepts: [1] }],
  'symbolic-ref': [{ args: ['symbolic-ref', '-q', 'HEAD'] }],
  var: [{ args: ['var', 'GIT_COMMITTER_IDENT'] }],
  worktree: [{ args: ['worktree', 'list', '--porcelain', '-z'] }],
  log: [{ args: ['log', '-p', '-z', 'HEAD'] }, { args: ['log', '-1', '--format=%G? %(trailers)', 'HEAD'] }],
  'rev-list': [{ args: ['rev-list', '--objects', '--missing=print', 'HEAD'] }],
  'merge-base': [{ args: ['merge-base', 'HEAD', 'main'] }],
  status: [{ args: ['status', '--porcelain=v2', '-z', '--branch', '--ignored', '--untracked-files=all'] }],
  'ls-files': [{ args: ['ls-files', '-z', '-o', '-m', '-d', '--exclude-standard'] }, { args: ['ls-files', '-s', '-z'] }, { args: ['ls-files', '-v', '-z'] }],
  'ls-tree': [{ args: ['ls-tree', '-r', '-z', 'HEAD'] }],
  diff: [{ args: ['diff'] }, { args: ['diff', 'HEAD~1', 'HEAD'] }, { args: ['diff', '--cached', '--stat'] }],
  'diff-files': [{ args: ['diff-files', '-p'] }],
  'diff-index': [{ args: ['diff-index', '-p', 'HEAD~1'] }, { args: ['diff-index', '--cached', '--numstat', 'HEAD~1'] }],
  'diff-tree': [{ args: ['diff-tree', '-r', '-p', 'HEAD~1', 'HEAD'] }],
  'hash-object': [{ args: ['hash-object', '-w', '--path=f0', '--stdin'], input: 'x\n' }, { args: ['hash-object', '-w', 'f1', 'f2'] }],
  mktree: [{ args: ['mktree', '-z', '--missing'], input: '' }],
  'merge-file': [{ args: ['merge-file', '-p', 'f0', 'f1', 'f2'], accepts: [1, 2, 3] }],
  'merge-tree': [{ args: ['merge-tree', '--write-tree', '-z', 'main', 'other'], accepts: [1] }],
  'pack-objects': [{ args: ['pack-objects', '-q', '--revs', '--stdout', '--missing=allow-any'], input: 'HEAD^{tree}\n' }],
  'index-pack': [{ args: ['index-pack', '--stdin'], input: pack }],
  'update-index': [
    { args: ['update-index', '--refresh', '-q'], accepts: [1] },
    { args: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], input: 'f0\0f1\0file\0untracked\0' },
    { args: ['update-index', '--no-assume-unchanged', '-z', '--stdin'], input: 'f0\0f1\0' },
    { args: ['update-index', '-z', '--index-info'], input: `100644 ${plainGit(plain.work, 'rev-parse', 'HEAD:f0')}\tf0\0` },
  ],
  add: [{ args: ['add', '-A'] }],
  'write-tree': [{ args: ['write-tree'] }],
  'commit-tree': [{ args: ['commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-F', '-'], input: 'x\n' }],
  'update-ref': [
    { args: ['update-ref', '-m', 'x', 'refs/greenlatch/x', 'HEAD'] },
    { args: ['update-ref', '--stdin', '-z'], input: 'delete refs/greenlatch/x\0\0' },
  ],
  'checkout-index': [{ args: ['checkout-index', '-f', '-a', '-u'] }],
  'read-tree': [
    { args: ['read-tree', '--reset', '-u', 'HEAD~1'] },
    { args: ['read-tree', '--reset', '-u', 'HEAD'] },
    { args: ['read-tree', '-m', '-u', 'HEAD', 'HEAD'] },
  ],
  apply: [
    { args: ['apply', '--check'], input: patch, accepts: [1] },
    { args: ['apply', '--3way', '--cached'], input: patch, accepts: [1] },
  ],
  checkout: [{ args: ['checkout', '-q', '-f', 'other'] }],
  switch: [{ args: ['switch', '-q', '--discard-changes', 'main'] }],
  commit: [{ args: ['commit', '-q', '--allow-empty', '--cleanup=verbatim', '-F', '-'], input: 'x\n\nEvil: 1\n' }],
  fsck: [{ args: ['fsck', '--full'], accepts: [1, 2, 3] }],
  init: [{ args: ['init', '-q'] }],
}

type Group = Vector['group']
/** `groups` are those that such a repository could be reached by at all. */
type Profile = { name: string; into: 'repository' | 'home'; groups: readonly Group[]; repository: (lair: Lair) => Repository }

const PROFILES: readonly Profile[] = [
  {
    name: "a repository's own configuration",
    into: 'repository',
    groups: ['hooks', 'hooksPath', 'one', 'two', 'nested', 'lazy', 'environment'],
    repository: ({ work }) => ({ gitDir: join(work, '.git'), workTree: work, config: 'foreign' }),
  },
  {
    name: "the user's configuration",
    into: 'home',
    groups: ['hooksPath', 'one', 'two', 'nested', 'lazy'],
    repository: ({ work }) => ({ gitDir: join(work, '.git'), workTree: work, config: 'foreign', userConfig: 'read' }),
  },
  {
    name: 'the store over a hostile folder',
    into: 'repository',
    groups: ['hooks', 'one', 'nested', 'environment'],
    repository: ({ work, root }) => ({
      gitDir: join(root, 'store.git'),
      workTree: work,
      index: join(root, 'index'),
      config: 'ours',
      alternates: [join(work, '.git/objects')],
      durable: true,
    }),
  },
]

const planted = new Map<string, Record<string, string>>()

/** A lair as it was when all vectors of the group had been planted. Returns the variables that go with it. */
function renew(group: Group, into: Profile['into']): Record<string, string> {
  const kept = join(folder, `${group}-${into}`)
  rmSync(lair.root, { recursive: true, force: true })
  const known = planted.get(kept)
  if (known) {
    copyLair({ ...lair, root: kept }, lair.root)
    return known
  }
  copyLair(group === 'nested' ? nested : plain, lair.root)
  const variables = plantAll(lair, VECTORS.filter((vector) => vector.group === group), into)
  copyLair(lair, kept)
  planted.set(kept, variables)
  return variables
}

function forgetMarks(): void {
  for (const mark of readdirSync(lair.marks)) rmSync(join(lair.marks, mark))
}

type Outcome = { form: string; code: number | null; said: string }

/** Every form in turn, in the same folder: what one leaves is there for the next. The files look changed each time. */
async function runAll(at: Lair, run: (form: Form) => Promise<Omit<Outcome, 'form'>>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const form of VERBS_IN_ORDER.flatMap((verb) => FORMS[verb])) {
    const files = readdirSync(at.work).filter((name) => !/^(\.git|sub)/.test(name))
    for (const name of files) utimesSync(join(at.work, name), 1, outcomes.length + 2)
    outcomes.push({ form: form.args.join(' '), ...(await run(form)) })
  }
  return outcomes
}

async function runWrapped(at: Lair, profile: Profile): Promise<Outcome[]> {
  const repository = profile.repository(at)
  if (repository.config === 'ours') await makeStore(at, repository)
  return runAll(at, (form) => outcomeOf(repository, form))
}

async function outcomeOf(repository: Repository, { args, input, accepts = [] }: Form): Promise<Omit<Outcome, 'form'>> {
  try {
    const { code } = await git(repository, args, { accepts, env: WHO, ...(input !== undefined && { input }) })
    return { code, said: '' }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return { code: error.status, said: error.stderr }
  }
}

/** With the branches of the hostile repository, whose objects it reads. */
async function makeStore(at: Lair, repository: Repository): Promise<void> {
  await git({ gitDir: repository.gitDir, config: 'ours' }, ['init', '-q', '--bare', '-b', 'main'])
  const branches = ['main', 'other'].map((name) => `create refs/heads/${name} ${plainGit(at.work, 'rev-parse', name)}\n`)
  await git(repository, ['update-ref', '--stdin'], { input: branches.join('') })
  await git(repository, ['read-tree', 'HEAD'])
}

const VERBS_IN_ORDER = Object.keys(FORMS) as Verb[]

/** What cannot give its usual answer: a submodule would have to be looked into, or an object fetched. */
const OTHERWISE: Partial<Record<Group, RegExp>> = { nested: /^add -A$/, lazy: /^(log -p|diff|init|pack-objects|fsck)/ }

function inTerminal(command: string, env: Readonly<Record<string, string | undefined>>): void {
  spawnSync('script', ['-qec', command, '/dev/null'], { cwd: lair.work, env: { ...process.env, ...env }, timeout: 20_000 })
}

describe('with plain git', () => {
  it.each(VECTORS.map((vector) => [vector.name, vector] as const))('a program is run by: %s.', (name, { control, group }) => {
    const variables = renew(group, 'repository')
    const own = Object.fromEntries(Object.entries(variables).filter(([key]) => name === `variable ${key}`))
    for (const args of control.before ?? []) tryGit(lair.work, args, { HOME: lair.home })
    forgetMarks()
    const env = { HOME: lair.home, TERM: 'xterm', GIT_TERMINAL_PROMPT: '1', ...own }
    if (control.terminal) inTerminal(`git ${control.args.join(' ')}`, env)
    else tryGit(lair.work, control.args, env, control.input)
    expect(marksIn(lair)).toContain(name)
  })

  it('programs are run by more than twenty of these ways also with the very commands that we use.', async () => {
    const fired = new Set<string>()
    for (const group of ['hooks', 'one', 'two', 'nested'] as const) {
      renew(group, 'repository')
      await runAll(lair, async ({ args, input }) => ({ code: tryGit(lair.work, args, { HOME: lair.home }, input).status, said: '' }))
      for (const mark of marksIn(lair)) fired.add(mark)
    }
    expect(fired.size).toBeGreaterThan(20)
  })
})

describe('through the wrapper', () => {
  it('every command that may be used is tried.', () => {
    expect(VERBS_IN_ORDER.toSorted()).toEqual([...VERBS])
  })

  for (const profile of PROFILES) {
    let expected: readonly Outcome[] = []

    it(`all commands work where nothing is planted (${profile.name}).`, async () => {
      expected = await runWrapped(copyLair(plain, join(folder, `clean ${profile.name}`)), profile)
      expect(expected.filter(({ said }) => said !== '')).toEqual([])
    })

    it.each(profile.groups)(`nothing is run by ${profile.name}, and commands answer as before: %s.`, async (group) => {
      Object.assign(process.env, renew(group, profile.into), { HOME: lair.home })
      const outcomes = await runWrapped(lair, profile)
      expect(marksIn(lair)).toEqual([])
      const isLikeBefore = ({ form }: Outcome): boolean => !OTHERWISE[group]?.test(form)
      expect(outcomes.filter(isLikeBefore)).toEqual(expected.filter(isLikeBefore))
    })
  }

  it('only what was allowed by name runs: hooks, and no filter.', async () => {
    for (const group of ['hooks', 'one'] as const) {
      renew(group, 'repository')
      const repository: Repository = { gitDir: join(lair.work, '.git'), workTree: lair.work, config: 'foreign', runs: { hooks: true } }
      await git(repository, ['commit', '-q', '--allow-empty', '-F', '-'], { input: 'x', env: WHO })
      await git(repository, ['update-index', '--add', '-z', '--stdin'], { input: 'f0\0f2\0file\0' })
      expect(marksIn(lair).filter((name) => !name.startsWith('hook '))).toEqual([])
      expect(marksIn(lair).includes('hook pre-commit')).toBe(group === 'hooks')
    }
  })

  it('a filter runs when it is trusted by its name, and no other.', async () => {
    renew('one', 'repository')
    const repository: Repository = {
      gitDir: join(lair.work, '.git'),
      workTree: lair.work,
      config: 'foreign',
      runs: { filters: ['clean', 'o.dd=x"y]'] },
    }
    await git(repository, ['update-index', '--add', '-z', '--stdin'], { input: 'f0\0f2\0f3\0f8\0file\0' })
    expect(marksIn(lair)).toEqual(['filter clean', 'filter with an odd name'])
  })
})
