// `report`: how a session ended and what shows it, for people; its last check as JUnit XML and its reviews as SARIF, for programs.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { openFolder } from '../../adapters/journal/folder.js'
import { artifactsOf } from '../../adapters/reporters/artifacts.js'
import type { Judgement, Report, Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { replaceFile } from '../../files/durable.js'
import type { Journal } from '../../ports.js'
import { expectedOf } from '../../shell/expected.js'
import { counted } from '../../text/amounts.js'
import type { CompletionReasons } from '../../text/artifacts.js'
import { junitOf, type TestList } from '../../text/junit.js'
import { sanitise } from '../../text/sanitise.js'
import { sarifOf } from '../../text/sarif.js'
import { refuseAgents } from '../at-rest.js'
import { findSession, fold, readEntry, stateOf, type Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { deliveredTree } from '../places.js'
import type { Call } from '../program.js'
import { TASK_FILE } from '../prompts.js'

const MOST_LISTED = 30

export default async function report({ args, flags, version }: Call<{ junit?: string | true; sarif?: string | true }>): Promise<number> {
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, findSession(context.store, args[0]))
  if (Object.values(entry.session.when).includes('sealed')) refuseAgents('read what a check says that is kept back from it')
  const journal = openJournal({ folder: entry.folder, fold, clock: systemClock, writable: false })
  if (flags.junit !== undefined && flags.sarif !== undefined) {
    throw new Refusal(EXIT.usage, '--junit and --sarif do not go together', 'greenlatch report --junit')
  }
  if (flags.junit !== undefined) return exportJunit(context, entry, journal, flags.junit === true ? null : flags.junit)
  if (flags.sarif !== undefined) return exportSarif(context, entry, { journal, version }, flags.sarif === true ? null : flags.sarif)
  const { completion_reasons: reasons } = await artifactsOf(journal.records())
  if (context.output.format === 'text') context.output.data(sanitise(summary(entry, reasons)))
  else context.output.json(reasons)
  return 0
}

// ───────────────────────────── for people ─────────────────────────────

function summary(entry: Entry, reasons: CompletionReasons): string {
  const { session, standing, folder } = entry
  const { outcome, label, code, why, proved, stall } = reasons
  const rows: [string, string][] = [
    ['session', `${session.id} · ${session.procedure.name} · ${counted(session.iteration, 'iteration')}`],
    ['outcome', outcome === null ? `not ended: ${stateOf(session, standing)}` : `${outcome} · ${label} · exit ${code}`],
    ['why', why === '' ? 'nothing has been decided yet' : why],
    ['proved', proved ? 'yes' : 'no'],
    ...(stall.level > 1 ? [['stall', stallText(stall, session)] as [string, string]] : []),
    ['files', folder],
  ]
  const lists = [
    ...listed('evidence', reasons.evidence),
    ...listed('exceptions', reasons.exceptions),
    ...listed('added to the task', addedToTask(entry)),
    ...listed('excused', reasons.excused),
    ...listed('flaky, set aside', reasons.flaky),
    ...listed('fixed', reasons.fixed),
    ...listed('new', reasons.fresh),
    ...listed('failing', reasons.reasons.filter((reason) => reason !== why)),
  ]
  return [...rows.map(([name, value]) => `${name.padEnd(10)} ${value}`), ...lists].join('\n')
}

/** Additions only ever add lines. */
function addedToTask({ session: { kept }, folder }: Entry): string[] {
  const [before, now] = ['task-original', 'task'].map((name) => openFolder(folder).read(kept[name]?.path ?? TASK_FILE)?.split('\n') ?? [])
  return (now ?? []).filter((line) => line.trim() !== '' && !before?.includes(line)).map((line) => `+ ${line}`)
}

/** An addition to the task lets the ladder begin again, and these with it; `explain` counts over the whole session. */
function stallText({ repeats, revisits, plateau }: CompletionReasons['stall'], { procedure, uses }: Session): string {
  const isAfresh = (procedure.policies.ladder?.rungs ?? []).some(({ resets }, rung) => resets === true && (uses[rung] ?? 0) > 0)
  const row = `the same failures in ${counted(repeats, 'iteration')} in a row, a state seen before ${counted(revisits, 'time')}, no better for ${counted(plateau, 'iteration')}`
  return isAfresh ? `${row}, since the ladder began again` : row
}

function listed(title: string, lines: readonly string[]): string[] {
  const rest = lines.length - MOST_LISTED
  const shown = lines.slice(0, MOST_LISTED).map((line) => `  ${line.replaceAll('\n', ' ')}`)
  return lines.length === 0 ? [] : [`${title}:`, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])]
}

