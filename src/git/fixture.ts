// For tests with real repositories: git as a user would run it, with nothing of ours around it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bytePath, rawPath, type BytePath } from '../files/byte-path.js'

export type Variables = Readonly<Record<string, string | undefined>>

export const WHO = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'C',
  GIT_COMMITTER_EMAIL: 'c@example.com',
}

/** No configuration but the repository's, unless `HOME` is given. */
function plainEnvironment(extra: Variables): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...WHO, ...extra }
}

type Said = { status: number | null; stdout: string; stderr: string }

export function tryGit(cwd: string, args: readonly string[], extra: Variables = {}, input: string | Buffer = ''): Said {
  const env = plainEnvironment(extra)
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, input, encoding: 'utf8', timeout: 30_000 })
  return { status, stdout, stderr }
}

/** What it printed, without the last line break; a failure ends the test. */
export function plainGit(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = tryGit(cwd, args)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: exit ${status}: ${stderr}`)
  return stdout.replace(/\n$/, '')
}

export function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** A repository on branch `main` with one commit of these files. */
export function repositoryWith(root: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(root, { recursive: true })
  plainGit(root, 'init', '-q', '-b', 'main', '--template=')
  put(root, files)
  return commitAll(root, 'first')
}

export function commitAll(root: string, message: string): string {
  plainGit(root, 'add', '-A')
  plainGit(root, 'commit', '-q', '--allow-empty', '-m', message)
  return plainGit(root, 'rev-parse', 'HEAD')
}

/** Path → kind, mode, time of change and contents of all that lies below: equal for two folders that nobody has touched. */
export function stateOf(root: string): Record<string, string> {
  return stateBelow(bytePath(root), '')
}

function stateBelow(root: BytePath, below: BytePath): Record<string, string> {
  const entries = readdirSync(rawPath(`${root}/${below}`), 'latin1').toSorted().map((name) => {
    const path = `${below}${name}`
    const full = rawPath(`${root}/${path}`)
    const stat = lstatSync(full, { bigint: true })
    if (stat.isDirectory()) return { [path]: `folder ${stat.mode}`, ...stateBelow(root, `${path}/`) }
    const bytes = stat.isSymbolicLink() ? readlinkSync(full) : readFileSync(full)
    return { [path]: `${stat.mode} ${stat.mtimeNs} ${createHash('sha1').update(bytes).digest('hex')}` }
  })
  return Object.assign({}, ...entries) as Record<string, string>
}

/** Git gives a new time to an object that it finds already written, and to the shared part of a split index; nothing else may change. */
export function untimed(state: Readonly<Record<string, string>>): string[] {
  const mayBeTimed = (path: string): boolean => /^\.git\/(objects\/|sharedindex)/.test(path)
  return Object.entries(state).map(([path, value]) => `${path} ${mayBeTimed(path) ? value.replace(/ \d+ /, ' ') : value}`)
}
