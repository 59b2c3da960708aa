// Private copies of the checkout, so that trials never touch what people or agents work in.
import { constants, lstatSync, readdirSync, realpathSync, type Dirent } from 'node:fs'
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { openRoom } from './room.js'

/** Installed packages: copied whole, as tests may write there too, but no place to look for faults in. */
const INSTALLED = new Set(['node_modules', '.venv', 'venv', '.tox', '.nox', 'vendor'])
/** Neither history nor what was compiled from other sources. */
const LEFT_OUT = new Set(['.git', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.nyc_output', 'coverage'])
const MOST_FILES = 20_000
/** Of installed packages, in all copies together: fewer copies are made where they have more, and none where one is too many. */
const MOST_INSTALLED = { files: 100_000, bytes: 4_000_000_000 }

export type Copies = { folder: string; roots: readonly string[]; remove(): void }

/** A string says why there are none. */
export async function copiesOf(checkout: string, count: number): Promise<Copies | string> {
  const root = realpathSync(checkout)
  if (filesIn(root).length > MOST_FILES) return 'the checkout has too many files to be copied for trials'
  const few = Math.min(count, mostCopies(root))
  if (few === 0) return 'the installed packages of the checkout are too large to be copied for trials'
  const { folder, remove } = openRoom()
  try {
    const roots = Array.from({ length: few }, (_none, at) => join(folder, `copy-${at + 1}`))
    for (const copy of roots) await copyFolder({ from: root, to: copy }, '', false)
    return { folder, roots, remove }
  } catch (error) {
    remove()
    throw error
  }
}

type Tree = { from: string; to: string }

async function copyFolder(tree: Tree, below: string, isWhole: boolean): Promise<void> {
  await mkdir(join(tree.to, below), { recursive: true })
  const entries = readdirSync(join(tree.from, below), { withFileTypes: true }).filter(({ name }) => isWhole || !LEFT_OUT.has(name))
  const folders = entries.filter((entry) => entry.isDirectory())
  await Promise.all(entries.filter((entry) => !entry.isDirectory()).map((entry) => copyEntry(tree, join(below, entry.name), entry, isWhole)))
  for (const { name } of folders) await copyFolder(tree, join(below, name), isWhole || INSTALLED.has(name))
}

async function copyEntry({ from, to }: Tree, path: string, entry: Dirent, isWhole: boolean): Promise<void> {
  if (entry.isFile()) return copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
  if (!entry.isSymbolicLink()) return
  const elsewhere = isWhole ? null : installedElsewhere(from, join(from, path), entry)
  if (elsewhere !== null) return copyFolder({ from: elsewhere, to: join(to, path) }, '', true)
  const target = await readlink(join(from, path))
  const meant = resolve(dirname(join(from, path)), target)
  // What stands in the checkout is meant as it stands in the copy; what stands outside is found only by its whole path.
  const near = isAbsolute(target) ? join(to, relative(from, meant)) : target
  await symlink(isBelow(from, meant) ? near : meant, join(to, path))
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

/** The folder outside that a link in the place of installed packages leads to; null when it is none, or leads nowhere. */
function installedElsewhere(root: string, path: string, entry: Dirent): string | null {
  if (!entry.isSymbolicLink() || !INSTALLED.has(entry.name)) return null
  try {
    const real = realpathSync(path)
    return lstatSync(real).isDirectory() && !isBelow(root, real) ? real : null
  } catch {
    return null
  }
}

function mostCopies(root: string): number {
  let [files, bytes] = [0, 0]
  const isTooMuch = (): boolean => files > MOST_INSTALLED.files || bytes > MOST_INSTALLED.bytes
  const weigh = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      files += 1
      if (isTooMuch()) return
      if (entry.isDirectory()) weigh(join(folder, entry.name))
      else bytes += lstatSync(join(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0
    }
  }
  for (const { path, entry } of entriesIn(root)) {
    const folder = INSTALLED.has(entry.name) && entry.isDirectory() ? path : installedElsewhere(root, path, entry)
    if (folder !== null) weigh(folder)
  }
  if (isTooMuch()) return 0
  return Math.floor(Math.min(MOST_INSTALLED.files / Math.max(1, files), MOST_INSTALLED.bytes / Math.max(1, bytes)))
}

/** Every entry that is not left out; what stands in installed packages is not looked at. */
function* entriesIn(folder: string): Generator<{ path: string; entry: Dirent }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue
    const path = join(folder, entry.name)
    yield { path, entry }
    if (entry.isDirectory() && !INSTALLED.has(entry.name)) yield* entriesIn(path)
  }
}

/** Files of a folder by their path in it, without installed packages and what is left out of copies; of too many only some. */
export function filesIn(root: string): string[] {
  const found: string[] = []
  for (const { path, entry } of entriesIn(root)) {
    if (found.length > MOST_FILES) break
    if (entry.isFile()) found.push(relative(root, path))
  }
  return found.toSorted()
}

export function isPlainFile(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry !== undefined && entry.isFile() && entry.nlink === 1 && basename(path) !== ''
}
