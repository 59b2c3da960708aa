// A session as Markdown, for a pull request or the summary of a build. Text of others stands in code, which nothing in it can end.
import { counted, duration, grouped } from '../../text/amounts.js'
import { inlineCode } from '../../text/prompt/delimited.js'
import { sanitise } from '../../text/sanitise.js'
import { readMark, type CheckView, type Row, type View } from '../../text/view/view.js'
import type { SessionPage } from '../../web/data.js'
import type { Entry } from '../catalogue.js'
import { watchSession } from '../page/session-page.js'
import { standOf, whyText, type Stand } from '../stand.js'

const MOST_ROWS = 30
const MOST_FAILURES = 20

export async function markdownText(store: string, entry: Entry): Promise<string> {
  return sanitise(markdownOf(await watchSession(store, entry.id).read(), await standOf(entry)))
}

export function markdownOf({ view, state, agents, money, diagnosis }: SessionPage, stand?: Stand): string {
  const { head } = view
  const label = head.finish ? ` (${head.finish.label})` : ''
  const parts = [
    `## Greenlatch: ${state}${label}`,
    head.finish ? inlineCode(stand ? whyText(head.finish.why, stand) : head.finish.why) : '',
    `${counted(head.iteration, 'iteration')} · ${duration(head.spent.seconds)} · ${grouped(head.spent.tokens)} tokens · ${money} · agent ${agents.map(inlineCode).join(', ')}`,
    iterationTable(view),
    failingList(view),
    diagnosis && diagnosis.pattern !== '' ? `**${diagnosis.pattern}**: ${inlineCode(diagnosis.sentence)}` : '',
    claimList(view),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function iterationTable({ rows }: View): string {
  const shown = rows.filter(({ check }) => check !== null).slice(-MOST_ROWS)
  if (shown.length === 0) return ''
  const lines = shown.map((row) => `| ${row.iteration === 0 ? 'start' : row.iteration} | ${row.check ? failingCell(row.check) : ''} | ${keptWords(row)} | ${row.diffLines} |`)
  return ['| iteration | failing | kept | lines |', '|---:|---:|---|---:|', ...lines].join('\n')
}

function failingCell({ failing, breaches }: CheckView): string {
  return breaches === 0 ? String(failing) : `${failing}, ${counted(breaches, 'breach', 'breaches')}`
}

function keptWords({ reverted, takenBack, check }: Row): string {
  if (takenBack === 'all') return 'no, taken back'
  if (reverted !== null) return `no, back to ${reverted === 0 ? 'the start' : reverted}`
  return takenBack === 'part' ? 'in part' : check?.better ? 'yes, the best so far' : 'yes'
}

function failingList({ rows, failures }: View): string {
  const marks = rows.findLast(({ check }) => check !== null)?.check?.marks ?? []
  const failing = marks.map(readMark).filter(({ status }) => status !== 'excused' && status !== 'flaky').flatMap(({ place }) => failures[place] ?? [])
  if (failing.length === 0) return ''
  const more = failing.length - MOST_FAILURES
  const lines = failing.slice(0, MOST_FAILURES).map(({ subject, message }) => `- ${inlineCode(subject)}: ${inlineCode(message)}`)
  return ['**Failing in the last check**', '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function claimList({ certificate }: View): string {
  const lines = certificate.map(({ text, seq, sum }) => `- ${inlineCode(text)} (record ${seq}, ${inlineCode(sum.slice(0, 16))})`)
  return ['<details><summary>Certificate</summary>', '', ...lines, '', '</details>'].join('\n')
}
