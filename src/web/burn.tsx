// F: how much of each budget was used when.
import { useMemo } from 'preact/hooks'
import type uPlot from 'uplot'
import type { Budget, Spend } from '../core/types.js'
import { duration, grouped } from '../text/amounts.js'
import { budgetShares } from '../text/budget-shares.js'
import type { Row, View } from '../text/view/view.js'
import { Panel, type PlotProps } from './panel.js'
import { axis, Plot } from './plot.js'
import type { Column } from './table.js'

type Used = Spend & { iterations: number }

const KINDS: { kind: keyof Used; name: string; colour: string; words: (amount: number) => string }[] = [
  { kind: 'iterations', name: 'iterations', colour: 'accent', words: grouped },
  { kind: 'seconds', name: 'time', colour: 'good', words: duration },
  { kind: 'tokens', name: 'tokens', colour: 'warn', words: grouped },
  { kind: 'usd', name: 'USD', colour: 'bad', words: (amount) => amount.toFixed(2) },
]

type Point = { row: Row; used: Used }

export function Burn({ view, choose }: PlotProps) {
  const points = useMemo(() => pointsOf(view.rows), [view])
  const limited = KINDS.filter(({ kind }) => (view.head.budget[kind] ?? 0) > 0)
  const data = useMemo(() => dataOf(points, view.head.budget, limited), [points])
  const says = sentence(view, limited)
  return (
    <Panel letter="F" title="Budgets" says={says} rows={points} columns={COLUMNS}>
      {limited.length > 0 && points.length > 0 && <Plot label={says} data={data} options={(colour) => optionsOf(limited, colour)} choose={(place) => choose(points[place]?.row.iteration ?? 0)} height={180} />}
    </Panel>
  )
}

function pointsOf(rows: readonly Row[]): Point[] {
  const used: Used = { iterations: 0, seconds: 0, tokens: 0, usd: 0 }
  return rows.map((row) => {
    used.iterations = row.iteration
    for (const { done } of row.steps) {
      used.seconds += done?.spent.seconds ?? 0
      used.tokens += done?.spent.tokens ?? 0
      used.usd += done?.spent.usd ?? 0
    }
    return { row, used: { ...used } }
  })
}

function dataOf(points: readonly Point[], budget: Budget, limited: typeof KINDS): uPlot.AlignedData {
  const shares = limited.map(({ kind }) => points.map(({ used }) => (100 * used[kind]) / (budget[kind] ?? 1)))
  return [points.map(({ row }) => row.iteration), ...shares]
}

function sentence({ head }: View, limited: typeof KINDS): string {
  if (limited.length === 0) return 'No budget is set; what was used is counted all the same.'
  const shares = budgetShares(head.budget, { ...head.spent, iterations: head.iteration })
  return `${shares.map(({ text }) => text).join(' · ')}. The first would end it first.`
}

const COLUMNS: Column<Point>[] = [
  { name: 'Iteration', number: true, cell: ({ row }) => (row.iteration === 0 ? 'start' : row.iteration) },
  ...KINDS.slice(1).map(({ kind, name, words }): Column<Point> => ({ name, number: true, cell: ({ used }) => words(used[kind]) })),
]

function optionsOf(limited: typeof KINDS, colour: (name: string) => string): Pick<uPlot.Options, 'series' | 'scales' | 'axes'> {
  return {
    scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, Math.max(100, high ?? 0)] } },
    axes: [axis({ label: 'iteration', size: 34 }), axis({ size: 58, values: (_plot, ticks) => ticks.map((tick) => `${tick} %`) })],
    series: [{ label: 'iteration' }, ...limited.map(({ name, colour: shade }) => ({ label: name, stroke: colour(shade), width: 1.5, points: { show: false } }))],
  }
}
