// What was changed in a manifest, key by key: dependencies, and what decides how tests are run. Other keys are free.
import type { Allowance } from './pins.js'
import { firstChangedLine } from '../hunks.js'
import { tomlEntries, type Entry } from './entries.js'
import { configparserEntries, iniconfigEntries } from './ini.js'

/** `key` is null for a file that is taken as a whole. */
export type ManifestChange = {
  allowance: Extract<Allowance, 'dependencies' | 'runner'>
  key: string | null
  line: number
  what: 'changed' | 'added' | 'removed' | 'unreadable'
}

type Pin = ManifestChange['allowance'] | null
/** Programs that read a file in different ways see different entries in it: what matters to one of them matters. */
type Form = { readings: readonly ((text: string) => Entry[] | null)[]; pin: (path: readonly string[], value: string) => Pin }

/** A file that is not there is an empty text. */
export function manifestChanges(path: string, before: string, after: string): ManifestChange[] {
  const form = formOf(path.slice(path.lastIndexOf('/') + 1).toLowerCase())
  if (before === after) return []
  if (form === 'whole') return [{ allowance: 'dependencies', key: null, line: firstChangedLine(before, after), what: 'changed' }]
  const all = form.readings.flatMap((entries): ManifestChange[] => {
    const [old, now] = [entries(before), entries(after)]
    return old === null || now === null ? [{ allowance: 'runner', key: null, line: 1, what: 'unreadable' }] : compare(old, now, form.pin)
  })
  return all.filter(({ key, allowance }, at) => all.findIndex((other) => other.key === key && other.allowance === allowance) === at)
}

function formOf(name: string): Form | 'whole' {
  switch (name) {
    case 'package.json':
      return { readings: [jsonEntries], pin: ([key = '', name = '']) => npmPin(key, name) }
    case 'composer.json':
      return { readings: [jsonEntries], pin: ([key = '']) => composerPin(key) }
    case 'pyproject.toml':
      return { readings: [tomlEntries], pin: pythonPin }
    case 'cargo.toml':
      return { readings: [tomlEntries], pin: cargoPin }
    case 'setup.cfg':
      return { readings: [configparserEntries, iniconfigEntries], pin: ([section = '', key = '']) => setupPin(section, key) }
    default:
      return 'whole'
  }
}

function compare(old: readonly Entry[], now: readonly Entry[], pin: Form['pin']): ManifestChange[] {
  const [before, after] = [byPath(old), byPath(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): ManifestChange[] => {
    const [was, is] = [before.get(name), after.get(name)]
    const entry = is ?? was
    if (!entry || was?.value === is?.value) return []
    // A value that is free and one that is pinned may stand under one key.
    const pins = new Set([was, is].map((one) => (one ? pin(one.path, one.value) : null)))
    const allowance = pins.has('runner') ? 'runner' : pins.has('dependencies') ? 'dependencies' : null
    const what = was ? (is ? 'changed' : 'removed') : 'added'
    return allowance === null ? [] : [{ allowance, key: entry.path.join('.'), line: entry.line, what }]
  })
}

/** Of two entries of one name some readers take the first and some the last: both count. */
function byPath(entries: readonly Entry[]): Map<string, Entry> {
  const found = new Map<string, Entry>()
  for (const entry of entries) {
    const name = entry.path.join('\u0000')
    const first = found.get(name)
    found.set(name, first ? { ...entry, value: `${first.value}\n${entry.value}` } : entry)
  }
  return found
}

// ───────────────────────────── JSON ─────────────────────────────

/** Two levels deep: `scripts.test` is an entry of its own. An empty file has none. */
function jsonEntries(text: string): Entry[] | null {
  try {
    return text.trim() === '' ? [] : entriesOf(text, JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    // No JSON, or nested deeper than can be written out again.
    return null
  }
}

function entriesOf(text: string, value: unknown): Entry[] | null {
  if (!isMap(value)) return null
  const lineOf = keyLines(text)
  return Object.entries(value).flatMap(([key, inner]): Entry[] => {
    const line = lineOf(key, 1)
    if (!isMap(inner) || Object.keys(inner).length === 0) return [{ path: [key], value: canonical(inner), line }]
    return Object.entries(inner).map(([name, item]) => ({ path: [key, name], value: canonical(item), line: lineOf(name, line) }))
  })
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isMap(inner) ? sortedByKey(inner) : inner))
}

function sortedByKey(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Where a key stands, at or after a line; one that is written in an unusual way is said to be where its parent is. */
function keyLines(text: string): (key: string, from: number) => number {
  const places = new Map<string, number[]>()
  for (const [index, line] of text.split('\n').entries()) {
    for (const [, key = ''] of line.matchAll(/"([^"\\]*)"\s*:/g)) {
      const known = places.get(key) ?? []
      if (known.length < MOST_PLACES) places.set(key, [...known, index + 1])
    }
  }
  return (key, from) => places.get(key)?.find((line) => line >= from) ?? from
}

const MOST_PLACES = 50

