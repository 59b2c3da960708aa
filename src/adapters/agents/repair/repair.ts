// One repair: the tests are run, places are suspected, candidates tried, the best one chosen and confirmed by the gates themselves.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepairEntry } from '../../../agent-entry.js'
import type { AskRequest, Sandbox } from '../../../ports.js'
import { counted } from '../../../text/amounts.js'
import { OUT_OF_CANDIDATES, OUT_OF_TIME } from '../../../text/diagnosis/search-limits.js'
import { testPathOf } from './aims.js'
import type { Checked } from './agent.js'
import { chooseFrom, doubtsAbout, isTrusted, moreAfter } from './choose.js'
import { copiesOf, type Copies } from './copy.js'
import { hintFrom } from './hints.js'
import { suspicionFromFrames, suspicionOf, type Run, type Suspicion } from './localise.js'
import { recall, remember, stateKey, type Memory } from './memory.js'
import { openReader, type Reader } from './parse.js'
import { rank } from './rank.js'
import { gateRuns, withText } from './runners/by-gate.js'
import { openChecker, type Opened } from './runners/open.js'
import type { Checker } from './runners/types.js'
import { search, type Found, type Searched } from './search.js'
import { mayChange, suspects } from './suspects.js'
import type { Unit } from './tree.js'
import type { Ranked } from './types.js'
import { askedWhatIf } from './what-if.js'

export type Repaired =
  | { kind: 'nothing'; why: string }
  | { kind: 'edit'; path: string; before: string; text: string; line: number; what: string; tried: number; lines: string[] }

/** When the ask began, and how long its first run of the tests took. */
type Times = { began: number; firstRun: number }

type Prepared = { units: Unit[]; messages: string[]; ranked: Ranked[] }

export type Task = { request: AskRequest; entry: RepairEntry; gates: readonly Checked[]; lanes: number; signal: AbortSignal; sandbox: Sandbox }

const CANDIDATES = 300
const SECONDS = 60
/** However long it takes to put candidates in order, some are tried. */
const LEAST_SECONDS = 2

/** How long may be searched: what is `gone` counts, and the gates that confirm what is found take about as long as the first run did. */
export function searchSeconds(seconds: number, gone: number, firstRun: number): number {
  return Math.max(LEAST_SECONDS, seconds - gone - Math.min(firstRun, seconds / 2))
}

