// The workspace of a session: its folder is checkpointed in the store, measured against its scope, and put back when it has to be.
import { lstatSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Effect, Failure, Place, Tree } from '../../core/types.js'
import { listedPath, pathText, shownPath } from '../../files/byte-path.js'
import { readText, writeFiles } from '../../files/write-files.js'
import type { Kept, Stood, Workspace } from '../../ports.js'
import { counted } from '../../text/amounts.js'
import type { Allowance, PinRules } from '../../text/pins/pins.js'
import { measureScope, scopeFailures, type Measure, type ScopeChange, type ScopeRules } from '../../text/scope.js'
import { changes, changesAhead, countOf, readablePatch, type Change } from './changes.js'
import type { Copies } from './copy.js'
import { leftOutOf } from './left-out.js'
import { measureIntegrity, type IntegrityPlan } from './integrity.js'
import { gateFilesIn, type GateCommands } from './integrity-files.js'
import { createLook } from './look.js'
import type { RepositoryGuard } from './repository-guard.js'
import { stand } from './restore.js'
import { commitAt, keep, refOf } from './salvage.js'
import { snapshot, type Site } from './snapshot.js'
import { correctionOf } from './correction.js'
import { pinsOf, treeWithoutTests, treeWithTests, writtenOver } from './seal.js'
import { silencedBetween } from './silenced.js'
import { replacePaths } from './take-back.js'
import { keepWorkingFolder, workingFolder } from './working-folder.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export type WorkspaceOptions = Site & {
  session: string
  openedAt: number
  /** Where agents work: the folder itself or one below it. */
  cwd: string
  start: Tree
  scope: ScopeRules & { mode: 'block' | 'warn' }
  /** Watches the repository that agents work in. */
  guard?: RepositoryGuard
  /** What is ours in the folder and no part of it. */
  ownFiles?: readonly string[]
  acts: Readonly<Record<string, Workspace['act']>>
  /** What must stay as it was: the commands of the gates and the files they name, and what may be changed all the same. */
  pinned?: GateCommands & { permit: readonly Allowance[] }
  /** Clean copies for checks that decide; without them none can be made. */
  copies?: Copies
  /** What people should know of how the folder was made ready: said when it is first stood on. */
  notices?: readonly string[]
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { guard } = options
  const unsaid = [...(options.notices ?? [])]
  const glance = glanceAt(options)
  const standOn: StandOn = async (tree, why) => {
    if ((await glance.tree()) === tree) return { salvage: null, paths: [], more: 0, notices: [] }
    const { salvaged, changed, notices } = await stand({ ...options, base: glance.last(), tree, at: options.openedAt, why })
    await glance.remember(tree)
    const paths = changed.paths.map(listedPath)
    return { salvage: salvaged && shortName(options.session, salvaged), paths, more: changed.count - paths.length, notices }
  }
  return {
    get cwd() {
      return workingFolder(options)
    },
    get top() {
      workingFolder(options)
      return options.folder
    },
    actions: Object.keys(options.acts),
    async stand({ tree }: Place, why) {
      const planted = guard?.check() ?? []
      const stood = await standOn(tree, why)
      return { ...stood, notices: [...unsaid.splice(0), ...planted, ...stood.notices] }
    },
    keep: keeper(options, glance, standOn),
    read: (path) => readText(workingFolder(options), path),
    write: (files, deletes) => writeFiles(workingFolder(options), files, deletes),
    mayWrite: (path) => outOfScope(options, path),
    diffLines: lineCounter(options),
    patch: (from, to) => readablePatch(options.store, from, to),
    seal: sealer(options),
    copy(tree, why, signal) {
      if (!options.copies) throw new Error('this workspace makes no copies')
      return options.copies.copy(tree, why, signal)
    },
    async close() {
      await options.copies?.close()
    },
    async act(session, effect, signal) {
      const act = options.acts[effect.action]
      if (!act) throw new Error(`no way to ${effect.action}`)
      return act(session, effect, signal)
    },
  }
}

type StandOn = (tree: Tree, why: string) => Promise<Stood>

function keeper(options: WorkspaceOptions, glance: Glance, standOn: StandOn): Workspace['keep'] {
  const checkpoint = checkpoints(options)
  return async (effect) => {
    const planted = options.guard?.check() ?? []
    // What was done to tests beside honest work stays, and so fails again.
    if ((await glance.tree()) === effect.tree) return { ...(await withPinsKept(options, effect, { ...unchanged(effect), notices: planted }, standOn)), planted }
    const found = await snapshot({ ...options, base: glance.last() })
    const homed = await keepWorkingFolder(options, { from: effect.tree, tree: found.tree }, standOn)
    const kept = isCorrection(effect) ? await corrected(options, effect, homed.tree, standOn) : await candidate(options, effect, homed.tree, standOn)
    const [changed] = await Promise.all([changedLine(options, effect, kept.tree), kept.tree === effect.tree ? null : checkpoint(effect, kept.tree)])
    await glance.remember(kept.tree)
    return { ...kept, changed, planted, notices: [...planted, ...found.notices, ...homed.notices, ...kept.notices] }
  }
}