// ───────────────────────────── which keys are pinned ─────────────────────────────

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Whatever is not known to be harmless may be read by some tool: keys of other names are settings of tools by custom. */
const NPM_FREE = words(`
  name version description keywords author contributors maintainers license licenses homepage bugs repository funding
  private files main module exports imports types typings typesVersions bin man directories browser unpkg jsdelivr
  sideEffects publishConfig type os cpu libc source style sass svelte react-native es2015 displayName publisher icon
  categories contributes activationEvents galleryBanner badges preview qna productName homepageUrl copyright
  customElements web-types readme readmeFilename _id
`)
const NPM_DEPENDENCIES = words(`
  dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies
  bundledDependencies dependenciesMeta overrides resolutions engines pnpm catalog catalogs trustedDependencies
  acceptDependencies
`)

function npmPin(key: string, name: string): Pin {
  if (NPM_DEPENDENCIES.has(key)) return 'dependencies'
  // A package of a workspace puts these into the folder that commands are looked up in.
  if (key === 'bin') return RUNNER_PROGRAMS.has(name) ? 'runner' : null
  return NPM_FREE.has(key) ? null : 'runner'
}

const RUNNER_PROGRAMS = words('node npm npx vitest jest mocha ava tap tsc eslint playwright c8 nyc pytest tox python python3')

const COMPOSER_FREE = words(`
  name version description type keywords homepage readme time license authors support funding suggest bin archive
  abandoned autoload non-feature-branches extra
`)
const COMPOSER_DEPENDENCIES = words('require require-dev conflict replace provide repositories minimum-stability prefer-stable')

function composerPin(key: string): Pin {
  if (COMPOSER_DEPENDENCIES.has(key)) return 'dependencies'
  return COMPOSER_FREE.has(key) ? null : 'runner'
}

const PYTHON_TOOLS_FREE = words(`
  setuptools setuptools_scm setuptools-scm flit bumpversion bumpver semantic_release commitizen towncrier versioneer
  maturin scikit-build meson-python
`)
const PYTHON_DEPENDENCIES = words('dependencies dev-dependencies optional-dependencies group source sources extras requires-python')

function pythonPin([top = '', second = '', third = '']: readonly string[], value: string): Pin {
  const isWhole = value.startsWith('{')
  if (top === 'dependency-groups') return 'dependencies'
  if (top === 'project' && second !== '') {
    if (second === 'entry-points') return 'runner'
    if (second === 'scripts') return RUNNER_PROGRAMS.has(third) || isWhole ? 'runner' : null
    return PYTHON_DEPENDENCIES.has(second) ? 'dependencies' : null
  }
  return top === 'tool' && third !== '' ? pythonToolPin(second, third) : 'runner'
}

function pythonToolPin(tool: string, key: string): Pin {
  if (tool === 'uv') return 'dependencies'
  if (tool === 'poetry' || tool === 'pdm' || tool === 'pixi') {
    if (PYTHON_DEPENDENCIES.has(key)) return 'dependencies'
    return ['plugins', 'scripts', 'tasks', 'feature', 'environments'].includes(key) ? 'runner' : null
  }
  if (tool === 'hatch') return ['build', 'version', 'metadata', 'publish'].includes(key) ? null : 'runner'
  return PYTHON_TOOLS_FREE.has(tool) ? null : 'runner'
}

const CARGO_DEPENDENCIES = words('dependencies dev-dependencies build-dependencies dev_dependencies build_dependencies patch replace')
const CARGO_PACKAGE_PINNED = words('build autotests autobenches autoexamples autobins autolib workspace links edition rust-version')
const CARGO_TARGET_FREE = words('name crate-type crate_type proc-macro doc required-features')

function cargoPin([top = '', second = '', third = '', fourth = '']: readonly string[]): Pin {
  if (CARGO_DEPENDENCIES.has(top)) return 'dependencies'
  if (top === 'target') return CARGO_DEPENDENCIES.has(third) || CARGO_DEPENDENCIES.has(fourth) ? 'dependencies' : 'runner'
  if (top === 'workspace' && second === 'dependencies') return 'dependencies'
  if (second === '') return 'runner'
  if (top === 'package') return CARGO_PACKAGE_PINNED.has(second) ? 'runner' : null
  if (top === 'workspace') return second === 'package' || second === 'metadata' ? null : 'runner'
  if (top === 'features') return second === 'default' ? 'runner' : null
  if (top === 'lib') return CARGO_TARGET_FREE.has(second) ? null : 'runner'
  if (top === 'bin' || top === 'example') return ['test', 'harness', 'doctest'].includes(third) ? 'runner' : null
  return top === 'badges' ? null : 'runner'
}

function setupPin(section: string, key: string): Pin {
  if (section === 'options.extras_require') return 'dependencies'
  if (section === 'options' && /_requires?$/.test(key)) return 'dependencies'
  if (section === 'options.entry_points') return /pytest/.test(key) ? 'runner' : null
  return /^(?:metadata|options(?:\..+)?|bdist_wheel|sdist|egg_info|bumpversion.*|versioneer|upload.*)$/.test(section) ? null : 'runner'
}
