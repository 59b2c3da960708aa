// Turns what leads back to where a copy was taken from: links, and paths written into the scripts of package managers.
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'

export type Turning = {
  /** Roots of the whole: where the links lead now, and where they shall. */
  from: string
  to: string
  /** The same for paths in texts: all names the old root goes by, and the new one. */
  texts: { from: readonly string[]; to: string }
}

/**
 * Scripts that virtual environments and package managers write with whole paths in them, and what tells Python where a project lies that
 * is used from its source: without turning, a check in the copy would run the programs and import the files of the user's folder.
 */
const WRITTEN = [
  /(^|\/)\.bin\/[^/]+$/,
  /^(pyvenv\.cfg|bin\/[^/]+)$/,
  /^lib\/python[^/]*\/site-packages\/([^/]+\.(pth|egg-link)|[^/]*editable[^/]*\.py)$/,
]
const MOST_BYTES = 1024 * 1024

/** `at` is where it lies now, `final` where it will lie, `inside` its path within its dependency folder. */
export function turnBelow(at: BytePath, final: BytePath, inside: BytePath, turning: Turning): void {
  const entry = lstatSync(rawPath(at))
  if (entry.isSymbolicLink()) return turnLink(at, final, turning)
  if (entry.isFile()) return turnText(at, inside, turning)
  if (!entry.isDirectory()) return
  for (const name of readdirSync(rawPath(at), { withFileTypes: true, encoding: 'latin1' })) {
    const [path, place, below] = [`${at}/${name.name}`, `${final}/${name.name}`, inside === '' ? name.name : `${inside}/${name.name}`]
    if (name.isDirectory()) turnBelow(path, place, below, turning)
    else if (name.isSymbolicLink()) turnLink(path, place, turning)
    else if (name.isFile()) turnText(path, below, turning)
  }
}

/**
 * A link by its whole path into the old root, by whatever name that goes, leads to the new one; one that climbs out of the root keeps
 * leading where it led.
 */
function turnLink(path: BytePath, final: BytePath, { from, to }: Turning): void {
  const target = readlinkSync(rawPath(path), { encoding: 'latin1' })
  const [source, goal] = [bytePath(from), bytePath(to)]
  const place = relative(goal, dirname(final))
  const led = isAbsolute(target) ? target : join(source, place, target)
  const spelled = relative(source, led)
  const within = isOutside(spelled) ? relative(realOf(source), realOf(led)) : spelled
  const turned = isOutside(within) ? led : relative(dirname(final), join(goal, within)) || '.'
  if (isAbsolute(target) ? isOutside(within) : !isOutside(spelled)) return
  replace(path, () => symlinkSync(rawPath(turned), rawPath(path)))
}

function isOutside(way: BytePath): boolean {
  return way === '..' || way.startsWith(`..${sep}`)
}

/** Without links, as far as anything stands there. */
function realOf(path: BytePath): BytePath {
  try {
    return realpathSync(rawPath(path), { encoding: 'latin1' })
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path))
  }
}

function turnText(path: BytePath, inside: BytePath, { texts }: Turning): void {
  if (!WRITTEN.some((pattern) => pattern.test(inside))) return
  const { size, mode } = lstatSync(rawPath(path))
  if (size > MOST_BYTES) return
  const bytes = readFileSync(rawPath(path))
  if (bytes.includes(0)) return
  const text = bytes.toString('latin1')
  const turned = turnedScript(text, texts)
  if (turned === text) return
  // A new time too: compiled Python is held against the time of its source.
  replace(path, () => {
    writeFileSync(rawPath(path), rawPath(turned), { flag: 'wx', mode })
    chmodSync(rawPath(path), mode & 0o7777)
  })
}

/** Never in place: the file may have a second name. A folder that may not be written to is opened meanwhile. */
function replace(path: BytePath, write: () => void): void {
  const work = (): void => {
    unlinkSync(rawPath(path))
    write()
  }
  try {
    work()
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    const folder = rawPath(dirname(path))
    const { mode } = lstatSync(folder)
    chmodSync(folder, 0o700)
    work()
    chmodSync(folder, mode & 0o7777)
  }
}

// ───────────────────────────── texts ─────────────────────────────

/** What the kernel reads of a first line, on all systems. */
const MOST_OF_FIRST_LINE = 127
/** A line for the shell that is a string to Python: for interpreters whose path is too long for a first line, or has a space in it. */
const BY_SHELL = /^#!\/bin\/sh\n'''exec' (?:"([^"\n]+)"|(\S+))([^\n"]*) "\$0" "\$@"\n' '''\n/
const BY_KERNEL = /^#!(\S+)([^\n]*)\n/

export function turnedScript(text: string, { from, to }: Turning['texts']): string {
  const turn = (part: string): string => from.reduce((all, root) => turnedPaths(all, bytePath(root), bytePath(to)), part)
  const first = BY_SHELL.exec(text) ?? BY_KERNEL.exec(text)
  if (!first) return turn(text)
  const [line, one = '', two = '', three] = first
  const [interpreter, rest] = three === undefined ? [one, two] : [one || two, three]
  const turned = turn(interpreter)
  const head = turned === interpreter ? turn(line) : firstLine(turned, rest)
  return head + turn(text.slice(line.length))
}

function firstLine(interpreter: string, rest: string): string {
  const plain = `#!${interpreter}${rest}\n`
  const fits = plain.length <= MOST_OF_FIRST_LINE && !/\s/.test(interpreter)
  if (fits || !/\/python[^/]*$/.test(interpreter)) return plain
  return `#!/bin/sh\n'''exec' "${interpreter.replaceAll(/["$\\`]/g, String.raw`\$&`)}"${rest} "$0" "$@"\n' '''\n`
}

/** Only where a path begins, and where its last name ends. */
function turnedPaths(text: string, from: BytePath, to: BytePath): string {
  const root = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const path = new RegExp(String.raw`(?<![\w.~+@%/\x80-\xff-])(?<scheme>file://)?${root}(?![\w.~+@%\x80-\xff-])`, 'g')
  return text.replace(path, (_, scheme: string | undefined) => `${scheme ?? ''}${to}`)
}
