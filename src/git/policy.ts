// Which states of the user's repository a run is refused in, and what is said about the others: one small table, before any change.
import { EXIT, Refusal } from '../errors.js'
import { shownPath } from '../files/byte-path.js'
import { printable } from '../files/durable.js'
import { inTime } from '../process/notes.js'
import { counted } from '../text/amounts.js'
import { quoteWord } from '../text/prompt/quote.js'
import type { RepositoryFacts, WorkTreeFacts } from './inspect.js'
import type { IndexLock, ObjectFolders, Operation } from './standing.js'
import type { Dirty, Some } from './status.js'

export type Wishes = {
  /** What becomes of changes that are not committed; undefined: the user has not said. */
  dirty?: 'include' | 'ignore'
  /** What is committed by the run itself must not hold what the user has not committed: `include` is no way out. */
  commits?: true
}

type Rule = (facts: WorkTreeFacts, wishes: Wishes) => Refusal | null

/** In this order, so that the cause is named before what follows from it. Everything else works, and is told by `noticesOf`. */
const RULES: readonly Rule[] = [
  ({ foreign, topLevel }) => {
    if (foreign === null) return null
    return unusable(`${printable(foreign)} belongs to another user`, `git config --global --add safe.directory ${quoteWord(topLevel)}`)
  },
  ({ objects }) => borrowingRefusal(objects),
  ({ partial }) => {
    if (partial === null || partial.missing === 0) return null
    const what = `the repository is a partial clone and lacks ${counted(partial.missing, 'object')} of HEAD`
    return unusable(what, 'git fetch --refetch --no-filter')
  },
  ({ operation }) => (operation === null ? null : usage(`git ${operation} is in progress`, WAYS_OUT[operation])),
  ({ filters }, wishes) => {
    const use = wishes.dirty === 'include' ? undefined : filters.find(({ isSetUp }) => isSetUp)
    if (!use) return null
    const what = `the filter "${printable(use.driver)}" is needed for ${someOf(use.paths, 'file')}, and no program of a repository is run`
    if (wishes.commits) return usage(what, 'greenlatch procedures')
    return usage(`${what} (--dirty include takes your files as they stand)`, 'greenlatch run --dirty include')
  },
  ({ dirty }, wishes) => {
    if (wishes.dirty === 'ignore' || dirty.unmerged.count === 0) return null
    return usage(`conflicts are not resolved in ${someOf(dirty.unmerged, 'file')}`, 'git status')
  },
  ({ dirty }, wishes) => {
    if (wishes.dirty !== undefined || !isDirty(dirty)) return null
    const what = `not everything is committed: ${changesOf(dirty)}`
    if (wishes.commits) return usage(`${what} (--dirty ignore leaves it out)`, 'greenlatch run --dirty ignore')
    const ways = '--dirty include takes it along, --dirty ignore leaves it out'
    return usage(`${what} (${ways})`, 'greenlatch run --dirty include')
  },
]

const WAYS_OUT: Readonly<Record<Operation, string>> = {
  merge: 'git merge --continue, or git merge --abort',
  rebase: 'git rebase --continue, or git rebase --abort',
  am: 'git am --continue, or git am --abort',
  'cherry-pick': 'git cherry-pick --continue, or git cherry-pick --abort',
  revert: 'git revert --continue, or git revert --abort',
  bisect: 'git bisect reset',
}

/** Null when a run may begin. A folder without git is such a case. */
export function refusalOf(facts: RepositoryFacts, wishes: Wishes = {}): Refusal | null {
  switch (facts.kind) {
    case 'none':
      return null
    case 'bare': {
      const what = `${printable(facts.folder)} is a repository without files of its own (bare, or the inside of .git)`
      return usage(what, 'greenlatch -C <folder with the files>')
    }
    case 'broken': {
      const to = facts.leadsTo === null ? 'nowhere' : `to ${printable(facts.leadsTo)}, which is no repository`
      const what = `${printable(facts.at)} leads ${to}: the repository it belongs to was moved or removed`
      return unusable(what, 'git worktree repair, in the repository it belongs to')
    }
    case 'work tree':
      for (const rule of RULES) {
        const refusal = rule(facts, wishes)
        if (refusal) return refusal
      }
      return null
  }
}

/** Some of its objects may be out of reach, and which can only be told by looking for each. */
export function borrowingRefusal({ missing: [missing] }: ObjectFolders): Refusal | null {
  if (missing === undefined) return null
  return unusable(`the repository borrows objects from ${printable(missing)}, which is not there`, `ls -la ${quoteWord(missing)}`)
}

function usage(message: string, next: string): Refusal {
  return new Refusal(EXIT.usage, message, next)
}

function unusable(message: string, next: string): Refusal {
  return new Refusal(EXIT.state, message, next)
}

/** Ignored files are neither taken along nor lost, so they do not count. */
export function isDirty({ staged, unstaged, unmerged, untracked }: Dirty): boolean {
  return staged.count + unstaged.count + unmerged.count + untracked.count > 0
}

function changesOf(dirty: Dirty): string {
  const words = { staged: 'staged', unstaged: 'changed', unmerged: 'in conflict', untracked: 'untracked' } as const
  const told = Object.entries(words).map(([kind, word]) => ({ word, some: dirty[kind as keyof typeof words] }))
  return told.flatMap(({ word, some }) => (some.count === 0 ? [] : [`${some.count} ${word} (${listed(some)})`])).join(', ')
}

function someOf(some: Some, what: string): string {
  return `${counted(some.count, what)} (${listed(some)})`
}

function listed({ count, first }: Some): string {
  return [...first.slice(0, 3).map(shownPath), ...(count > 3 ? ['…'] : [])].join(', ')
}

/** What a user should know about a repository that a run may begin in. */
export function noticesOf(facts: RepositoryFacts, { dirty }: Wishes = {}): string[] {
  if (facts.kind !== 'work tree') return []
  const idle = facts.filters.filter(({ isSetUp }) => !isSetUp).map(({ driver }) => printable(driver))
  return [
    facts.head.commit === null && dirty !== 'include' && 'the branch has no commit yet: the work begins with an empty tree, or with your files by --dirty include',
    facts.head.branch === null && 'HEAD is detached: a result can be accepted onto a branch only',
    facts.isSparse && 'the checkout is sparse: the session works on all files of HEAD',
    facts.submodules.length > 0 && `${counted(facts.submodules.length, 'submodule')}: changes inside are not taken along`,
    idle.length > 0 && `the filter ${idle.join(', ')} is not set up: its files stay as they are stored`,
    facts.lock !== null && describeLock(facts.lock),
    !facts.isWritable && 'the repository is read-only: a session can work, but its result cannot be accepted',
  ].filter((line) => line !== false)
}

function describeLock({ path, ageSeconds, holder }: IndexLock): string {
  const who = holder === null ? 'no process that we can see has it open' : `process ${holder} has it open`
  return `${printable(path)} is there since ${inTime(ageSeconds)} (${who})`
}

/** For what has to write the user's index, which only `accept` does. */
export function lockRefusal(lock: IndexLock): Refusal {
  const next = lock.holder === null ? `if no git is running there: rm ${quoteWord(lock.path)}` : 'wait for it to end, and try again'
  return new Refusal(EXIT.locked, describeLock(lock), next)
}
