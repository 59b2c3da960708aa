// How the result of a check is told to people: gate by gate, then what counts and what was set aside.
import type { Failure, Judgement, Report } from '../core/index.js'
import { counted } from '../text/amounts.js'

const MOST_LISTED = 30

export function checkLines({ gates, failures }: Report, { excused, flaky, failing, found }: Judgement): string[] {
  const counting = [...failing.flatMap((place) => failures[place] ?? []), ...found]
  return [
    ...gates.map(({ gate, exit, seconds, note }) => `${gate}  ${exit}  ${seconds.toFixed(1)} s${exit === 'pass' ? '' : `  ${note}`}`),
    ...listed('failing', counting.map(lineOf)),
    ...listed('flaky, set aside', flaky),
    ...listed('excused', excused),
  ]
}

function lineOf({ gate, subject, message }: Failure): string {
  const first = message.split('\n')[0] ?? ''
  return subject.startsWith(`${gate}: `) || first === subject ? `${subject}` : `${gate}: ${subject}${first === '' ? '' : ` (${first})`}`
}

export function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const rest = lines.length - MOST_LISTED
  return [`${title} (${counted(lines.length, 'test')}):`, ...lines.slice(0, MOST_LISTED).map((line) => `  ${line}`), ...(rest > 0 ? [`  and ${rest} more`] : [])]
}
