// The commands of git that may be used, and what each is given so that it starts no foreign program.
import type { Setting } from './environment.js'

/** Nothing else is ever run: each of these is held against every known way of running foreign code by `vectors.test.ts`. */
export const VERBS = [
  'add',
  'apply',
  'cat-file',
  'check-attr',
  'check-ignore',
  'check-ref-format',
  'checkout',
  'checkout-index',
  'commit',
  'commit-tree',
  'config',
  'diff',
  'diff-files',
  'diff-index',
  'diff-tree',
  'for-each-ref',
  'fsck',
  'hash-object',
  'index-pack',
  'init',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'merge-file',
  'merge-tree',
  'mktree',
  'pack-objects',
  'read-tree',
  'rev-list',
  'rev-parse',
  'show-ref',
  'status',
  'switch',
  'symbolic-ref',
  'update-index',
  'update-ref',
  'var',
  'worktree',
  'write-tree',
] as const

export type Verb = (typeof VERBS)[number]

/** Commands that talk to another repository: for `remote.ts` alone, and never from a repository whose configuration is not ours. */
const REACHING: ReadonlySet<string> = new Set(['fetch', 'ls-remote', 'push'])

/** A submodule's own state would be asked of a second git, which reads the submodule's configuration and runs its drivers. */
const COMMITS_ONLY = '--ignore-submodules=dirty'
const DIFF_FLAGS = ['--no-ext-diff', '--no-textconv', COMMITS_ONLY]

const FLAGS: Partial<Record<Verb, readonly string[]>> = {
  diff: DIFF_FLAGS,
  'diff-files': DIFF_FLAGS,
  'diff-index': DIFF_FLAGS,
  'diff-tree': DIFF_FLAGS,
  log: [...DIFF_FLAGS, '--no-show-signature'],
  status: [COMMITS_ONLY],
  init: ['--template='],
}

/** Would start a driver, an editor or a tool, ask the person at the terminal, or look into submodules. */
const REFUSED: Partial<Record<Verb, readonly string[]>> = {
  add: ['--edit', '-e', '--interactive', '-i', '--patch', '-p'],
  'cat-file': ['--textconv', '--filters'],
  checkout: ['--patch', '-p', '--recurse-submodules'],
  'checkout-index': ['--recurse-submodules'],
  commit: ['--all', '-a', '--edit', '-e', '--interactive', '--patch', '-p', '--verbose', '-v', '--trailer'],
  config: ['--edit', '-e'],
  diff: ['--ext-diff', '--textconv', '--submodule'],
  'diff-files': ['--ext-diff', '--textconv', '--submodule'],
  'diff-index': ['--ext-diff', '--textconv', '--submodule'],
  'diff-tree': ['--ext-diff', '--textconv', '--submodule'],
  log: ['--ext-diff', '--textconv', '--submodule', '--show-signature'],
  'ls-files': ['--recurse-submodules'],
  'read-tree': ['--recurse-submodules'],
  switch: ['--recurse-submodules'],
}

/** Settings that one command alone needs: `fsck` would have these files checked by a second git. */
const SETTINGS: Partial<Record<Verb, readonly Setting[]>> = {
  fsck: [['core.commitGraph', 'false'], ['core.multiPackIndex', 'false']],
}

/** The verb with its own flags in front of the caller's. A verb or flag that is not allowed is a bug of ours. */
export function guardedArguments(args: readonly string[], reaches?: 'remotes'): string[] {
  const [verb, ...rest] = args
  if (reaches && verb !== undefined && REACHING.has(verb)) return [...args]
  if (!isVerb(verb)) throw new Error(`git ${verb}: this command is not on the list of those that may be used`)
  if (verb === 'worktree' && rest[0] !== 'list') throw new Error('git worktree: only "list" may be used')
  const end = rest.indexOf('--')
  const names = new Set((end < 0 ? rest : rest.slice(0, end)).map((arg) => arg.replace(/=.*$/s, '')))
  const refused = REFUSED[verb]?.find((flag) => names.has(flag))
  if (refused !== undefined) throw new Error(`git ${verb} ${refused}: this flag may start a foreign program`)
  return [verb, ...(FLAGS[verb] ?? []), ...rest]
}

export function settingsOfVerb(verb: string | undefined): readonly Setting[] {
  return isVerb(verb) ? (SETTINGS[verb] ?? []) : []
}

function isVerb(text: string | undefined): text is Verb {
  return (VERBS as readonly (string | undefined)[]).includes(text)
}
