// Progress by phase: one line for each that is over, with what it changed.
import type { Decision, Effect, Failure, Judgement, Report, Session } from '../../core/types.js'
import type { Ending, Notice } from '../../ports.js'
import { counted, duration } from '../../text/amounts.js'
import { breachesIn, countingIn, failingWords } from '../../text/failures/failing-words.js'
import { iterationsText } from '../../text/iterations.js'
import { skippedRungs } from '../../text/ladder.js'
import { waitingLines } from '../../text/waiting.js'
import { isCostKnown, whoText } from '../../text/who-answers.js'
import { failedThroughout } from './failed-throughout.js'
import { nextLines } from './next-commands.js'

export function phaseLines(notice: Notice): string[] {
  switch (notice.kind) {
    case 'began':
      return beganLines(notice.session, notice.resumed)
    case 'record':
      return recordLines(notice)
    case 'warning':
      return [`warning: ${notice.text}`]
    case 'ended':
      return endedLines(notice.session, notice.how, notice.pattern)
    case 'activity':
      return []
  }
}

function beganLines(session: Session, resumed: boolean): string[] {
  const gates = session.gates.length > 0 ? `${counted(session.gates.length, 'gate')}: ${session.gates.join(', ')}` : 'no gates'
  const head = `${session.procedure.name} · session ${session.id} · agent ${whoText(session)} · ${gates}`
  const skipped = skippedRungs(session.procedure, session.roles)
  const budget = `budget: ${limitsOf(session)}`
  if (!resumed) return [head, budget, ...skipped]
  return [head, `resumed after ${iterationsText(session)}, ${duration(session.spent.seconds)} · ${budget}`, ...skipped]
}

function limitsOf(session: Session): string {
  const { budget } = session
  const limits = [
    budget.iterations ? counted(budget.iterations, 'iteration') : 'iterations unlimited',
    budget.seconds ? `${duration(budget.seconds)} of active time` : 'time unlimited',
    budget.tokens ? counted(budget.tokens, 'token') : 'tokens counted, not limited',
    budget.usd ? `${budget.usd} USD` : isCostKnown(session) ? 'money counted, not limited' : 'money not known, not limited',
  ]
  return limits.join(' · ')
}

function recordLines({ record, before, after }: Extract<Notice, { kind: 'record' }>): string[] {
  return record.events.flatMap((event, place) => {
    if (event.type === 'hinted') return [`hint taken for the next candidate: ${event.hint.text}`]
    if (event.type === 'asked') return planLine(event.effect)
    if (event.type !== 'observed') return []
    const next = record.events[place + 1]
    return [phaseLine(before, after, event.report, event.judgement, next?.type === 'decided' ? next.decision : null), ...nothingToProve(before, event.judgement)]
  })
}

/** Said before anybody is asked: what passes at the start can show no progress. Where tests are planned or others judge, that is as it should be. */
function nothingToProve({ outstanding: effect, procedure: { phases, policies } }: Session, { verdict }: Judgement): string[] {
  const { change = false, targets = [], gates = [] } = policies.goal ?? {}
  const isGreen = effect?.kind === 'check' && effect.baseline && effect.gates.length > 0 && verdict === 'pass'
  const hasOthers = Object.values(phases).some((phase) => phase.kind === 'ask' && (phase.judges === true || phase.wants === 'tests'))
  if (!isGreen || !change || hasOthers || targets.length + gates.length > 0) return []
  return ['warning: every check passes already: only a change that keeps them passing counts, and nothing may be left to do']
}

function planLine({ opensIteration, iteration, plan }: Effect): string[] {
  return opensIteration && plan > 0 ? [`iteration ${iteration} · plan ${plan}`] : []
}

function phaseLine(before: Session, after: Session, report: Report, judgement: Judgement, decision: Decision | null): string {
  const effect = before.outstanding
  const number = (effect && effect.iteration > 0 ? String(effect.iteration) : '').padStart(3)
  const cells = [number, (effect?.phase ?? '').padEnd(10), duration(report.spent.seconds).padStart(7), what(before, report, judgement)]
  return [...cells, aside(before, after, report, judgement, decision)].join('  ').trimEnd()
}