// ───────────────────────────── for programs ─────────────────────────────

type Checked = { report: Report; judgement: Judgement }

async function exportJunit(context: Context, entry: Entry, journal: Journal, file: string | null): Promise<number> {
  const { session, folder, id } = entry
  const checked = await checkOf(journal, deliveredTree(session))
  if (!checked) throw new Refusal(EXIT.usage, `session ${id} has checked nothing yet`, `greenlatch status ${id}`)
  const timestamp = new Date(checked.report.endedAt).toISOString()
  const xml = junitOf({ session: id, ...checked, tests: testsOf(folder, session, checked.report), timestamp })
  return put(context, xml, file, '--junit')
}

function put({ output, cwd }: Pick<Context, 'output' | 'cwd'>, text: string, file: string | null, flag: string): number {
  if (file === null) process.stdout.write(text)
  else writeOut(resolve(cwd, file), text, `greenlatch report ${flag} <another file>`)
  if (file !== null) output.say(`written: ${resolve(cwd, file)}`)
  return 0
}

type Source = { journal: Journal; version: string }

async function exportSarif(context: Context, { id }: Entry, { journal, version }: Source, file: string | null): Promise<number> {
  const reviews = await reviewsOf(journal)
  const said = Array.from(reviews, ([phase, { now, before }]) => ({ phase, failures: now.failures, before: before?.failures ?? null }))
  return put(context, `${JSON.stringify(sarifOf({ version, session: id, reviews: said }), null, 2)}\n`, file, '--sarif')
}

/** By phase, what was said last and of the tree before. What could not be read says nothing. */
async function reviewsOf(journal: Journal): Promise<Map<string, { now: Report; before: Report | null }>> {
  const reviews = new Map<string, { now: Report; before: Report | null }>()
  let phase: string | null = null
  for await (const { events } of journal.records()) {
    for (const event of events) {
      if (event.type === 'asked') phase = event.effect.kind === 'ask' && event.effect.yields === 'review' ? event.effect.phase : null
      if (event.type !== 'observed' || phase === null || !['pass', 'fail'].includes(event.report.verdict)) continue
      const last = reviews.get(phase)
      reviews.set(phase, { now: event.report, before: last && last.now.tree === event.report.tree ? last.before : (last?.now ?? null) })
    }
  }
  return reviews
}

/** The last check of what is handed over; where that was never judged, the last check there was. */
async function checkOf(journal: Journal, tree: string): Promise<Checked | null> {
  let last: Checked | null = null
  let onTree: Checked | null = null
  let isCheck = false
  for await (const { events } of journal.records()) {
    for (const event of events) {
      if (event.type === 'asked') isCheck = event.effect.kind === 'check' && event.effect.gates.length > 0
      if (event.type !== 'baselined' && event.type !== 'minimised' && !(event.type === 'observed' && isCheck)) continue
      last = { report: event.report, judgement: event.judgement }
      if (event.report.tree === tree && event.judgement.verdict !== 'error') onTree = last
    }
  }
  return onTree ?? last
}

function testsOf(folder: string, session: Session, { gates, ids }: Report): Record<string, TestList> {
  const lists = { ...session, ids: { ...session.ids, ...ids } }
  const known = gates.filter(({ gate }) => Object.hasOwn(lists.ids, gate))
  return Object.fromEntries(
    known.map(({ gate }) => {
      const { ids, skipped } = expectedOf(openFolder(folder), lists, gate)
      return [gate, { ids: [...ids], skipped: [...skipped] }]
    }),
  )
}

function writeOut(path: string, text: string, next: string): void {
  if (isFolder(path)) throw new Refusal(EXIT.usage, `${path} is a folder`, next)
  if (!isFolder(dirname(path))) throw new Refusal(EXIT.usage, `there is no folder ${dirname(path)}`, next)
  replaceFile(path, text, next)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
