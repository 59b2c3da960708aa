// One event of a session in one line.
import type { Event } from '../core/types.js'
import { duration } from './amounts.js'
import { whoText } from './who-answers.js'

export function eventText(event: Event): string {
  switch (event.type) {
    case 'opened':
      return `opened    ${event.procedure.name}`
    case 'asked':
      return `asked     ${event.effect.id}${event.effect.plan > 0 ? ` (plan ${event.effect.plan})` : ''}`
    case 'observed': {
      const { note, spent, by } = event.report
      return `observed  ${event.judgement.verdict} in ${duration(spent.seconds)}${by === undefined ? '' : ` by ${by}`}${note ? `: ${note}` : ''}`
    }
    case 'decided':
      return `decided   ${event.decision.to} by ${event.decision.cause}: ${event.decision.why}`
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

function extendedText({ budget, cast }: Extract<Event, { type: 'extended' }>): string {
  const raised = cast && Object.keys(budget).length === 0 ? [] : [JSON.stringify(budget)]
  return [...raised, ...(cast ? [`from here on: ${whoText(cast)}`] : [])].join(', ')
}
