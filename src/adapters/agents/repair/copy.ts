// Private copies of the checkout, so that trials never touch what people or agents work in.
import { constants, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Installed packages are only looked at: a link is enough. */
const LINKED = new Set(['node_modules', '.venv', 'venv', '.tox', '.nox', 'vendor'])
/** Neither history nor what was compiled from other sources. */
const LEFT_OUT = new Set(['.git', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.nyc_output', 'coverage'])
const MOST_FILES = 20_000

export type Copies = { folder: string; roots: readonly string[]; remove(): void }

/** Null when there is too much to copy. */
export function copiesOf(root: string, count: number): Copies | null {
  if (countFiles(root) > MOST_FILES) return null
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlatch-repair-')))
  const roots = Array.from({ length: count }, (_none, at) => join(folder, `copy-${at + 1}`))
  for (const copy of roots) copyFolder(root, copy)
  return { folder, roots, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (LEFT_OUT.has(entry.name)) continue
    if (LINKED.has(entry.name)) symlinkSync(realpathSync(source), target)
    else if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isFile() || entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  }
}

function countFiles(root: string): number {
  let count = 0
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name) || LINKED.has(entry.name)) continue
      count += 1
      if (count > MOST_FILES) return
      if (entry.isDirectory()) look(join(folder, entry.name))
    }
  }
  look(root)
  return count
}

/** Files of a folder by their path in it, without what is left out of copies. */
export function filesIn(root: string): string[] {
  const found: string[] = []
  const look = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (LEFT_OUT.has(entry.name) || LINKED.has(entry.name) || found.length > MOST_FILES) continue
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
      if (entry.isDirectory()) look(join(folder, entry.name), path)
      else if (entry.isFile()) found.push(path)
    }
  }
  look(root, '')
  return found.toSorted()
}

export function isPlainFile(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry !== undefined && entry.isFile() && entry.nlink === 1 && basename(path) !== ''
}
