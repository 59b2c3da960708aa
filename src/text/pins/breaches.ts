// Judges changed files against the pins: which changes are breaches, what allows them, and how they are said.
import { allowanceFor, foldedPath, installedFolderOf, isBreachWhenNew, type Allowance, type PinKind, type PinRules } from './pins.js'
import { manifestChanges } from './manifest.js'
import { firstChangedLine } from '../hunks.js'
import { sanitise } from '../sanitise.js'
import { holdsTests, inlineTestChanges, testChanges, type TestFinding } from '../test-changes/test-changes.js'

/** One changed name as text. A text is null where there is no file, and undefined where nobody could read it. */
export type PinnedChange = {
  name: string
  kind: PinKind | null
  how: 'added' | 'deleted' | 'changed' | 'mode' | 'link'
  before: string | null | undefined
  after: string | null | undefined
}

export type Breach = {
  name: string
  kind: PinKind
  /** All of these have to be permitted. */
  needs: readonly Allowance[]
  /** A file that may hold honest work beside what was done to its tests stays, and fails until its tests are as they were. */
  stays: boolean
  /** What was done, each with its line where there is one. */
  deeds: readonly { needs: Allowance; text: string }[]
  findings: readonly TestFinding[]
}

const LONGEST_CHARS = 240

/** In order of their names. */
export function breachesIn(changes: readonly PinnedChange[]): Breach[] {
  const found = changes.flatMap((change) => breachOf(change) ?? [])
  const movesDependencies = found.some(({ needs }) => needs.includes('dependencies'))
  // A lockfile beside dependencies as they were locks what was there; together with other dependencies it is part of them.
  const newLocks = changes.filter(({ kind, how, name }) => kind === 'lock' && how === 'added' && !isBreachWhenNew('lock', name))
  const locks = movesDependencies ? newLocks : []
  return [...found, ...locks.map((lock) => breach(lock.name, 'lock', doneTo(lock, 'lock')))].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function breachOf(change: PinnedChange): Breach | null {
  const { name, kind, how } = change
  if (kind === null) return inlineBreach(change)
  if (kind === 'manifest') return how === 'link' ? oneBreach(name, kind, 'runner', LINK) : manifestBreach(change)
  if (kind === 'test') return testBreach(change)
  return how === 'added' && !isBreachWhenNew(kind, name) ? null : breach(name, kind, doneTo(change, kind))
}

function breach(name: string, kind: Exclude<PinKind, 'manifest'>, text: string): Breach {
  return oneBreach(name, kind, allowanceFor(kind), text)
}

function oneBreach(name: string, kind: PinKind, needs: Allowance, text: string): Breach {
  return { name, kind, needs: [needs], deeds: [{ needs, text }], findings: [], stays: false }
}

const LINK = 'made a link'

const THING: Record<Exclude<PinKind, 'manifest' | 'test'>, string> = {
  runner: 'what decides how checks run was',
  lock: 'the lockfile was',
  ci: 'a CI file was',
  gate: 'a file that a gate runs was',
  installed: 'an installed package was',
}

function doneTo(change: PinnedChange, kind: keyof typeof THING): string {
  const line = change.how === 'changed' ? lineOf(change) : null
  return `${line === null ? '' : `line ${line}: `}${THING[kind]} ${DONE[change.how]}`
}

const DONE: Record<PinnedChange['how'], string> = {
  added: 'added',
  deleted: 'deleted',
  changed: 'changed',
  mode: 'given another mode',
  link: LINK,
}

function lineOf({ before, after }: PinnedChange): number | null {
  return typeof before === 'string' && typeof after === 'string' ? firstChangedLine(before, after) : null
}

function manifestBreach({ name, before, after }: PinnedChange): Breach | null {
  if (before === undefined || after === undefined) return oneBreach(name, 'manifest', 'runner', 'changed, and too large to be read')
  const deeds = manifestChanges(name, before ?? '', after ?? '').map(({ allowance, key, line, what }) => ({
    needs: allowance,
    text: what === 'unreadable' ? 'cannot be read' : `line ${line}: ${key === null ? '' : `"${key}" `}${what}`,
  }))
  const needs = [...new Set(deeds.map((deed) => deed.needs))]
  return deeds.length === 0 ? null : { name, kind: 'manifest', needs, deeds, findings: [], stays: false }
}

function testBreach({ name, how, before, after }: PinnedChange): Breach | null {
  if (how === 'mode' || how === 'link') return breach(name, 'test', DONE[how])
  if (before === undefined || after === undefined) return how === 'added' ? null : breach(name, 'test', DONE[how])
  const findings = testChanges({ path: name, before, after })
  return findings.length === 0 ? null : { ...byFindings(name, findings), stays: false }
}

/** A source that holds tests among other things is pinned as far as these go. */
function inlineBreach({ name, how, before, after }: PinnedChange): Breach | null {
  if (how === 'added' || typeof before !== 'string' || after === undefined || !holdsTests(name, before)) return null
  const findings = inlineTestChanges({ path: name, before, after })
  return findings.length === 0 ? null : { ...byFindings(name, findings), stays: how === 'changed' }
}

function byFindings(name: string, findings: readonly TestFinding[]): Omit<Breach, 'stays'> {
  return { name, kind: 'test', needs: ['tests'], deeds: findings.map(({ text }) => ({ needs: 'tests', text })), findings }
}

// ───────────────────────────── what stands in the way ─────────────────────────────

/** New files that cannot stay beside files that are put back: under the same name, or where the other needs a folder or is one. */
export function inTheWay(added: readonly string[], putBack: readonly string[], { caseInsensitive = false }: PinRules): string[] {
  const fold = caseInsensitive ? foldedPath : (path: string): string => path
  const names = new Set(putBack.map(fold))
  const folders = new Set(putBack.flatMap((name) => foldersOf(fold(name))))
  return added.filter((path) => {
    const name = fold(path)
    return names.has(name) || folders.has(name) || foldersOf(name).some((folder) => names.has(folder))
  })
}

function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
}

