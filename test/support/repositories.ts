// Places with a real repository in them, and sessions whose scripted agent has worked there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { plainGit, put, stateOf, tryGit } from '../../src/git/fixture.js'
import { eventsOf, makePlace, type Ended, type Place, type Turn } from './cli.js'

export type Workshop = Place & {
  /** Git as the user runs it, in the repository. */
  git(...args: readonly string[]): string
  /** Runs a session of `ooda` to its end and returns its id. */
  work(turns: Turn[], ...args: readonly string[]): Promise<string>
  /** Files of the repository. */
  put(files: Readonly<Record<string, string>>): void
  commit(message: string): string
  file(path: string): string
  /** Every file of the repository, its `.git` included: contents, modes and times. */
  everything(): Record<string, string>
  /** What the user has besides the branch, the index and the files that are committed. */
  others(): unknown
}

const FILES = { a: 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n', 'sub/b': 'b\n', '.gitignore': '*.ign\nbuild/\n' }

/** A repository on `main` with a second branch, a stash, and files that are untracked and ignored. */
export function makeWorkshop(files: Readonly<Record<string, string>> = FILES, ...whenOver: Parameters<typeof makePlace>): Workshop {
  const place = makePlace(...whenOver)
  const { repo } = place
  const git = (...args: readonly string[]): string => plainGit(repo, ...args)
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.name', 'A User')
  git('config', 'user.email', 'user@example.com')
  const commit = (message: string): string => {
    git('add', '-A')
    git('commit', '-q', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  put(repo, files)
  commit('first')
  git('branch', 'other')
  return {
    ...place,
    git,
    commit,
    put: (more) => put(repo, more),
    file: (path) => readFileSync(join(repo, path), 'utf8'),
    everything: () => stateOf(repo),
    others: () => ({
      refs: git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/stash', 'refs/tags', 'refs/heads/other'),
      reflog: git('reflog', 'show', 'other'),
      unkept: unkeptIn(repo),
    }),
    async work(turns, ...args) {
      const flags = ['--max-iterations', String(turns.length), '--fresh', '--agent', place.scripted(turns), '--json']
      const ended = await place.run(['run', 'ooda', 'Make the parser fast', ...flags, ...args])
      if (ended.code !== 0) throw new Error(`the session ended with ${ended.code}: ${ended.stderr}${ended.stdout}`)
      return (JSON.parse(ended.stdout) as { session: string }).session
    },
  }
}

/** Untracked and ignored files with their times. */
function unkeptIn(repo: string): unknown {
  const paths = plainGit(repo, 'ls-files', '-z', '--others').split('\0').filter((path) => path !== '')
  const all = stateOf(repo)
  return Object.fromEntries(paths.map((path) => [path, all[Buffer.from(path).toString('latin1')]]))
}

/** Gives the repository what a user may have lying about, none of it in the way. */
export function clutter(shop: Workshop): void {
  shop.put({ 'sub/b': 'stashed\n' })
  shop.git('stash', '-q')
  shop.git('tag', 'v1')
  shop.put({ 'notes.txt': 'untracked\n', 'x.ign': 'ignored\n', 'build/out': 'ignored\n' })
}

/** A message for people, the next command, and nothing else. */
export function refusal({ code, stdout, stderr }: Ended): [number | null, string, string] {
  const [, message = `no refusal: ${stderr}`, next = ''] = /^greenlatch: (.+)\n {2}next: (.+)\n$/.exec(stderr) ?? []
  if (stdout !== '') throw new Error(`a refusal wrote to standard output: ${stdout}`)
  return [code, message, next]
}

/** Puts a place back as it was when `keep` was called, at the same paths and with the same times. */
export function keep({ root }: Place): () => void {
  const there = readdirSync(root).map((name) => join(root, name))
  const kept = join(root, 'kept')
  mkdirSync(kept)
  spawnSync('cp', ['-a', ...there, kept])
  return () => {
    for (const name of readdirSync(root)) if (name !== 'kept') rmSync(join(root, name), { recursive: true, force: true })
    spawnSync('cp', ['-a', `${kept}/.`, root])
  }
}

/** A session that works once, and is given as it then stands to each test that asks for it. To be called outside of tests. */
export function workedOnce(turns: Turn[], files: Readonly<Record<string, string>> = FILES): () => Promise<{ shop: Workshop; id: string }> {
  let made: { shop: Workshop; id: string; putBack(): void } | null = null
  let end = async (): Promise<void> => {}
  afterAll(() => end())
  return async () => {
    made?.putBack()
    if (made) return made
    const shop = makeWorkshop(files, (whenOver) => (end = whenOver))
    const id = await shop.work(turns)
    made = { shop, id, putBack: keep(shop) }
    return made
  }
}

export function acceptedIn(place: Place): string[] {
  return eventsOf(place.session()).flatMap((event) => (event.type === 'accepted' ? [event.note] : []))
}

/** Files below a folder, at any depth. */
export function filesBelow(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : []
}

export function hook(shop: Workshop, name: string, script: string): void {
  mkdirSync(join(shop.repo, '.git/hooks'), { recursive: true })
  writeFileSync(join(shop.repo, '.git/hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

export { tryGit }
