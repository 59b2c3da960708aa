// New Python modules that take the place of others: of the standard library, of what tests are run by, or of pinned files.
import { TAKEN_MODULES } from './python-names.js'

export type Shadows = {
  /** The files of the start tree. */
  before: readonly string[]
  /** Files and links that are new, and files that are gone. */
  added: readonly { name: string; isLink: boolean }[]
  deleted: readonly string[]
  /** Where Python looks for modules besides the root and the folders of tests; the root is `.`. */
  folders: readonly string[]
  isPinned: (path: string) => boolean
}

/** A file by the name of a module, compiled or not. */
const MODULE = /^(\w+)\.(?:pyw?|pyc|pyo|(?:[\w-]+\.)*(?:so|pyd))$/
/** What makes a folder a package. */
const INIT = /^__init__\.(?:pyw?|pyc|pyo|(?:[\w-]+\.)*(?:so|pyd))$/
/** pytest and unittest put the folder of such a file, or that of its outermost package, before all others. */
const LOADED_FROM_ITS_FOLDER = /^(?:conftest|test_.*|.*_tests?|tests?)\.py$/

/** Whether there can be any, so that nobody lists a tree for nothing. */
export function mayShadow({ name, isLink }: Shadows['added'][number]): boolean {
  return isLink || MODULE.test(lastOf(name))
}

export function shadowing(all: Shadows): Set<string> {
  const { before, added, isPinned } = all
  const modules = new Map(before.flatMap((path) => moduleOf(path, false)?.at ?? []).map((at) => [at, true] as const))
  const pinned = new Set(before.filter((path) => path.endsWith('.py') && isPinned(path)).map((path) => path.slice(0, -'.py'.length)))
  const searched = searchedFolders(all)
  // In a project without Python a link is not taken for a package of it.
  const hasPython = [...before, ...added.map(({ name }) => name)].some((path) => path.endsWith('.py'))
  return new Set(added.filter(({ name, isLink }) => {
    const module = moduleOf(name, isLink && hasPython)
    if (module === null) return false
    // Another file of the very name is a change of it, and no shadow.
    if (pinned.has(module.at) && name !== `${module.at}.py`) return true
    return TAKEN_MODULES.has(module.word) && searched.has(module.folder) && !modules.has(module.at)
  }).map(({ name }) => name))
}

/** The module that a file makes, by its path without ending: `a/b.py`, `a/b.abi3.so` and `a/b/__init__.py` make `a/b`. */
function moduleOf(path: string, isLink: boolean): { at: string; folder: string; word: string } | null {
  const names = path.split('/')
  const own = names.pop() ?? ''
  if (INIT.test(own)) return names.length === 0 ? null : placed(names.slice(0, -1), names.at(-1) ?? '')
  const word = MODULE.exec(own)?.[1] ?? (isLink && /^\w+$/.test(own) ? own : null)
  return word === null ? null : placed(names, word)
}

function placed(folders: readonly string[], word: string): { at: string; folder: string; word: string } {
  return { at: [...folders, word].join('/'), folder: folders.join('/') || '.', word }
}

/** Under the packages as they were, and as they are now. */
function searchedFolders({ before, added, deleted, folders }: Shadows): Set<string> {
  const gone = new Set(deleted)
  const after = [...before.filter((path) => !gone.has(path)), ...added.map(({ name }) => name)]
  return new Set(['.', ...folders, ...[before, after].flatMap((paths) => foldersOfTests(paths))])
}

function foldersOfTests(paths: readonly string[]): string[] {
  const packages = new Set(paths.filter((path) => INIT.test(lastOf(path))).map(folderOf))
  const tests = paths.filter((path) => LOADED_FROM_ITS_FOLDER.test(lastOf(path))).map((path) => outside(folderOf(path), packages))
  // A folder `src` of packages is one that they are found in, and no package.
  const sources = [...packages].map(folderOf).filter((folder) => lastOf(folder) === 'src' && !packages.has(folder))
  return [...new Set([...tests, ...sources])]
}

function outside(folder: string, packages: ReadonlySet<string>): string {
  let at = folder
  while (at !== '.' && packages.has(at)) at = folderOf(at)
  return at
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '.' : path.slice(0, at)
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
