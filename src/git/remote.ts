// Talking to other repositories: where a ref stands, fetching, and pushing by compare-and-swap. Addresses are given outright.
import { EXIT, Refusal } from '../errors.js'
import { sanitise } from '../text/sanitise.js'
import { git, GitError, type GitOptions, type Repository } from './git.js'

/** A ref of another repository: an address or a path, and the whole name. */
export type RemoteRef = { url: string; ref: string }

/** Longer than a slow network needs, and far shorter than for ever. */
const TIMEOUT_SECONDS = 120

type How = Pick<GitOptions, 'signal' | 'timeoutSeconds'>

/** An address that git would take for a flag, that names a program, or that holds a login: it would stand in queues, results and lists of processes. */
export function refuseAddress(url: string): void {
  const isPlain = /^(?:https?|ssh|git|file):\/\/\S+$/.test(url) || /^\/[^\n]*$/.test(url) || /^[\w.-]+@[\w.-]+:\S+$/.test(url)
  if (!isPlain || url.includes('::') || sanitise(url) !== url) {
    throw new Refusal(EXIT.usage, `${JSON.stringify(withoutLogin(url))} is no address of a repository`, 'name it as https://…, ssh://…, git://…, file://…, user@host:path or a whole path')
  }
  if (withoutLogin(url) === url) return
  throw new Refusal(EXIT.usage, `the address ${withoutLogin(url)} is given with a login, which others could read in the queue and in lists of processes; workers log in by key or credential helper`, `git config --global credential.helper store  (and name it as ${withoutLogin(url)})`)
}

/** The name of a user of ssh is no secret; before other hosts it may be a token. */
function withoutLogin(url: string): string {
  return url.replace(/^(ssh:\/\/[^@/:]*):[^@/]*@/, '$1@').replace(/^((?!ssh:)[a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}

/** The commits of refs that fit a pattern, by name. */
export async function listRemote(repository: Repository, url: string, patterns: readonly string[], how: How = {}): Promise<Map<string, string>> {
  const { text } = await reach(repository, url, ['ls-remote', '--quiet', '--', url, ...patterns], how)
  const lines = text.split('\n').filter((line) => line !== '').map((line) => line.split('\t'))
  return new Map(lines.map(([commit = '', ref = '']) => [ref, commit]))
}

/** Null when there is no such ref. */
export async function remoteTip(repository: Repository, { url, ref }: RemoteRef, how: How = {}): Promise<string | null> {
  return (await listRemote(repository, url, [ref], how)).get(ref) ?? null
}

/** `wants` are refspecs, or names of commits. */
export async function fetchFrom(repository: Repository, url: string, wants: readonly string[], how: How = {}): Promise<void> {
  await reach(repository, url, ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules', '--', url, ...wants], how)
}

/** Moves refs only where each stands where it is expected to (null: not there); all of them, or none. Throws GitError otherwise. */
export async function pushTo(repository: Repository, url: string, moves: readonly { ref: string; from: string | null; to: string | null }[], how: How = {}): Promise<void> {
  const leases = moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ''}`)
  const specs = moves.map(({ ref, to }) => `${to ?? ''}:${ref}`)
  await reach(repository, url, ['push', '--quiet', '--no-verify', '--atomic', '--no-recurse-submodules', ...leases, '--', url, ...specs], how)
}

async function reach(repository: Repository, url: string, args: readonly string[], how: How): Promise<{ text: string }> {
  refuseAddress(url)
  return git({ ...repository, reaches: 'remotes' }, args, { timeoutSeconds: TIMEOUT_SECONDS, ...how })
}

/** What a remote said that no waiting mends. */
const FINAL = /denied|declined|read-only|not permitted|forbidden|\b40[134]\b|does not appear to be a git repository|repository not found|no such file|not exported|authentication failed/i

export function isFinal(error: unknown): boolean {
  return error instanceof GitError && FINAL.test(error.stderr)
}
