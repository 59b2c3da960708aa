// Jobs as rows for people and programs: where each session stands, and what came of it.
import type { Budget, Spend } from '../core/index.js'
import { budgetShares, type Share } from '../text/budget-shares.js'
import type { FleetJob, QueueState } from './queues.js'
import type { Progress, Result } from './types.js'

export type Row = {
  session: string
  batch: string
  repository: string
  task: string
  labels: string[]
  priority: number
  /** `queued`, `later` (tried again then), `running`, `dead`, or the outcome. */
  state: string
  label: string | null
  wins: boolean | null
  worker: string | null
  iteration: number
  rung: number | null
  failing: number | null
  spent: Spend
  budget: Budget | null
  lines: number | null
  takeovers: number
  attempts: number
  why: string | null
  next: string | null
  remote: string
  ref: string | null
  pushes: Result['pushes'] | null
}

const NOTHING: Spend = { seconds: 0, tokens: 0, usd: 0 }

export function rowOf(job: FleetJob, state: QueueState, isCancelled: boolean): Row {
  const task = job.data
  const result: Result | null = state === 'completed' ? job.returnvalue : null
  const progress: Progress | null = typeof job.progress === 'object' ? job.progress : null
  const [why = null, next = null] = job.failedReason ? job.failedReason.split('\n  next: ') : []
  return {
    session: task.id,
    batch: task.batch,
    repository: task.repository,
    task: task.text,
    labels: task.labels,
    priority: job.priority,
    state: result?.outcome ?? stateWord(state, isCancelled),
    label: result?.label ?? null,
    wins: result?.wins ?? null,
    worker: result?.worker ?? (state === 'active' ? (job.processedBy ?? progress?.worker ?? null) : null),
    iteration: result?.iterations ?? progress?.iteration ?? 0,
    rung: progress?.rung ?? null,
    failing: progress?.failing ?? null,
    spent: result?.spent ?? progress?.spent ?? NOTHING,
    budget: progress?.budget ?? null,
    lines: result?.lines ?? null,
    takeovers: job.stalledCounter,
    attempts: job.attemptsStarted,
    why: result?.why ?? why,
    next: result ? null : next,
    remote: task.remote,
    ref: result?.ref ?? null,
    pushes: result?.pushes ?? null,
  }
}

function stateWord(state: QueueState, isCancelled: boolean): string {
  if (state === 'failed') return 'dead'
  if (state === 'active') return isCancelled ? 'cancelling' : 'running'
  if (isCancelled) return 'cancelled'
  return state === 'delayed' ? 'later' : 'queued'
}

/** What is used of its bounds, the one that will end it first in front. */
export function sharesOf({ budget, spent, iteration }: Row): Share[] {
  return budget === null ? [] : budgetShares(budget, { ...spent, iterations: iteration })
}

/** People count from 1; before the first rung there is none. */
export function rungOf({ rung }: Row): number | null {
  return rung === null || rung < 0 ? null : rung + 1
}

const COLUMNS = ['session', 'state', 'label', 'wins', 'iteration', 'lines', 'seconds', 'tokens', 'usd', 'attempts', 'takeovers', 'worker', 'repository', 'task', 'why', 'next', 'remote', 'ref'] as const

function cellOf(row: Row, column: (typeof COLUMNS)[number]): string {
  if (column === 'seconds' || column === 'tokens') return String(Math.round(row.spent[column] ?? 0))
  if (column === 'usd') return (row.spent.usd ?? 0).toFixed(4)
  return String(row[column] ?? '')
}

/** A cell that a spreadsheet would take for a formula is made plain text. */
export function toCsv(rows: readonly Row[]): string {
  const cell = (text: string): string => {
    const plain = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
    return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
  }
  return [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => cell(cellOf(row, column))).join(','))].join('\r\n') + '\r\n'
}

const STYLE = 'body{font:14px system-ui;margin:2em}table{border-collapse:collapse}th,td{border:1px solid #8886;padding:.3em .6em;text-align:left;vertical-align:top}th{background:#8882}'

export function toHtml(rows: readonly Row[]): string {
  const text = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const line = (cells: readonly string[], tag: 'th' | 'td'): string => `<tr>${cells.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`
  const counts = [...countBy(rows)].map(([state, count]) => `${count} ${state}`).join(', ')
  const body = rows.map((row) => line(COLUMNS.map((column) => cellOf(row, column)), 'td')).join('\n')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet results</title><style>${STYLE}</style>\n<h1>Fleet results</h1><p>${text(counts)}</p>\n<table>${line(COLUMNS, 'th')}\n${body}</table></html>\n`
}

export function countBy(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}
