// A workspace that is just a folder: its tree is a hash of everything in it, and nothing can be put back.
import { createHash, type Hash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import type { Workspace } from '../../ports.js'
import { breather, type Breathe } from './breather.js'
import { bytePath, rawPath, shownPath, type BytePath } from './byte-path.js'
import { contentHashes, type HashingWalk } from './content-hashes.js'

export type FolderOptions = {
  /** Left out besides `.git` and `node_modules`: a name is left out at any depth, a path with a slash only there. */
  ignore?: readonly string[]
}

const ALWAYS_IGNORED = ['.git', 'node_modules']

type Walk = { hash: Hash; ignored: ReadonlySet<BytePath>; contents: HashingWalk; breathe: Breathe }

/**
 * Equal contents have equal trees: paths, the executable bit, targets of links and bytes of files count; times, owners and
 * empty folders do not. `diffLines` is 0 until there are checkpoints to compare.
 */
export function folderWorkspace(root: string, options: FolderOptions = {}): Workspace {
  const cwd = resolve(root)
  const ignored = new Set([...ALWAYS_IGNORED, ...(options.ignore ?? [])].map((name) => bytePath(name.replace(/\/+$/, ''))))
  const contentsFor = contentHashes()
  return {
    cwd,
    actions: [],
    async tree() {
      const breathe = breather()
      const walk: Walk = { hash: createHash('sha256'), ignored, contents: contentsFor(breathe), breathe }
      await addFolder(walk, bytePath(cwd), '', namesIn(bytePath(cwd)))
      walk.contents.finish()
      return `folder-${walk.hash.digest('hex')}`
    },
    async diffLines() {
      return 0
    },
  }
}

/** Throws Refusal also when the folder is not there. */
function namesIn(folder: BytePath): BytePath[] {
  try {
    return readdirSync(rawPath(folder), { encoding: 'latin1' }).toSorted()
  } catch (error) {
    throw unknownState(folder, error)
  }
}

async function addFolder(walk: Walk, folder: BytePath, relative: BytePath, names: readonly BytePath[]): Promise<void> {
  await walk.breathe()
  for (const name of names) {
    const path = relative === '' ? name : `${relative}/${name}`
    if (!walk.ignored.has(name) && !walk.ignored.has(path)) await addEntry(walk, `${folder}/${name}`, path)
  }
}

async function addEntry(walk: Walk, absolute: BytePath, relative: BytePath): Promise<void> {
  try {
    const entry = lstatSync(rawPath(absolute), { bigint: true })
    if (entry.isDirectory()) return await addFolder(walk, absolute, relative, namesIn(absolute))
    const identity = await identityOf(walk, absolute, entry)
    // Neither a path nor an identity can contain a NUL, so no two folders give the same text.
    walk.hash.update(`${relative}\0${identity}\0`, 'latin1')
  } catch (error) {
    if (hasVanished(error)) return
    throw unknownState(absolute, error)
  }
}

/** Pipes, sockets and devices are named by their kind and never opened: opening one could wait for ever. */
async function identityOf(walk: Walk, absolute: BytePath, entry: BigIntStats): Promise<string> {
  if (entry.isSymbolicLink()) return `link ${readlinkSync(rawPath(absolute), { encoding: 'latin1' })}`
  if (entry.isFIFO()) return 'pipe'
  if (entry.isSocket()) return 'socket'
  if (!entry.isFile()) return 'device'
  return `${(entry.mode & 0o111n) === 0n ? 'file' : 'program'} ${await walk.contents.hash(absolute, entry)}`
}

/** What is gone by the time we look at it is not part of the tree. */
function hasVanished(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** What is there and cannot be read makes the tree unknown. */
function unknownState(path: BytePath, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code } = error as NodeJS.ErrnoException
  return new Refusal(EXIT.state, `cannot read ${shownPath(path)} (${code ?? String(error)}): the state of the folder is unknown`, 'ls -la')
}
