// Measures a candidate against the pins: which pinned files it changed, what was done to them, and what of it is allowed.
import type { Failure, Tree } from '../../core/types.js'
import type { BytePath } from '../../files/byte-path.js'
import { fingerprintOf } from '../../text/failures/failing-lines.js'
import { createPins, isPerhapsTheWork, type Allowance, type PinKind } from '../../text/pins/pins.js'
import { breachesIn, exceptionsFor, inTheWay, messageOf, subjectOf, type Breach, type PinnedChange } from '../../text/pins/breaches.js'
import type { TestFinding } from '../../text/test-changes/test-changes.js'
import { gateFilesIn, type GateCommands } from './integrity-files.js'
import { differing, textsOf, type Differing } from './integrity-read.js'
import { shadowsIn } from './integrity-shadows.js'
import type { Store } from './store.js'

/** What is pinned is what the start tree holds. */
export type IntegrityPlan = GateCommands & {
  store: Store
  start: Tree
  /** What may be changed all the same. */
  permit: readonly Allowance[]
  caseInsensitive: boolean
}

export type Integrity = {
  failures: Failure[]
  /** What has to be put back, as it was in the start tree. A file that failed may stay: see `Breach`. */
  paths: BytePath[]
  /** Changes that are permitted, for people. */
  exceptions: string[]
  /** What was done to tests, permitted or not. */
  findings: TestFinding[]
}

const MISSING_MODE = '000000'
const PLAIN_MODE = '100644'
const LINK_MODES = new Set(['120000', '160000'])
const MOST_SUBJECTS = 50

export async function measureIntegrity(plan: IntegrityPlan, tree: Tree): Promise<Integrity> {
  const { store, start, permit, caseInsensitive } = plan
  if (start === tree) return { failures: [], paths: [], exceptions: [], findings: [] }
  const { gateFiles, named, folders } = await gateFilesIn(store, start, plan)
  const pinOf = createPins({ gateFiles, caseInsensitive })
  const found = await differing(store, start, tree)
  const shadows = await shadowsIn({ store, start, gateFiles, folders, isPinned: (path) => pinOf(path) !== null }, found)
  const entries = found.map((entry) => ({ ...entry, kind: shadows.has(entry.name) ? shadowKind(pinOf(entry.name)) : pinOf(entry.name) }))
  const texts = await textsOf(store, entries.filter(isRead).flatMap(({ oldId, newId }) => [oldId, newId]))
  const breaches = breachesIn(entries.map((entry) => changeOf(entry, texts)))
  const work = new Set(entries.filter((entry) => isPerhapsWork(named, entry)).map(({ name }) => name))
  const isAllowed = ({ name, needs }: Breach): boolean => work.has(name) || needs.every((need) => permit.includes(need))
  const [refused, permitted] = [breaches.filter((one) => !isAllowed(one)), breaches.filter(isAllowed)]
  const putBack = new Set(refused.filter(({ stays }) => !stays).map(({ name }) => name))
  const added = entries.filter(({ oldMode, name }) => oldMode === MISSING_MODE && !putBack.has(name)).map(({ name }) => name)
  for (const name of inTheWay(added, [...putBack], { caseInsensitive })) putBack.add(name)
  return {
    failures: failuresOf(refused),
    paths: entries.filter(({ name }) => putBack.has(name)).map(({ path }) => path),
    exceptions: exceptionsIn(permitted.filter(({ name }) => !putBack.has(name))),
    findings: breaches.flatMap(({ findings }) => findings),
  }
}

/**
 * What a gate itself hands to an interpreter may be what is worked on: it can be changed without leave, and that it was stands among the
 * exceptions. What it starts by its path, or by a script of a package, is there to check.
 */
function isPerhapsWork(files: readonly string[], { name, kind, oldMode, newMode }: Entry): boolean {
  const isNamed = files.some((file) => file === name || (file.endsWith('/') && name.startsWith(file)))
  const isPlain = newMode === PLAIN_MODE && (oldMode === PLAIN_MODE || oldMode === MISSING_MODE)
  return kind === 'gate' && isNamed && isPlain && isPerhapsTheWork(name)
}

/** A new test would be welcome. */
function shadowKind(kind: PinKind | null): PinKind {
  return kind === null || kind === 'test' ? 'runner' : kind
}

// ───────────────────────────── changes ─────────────────────────────

type Entry = Differing & { kind: PinKind | null }

/** Installed packages are too many, and of other files only those matter that may hold tests. */
function isRead({ kind, name }: Entry): boolean {
  return kind === null ? /\.(?:rs|[cm]?[jt]sx?)$/i.test(name) : kind !== 'installed'
}

function changeOf({ name, kind, oldMode, newMode, oldId, newId }: Entry, texts: ReadonlyMap<string, string>): PinnedChange {
  const before = oldMode === MISSING_MODE ? null : texts.get(oldId)
  const after = newMode === MISSING_MODE ? null : texts.get(newId)
  return { name, kind, how: howOf({ oldMode, newMode, oldId, newId }), before, after }
}

function howOf({ oldMode, newMode, oldId, newId }: Pick<Differing, 'oldMode' | 'newMode' | 'oldId' | 'newId'>): PinnedChange['how'] {
  if (newMode === MISSING_MODE) return 'deleted'
  if (LINK_MODES.has(newMode) && oldMode !== newMode) return 'link'
  if (oldMode === MISSING_MODE) return 'added'
  return oldId === newId ? 'mode' : 'changed'
}

// ───────────────────────────── failures and exceptions ─────────────────────────────

function bySubject(breaches: readonly Breach[]): [subject: string, breaches: Breach[]][] {
  const groups = new Map<string, Breach[]>()
  for (const one of breaches) {
    const group = groups.get(subjectOf(one))
    if (group) group.push(one)
    else groups.set(subjectOf(one), [one])
  }
  return [...groups]
}

/** Compared by file, whatever was tried on it this time. */
function failuresOf(breaches: readonly Breach[]): Failure[] {
  const all = bySubject(breaches)
  const failures = all.slice(0, MOST_SUBJECTS).map(([subject, some]) => failureOf(subject, messageOf(subject, some), some.flatMap(({ needs }) => needs)))
  if (all.length <= MOST_SUBJECTS) return failures
  const more = `${all.length - MOST_SUBJECTS} more pinned files`
  const rest = all.slice(MOST_SUBJECTS).flatMap(([, some]) => some.flatMap(({ needs }) => needs))
  return [...failures, failureOf('more', `${more} were changed`, rest)]
}

function failureOf(subject: string, message: string, needs: readonly Allowance[]): Failure {
  const fingerprint = fingerprintOf('integrity', subject)
  const breach = { kept: null, permit: [...new Set(needs)] }
  return { gate: 'integrity', subject: `integrity: ${subject}`, class: 'integrity', fingerprint, message, runs: { failed: 1, of: 1 }, breach }
}

function exceptionsIn(breaches: readonly Breach[]): string[] {
  const all = bySubject(breaches).flatMap(([subject, some]) => exceptionsFor(subject, some))
  return all.length <= MOST_SUBJECTS ? all : [...all.slice(0, MOST_SUBJECTS), `${all.length - MOST_SUBJECTS} more changes that are permitted`]
}
