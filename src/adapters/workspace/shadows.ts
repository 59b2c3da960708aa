// What differs outside the tracked files between where agents work and a clean copy: how a check is green in one and red in the other.
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync, type Stats } from 'node:fs'
import { bytePath, listedPath, rawPath, type BytePath } from '../../files/byte-path.js'
import { DEPENDENCY_NAMES } from './copy-folders.js'
import { excludesPath } from './checkout-mark.js'

const MOST_NAMED = 20
/** Larger files that look the same from outside are taken for the same. */
const MOST_BYTES = 4 * 1024 * 1024

/** `madeAt`, in milliseconds: what was changed in the checkout after it was not changed by us. */
type Pair = { checkout: BytePath; copy: BytePath; madeAt: number }
type Entry = { name: BytePath; kind: 'folder' | 'file' | 'link' | 'other' }

/** Cheap: names, sizes, links and times first; only files whose times or sizes differ are read. The most telling come first. */
export function shadowsOf(checkout: string, copy: string): string[] {
  const pair: Pair = { checkout: bytePath(checkout), copy: bytePath(copy), madeAt: madeAt(checkout) }
  const paths = differing(pair, '', 'tracked')
  const ranked = paths.map((path) => ({ path, rank: rankOf(path) })).toSorted((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
  return ranked.slice(0, MOST_NAMED).map(({ path }) => listedPath(path))
}

/** The list of what is left out is last written when dependencies have been given. */
function madeAt(checkout: string): number {
  return statSync(excludesPath(checkout), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}

/** Beside tracked files only what the copy lacks counts; among dependencies everything does. */
function differing(pair: Pair, below: BytePath, where: 'tracked' | 'dependencies'): BytePath[] {
  const here = entriesIn(`${pair.checkout}/${below}`)
  const there = new Map(entriesIn(`${pair.copy}/${below}`).map((entry) => [entry.name, entry.kind]))
  const found = here.flatMap(({ name, kind }) => {
    const path = below === '' ? name : `${below}/${name}`
    if (path === '.git' || `${pair.copy}/`.startsWith(`${pair.checkout}/${path}/`)) return []
    const other = there.get(name)
    if (other === undefined) return [kind === 'folder' ? `${path}/` : path]
    const inside = where === 'dependencies' || DEPENDENCY_NAMES.has(name) ? 'dependencies' : 'tracked'
    if (kind === 'folder' && other === 'folder') return differing(pair, path, inside)
    if (where === 'tracked') return []
    return kind === other && isSame(pair, path, kind) ? [] : [path]
  })
  if (where === 'tracked') return found
  const names = new Set(here.map(({ name }) => name))
  return [...found, ...[...there.keys()].filter((name) => !names.has(name)).map((name) => `${below}/${name}`)]
}

function entriesIn(folder: BytePath): Entry[] {
  try {
    const entries = readdirSync(rawPath(folder), { withFileTypes: true, encoding: 'latin1' })
    return entries.map((entry) => {
      const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other'
      return { name: entry.name, kind }
    })
  } catch {
    return []
  }
}

function isSame(pair: Pair, path: BytePath, kind: Entry['kind']): boolean {
  const [here, there] = [`${pair.checkout}/${path}`, `${pair.copy}/${path}`]
  try {
    if (kind === 'link') return withRoot(pair, readlinkSync(rawPath(here), 'latin1')) === readlinkSync(rawPath(there), 'latin1')
    if (kind !== 'file') return true
    const [one, other] = [lstatSync(rawPath(here)), lstatSync(rawPath(there))]
    return looksSame(one, other, pair.madeAt) || one.size > MOST_BYTES ? one.size === other.size : holdsSame(pair, here, there)
  } catch {
    return false
  }
}

/** Both were copied with the time of the same file, unless one was written to since. */
function looksSame(one: Stats, other: Stats, made: number): boolean {
  return one.size === other.size && one.mode === other.mode && one.mtimeMs === other.mtimeMs && one.ctimeMs <= made
}

/** Scripts hold the path of the folder they lie in. */
function holdsSame(pair: Pair, here: BytePath, there: BytePath): boolean {
  return withRoot(pair, readFileSync(rawPath(here), 'latin1')) === readFileSync(rawPath(there), 'latin1')
}

function withRoot({ checkout, copy }: Pair, text: string): string {
  return text.replaceAll(checkout, copy)
}

/** Programs that are found by name, then what is loaded or read by itself, then other files, then dependencies, and caches last. */
const RANKS = [
  /(^|\/)(node_modules\/\.bin|\.?venv\/bin)\//,
  /(^|\/)(\.env[^/]*|sitecustomize\.py|usercustomize\.py|conftest\.py|[^/]+\.pth|\.npmrc|\.[^/]*rc(\.[^/]*)?|[^/]+\.config\.[cm]?[jt]s)$/,
  /^(?!.*((^|\/)(node_modules|\.?venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.vite|\.vitest)\/|\.pyc$))/,
  /^(?!.*((^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.vite|\.vitest)\/|\.pyc$))/,
]

function rankOf(path: BytePath): number {
  const rank = RANKS.findIndex((pattern) => pattern.test(path))
  return rank < 0 ? RANKS.length : rank
}