function sealer(options: WorkspaceOptions): Workspace['seal'] {
  const { commands } = options.pinned ?? NOTHING_PINNED
  let known: { of: Tree; pins: string } | null = null
  return async (tree, reference, written) => {
    const plan = { ...options, commands, ...(await rulesFor(options, reference)) }
    if (known?.of !== reference) known = { of: reference, pins: await pinsOf({ ...plan, start: reference }) }
    const pinning = planOf(options, reference)
    const permitted = pinning === null ? [] : (await measureIntegrity(pinning, tree)).exceptions
    const exceptions = [...permitted, ...(await writtenOver(written, plan, tree)), ...(await silencedBetween(plan, tree))]
    const withoutTests = options.pinned?.permit.includes('tests') ? null : await treeWithoutTests({ ...plan, start: reference }, tree)
    return { pins: known.pins, exceptions, withTests: await treeWithTests(plan, tree), withoutTests }
  }
}

/** The number of the effect names it, so that a checkpoint made again after a crash is the same one. All lie on the commit of the start, which stays. */
function checkpoints({ store, session, openedAt }: WorkspaceOptions): (effect: Ask, tree: Tree) => Promise<void> {
  let parent: string | null = null
  return async (effect, tree) => {
    parent ??= await commitAt(store, refOf(session, 'start'))
    const name = `checkpoints/${effect.id.split('.')[0] ?? ''}`
    const message = `iteration ${effect.iteration}: ${effect.phase}`
    await keep(store, { session, name, tree, parents: parent === null ? [] : [parent], message, at: openedAt })
  }
}

/** A judged tree is measured once; the last answer is kept. */
function lineCounter({ store }: WorkspaceOptions): Workspace['diffLines'] {
  let last: { from: Tree; to: Tree; lines: number } | null = null
  return async (from, to) => {
    if (last?.from !== from || last.to !== to) last = { from, to, lines: (await changes(store, from, to, 'apart')).lines }
    return last.lines
  }
}

/** `refs/greenlatch/<session>/salvage/3` is `salvage/3` to people. */
function shortName(session: string, ref: string): string {
  return ref.slice(refOf(session, 'x').length - 1)
}

function unchanged({ tree }: Ask): Kept {
  return { tree, failures: [], notices: [], changed: '', pins: null }
}

/** How many files one line about a change names. */
const MOST_NAMED = 4

async function changedLine({ store }: WorkspaceOptions, { tree: from }: Ask, tree: Tree): Promise<string> {
  if (from === tree) return ''
  const { changes: found, lines } = await changes(store, from, tree, 'apart')
  const more = found.length - MOST_NAMED
  const named = found.slice(0, MOST_NAMED).map(({ path }) => shownPath(path)).join(', ')
  return `${named}${more > 0 ? ` and ${more} more` : ''} (${counted(lines, 'line')})`
}

async function candidate(options: WorkspaceOptions, effect: Ask, tree: Tree, standOn: StandOn): Promise<Kept> {
  return withPinsKept(options, effect, await withinScope(options, effect, tree, standOn), standOn)
}

// ───────────────────────────── tests of plans and audits ─────────────────────────────

function isCorrection({ yields }: Ask): boolean {
  return yields === 'plan' || yields === 'tests'
}

/** Only tests, and none of those that were there may be missing afterwards; else nothing of it is taken. */
async function corrected(options: WorkspaceOptions, effect: Ask, tree: Tree, standOn: StandOn): Promise<Kept> {
  const { failures, paths } = await correctionOf({ ...options, ...(await rulesFor(options, effect.pins)) }, effect, tree)
  if (failures.length === 0) return { ...unchanged(effect), tree, pins: await replacePaths(options, { in: effect.pins, from: tree, paths }) }
  const { notices } = await standOn(effect.tree, 'tests that were turned down')
  return { ...unchanged(effect), failures, notices }
}

const NOTHING_PINNED: GateCommands = { commands: '', gateFiles: [] }

/** What is pinned by the files of a tree. */
async function rulesFor({ store, folder, pinned }: WorkspaceOptions, reference: Tree): Promise<Required<PinRules>> {
  const { gateFiles } = await gateFilesIn(store, reference, pinned ?? NOTHING_PINNED)
  return { gateFiles, caseInsensitive: isCaseInsensitive(folder) }
}

// ───────────────────────────── scope ─────────────────────────────

/** Takes back what is out of scope. What was tried stays in salvage. */
async function withinScope(options: WorkspaceOptions, effect: Ask, tree: Tree, standOn: StandOn): Promise<Kept> {
  const { failures, paths, over } = await measure(options, effect, tree)
  if (failures.length === 0) return { ...unchanged(effect), tree }
  const said = failures.map(({ message }) => `out of scope: ${message}`)
  if (options.scope.mode === 'warn') return { ...unchanged(effect), tree, notices: said }
  const allowed = over ? effect.tree : await replacePaths(options, { in: tree, from: options.start, paths })
  const { salvage, notices } = await standOn(allowed, 'out of scope')
  return { ...unchanged(effect), tree: allowed, failures: keptAs(salvage, failures), notices: [...said, takenBack(salvage), ...notices] }
}

