// A quick look at a small folder: a hash of everything in it, so that git need not be asked when nothing has changed.
import { createHash, type Hash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { resolve } from 'node:path'
import { breather, type Breathe } from './breather.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { contentHashes, type HashingWalk } from './content-hashes.js'

export type LookOptions = {
  /** Left out besides `.git`: a name is left out at any depth, a path with a slash only there. */
  ignore?: readonly string[]
  /** Whether a folder called `node_modules` is no part of the tree. Undefined: that is not known, and then there is no answer. */
  isLeftOut?: (path: BytePath) => boolean | undefined
  /** Beyond this many entries git is quicker: then there is no answer. */
  mostEntries?: number
}

const ALWAYS_IGNORED = ['.git']
/** Often large, and mostly ignored; but one may also be tracked, or new and not ignored. */
const DEPENDENCIES = 'node_modules'
const MOST_ENTRIES = 2000
const MOST_BYTES = 16 * 1024 * 1024

type Walk = {
  hash: Hash
  ignored: ReadonlySet<BytePath>
  isLeftOut: NonNullable<LookOptions['isLeftOut']>
  contents: HashingWalk
  breathe: Breathe
  left: number
  unsure: boolean
}

/**
 * Null when it cannot be told, or not quickly. Equal looks mean equal contents: paths, the executable bit, targets of links and bytes of files count; times and
 * empty folders do not.
 */
export function createLook(root: string, options: LookOptions = {}): () => Promise<string | null> {
  const folder = resolve(root)
  const ignored = new Set([...ALWAYS_IGNORED, ...(options.ignore ?? [])].map((name) => bytePath(name.replace(/\/+$/, ''))))
  const contentsFor = contentHashes()
  return async () => {
    const breathe = breather()
    const left = options.mostEntries ?? MOST_ENTRIES
    const isLeftOut = options.isLeftOut ?? (() => false)
    const walk: Walk = { hash: createHash('sha256'), ignored, isLeftOut, contents: contentsFor(breathe), breathe, left, unsure: false }
    try {
      if (!lstatSync(folder).isDirectory()) return null
      await addFolder(walk, bytePath(folder), '')
    } catch {
      giveUp(walk)
    }
    walk.contents.finish()
    return walk.left < 0 || walk.unsure ? null : walk.hash.digest('hex')
  }
}

async function addFolder(walk: Walk, folder: BytePath, relative: BytePath): Promise<void> {
  await walk.breathe()
  const names = readdirSync(rawPath(folder), { encoding: 'latin1' }).toSorted()
  walk.left -= names.length
  for (const name of names) {
    if (walk.left < 0) return
    const path = relative === '' ? name : `${relative}/${name}`
    if (!walk.ignored.has(name) && !walk.ignored.has(path)) await addEntry(walk, `${folder}/${name}`, path)
  }
}

async function addEntry(walk: Walk, absolute: BytePath, relative: BytePath): Promise<void> {
  try {
    const entry = lstatSync(rawPath(absolute), { bigint: true })
    if (entry.isDirectory()) return isPart(walk, relative) ? await addFolder(walk, absolute, relative) : undefined
    if (entry.size > MOST_BYTES) return giveUp(walk)
    const identity = await identityOf(walk, absolute, entry)
    // Neither a path nor an identity can contain a NUL, so no two folders give the same text.
    walk.hash.update(`${relative}\0${identity}\0`, 'latin1')
  } catch (error) {
    // What is gone by the time we look at it is not part of the folder; what is there and cannot be read is git's to name.
    if (errnoOf(error) !== 'ENOENT') giveUp(walk)
  }
}

/** The rest is looked at also when one folder is unknown, so that all of these can be asked about at once. */
function isPart(walk: Walk, relative: BytePath): boolean {
  if (relative !== DEPENDENCIES && !relative.endsWith(`/${DEPENDENCIES}`)) return true
  const isLeftOut = walk.isLeftOut(relative)
  if (isLeftOut === undefined) walk.unsure = true
  return isLeftOut === false
}

function giveUp(walk: Walk): void {
  walk.left = -1
}

/** Pipes, sockets and devices are named by their kind and never opened: opening one could wait for ever. */
async function identityOf(walk: Walk, absolute: BytePath, entry: BigIntStats): Promise<string> {
  if (entry.isSymbolicLink()) return `link ${readlinkSync(rawPath(absolute), { encoding: 'latin1' })}`
  if (entry.isFIFO()) return 'pipe'
  if (entry.isSocket()) return 'socket'
  if (!entry.isFile()) return 'device'
  // Git asks about the owner's bit alone.
  return `${(entry.mode & 0o100n) === 0n ? 'file' : 'program'} ${await walk.contents.hash(absolute, entry)}`
}
