// Guards what makes a repository run programs, while an agent works in it in place: named and put back after each turn.
import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync, type Stats } from 'node:fs'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { printable, writeDurable } from '../../files/durable.js'
import { commonDirOf } from '../../git/keys.js'
import { lookAt, type Kept, type Seen, type View, type Watched } from './repository-watch.js'
import { setAside } from './salvage-aside.js'

export type GuardOptions = Omit<Watched, 'commonDir'> & {
  /** A file of ours that remembers across a crash. */
  memory: string
  /** `kept` after a turn that was cut off: what has changed since it began may be its doing. Else what the user has now is what counts. */
  since: 'now' | 'kept'
  /** A folder of ours where planted files are kept. */
  aside: string
}

export type RepositoryGuard = {
  /** Puts everything back as it was, keeps what was planted, and names it: one line each. */
  check(): string[]
}

export function guardRepository(options: GuardOptions): RepositoryGuard {
  let before = (options.since === 'kept' ? remembered(options.memory) : null) ?? remember(options)
  return {
    check() {
      const { lines, lost } = putBack({ ...options, commonDir: before.commonDir }, before)
      if (lost.length > 0) before = without(before, lost)
      return lines
    },
  }
}

/** With where the settings of all worktrees lay: the file that says so is in reach of an agent. */
type Memory = View & { commonDir: string }

function remembered(memory: string): Memory | null {
  if (!lstatSync(memory, { throwIfNoEntry: false })?.isFile()) return null
  return JSON.parse(readFileSync(memory, 'utf8')) as Memory
}

function remember(options: GuardOptions): Memory {
  const commonDir = commonDirOf(options.gitDir)
  const view = lookAt({ ...options, commonDir })
  const large = Object.keys(view.seen).find((path) => view.seen[path]?.kind === 'large')
  if (large !== undefined) {
    const text = `there are more hooks and settings than can be watched while an agent works there: ${shownPath(large)}`
    throw new Refusal(EXIT.guard, text, 'run without --in-place')
  }
  const memory: Memory = { commonDir, ...view }
  writeDurable(options.memory, JSON.stringify(memory))
  return memory
}

function without({ commonDir, repositories, seen }: Memory, lost: readonly BytePath[]): Memory {
  const stays = (path: BytePath): boolean => !lost.some((gone) => isBelow(path, gone))
  return { commonDir, repositories: repositories.filter(stays), seen: Object.fromEntries(Object.entries(seen).filter(([path]) => stays(path))) }
}

function requireRepository({ gitDir, commonDir }: Watched): void {
  const gone = [gitDir, commonDir].find((folder) => !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())
  if (gone === undefined) return
  throw new Refusal(EXIT.guard, `${printable(gone)} was taken away while an agent worked there`, 'git fsck, once it is back')
}

type Guarding = GuardOptions & Watched

/** `planted` went aside; `missing` is to be made again, except what is `lost`. */
type Difference = { now: Seen; wrong: BytePath[]; planted: BytePath[]; missing: BytePath[]; lost: BytePath[] }

function putBack(options: Guarding, before: Memory): { lines: string[]; lost: BytePath[] } {
  requireRepository(options)
  const { seen: now } = lookAt(options, before.repositories)
  const wrong = Object.keys(now).filter((path) => JSON.stringify(now[path]) !== JSON.stringify(before.seen[path]))
  // What lies in something that goes as a whole goes with it; a folder whose mode alone changed stays.
  const whole = wrong.filter((path) => now[path]?.kind !== 'folder' || before.seen[path]?.kind !== 'folder')
  const planted = whole.filter((path) => !whole.some((above) => path.startsWith(`${above}/`)))
  for (const path of planted) setAsideFrom(options, path)
  const missing = Object.keys(before.seen).filter((path) => now[path] === undefined || planted.some((gone) => isBelow(path, gone)))
  const lost = lostOf(before, missing)
  for (const path of missing) if (!lost.some((gone) => isBelow(path, gone))) write(path, before.seen[path] as Kept)
  for (const path of Object.keys(before.seen)) correctMode(path, before.seen[path])
  return { lines: linesFor(options, before.seen, { now, wrong, planted, missing, lost }), lost }
}

/** Repositories that are gone, of which only settings are remembered; what stood in a folder that is gone; what was no plain file. */
function lostOf({ repositories, seen }: Memory, missing: readonly BytePath[]): BytePath[] {
  const gone = repositories.filter((path) => !entryAt(path)?.isDirectory())
  const others = missing.filter((path) => {
    const kind = seen[path]?.kind
    return kind === 'large' || kind === 'other' || (path.endsWith('/.git') && !entryAt(parentOf(path))?.isDirectory())
  })
  const all = [...new Set([...gone, ...others])]
  return all.filter((path) => !all.some((above) => path.startsWith(`${above}/`))).toSorted()
}

function linesFor(options: Guarding, before: Seen, { now, wrong, planted, missing, lost }: Difference): string[] {
  const kept = printable(options.aside)
  const told = [...new Set([...wrong, ...missing, ...lost])].filter((path) => !lost.some((gone) => path.startsWith(`${gone}/`)))
  return told.toSorted().map((path) => {
    const name = nameIn(options, path)
    const isAside = planted.some((gone) => isBelow(path, gone))
    if (lost.includes(path)) return `${name} was ${isAside ? `replaced, by what is kept in ${kept}` : 'removed'}; it cannot be put back`
    if (before[path] === undefined) return `${name} was added; taken away, and kept in ${kept}`
    return `${name} was ${now[path] === undefined ? 'removed' : 'changed'}; put back${isAside ? `, and what stood there is kept in ${kept}` : ''}`
  })
}

function isBelow(path: BytePath, above: BytePath): boolean {
  return path === above || path.startsWith(`${above}/`)
}

/** Under its path in the folder, or where it is elsewhere, under its whole path. */
function setAsideFrom({ top, aside }: Guarding, path: BytePath): void {
  const root = isBelow(path, bytePath(top)) ? top : '/'
  setAside({ folder: root, aside }, path.slice(root === '/' ? 1 : bytePath(root).length + 1), 'an agent put it there')
}

function write(path: BytePath, kept: Kept): void {
  mkdirSync(rawPath(parentOf(path)), { recursive: true })
  if (kept.kind === 'folder') mkdirSync(rawPath(path), { recursive: true })
  else if (kept.kind === 'link') symlinkSync(rawPath(kept.target), rawPath(path))
  else if (kept.kind === 'file') writeFileSync(rawPath(path), Buffer.from(kept.base64, 'base64'), { flag: 'wx' })
}

function correctMode(path: BytePath, kept: Kept | undefined): void {
  if (kept?.kind !== 'file' && kept?.kind !== 'folder') return
  const entry = entryAt(path)
  if (entry && !entry.isSymbolicLink() && (entry.mode & 0o7777) !== kept.mode) chmodSync(rawPath(path), kept.mode)
}

function entryAt(path: BytePath): Stats | undefined {
  return lstatSync(rawPath(path), { throwIfNoEntry: false })
}

function parentOf(path: BytePath): BytePath {
  return path.slice(0, path.lastIndexOf('/'))
}

function nameIn({ top }: Guarding, path: BytePath): string {
  const within = isBelow(path, bytePath(top)) ? path.slice(bytePath(top).length + 1) : path
  return printable(rawPath(within).toString('utf8'))
}