export async function repair(task: Task): Promise<Repaired> {
  const began = performance.now()
  const copies = await copiesOf(task.request.top, task.lanes)
  if (typeof copies === 'string') return nothing(copies)
  const reader = openReader()
  try {
    const running = performance.now()
    const opened = await openChecker(task, copies, reader)
    const firstRun = secondsSince(running)
    if (opened === null) return nothing('no gate shows a failure that a small change could be tried against')
    try {
      return await repairWith(task, copies, reader, { ...opened, began, firstRun })
    } finally {
      await opened.checker.close()
    }
  } finally {
    copies.remove()
    await reader.close()
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000
}

function nothing(why: string): Repaired {
  return { kind: 'nothing', why }
}

/** Candidates for what fails, best first, before any of them is tried. The benchmark asks for the same. @public */
export async function prepare(
  { request, entry }: Pick<Task, 'request' | 'entry'>,
  reader: Reader,
  { run, targets, checker }: Pick<Opened, 'run' | 'targets'> & { checker: Pick<Checker, 'whatIf'> },
): Promise<Prepared> {
  const suspicion = suspicionIn(request.top, run, targets)
  const units = await unitsOf(request.top, suspicion, reader)
  const failing = run.tests.filter(({ id }) => targets.includes(id))
  const messages = failing.map(({ message }) => message)
  const ranked = rank({ units, suspicion, hint: hintFrom(messages), seed: entry.seed ?? 1 })
  const passing = run.tests.filter(({ passed }) => passed).map(({ id }) => id)
  const told = { checker, targets, passing, messages: new Map(failing.map(({ id, message }) => [id, message])) }
  return { units, messages, ranked: await askedWhatIf(ranked, reader, told) }
}

async function repairWith(task: Task, copies: Copies, reader: Reader, opened: Opened & Times): Promise<Repaired> {
  const { request, entry, signal } = task
  const { checker, targets, began, firstRun } = opened
  const { units, messages, ranked } = await prepare(task, reader, opened)
  const state = stateKey(units.map(({ path, source }) => [path, source]), targets)
  const memory = recall(request, state)
  if (memory.over) return nothing(`nothing more to try: ${counted(memory.tried, 'candidate')} were refuted`)
  checker.aim(targets)
  const bounds = {
    candidates: Math.max(0, (entry.candidates ?? CANDIDATES) - memory.tried),
    seconds: searchSeconds(entry.seconds ?? SECONDS, secondsSince(began), firstRun),
    more: moreAfter,
  }
  const found = await search({ ranked, checker, reader, targets, bounds, known: memory.known, signal })
  const chosen = signal.aborted
    ? null
    : await confirmed(task, copies, chooseFrom(found.passing.length > 0 ? found.passing : best(found.partial), messages), memory)
  const tried = memory.tried + found.tried
  note(request, state, memory, found, chosen)
  return chosen ? editOf(chosen, tried, targets) : nothing(`${whyNothing(found, memory, units.length)}${declined(found)}`)
}

/** Among those that mend only some tests, those that mend most. */
function best(partial: readonly Found[]): Found[] {
  const most = Math.max(0, ...partial.map(({ fixed }) => fixed.length))
  return partial.filter(({ fixed }) => fixed.length === most)
}

function suspicionIn(root: string, run: Run, targets: readonly string[]): Suspicion {
  const isTarget = (id: string): boolean => targets.includes(id)
  const covered = suspicionOf(run, isTarget)
  const paths = covered.paths.filter((path) => mayChange(root, path))
  if (paths.length > 0) return { ...covered, paths }
  const messages = run.tests.filter(({ id }) => isTarget(id)).map(({ message }) => message)
  // Pytest names tests from where its settings lie, which may be above the folder that it ran in.
  const testPaths = [...new Set(targets.map(testPathOf).flatMap((path) => [join(run.folder, path), path]))]
  return suspicionFromFrames(suspects(root, testPaths), messages, run.folder)
}

async function unitsOf(root: string, { paths }: Suspicion, reader: Reader): Promise<Unit[]> {
  const units = await Promise.all(paths.map((path) => reader.unit(path, readFileSync(join(root, path), 'utf8'))))
  return units.filter((unit) => unit !== null)
}

/** Warm runners are quick and near the truth; the gates are the truth. */
async function confirmed(task: Task, copies: Copies, found: readonly Found[], memory: Memory): Promise<Found | null> {
  const root = copies.roots[0] ?? ''
  const isKnown = knownBefore(task, copies)
  for (const candidate of found) {
    const { path } = candidate.unit
    const failing = await withText(root, { path, text: candidate.text }, () => failuresIn(task, copies))
    if (task.signal.aborted) return null
    if (failing !== null && (await isKnown(failing))) return candidate
    memory.known.add(candidate.shape)
  }
  return null
}

/** What the gates name in the first copy, as it stands; null when one of them fails and names nothing. */
async function failuresIn({ request, gates, signal }: Task, copies: Copies): Promise<string[] | null> {
  const failing: string[] = []
  for (const { gate } of gates) {
    const outcome = await gateRuns({ gate, request, copies, signal }).run(copies.roots[0] ?? '', null, request.limits.wallSeconds)
    if (outcome === null || (outcome.failures.length === 0 && outcome.result.exit !== 'pass')) return null
    failing.push(...outcome.failures.map(({ subject }) => `${gate.name} ${subject}`))
  }
  return failing
}

/** Whether all of this failed before. What is excused or set aside as flaky nobody is asked to mend: only a look at the sources as they were tells of it. */
function knownBefore(task: Task, copies: Copies): (failing: readonly string[]) => Promise<boolean> {
  const told = new Set((task.request.failing ?? []).map(({ gate, subject }) => `${gate} ${subject}`))
  let seen: Promise<string[] | null> | null = null
  return async (failing) => {
    const others = failing.filter((each) => !told.has(each))
    if (others.length === 0) return true
    seen ??= failuresIn(task, copies)
    const before = new Set(await seen)
    return others.every((each) => before.has(each))
  }
}

/** What is proposed counts as tried: whoever asks again on the same sources did not want it. */
function note(request: AskRequest, state: string, memory: Memory, found: Searched, chosen: Found | null): void {
  const untrusted = found.passing.filter((each) => !isTrusted(each))
  for (const { shape } of [...found.refuted, ...untrusted]) memory.known.add(shape)
  if (chosen) memory.known.add(chosen.shape)
  memory.tried += found.refuted.length
  memory.over = chosen === null && !found.passing.some(isTrusted) && found.end === 'over'
  remember(request, state, memory)
}

function editOf(found: Found, tried: number, targets: readonly string[]): Repaired {
  const { unit, text, line, kind } = found
  const [was, is] = [unit.source.split('\n'), text.split('\n')]
  let [head, tail] = [0, 0]
  while (head < was.length && was[head] === is[head]) head += 1
  while (tail < was.length - head && tail < is.length - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1
  const lines = [
    ...was.slice(head, was.length - tail).map((row) => `- ${row}`),
    ...is.slice(head, is.length - tail).map((row) => `+ ${row}`),
  ]
  const part = found.fixed.length < targets.length ? `, for ${found.fixed.length} of ${counted(targets.length, 'failing test')}` : ''
  const doubts = doubtsAbout(found)
  const doubtful = doubts.length > 0 ? ` (doubtful: ${doubts.join(', ')})` : ''
  return { kind: 'edit', path: unit.path, before: unit.source, text, line, what: `${kind}${doubtful}${part}`, tried, lines }
}

function declined({ passing }: Searched): string {
  const untrusted = passing.find((each) => !isTrusted(each))
  if (!untrusted) return ''
  const { unit, line } = untrusted
  return `; what passes is not to be trusted: ${doubtsAbout(untrusted).join(', ')} in ${unit.path}:${line}`
}

function whyNothing({ end }: Searched, memory: Memory, files: number): string {
  const total = counted(memory.tried, 'candidate')
  if (end === 'seconds') return `no repair found: ${total} were refuted, ${OUT_OF_TIME}`
  if (files === 0) return 'no source in JavaScript, TypeScript or Python, which is all that it can mend, takes part in what fails and may be changed'
  return end === 'candidates' ? `no repair found: ${total} were refuted, ${OUT_OF_CANDIDATES}` : `nothing more to try: all of ${total} were refuted`
}
