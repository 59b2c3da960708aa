// A: what fails from iteration to iteration, what was kept, and where the ladder stood.
import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import { convergenceSentence, placeName } from '../text/view/sentences.js'
import type { Row, View } from '../text/view/view.js'
import { Panel, type PlotProps } from './panel.js'
import { Plot } from './plot.js'
import type { Column } from './table.js'

/** Beyond that, dots are a band of colour that hides the line. */
const MOST_DOTS = 200

export function Convergence({ view, choose }: PlotProps) {
  const { rows, head } = view
  const data = useMemo(() => dataOf(view), [view])
  const says = convergenceSentence(view)
  return (
    <Panel letter="A" title="Convergence" says={says} rows={rows} columns={COLUMNS} wide>
      <Plot label={`${says} The table has every value.`} data={data} options={(colour) => optionsOf(view, colour)} choose={(place) => choose(rows[place]?.iteration ?? 0)} />
      {head.ladder.length > 0 && <p class="legend-line">Tinted: a rung of the ladder was in force.</p>}
    </Panel>
  )
}

function isKept({ reverted, takenBack }: Row): boolean {
  return reverted === null && takenBack !== 'all'
}

function keptText({ reverted, takenBack }: Row): string {
  if (takenBack === 'all') return 'no, taken back'
  if (reverted !== null) return `no, back to ${placeName(reverted)}`
  return takenBack === 'part' ? 'in part' : 'yes'
}

const COLUMNS: Column<Row>[] = [
  { name: 'Iteration', number: true, cell: ({ iteration }) => (iteration === 0 ? 'start' : iteration) },
  { name: 'Failing', number: true, cell: ({ check }) => check?.failing ?? '–' },
  { name: 'Breaches', number: true, cell: ({ check }) => check?.breaches || '–' },
  { name: 'Best so far', number: true, cell: ({ kept }) => kept ?? '–' },
  { name: 'Kept', cell: keptText },
  { name: 'Rung', number: true, cell: ({ rung }) => (rung < 0 ? '–' : rung + 1) },
  { name: 'Changed', cell: ({ changed }) => changed || '–' },
]

/** Attempts that were taken back are dots of their own: no line leads through them. */
function dataOf({ rows, head }: View): uPlot.AlignedData {
  return [
    rows.map(({ iteration }) => iteration),
    rows.map((row) => (row.check && isKept(row) ? row.check.failing : null)),
    rows.map(({ kept }) => kept),
    rows.map((row) => (row.check && !isKept(row) ? row.check.failing : null)),
    rows.map(() => head.baseline),
  ]
}

function optionsOf(view: View, colour: (name: string) => string): Pick<uPlot.Options, 'series' | 'hooks' | 'scales'> {
  const isSparse = view.rows.length <= MOST_DOTS
  // It stays until the iteration that betters it.
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const dots = (filled: boolean): uPlot.Series.Points => ({ show: isSparse || !filled, size: 7, width: 1.5, fill: filled ? colour('accent') : colour('surface'), stroke: colour(filled ? 'accent' : 'warn') })
  return {
    scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, Math.max(1, Math.ceil((high ?? 0) * 1.1))] } },
    hooks: { drawClear: [(plot) => tintRungs(plot, view.rows, colour('tint'))] },
    series: [
      { label: 'iteration' },
      { label: 'failing', stroke: colour('accent'), width: 1.5, points: dots(true) },
      { label: 'best so far', stroke: colour('good'), width: 2, spanGaps: true, points: { show: false }, ...(steps && { paths: steps }) },
      { label: 'reverted', stroke: colour('warn'), width: 0, points: dots(false) },
      { label: 'baseline', stroke: colour('muted'), width: 1, dash: [6, 4], points: { show: false } },
    ],
  }
}

function tintRungs(plot: uPlot, rows: readonly Row[], colour: string): void {
  plot.ctx.save()
  plot.ctx.fillStyle = colour
  for (const [from, to] of spans(rows, ({ rung }) => rung >= 0)) {
    const left = plot.valToPos(from - 0.5, 'x', true)
    plot.ctx.fillRect(left, plot.bbox.top, plot.valToPos(to + 0.5, 'x', true) - left, plot.bbox.height)
  }
  plot.ctx.restore()
}

/** The stretches of iterations that have something in common. */
function spans(rows: readonly Row[], has: (row: Row) => boolean): [from: number, to: number][] {
  const found: [number, number][] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (!has(row)) continue
    if (last && last[1] === row.iteration - 1) last[1] = row.iteration
    else found.push([row.iteration, row.iteration])
  }
  return found
}
