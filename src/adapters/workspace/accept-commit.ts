// Makes the commit of a result under the user's own name, signed when their settings say so, before their repository has anything of it.
import { join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { syncFolder } from '../../files/durable.js'
import { GitError, type Repository } from '../../git/git.js'
import { isOn, readSettings } from '../../git/settings.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'
import { copyTree } from './objects.js'
import { objectsOf } from './store.js'

export type CommitRequest = { tree: Tree; parents: readonly string[]; message: string; at: Date }

/** A name that git would make up from the machine's is nobody's. */
export const NO_GUESSING = { 'user.useConfigOnly': 'true', 'i18n.commitEncoding': 'UTF-8' } as const

/** Throws Refusal when git does not know who the user is. */
export async function requireIdentity(landing: Landing): Promise<void> {
  for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    try {
      await gitFor(landing, repositoryOf(landing), ['var', name], { settings: NO_GUESSING })
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      const next = 'git config user.name "<name>" && git config user.email <address>'
      throw new Refusal(EXIT.usage, 'git does not know your name and e-mail address', next)
    }
  }
}

/** The commit, in the landing's room. */
export async function writeCommit(landing: Landing, { tree, parents, message, at }: CommitRequest): Promise<string> {
  const alternates = [objectsOf(landing.store), ...landing.objects.folders]
  const own: Repository = { ...repositoryOf(landing), objects: landing.room.objects, alternates }
  const isSigned = await signs(landing)
  const args = ['commit-tree', ...(isSigned ? ['-S'] : []), ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree]
  try {
    const repository: Repository = isSigned ? { ...own, runs: { signing: true } } : own
    return (await gitFor(landing, repository, args, { input: message, settings: NO_GUESSING, env: datesOf(at) })).text
  } catch (error) {
    throw isSigned && error instanceof GitError ? unsigned(error) : error
  }
}

export async function signs(landing: Landing): Promise<boolean> {
  return isOn((await readSettings(repositoryOf(landing))).all, 'commit.gpgsign')
}

function unsigned({ explanation }: GitError): Refusal {
  const text = `the commit could not be signed, as commit.gpgSign asks for: ${explanation}`
  return new Refusal(EXIT.usage, text, 'git commit --allow-empty -S -m test, to see what gpg says')
}

/** In the time zone of the user's machine; git itself is run in UTC. */
export function datesOf(at: Date): Record<string, string> {
  const minutes = -at.getTimezoneOffset()
  const pad = (amount: number): string => String(Math.trunc(amount)).padStart(2, '0')
  const zone = `${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}${pad(Math.abs(minutes) % 60)}`
  const date = `@${Math.floor(at.getTime() / 1000)} ${zone}`
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
}

/** Brings a commit or tree into the user's repository, without what `known` reaches; durable, and of no effect until a branch names it. */
export async function bringObjects(landing: Landing, wanted: string, known: readonly string[]): Promise<void> {
  const { commonDir, store, room } = landing
  await copyTree({ gitDir: commonDir, config: 'foreign', alternates: [objectsOf(store), room.objects], durable: true }, wanted, known)
  syncFolder(join(commonDir, 'objects', 'pack'))
}
