// A session for programs: its last check as JUnit XML, the findings of its last reviews as SARIF.
import { openFolder } from '../../adapters/journal/folder.js'
import type { Judgement, Report, Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import type { Journal } from '../../ports.js'
import { expectedOf } from '../../shell/expected.js'
import { junitOf, type TestList } from '../../text/failures/junit.js'
import { sarifOf } from '../../text/sarif.js'
import type { Entry } from '../catalogue.js'
import { deliveredTree } from '../places.js'

type Checked = { report: Report; judgement: Judgement }

export async function junitText({ session, folder, id }: Entry, journal: Journal): Promise<string> {
  const checked = await checkOf(journal, deliveredTree(session))
  if (!checked) throw new Refusal(EXIT.usage, `session ${id} has checked nothing yet`, `greenlatch status ${id}`)
  const timestamp = new Date(checked.report.endedAt).toISOString()
  return junitOf({ session: id, ...checked, tests: testsOf(folder, session, checked.report), timestamp })
}

export async function sarifText({ id }: Entry, journal: Journal, version: string): Promise<string> {
  const reviews = await reviewsOf(journal)
  const said = Array.from(reviews, ([phase, { now, before }]) => ({ phase, failures: now.failures, before: before?.failures ?? null }))
  return `${JSON.stringify(sarifOf({ version, session: id, reviews: said }), null, 2)}\n`
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
