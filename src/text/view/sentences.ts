// What the pictures of a report say in one sentence each, for whoever does not see them.
import { counted, grouped } from '../amounts.js'
import type { CheckView, Row, View } from './view.js'

export function convergenceSentence({ head, rows }: Pick<View, 'head' | 'rows'>): string {
  const last = rows.findLast(({ check }) => check !== null)
  if (!last?.check) return 'Nothing has been checked yet.'
  const from = head.baseline === null ? '' : `${head.baseline} failing before the work, `
  const best = head.best ? `, at best ${head.best.failing} (${placeName(head.best.iteration)})` : ''
  return `${from}${checkText(last.check)} in the last check${best}.`
}

export function sizesSentence(rows: readonly Row[], limit: number | null): string {
  if (rows.length === 0) return 'Nothing has been changed yet.'
  const largest = rows.reduce((most, { diffLines }) => Math.max(most, diffLines), 0)
  return `The largest change had ${counted(largest, 'line')}${limit === null ? '; there is no limit' : ` of ${grouped(limit)} allowed`}.`
}

export function placeName(iteration: number): string {
  return iteration === 0 ? 'the start' : `iteration ${iteration}`
}

export function checkText({ failing, breaches }: CheckView): string {
  const breached = breaches === 0 ? '' : `, ${counted(breaches, 'breach', 'breaches')}`
  return `${failing === 0 ? 'nothing failing' : `${failing} failing`}${breached}`
}