// ───────────────────────────── for people ─────────────────────────────

/** Files of one folder of packages are one subject. */
export function subjectOf({ name, kind }: Pick<Breach, 'name' | 'kind'>): string {
  return kind === 'installed' ? installedFolderOf(name) : name
}

/** `test/a.test.js: line 4: skipped "adds"; line 9: …`, bounded. */
export function messageOf(subject: string, breaches: readonly Breach[]): string {
  const deeds = breaches.flatMap((one) => one.deeds.map(({ text }) => text))
  return listed(`${subject}: `, breaches.length > 1 ? [`${breaches.length} installed files were changed`] : deeds)
}

const CHANGED: Record<Allowance, string> = {
  tests: 'tests changed',
  dependencies: 'dependencies changed',
  runner: 'runner configuration changed',
  ci: 'CI files changed',
}

/** `tests changed: test/a.test.js (line 4: skipped "adds")`, one for each thing that had to be permitted. */
export function exceptionsFor(subject: string, breaches: readonly Breach[]): string[] {
  const needs = [...new Set(breaches.flatMap((one) => one.needs))]
  return needs.map((need) => {
    const deeds = breaches.flatMap((one) => one.deeds.filter((deed) => deed.needs === need).map(({ text }) => text))
    return `${listed(`${CHANGED[need]}: ${subject} (`, breaches.length > 1 ? [`${breaches.length} files`] : deeds)})`
  })
}

/** As many as there is room for, and the number of the others. */
function listed(head: string, parts: readonly string[]): string {
  let text = plain(head)
  for (const [index, part] of parts.entries()) {
    const next = `${index > 0 ? '; ' : ''}${plain(part)}`
    const rest = `; ${parts.length - index} more`
    if (index > 0 && text.length + next.length + rest.length > LONGEST_CHARS) return `${text}${rest}`
    text += next
  }
  return text.length > LONGEST_CHARS ? `${text.slice(0, LONGEST_CHARS - 2)}…` : text
}

/** On one line, and nothing that steers a terminal. */
function plain(text: string): string {
  return sanitise(text).replaceAll(/\s+/g, ' ')
}
