// Which files are pinned, and as what: tests, what decides how they are run and judged, lockfiles, CI files and manifests.
import { globFault, matcherOf } from '../glob.js'
import { CI, CONFTEST, FIXTURES, INSTALLED, LOCK, MANIFEST, OVERRIDING_LOCK, RUNNER, TEST, TEST_BY_CAPITALS, type Names } from './names.js'

/**
 * `runner` decides what is run or how it is judged, `installed` is a package as it stands installed, `manifest` is pinned by what
 * stands in it, and `gate` is named in the command of a gate.
 */
export type PinKind = 'test' | 'runner' | 'lock' | 'ci' | 'manifest' | 'gate' | 'installed'

/** What people may allow to be changed. */
export const ALLOWANCES = ['tests', 'dependencies', 'runner', 'ci'] as const

export type Allowance = (typeof ALLOWANCES)[number]

export type PinRules = {
  /** What the commands of gates run, relative to the root of the tree; a folder ends in a slash. A pattern goes for files that the tree does not have yet. */
  gateFiles?: readonly string[]
  /** The file system takes `A` and `a` for one name, and so do the rules. */
  caseInsensitive?: boolean
}

/** The first that fits counts: what a runner reads stays the runner's in a folder of tests, and data of tests is never a setting. */
const RULES: readonly (readonly [Names, PinKind])[] = [
  [INSTALLED, 'installed'],
  [CONFTEST, 'runner'],
  [FIXTURES, 'test'],
  [RUNNER, 'runner'],
  [CI, 'ci'],
  [LOCK, 'lock'],
  [MANIFEST, 'manifest'],
  [TEST, 'test'],
]

/** Null for a file that is not pinned. */
export function createPins({ gateFiles = [], caseInsensitive = false }: PinRules = {}): (path: string) => PinKind | null {
  const fold = caseInsensitive ? foldedPath : (path: string): string => path
  const named = new Set(gateFiles.map(fold))
  const folders = [...named].filter((path) => path.endsWith('/'))
  const globs = [...named].filter((path) => isGlob(path) && globFault(path) === null).map(matcherOf)
  const byGates = (path: string): PinKind | null => {
    if (named.has(path) || folders.some((folder) => path.startsWith(folder))) return 'gate'
    // Beside code that a runner is handed by a pattern, new code is one more test.
    return globs.some((fits) => fits(path)) ? (isPerhapsTheWork(path) ? 'test' : 'gate') : null
  }
  const byName = RULES.map(([names, kind]) => [caseInsensitive ? ignoringCase(names) : names, kind] as const)
  const rules = [...byName, [TEST_BY_CAPITALS, 'test'] as const]
  return (path) => rules.find(([names]) => matches(names, path))?.[1] ?? byGates(fold(path))
}

export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/** As a file system sees names that does not tell `A` from `a`. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** New tests are welcome; a new `conftest.py` could swallow what fails. A manifest is judged by what stands in it. */
export function isBreachWhenNew(kind: Exclude<PinKind, 'manifest'>, path: string): boolean {
  switch (kind) {
    case 'runner':
    case 'ci':
    case 'gate':
    case 'installed':
      return true
    case 'lock':
      return OVERRIDING_LOCK.test(foldedPath(path.slice(path.lastIndexOf('/') + 1)))
    case 'test':
      return false
  }
}

export function allowanceFor(kind: Exclude<PinKind, 'manifest'>): Allowance {
  switch (kind) {
    case 'test':
      return 'tests'
    case 'lock':
    case 'installed':
      return 'dependencies'
    case 'runner':
    case 'gate':
      return 'runner'
    case 'ci':
      return 'ci'
  }
}

/** The outermost folder of installed packages on the way to a file: thousands of files in it are one matter. */
export function installedFolderOf(path: string): string {
  const names = path.split('/')
  const at = names.findIndex((name) => INSTALLED.folder?.some((pattern) => pattern.test(name.toLowerCase())))
  return at < 0 ? path : `${names.slice(0, at + 1).join('/')}/`
}

// ───────────────────────────── matching ─────────────────────────────

/** The last name counts as a folder too: a link may stand for one. */
function matches({ name = [], folder = [], path = [] }: Names, file: string): boolean {
  const names = file.split('/')
  const own = names.at(-1) ?? ''
  return (
    name.some((pattern) => pattern.test(own)) ||
    folder.some((pattern) => names.some((part) => pattern.test(part))) ||
    path.some((pattern) => pattern.test(file))
  )
}

function ignoringCase({ name = [], folder = [], path = [] }: Names): Names {
  const loosened = (pattern: RegExp): RegExp => new RegExp(pattern.source, 'i')
  return { name: name.map(loosened), folder: folder.map(loosened), path: path.map(loosened) }
}

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rb|php|pl|lua|rs|java|kt|exs?|cr|dart|swift|jl)$/i
const CHECKING = /(?:^|\/)(?:\.[^/]+|scripts?|tools?|ci|build|hack|dev|tests?|specs?|checks?|e2e|qa)\/|(?:check|verif|valid|test|spec|lint|smoke|assert|gate|qa|eval|judge|bench|regist|setup|config|hook|load|run|report|audit|review)[^/]*$|(?:^|[-_./])ci[-_.][^/]*$/i

/** `node src/server.js` as a gate: what it starts may be what is worked on, where nothing says that it is there to check. */
export function isPerhapsTheWork(path: string): boolean {
  return CODE.test(path) && !CHECKING.test(path)
}
