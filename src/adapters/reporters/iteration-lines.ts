// Progress by iteration with clock times, for procedures in the manner of `ooda`.
import type { Event, Report, Session } from '../../core/types.js'
import type { Ending, JournalRecord, Notice } from '../../ports.js'
import { counted, duration } from '../../text/amounts.js'
import { skippedRungs } from '../../text/ladder.js'
import { originOf, whoText } from '../../text/who-answers.js'
import { failedThroughout } from './failed-throughout.js'
import { nextLines } from './next-commands.js'

/** The lines a notice is worth, without colour or time stamp. */
export function iterationLines(notice: Notice): string[] {
  switch (notice.kind) {
    case 'began':
      return beganLines(notice.session, notice.resumed)
    case 'record':
      return recordLines(notice.record, notice.before, notice.after)
    case 'warning':
      return [`WARNING: ${notice.text}`]
    case 'ended':
      return endedLines(notice.session, notice.how, notice.pattern)
    case 'activity':
      return []
  }
}

function beganLines(session: Session, resumed: boolean): string[] {
  const most = session.budget.iterations ?? 0
  const { name } = session.procedure
  const skipped = skippedRungs(session.procedure, session.roles).map((line) => `WARNING: ${line}`)
  const limit = most > 0 ? `max ${counted(most, 'iteration')}` : `unlimited iterations${otherLimits(session)}`
  if (!resumed) return [`Starting procedure: ${name} (${limit})`, ...agentLine(session), ...skipped]
  const lines = [
    `Resuming procedure: ${name} from iteration ${session.finished} (${most > 0 ? `max ${most}` : 'unlimited'})`,
    `Previous session: ${counted(session.finished, 'iteration')} completed in ${duration(session.spent.seconds)}`,
    ...skipped,
  ]
  return session.outstanding && session.iteration > session.finished ? [...lines, starting(session)] : lines
}

/** Whom a flag names is known to whoever typed it. */
function agentLine(session: Session): string[] {
  const origin = originOf(session)
  return origin === null || origin.startsWith('--') ? [] : [`Agent: ${whoText(session)}`]
}

/** Unlimited in iterations is not unlimited: what ends it is said at the start. */
function otherLimits({ budget }: Session): string {
  const limits = [
    ...(budget.seconds ? [`${duration(budget.seconds)} of active time`] : []),
    ...(budget.tokens ? [`${counted(budget.tokens, 'token')}`] : []),
    ...(budget.usd ? [`${budget.usd} USD`] : []),
  ]
  return limits.length > 0 ? `; ends after ${limits.join(', ')}` : ', no other limit'
}

function recordLines(record: JournalRecord, before: Session, after: Session): string[] {
  const lines = record.events.flatMap((event) => warningOf(event, before, after))
  const aborted = after.finish !== null && after.finish.outcome !== 'completed'
  if (after.finished > before.finished && !aborted) {
    lines.push(`Iteration ${numbered(after, after.finished)} completed in ${duration(after.elapsed.at(-1) ?? 0)}`)
  }
  if (after.iteration > before.iteration) lines.push(starting(after))
  return lines
}

function warningOf(event: Event, before: Session, after: Session): string[] {
  if (event.type === 'hinted') return [`Hint taken for the next iteration: ${event.hint.text}`]
  if (event.type !== 'observed') return []
  if (event.judgement.verdict === 'pass') return keptDespite(event.report)
  const limit = after.procedure.policies.setbacks?.limit
  const row = limit === undefined ? '' : `, consecutive failures: ${after.setbacks.row}/${limit}`
  const what = before.outstanding?.kind === 'check' ? `Quality gates failed: ${event.report.note}` : `AI CLI failed (${event.report.note})`
  return [`WARNING: ${what}${row}`]
}

/** What an agent changed counts even when it was cut off or failed; how it ended is said all the same. */
function keptDespite({ cause, note }: Report): string[] {
  return cause === null || note === '' ? [] : [`WARNING: AI CLI failed (${note}); what it changed is kept`]
}

function starting(session: Session): string {
  return `Iteration ${numbered(session)} starting...${session.plan > 0 ? ` (plan ${session.plan})` : ''}`
}

function numbered(session: Session, iteration = session.iteration): string {
  const most = session.budget.iterations ?? 0
  return most > 0 ? `${iteration}/${most}` : `${iteration}`
}

function endedLines(session: Session, how: Ending, pattern = ''): string[] {
  const resume = `greenlatch resume ${session.procedure.name}`
  const total = `total: ${duration(session.spent.seconds)}`
  switch (how.kind) {
    case 'finished':
      return [...finishedLines(session, total), ...failedThroughout(session, pattern), ...endedWith(session, pattern)]
    case 'waiting':
      return [
        `Waiting for ${how.awaits}. The prompt is in ${how.prompt}`,
        `Put the answer into ${how.path} or hand it in with: greenlatch reply`,
        ...(how.cwd === null ? [] : [`Or edit in ${how.cwd}, then: echo done | greenlatch reply ${session.id}`]),
        `Then go on with: ${resume}`,
      ]
    case 'paused':
      return [`Paused. State saved. Resume with: ${resume}`]
    case 'stopped':
      return [`Stopped. State saved. Resume with: ${resume}`]
    case 'interrupted':
      return [`Interrupted. State saved. Resume with: ${resume}`]
  }
}

/** Where nothing was changed there is nothing to see or to take; but an agent that was out of reach can be asked again. */
function endedWith(session: Session, pattern: string): string[] {
  return session.finish?.delivers === session.start && session.infrastructure === 0 ? [] : nextLines(session, pattern)
}

function finishedLines(session: Session, total: string): string[] {
  const { finish, setbacks } = session
  if (!finish) return []
  const most = session.budget.iterations ?? 0
  if (finish.outcome === 'completed' && most > 0 && session.finished >= most) return [`Reached max iterations: ${most} (${total})`]
  const done = `${counted(session.finished, 'iteration')} completed, ${total}`
  const limit = session.procedure.policies.setbacks?.limit ?? Infinity
  if (setbacks.row >= limit) return [`ERROR: Aborting after ${setbacks.row} consecutive failures (${done})`]
  return [finish.code === 0 ? `Completed: ${finish.why} (${done})` : `ERROR: ${finish.outcome}: ${finish.why} (${done})`]
}
