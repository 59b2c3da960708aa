// One event of a session in one line.
import type { Decision, Event, Failure, Judgement, Report } from '../core/types.js'
import { counted, duration } from './amounts.js'
import { listed } from './diagnosis/rules.js'
import { breachesIn } from './failures/failing-words.js'
import { whoText } from './who-answers.js'

export function eventText(event: Event): string {
  switch (event.type) {
    case 'opened':
      return `opened    ${event.procedure.name}`
    case 'asked':
      return `asked     ${event.effect.id}${event.effect.plan > 0 ? ` (plan ${event.effect.plan})` : ''}`
    case 'observed':
      return `observed  ${observedText(event.report, event.judgement)}`
    case 'decided':
      return `decided   ${decidedText(event.decision)}`
    case 'hinted':
      return `hinted    ${event.hint.text}`
    case 'interrupted':
      return `interrupted by ${event.cause}: ${event.note}`
    case 'paused':
    case 'stopped':
      return event.type
    case 'extended':
      return `extended  ${extendedText(event)}`
    case 'undone':
    case 'redone':
      return `${event.type}    iteration ${event.from.iteration} → ${event.to.iteration}`
    case 'baselined':
      return `the baseline was taken again: ${event.judgement.failing.length + event.judgement.found.length} failing`
    case 'minimised':
      return `minimised ${event.report.note}`
    case 'accepted':
      return `accepted  ${event.note}`
    case 'repaired':
      return `repaired  ${event.note}`
  }
}

function observedText({ note, spent, by, failures }: Report, { verdict, found }: Judgement): string {
  const who = by === undefined ? '' : ` by ${by}`
  const said = note === '' ? '' : `: ${note}`
  const before = breachesIn(found)
  const against = before === 0 ? '' : `; ${counted(before, 'breach', 'breaches')} of this iteration ${before === 1 ? 'counts' : 'count'} against it`
  return `${verdict} in ${duration(spent.seconds)}${who}${said}${breachText(failures)}${against}`
}

/** What an agent did and may not: taken back and kept aside, or left where honest work stands beside it. */
function breachText(failures: readonly Failure[]): string {
  const breaches = failures.filter((failure) => failure.class !== 'behaviour')
  if (breaches.length === 0) return ''
  const kept = [...new Set(breaches.flatMap(({ breach }) => breach?.kept ?? []))]
  const what = listed(breaches.map(({ message }) => message))
  return kept.length === 0 ? `; breached: ${what}` : `; put back, and kept as ${kept.join(', ')}: ${what}`
}

function decidedText({ to, cause, why, restore, fired, finish, posture }: Decision): string {
  const back = restore ? `; back to ${restore.iteration === 0 ? 'the start' : `iteration ${restore.iteration}`}` : ''
  // What only an iteration after the end would take up is not taken up.
  const rung = fired && finish === null && posture?.stance ? `; no better, so from here on: ${posture.stance}` : ''
  return `${to} by ${cause}: ${why}${back}${rung}`
}

function extendedText({ budget, cast }: Extract<Event, { type: 'extended' }>): string {
  const raised = cast && Object.keys(budget).length === 0 ? [] : [JSON.stringify(budget)]
  return [...raised, ...(cast ? [`from here on: ${whoText(cast)}`] : [])].join(', ')
}
