// Guards what makes a repository run programs, while an agent works in it in place: named and put back after each turn.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath } from '../../files/byte-path.js'
import { printable, writeDurable } from '../../files/durable.js'
import { setAside } from './salvage-aside.js'

/** Below the repository's own folder, and below that of each submodule: what can name a program, or lend another's objects. */
const WATCHED = ['config', 'config.worktree', 'commondir', 'hooks', 'info/attributes', 'info/grafts', 'objects/info/alternates']
const MOST_BYTES = 16 * 1024 * 1024

type Kept = { kind: 'file'; mode: number; base64: string } | { kind: 'link'; target: string } | { kind: 'folder'; mode: number }
/** Path below the repository's folder → what stood there. Parents come before what is in them. */
type Snapshot = Record<string, Kept>

export type RepositoryGuard = {
  /** Puts everything back as it was, keeps what was planted, and names it: one line each. */
  check(): string[]
}

/** `memory` is a file of ours that remembers across a crash; `aside` a folder of ours where planted files are kept. */
export function guardRepository(places: { gitDir: string; memory: string; aside: string }): RepositoryGuard {
  const before = remembered(places.memory) ?? remember(places)
  return { check: () => putBack(places, before) }
}

function remembered(memory: string): Snapshot | undefined {
  if (!lstatSync(memory, { throwIfNoEntry: false })?.isFile()) return undefined
  return JSON.parse(readFileSync(memory, 'utf8')) as Snapshot
}

function remember({ gitDir, memory }: { gitDir: string; memory: string }): Snapshot {
  const snapshot = look(gitDir)
  writeDurable(memory, JSON.stringify(snapshot))
  return snapshot
}

// ───────────────────────────── looking ─────────────────────────────

function look(gitDir: string): Snapshot {
  const snapshot: Snapshot = {}
  let bytes = 0
  const take = (path: string): void => {
    const entry = lstatSync(join(gitDir, path), { throwIfNoEntry: false })
    if (!entry) return
    if (entry.isSymbolicLink()) snapshot[path] = { kind: 'link', target: readlinkSync(join(gitDir, path)) }
    else if (entry.isDirectory()) {
      snapshot[path] = { kind: 'folder', mode: entry.mode & 0o7777 }
      for (const name of readdirSync(join(gitDir, path)).toSorted()) take(`${path}/${name}`)
    } else if (entry.isFile()) {
      bytes += entry.size
      if (bytes > MOST_BYTES) throw tooMuch(gitDir)
      snapshot[path] = { kind: 'file', mode: entry.mode & 0o7777, base64: readFileSync(join(gitDir, path)).toString('base64') }
    } else snapshot[path] = { kind: 'link', target: '(a pipe, socket or device)' }
  }
  for (const root of repositoriesIn(gitDir)) for (const path of WATCHED) take(root === '' ? path : `${root}/${path}`)
  return snapshot
}

function tooMuch(gitDir: string): Refusal {
  return new Refusal(EXIT.guard, `${printable(gitDir)} has more hooks and settings than can be watched`, 'run without --in-place')
}

/** The repository itself and those of its submodules, which may lie in each other. */
function repositoriesIn(gitDir: string, at = ''): string[] {
  const modules = at === '' ? 'modules' : `${at}/modules`
  return [at, ...namesBelow(gitDir, modules)]
}

/** A folder below `modules` with a HEAD is a repository; others only lead to some, since names may hold slashes. */
function namesBelow(gitDir: string, at: string): string[] {
  if (!lstatSync(join(gitDir, at), { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(join(gitDir, at), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = `${at}/${name}`
      const isRepository = lstatSync(join(gitDir, path, 'HEAD'), { throwIfNoEntry: false }) !== undefined
      return isRepository ? repositoriesIn(gitDir, path) : namesBelow(gitDir, path)
    })
}

// ───────────────────────────── putting back ─────────────────────────────

function putBack({ gitDir, aside }: { gitDir: string; aside: string }, before: Snapshot): string[] {
  if (!lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal(EXIT.guard, `${printable(gitDir)} was taken away while an agent worked there`, 'git fsck, once it is back')
  }
  const now = look(gitDir)
  const wrong = Object.keys(now).filter((path) => !isSame(now[path], before[path]))
  // What lies in something that goes as a whole goes with it; a folder whose mode alone changed stays.
  const whole = wrong.filter((path) => now[path]?.kind !== 'folder' || before[path]?.kind !== 'folder')
  const planted = whole.filter((path) => !whole.some((above) => path.startsWith(`${above}/`)))
  for (const path of planted) setAside({ folder: gitDir, aside }, bytePath(path), 'an agent put it into .git')
  const isGone = (path: string): boolean => now[path] === undefined || planted.some((gone) => path === gone || path.startsWith(`${gone}/`))
  const missing = Object.keys(before).filter(isGone)
  for (const path of missing) write(gitDir, path, before[path] as Kept)
  for (const path of Object.keys(before)) correctMode(gitDir, path, before[path])
  return [...new Set([...wrong, ...missing])].toSorted().map((path) => `.git/${printable(path)} was ${verb(before[path], now[path])}; put back`)
}

function isSame(a: Kept | undefined, b: Kept | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function write(gitDir: string, path: string, kept: Kept): void {
  const target = join(gitDir, path)
  mkdirSync(dirname(target), { recursive: true })
  if (kept.kind === 'folder') mkdirSync(target, { recursive: true })
  else if (kept.kind === 'link') symlinkSync(kept.target, target)
  else writeFileSync(target, Buffer.from(kept.base64, 'base64'), { flag: 'wx' })
}

function correctMode(gitDir: string, path: string, kept: Kept | undefined): void {
  if (!kept || kept.kind === 'link') return
  if ((lstatSync(join(gitDir, path)).mode & 0o7777) !== kept.mode) chmodSync(join(gitDir, path), kept.mode)
}

function verb(before: Kept | undefined, now: Kept | undefined): string {
  return before === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
}