/** By its name alone, relative to the folder agents work in: how much was changed is measured afterwards. */
function outOfScope({ folder, cwd, scope }: WorkspaceOptions, path: string): string | null {
  if (scope.mode === 'warn') return null
  const change = { path: join(relative(folder, cwd), path), added: 0, removed: 0, submodule: false }
  const [breach] = measureScope([change], { ...scope, files: 0, lines: 0, caseInsensitive: isCaseInsensitive(folder) }).breaches
  return breach ? `out of scope: ${breach.why}` : null
}

function takenBack(salvage: string | null): string {
  return `taken back${salvage ? `, kept as ${salvage}` : ''}`
}

function keptAs(kept: string | null, failures: readonly Failure[]): Failure[] {
  return failures.map((failure) => ({ ...failure, breach: { permit: failure.breach?.permit ?? [], kept } }))
}

function planOf({ store, folder, pinned }: WorkspaceOptions, reference: Tree): IntegrityPlan | null {
  if (!pinned) return null
  return { store, start: reference, ...pinned, caseInsensitive: isCaseInsensitive(folder) }
}

/** Takes back what was done to the files that the checks depend on. */
async function withPinsKept(options: WorkspaceOptions, { pins }: Ask, kept: Kept, standOn: StandOn): Promise<Kept> {
  const plan = planOf(options, pins)
  if (plan === null) return kept
  const { failures, paths } = await measureIntegrity(plan, kept.tree)
  if (failures.length === 0) return kept
  const said = failures.map(({ message }) => `the checks depend on ${message}`)
  if (paths.length === 0) return { ...kept, failures: [...kept.failures, ...failures], notices: [...kept.notices, ...said] }
  const tree = await replacePaths(options, { in: kept.tree, from: pins, paths })
  const { salvage, notices } = await standOn(tree, 'what the checks depend on')
  const all = [...kept.failures, ...keptAs(salvage, failures)]
  return { ...kept, tree, failures: all, notices: [...kept.notices, ...said, takenBack(salvage), ...notices] }
}

type Measured = { failures: Failure[]; paths: string[]; over: boolean }

/** The rules against the tree the session started from; what a rung adds against the tree the agent was given. */
async function measure(options: WorkspaceOptions, effect: Ask, tree: Tree): Promise<Measured> {
  const { store, start, scope } = options
  const caseInsensitive = isCaseInsensitive(options.folder)
  const byRules = async (from: Tree, rules: ScopeRules): Promise<Measure & { found: Change[] }> => {
    const { changes: found } = await changes(store, from, tree, 'apart')
    return { ...measureScope(found.map(scopeChange), { ...rules, caseInsensitive }), found }
  }
  // The line about what was changed will ask about the tree that the agent was given.
  await changesAhead(store, [start, effect.tree], tree, 'apart')
  const session = await byRules(start, scope)
  const rung = effect.posture.scope
  const narrow = rung ? await byRules(effect.tree, { allow: [], deny: [], ...rung }) : null
  const breached = new Set(session.breaches.map(({ path }) => path))
  return {
    failures: [...scopeFailures(session, scope), ...(narrow?.over && rung ? scopeFailures({ breaches: [], over: narrow.over }, rung) : [])],
    paths: session.found.map(({ path }) => path).filter((path) => breached.has(pathText(path))),
    over: session.over !== null || (narrow?.over ?? null) !== null,
  }
}

function scopeChange(change: Change): ScopeChange {
  return { path: pathText(change.path), ...countOf(change), submodule: change.submodule === true }
}

/** Told by the folder itself, under its own name in the other case. */
function isCaseInsensitive(folder: string): boolean {
  const name = basename(folder)
  const other = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase()
  if (other === name) return false
  const [here, there] = [folder, join(dirname(folder), other)].map((path) => lstatSync(path, { throwIfNoEntry: false, bigint: true }))
  return here !== undefined && there !== undefined && here.ino === there.ino && here.dev === there.dev
}

// ───────────────────────────── a quick look ─────────────────────────────

type Glance = { tree(): Promise<Tree | null>; last(): Tree; remember(tree: Tree): Promise<void> }

/** The tree that stands there, when a look shows that nothing changed since it was last known; else git has to be asked. */
function glanceAt(options: WorkspaceOptions): Glance {
  const { isLeftOut, learn, forget } = leftOutOf(options)
  const look = createLook(options.folder, { ignore: options.ownFiles ?? [], isLeftOut })
  let last = options.base
  let seen: string | null = null
  return {
    async tree() {
      return seen !== null && (await look()) === seen ? last : null
    },
    last: () => last,
    async remember(tree) {
      last = tree
      forget()
      seen = await look()
      if (seen === null && (await learn())) seen = await look()
    },
  }
}
