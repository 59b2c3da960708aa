// A replayed or back-tested session as lines for people.
import type { Event, Session } from '../core/types.js'
import { counted, duration } from './amounts.js'

const LONGEST_VALUE = 120

/** What a replay tells of one event; null for those that say nothing by themselves. `session` has not taken it in yet. */
export function replayLine(event: Event, session: Session | null): string | null {
  const at = `${session?.iteration ?? 0}`.padStart(3)
  const phase = (session?.outstanding?.phase ?? '').padEnd(10)
  switch (event.type) {
    case 'observed': {
      const { judgement } = event
      const failing = judgement.failing.length + judgement.found.length
      const told = judgement.judged || failing > 0 ? `${failing} failing` : ''
      const stall = judgement.judged && judgement.stall.level > 0 ? `stall ${judgement.stall.level}` : ''
      const better = judgement.better ? 'better' : judgement.worse ? 'worse' : ''
      return `${at}  ${phase} ${judgement.verdict.padEnd(6)} ${told.padEnd(11)} ${stall.padEnd(8)} ${better}`.trimEnd()
    }
    case 'decided': {
      const { to, cause, why, fired, rung } = event.decision
      const climbed = fired && rung !== null ? `, rung ${rung + 1}` : ''
      return `        → ${to} by ${cause}${climbed}: ${why}`
    }
    case 'hinted':
    case 'interrupted':
    case 'paused':
    case 'stopped':
    case 'extended':
    case 'undone':
    case 'redone':
    case 'baselined':
    case 'minimised':
    case 'accepted':
    case 'repaired':
      return `${at}  ${event.type}`
    case 'opened':
      return `  0  opened     ${event.procedure.name}`
    case 'asked':
      return null
  }
}

/** A value of a record as it fits into a line. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Left-aligned columns, two spaces between them. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
}

export function savedText({ iterations, seconds }: { iterations: number; seconds: number }): string {
  return iterations === 0 && seconds === 0 ? '' : `${counted(iterations, 'iteration')}, ${duration(seconds)}`
}