function what(before: Session, report: Report, judgement: Judgement): string {
  const effect = before.outstanding
  if (judgement.verdict === 'error' || judgement.verdict === 'cancelled') return `${judgement.verdict}: ${report.note}`
  if (effect?.kind === 'ask' && effect.yields === 'candidate') return candidateText(effect, report)
  if (effect?.kind === 'workspace') return report.note || judgement.verdict
  if (effect?.kind !== 'check') return judgement.verdict === 'fail' && report.note !== '' ? `fail: ${report.note}` : judgement.verdict
  const counting = countingIn(report, judgement)
  if (counting.length === 1 && counting[0]?.gate === 'change') return 'no change since the start'
  const flaky = judgement.flaky.length > 0 ? ` · ${judgement.flaky.length} flaky, set aside` : ''
  const excused = judgement.excused.length > 0 ? ` · ${judgement.excused.length} excused` : ''
  if (counting.length === 0 && effect.gates.length === 0) return 'no gates configured'
  return `${wasFailing(before, effect, counting)}${failingWords(counting)}${excused}${flaky}${besides(report, judgement)}`
}

/** Only what checks say is set against what checks said: neither a finding of a review nor a breach is one of their failures. */
function wasFailing({ facing, origin, best }: Session, { baseline, sealed }: Extract<Effect, { kind: 'check' }>, counting: readonly Failure[]): string {
  if (origin === null && best === null) return ''
  const was = facing.filter((failure) => failure.class === 'behaviour' && failure.finding === undefined).length
  return baseline || sealed || was === counting.length - breachesIn(counting) ? '' : `${was}→`
}

/** What the number of failures does not say: tests that are gone, and new ones that prove nothing. */
function besides({ gates, note, sealed }: Report, { verdict }: Judgement): string {
  const missing = gates.reduce((sum, gate) => sum + gate.missing, 0)
  if (missing > 0) return ` · ${counted(missing, 'test')} missing`
  return verdict === 'pass' && sealed !== null && note !== '' ? ` · ${note}` : ''
}

/** What an agent changed counts even when it was cut off or failed; how it ended is said all the same. */
function candidateText(effect: Effect, report: Report): string {
  const what = report.changed === '' ? 'changed' : `changed ${report.changed}`
  const kept = report.tree === effect.tree ? 'nothing changed' : what
  const changed = breachesIn(report.failures) === 0 ? kept : report.tree === effect.tree ? 'taken back' : `${what}, part of it taken back`
  return report.cause === null || report.note === '' ? changed : `${changed} · ${report.note}`
}

function aside(before: Session, after: Session, { note }: Report, judgement: Judgement, decision: Decision | null): string {
  const notes: string[] = []
  if (judgement.better && judgement.verdict === 'fail' && before.best) notes.push('best')
  if (decision?.restore) notes.push(`REVERTED to ${decision.restore.iteration === 0 ? 'the start' : decision.restore.iteration}`)
  const moved = after.candidate !== before.outstanding?.tree
  if (moved && after.identical > before.identical) notes.push(`the same candidate ${after.identical + 1} times in a row`)
  if (judgement.judged && judgement.stall.level > 1) notes.push(`no better ×${judgement.stall.level}`)
  // What only an iteration after the end would take up is not taken up.
  if (decision?.fired && decision.finish === null && after.posture.stance) notes.push(`→ ${after.posture.stance}`)
  // What the agent said stands before it already, and why it ended is the first thing that its last line says.
  if (decision?.finish === null && ['retry', 'infrastructure', 'floor', 'setbacks'].includes(decision.cause)) notes.push(decision.why.replace(`: ${note}`, ''))
  return notes.join(' · ')
}

/** Where the work was planned, what proved it is told with its plan. */
function completeLine({ finish, iteration, plan }: Session): string[] {
  return finish?.outcome === 'converged' && plan > 0 ? [`TASK COMPLETE · iteration ${iteration} · plan ${plan}`] : []
}

/** What keeps a proof from being a full one. */
function exceptionLines({ finish, proof }: Session): string[] {
  return finish?.outcome === 'converged' ? (proof?.exceptions ?? []).map((text) => `  except:   ${text}`) : []
}

function endedLines(session: Session, how: Ending, pattern = ''): string[] {
  const { id, finish } = session
  const total = `${iterationsText(session)}, ${duration(session.spent.seconds)}`
  switch (how.kind) {
    case 'finished':
      if (!finish) return []
      return [...completeLine(session), `${finish.outcome.toUpperCase()} (${finish.label}) · ${finish.why} · ${total}`, ...failedThroughout(session, pattern), ...exceptionLines(session), ...nextLines(session, pattern).map((line) => `  ${line}`)]
    case 'waiting':
      return [
        `WAITING for ${how.awaits}`,
        ...waitingLines(id, how),
      ]
    case 'paused':
      return [`PAUSED · ${total}`, `  go on:  greenlatch resume ${id}`]
    case 'stopped':
      return [`STOPPED · ${total}`, `  go on:  greenlatch resume ${id}`]
    case 'interrupted':
      return [`INTERRUPTED by ${how.signal} · ${total}`, `  go on:  greenlatch resume ${id}`]
  }
}
