// Moves out of the way what a tree cannot hold, into a numbered folder where people find it again under its own path.
import {
  chmodSync, closeSync, copyFileSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync,
} from 'node:fs'
import { bytePath, rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf, makeFolder, stateRefusal } from '../../files/durable.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { staysInside } from './nested.js'

/** Moves `path` of `folder` into `aside` and returns a line that says so. Whatever becomes of us, it is in one place or the other. */
export function setAside({ folder, aside }: { folder: string; aside: string }, path: BytePath, why: string): string {
  if (!staysInside(path)) throw new Error(`${shownPath(path)} is no path inside a folder`)
  const target = `${newRoom(aside)}/${path}`
  try {
    makeParents(target)
    move(`${bytePath(folder)}/${path}`, target)
  } catch (error) {
    throw stateRefusal(error, rawPath(path).toString('utf8'), `ls -la ${quoteWord(folder)}`)
  }
  return `${shownPath(path)} was moved to ${shownPath(target)}: ${why}`
}

/** Numbers go up, and a folder is made by one caller alone. */
function newRoom(aside: string): BytePath {
  makeFolder(aside)
  for (let number = readdirSync(aside).length + 1; ; number += 1) {
    const room = `${bytePath(aside)}/${number}`
    try {
      mkdirSync(rawPath(room), { mode: 0o700 })
      return room
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw stateRefusal(error, aside, `ls -la ${quoteWord(aside)}`)
    }
  }
}

function makeParents(target: BytePath): void {
  mkdirSync(rawPath(target.slice(0, target.lastIndexOf('/'))), { recursive: true, mode: 0o700 })
}

function move(from: BytePath, to: BytePath): void {
  try {
    rename(from, to)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    copy(from, to)
    rmSync(rawPath(from), { recursive: true, force: true })
  }
}

/** A folder that its owner has closed cannot be moved, nor anything out of it: both are opened for that, and closed again. */
function rename(from: BytePath, to: BytePath): void {
  try {
    return renameSync(rawPath(from), rawPath(to))
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
  }
  const above = from.slice(0, from.lastIndexOf('/'))
  const modes = [above, from].map((path) => ({ path, entry: lstatSync(rawPath(path)) })).filter(({ entry }) => entry.isDirectory())
  for (const { path, entry } of modes) chmodSync(rawPath(path), (entry.mode & 0o7777) | 0o700)
  try {
    renameSync(rawPath(from), rawPath(to))
  } finally {
    for (const { path, entry } of modes) if (lstatSync(rawPath(path), { throwIfNoEntry: false })) chmodSync(rawPath(path), entry.mode & 0o7777)
  }
}

/** To another disk: synced before the original goes, links as links. */
function copy(from: BytePath, to: BytePath): void {
  const entry = lstatSync(rawPath(from))
  if (entry.isSymbolicLink()) return symlinkSync(readlinkSync(rawPath(from), { encoding: 'buffer' }), rawPath(to))
  if (entry.isDirectory()) {
    mkdirSync(rawPath(to), { mode: 0o700 })
    for (const name of readdirSync(rawPath(from), { encoding: 'latin1' })) copy(`${from}/${name}`, `${to}/${name}`)
    return chmodSync(rawPath(to), entry.mode & 0o777)
  }
  if (!entry.isFile()) return
  copyFileSync(rawPath(from), rawPath(to))
  const file = openSync(rawPath(to), 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
