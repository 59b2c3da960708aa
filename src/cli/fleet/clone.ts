// The repository of a task on this machine: one folder for each commit that is worked on, there whole or not at all.
import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, makeFolder, makeScratch } from '../../files/durable.js'
import { git, type Repository } from '../../git/git.js'
import { fetchFrom, isFinal } from '../../git/remote.js'
import type { Task } from '../../fleet/types.js'

/** How the objects of a repository are named is told by any commit of it. */
export function formatOf(commit: string): 'sha1' | 'sha256' {
  return commit.length === 64 ? 'sha256' : 'sha1'
}

const making = new Map<string, Promise<string>>()

/** Throws GitError when the repository or the commit cannot be had. */
export function cloneOf(room: string, task: Pick<Task, 'repository' | 'commit'>): Promise<string> {
  const name = createHash('sha256').update(task.repository).digest('hex').slice(0, 10)
  const folder = join(room, `${name}-${task.commit.slice(0, 16)}`)
  if (existsSync(folder)) return Promise.resolve(folder)
  const begun = making.get(folder) ?? make(room, folder, task).finally(() => making.delete(folder))
  making.set(folder, begun)
  return begun
}

async function make(room: string, folder: string, { repository: url, commit }: Pick<Task, 'repository' | 'commit'>): Promise<string> {
  makeFolder(room)
  const draft = makeScratch(join(room, '.making-'))
  const repository: Repository = { gitDir: join(draft, '.git'), workTree: draft, config: 'ours' }
  try {
    await git(repository, ['init', '--quiet', '--initial-branch=main', `--object-format=${formatOf(commit)}`])
    await fetchCommit(repository, url, commit)
    await git(repository, ['update-ref', 'refs/heads/main', commit])
    await git(repository, ['read-tree', '--reset', '-u', 'HEAD'])
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (errnoOf(error) !== 'ENOTEMPTY') throw error
  }
  return folder
}

/** Servers that hand out no commit by its name are asked for all their branches. */
async function fetchCommit(repository: Repository, url: string, commit: string): Promise<void> {
  try {
    await fetchFrom(repository, url, [commit])
  } catch (error) {
    if (isFinal(error)) throw error
    await fetchFrom(repository, url, ['+refs/heads/*:refs/remotes/origin/*'])
  }
}
