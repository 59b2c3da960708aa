// E: how large each change was, against what is allowed.
import { useMemo } from 'preact/hooks'
import uPlot from 'uplot'
import { grouped } from '../text/amounts.js'
import { sizesSentence } from '../text/view/sentences.js'
import type { Row } from '../text/view/view.js'
import { Panel, type PlotProps } from './panel.js'
import { Plot } from './plot.js'
import type { Column } from './table.js'

export function DiffSizes({ view, choose, limit }: PlotProps & { limit: number | null }) {
  const rows = useMemo(() => view.rows.filter(({ iteration }) => iteration > 0), [view])
  const data = useMemo<uPlot.AlignedData>(() => {
    return [rows.map(({ iteration }) => iteration), rows.map(({ diffLines }) => diffLines), rows.map(() => limit)]
  }, [rows, limit])
  const says = sizesSentence(rows, limit)
  return (
    <Panel letter="E" title="Size of changes" says={says} rows={rows} columns={COLUMNS}>
      {rows.length > 0 && <Plot label={says} data={data} options={(colour) => optionsOf(colour, limit)} choose={(place) => choose(rows[place]?.iteration ?? 0)} height={180} />}
    </Panel>
  )
}

const COLUMNS: Column<Row>[] = [
  { name: 'Iteration', number: true, cell: ({ iteration }) => iteration },
  { name: 'Lines', number: true, cell: ({ diffLines }) => grouped(diffLines) },
  { name: 'Changed', cell: ({ changed }) => changed || 'nothing' },
]

function optionsOf(colour: (name: string) => string, limit: number | null): Pick<uPlot.Options, 'series' | 'scales'> {
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  return {
    scales: { x: { time: false, range: (_plot, low, high) => [low - 0.5, high + 0.5] }, y: { range: (_plot, _low, high) => [0, Math.max(1, Math.ceil((high ?? 0) * 1.1))] } },
    series: [
      { label: 'iteration' },
      { label: 'lines changed', stroke: colour('accent'), fill: colour('accent'), points: { show: false }, ...(bars && { paths: bars }) },
      ...(limit === null ? [] : [{ label: 'allowed', stroke: colour('bad'), dash: [6, 4], points: { show: false } }]),
    ],
  }
}
