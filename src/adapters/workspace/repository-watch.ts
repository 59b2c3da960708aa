// What in a folder and its repositories can make a git run programs, now or later: looked at as it stands, path by path.
import { lstatSync, readdirSync, readFileSync, readlinkSync, type BigIntStats, type Dirent } from 'node:fs'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { prefixesOf } from './nested.js'

/** All paths are absolute. */
export type Watched = {
  /** The user's folder. Every `.git` in it is watched, also in what is ignored or a repository of its own. */
  top: string
  gitDir: string
  /** Another folder than `gitDir` for a linked worktree. */
  commonDir: string
  /** Folders of ours inside. */
  leaves: readonly string[]
}

/** What is `large`, or something `other` such as a pipe, is only told apart, and cannot be put back. */
export type Kept =
  | { kind: 'file'; mode: number; base64: string }
  | { kind: 'link'; target: string }
  | { kind: 'folder'; mode: number }
  | { kind: 'large' | 'other'; what: string }

/** Absolute path → what stands there. Parents come before what is in them. */
export type Seen = Record<BytePath, Kept>

/** The folders of all repositories that were found, and what is watched of them. */
export type View = { repositories: BytePath[]; seen: Seen }

/** Below a repository's own folder: what can name a program, or lend another's settings and objects. */
const WATCHED = ['config', 'config.worktree', 'commondir', 'hooks', 'info/attributes', 'info/grafts', 'objects/info/alternates']
/** Where further repositories lie that belong to it. */
const ROOMS = ['modules', 'worktrees']
const MOST_BYTES = 16 * 1024 * 1024

/** `known` are looked at also when they can no longer be told for repositories, as long as their folder is there. */
export function lookAt({ top, gitDir, commonDir, leaves }: Watched, known: readonly BytePath[] = []): View {
  const seen: Seen = {}
  const room = { bytes: MOST_BYTES }
  const doors = doorsIn(bytePath(top), new Set(leaves.map(bytePath)))
  for (const door of doors) noteItself(seen, door, room)
  const folders = doors.filter((door) => seen[door]?.kind === 'folder')
  const roots = [gitDir, commonDir].map(bytePath)
  const left = known.filter((path) => isReachedFrom([...roots, bytePath(top)], path))
  const repositories = [...new Set([...[...roots, ...folders].flatMap((folder) => repositoriesIn(seen, folder)), ...left])]
  for (const repository of repositories) {
    for (const path of WATCHED) if (isOpen(seen, repository, path)) noteAll(seen, `${repository}/${path}`, room)
  }
  return { repositories, seen }
}

/** Whether it is a folder, with nothing but folders on the way from one of these. */
function isReachedFrom(roots: readonly BytePath[], path: BytePath): boolean {
  const root = roots.find((above) => path === above || path.startsWith(`${above}/`))
  if (root === undefined) return false
  const way = [...prefixesOf(path.slice(root.length + 1)).map((prefix) => `${root}/${prefix}`), path]
  return way.every((place) => entryOf(place)?.isDirectory())
}

/** Every `.git` below, whatever it is. Links are not followed. */
function doorsIn(top: BytePath, leaves: ReadonlySet<BytePath>): BytePath[] {
  const [doors, waiting] = [[] as BytePath[], [top]]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesIn(folder)) {
      const path = `${folder}/${entry.name}`
      if (entry.name === '.git') doors.push(path)
      else if (entry.isDirectory() && !leaves.has(path)) waiting.push(path)
    }
  }
  return doors.toSorted()
}

/** The repository itself, and those of its submodules and linked worktrees, which may lie in each other. */
function repositoriesIn(seen: Seen, repository: BytePath): BytePath[] {
  const rooms = ROOMS.filter((name) => isOpen(seen, repository, `${name}/x`))
  return [repository, ...rooms.flatMap((name) => repositoriesBelow(seen, `${repository}/${name}`))]
}

/** A folder with a HEAD is a repository; others only lead to some, since names of submodules may hold slashes. */
function repositoriesBelow(seen: Seen, folder: BytePath): BytePath[] {
  return entriesIn(folder).filter((entry) => entry.isDirectory()).flatMap(({ name }) => {
    const path = `${folder}/${name}`
    return entryOf(`${path}/HEAD`) ? repositoriesIn(seen, path) : repositoriesBelow(seen, path)
  })
}

/** Whether only folders are on the way; a link there is noted itself, and nothing is looked at through it. */
function isOpen(seen: Seen, repository: BytePath, path: BytePath): boolean {
  const odd = prefixesOf(path).map((prefix) => `${repository}/${prefix}`).find((place) => entryOf(place)?.isDirectory() === false)
  if (odd !== undefined) noteItself(seen, odd, { bytes: 0 })
  return odd === undefined
}

type Room = { bytes: number }

function noteAll(seen: Seen, path: BytePath, room: Room): void {
  noteItself(seen, path, room)
  if (seen[path]?.kind === 'folder') for (const { name } of entriesIn(path)) noteAll(seen, `${path}/${name}`, room)
}

function noteItself(seen: Seen, path: BytePath, room: Room): void {
  const entry = entryOf(path)
  const kept = entry && keptOf(path, entry, room)
  if (kept) seen[path] = kept
}

function keptOf(path: BytePath, entry: BigIntStats, room: Room): Kept | undefined {
  const mode = Number(entry.mode & 0o7777n)
  if (entry.isDirectory()) return { kind: 'folder', mode }
  const size = Number(entry.size)
  try {
    if (entry.isSymbolicLink()) return { kind: 'link', target: readlinkSync(rawPath(path), { encoding: 'latin1' }) }
    if (!entry.isFile()) return { kind: 'other', what: 'a pipe, socket or device' }
    if (size > room.bytes) return { kind: 'large', what: `${size} bytes of ${entry.mtimeNs} ${entry.ctimeNs}` }
    room.bytes -= size
    return { kind: 'file', mode, base64: readFileSync(rawPath(path)).toString('base64') }
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : { kind: 'other', what: `closed to us (${errnoOf(error)})` }
  }
}

function entryOf(path: BytePath): BigIntStats | undefined {
  try {
    return lstatSync(rawPath(path), { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}

function entriesIn(folder: BytePath): Dirent[] {
  try {
    return readdirSync(rawPath(folder), { withFileTypes: true, encoding: 'latin1' }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
