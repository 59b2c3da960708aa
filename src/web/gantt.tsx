// D: what each phase took, in time, tokens or money.
import { useMemo, useState } from 'preact/hooks'
import { duration, grouped } from '../text/amounts.js'
import type { Step, View } from '../text/view/view.js'
import { Canvas, type Pen } from './canvas.js'
import { Panel, type PlotProps } from './panel.js'
import type { Column } from './table.js'

const LANE = 22
const NAMES = 84

const MEASURES = {
  time: { of: (step: Step) => step.done?.spent.seconds ?? 0, words: duration },
  tokens: { of: (step: Step) => step.done?.spent.tokens ?? 0, words: (amount: number) => `${grouped(amount)} tokens` },
  cost: { of: (step: Step) => step.done?.spent.usd ?? 0, words: (amount: number) => `${amount.toFixed(2)} USD` },
}

type Measure = keyof typeof MEASURES

type Bar = { iteration: number; step: Step; from: number; size: number }

export function Gantt({ view, choose }: PlotProps) {
  const [measure, setMeasure] = useState<Measure>('time')
  const bars = useMemo(() => barsOf(view, measure), [view, measure])
  const phases = [...new Set(bars.map(({ step }) => step.phase))]
  const end = Math.max(bars.reduce((most, { from, size }) => Math.max(most, from + size), 0), Number.EPSILON)
  const tools = Object.keys(MEASURES).map((name) => (
    <button type="button" aria-pressed={measure === name} onClick={() => setMeasure(name as Measure)}>{name}</button>
  ))
  const says = sentence(bars, measure)
  const pick = (x: number, _y: number, width: number): void => {
    const at = ((x - NAMES) / (width - NAMES)) * end
    const bar = bars.findLast(({ from }) => from <= at)
    if (bar) choose(bar.iteration)
  }
  return (
    <Panel letter="D" title="Phases" says={says} rows={bars} columns={COLUMNS} tools={tools}>
      <Canvas label={says} data={[bars, measure]} height={() => phases.length * LANE + 18} draw={(pen) => drawBars(pen, { bars, phases, end, measure })} onPick={pick} />
    </Panel>
  )
}

/** By time, where it really lay, without the rests between runs; by amounts, one after the other. */
function barsOf({ rows }: View, measure: Measure): Bar[] {
  let from = 0
  return rows.flatMap(({ iteration, steps }) =>
    steps.map((step) => {
      const bar = { iteration, step, from, size: MEASURES[measure].of(step) }
      from += bar.size
      return bar
    }),
  )
}

function sentence(bars: readonly Bar[], measure: Measure): string {
  const sums = new Map<string, number>()
  for (const { step, size } of bars) sums.set(step.phase, (sums.get(step.phase) ?? 0) + size)
  const most = [...sums].toSorted((a, b) => b[1] - a[1])
  const total = most.reduce((sum, [, size]) => sum + size, 0)
  if (total === 0) return measure === 'time' ? 'Nothing has taken time yet.' : `No agent has told any ${measure}.`
  return `${MEASURES[measure].words(total)} in all: ${most.slice(0, 3).filter(([, size]) => size > 0).map(([phase, size]) => `${phase} ${Math.round((100 * size) / total)} %`).join(', ')}.`
}

const COLUMNS: Column<Bar>[] = [
  { name: 'Iteration', number: true, cell: ({ iteration }) => (iteration === 0 ? 'start' : iteration) },
  { name: 'Phase', cell: ({ step }) => step.phase },
  { name: 'Verdict', cell: ({ step }) => step.done?.verdict ?? 'open' },
  { name: 'Time', number: true, cell: ({ step }) => (step.done ? duration(step.done.spent.seconds) : '–') },
  { name: 'Tokens', number: true, cell: ({ step }) => (step.done ? grouped(step.done.spent.tokens) : '–') },
  { name: 'USD', number: true, cell: ({ step }) => (step.done ? step.done.spent.usd.toFixed(4) : '–') },
]

const VERDICT_COLOURS = { pass: 'good', fail: 'bad', error: 'warn', cancelled: 'muted' }

type Drawn = { bars: readonly Bar[]; phases: readonly string[]; end: number; measure: Measure }

function drawBars({ context, width, colour }: Pen, { bars, phases, end, measure }: Drawn): void {
  const scale = (width - NAMES) / end
  context.textBaseline = 'middle'
  for (const [lane, phase] of phases.entries()) {
    context.fillStyle = colour('tint')
    context.fillRect(NAMES, lane * LANE + 3, width - NAMES, LANE - 6)
    context.fillStyle = colour('text')
    context.fillText(phase.slice(0, 13), 0, lane * LANE + LANE / 2)
  }
  for (const { step, from, size } of bars) {
    context.fillStyle = colour(step.done ? VERDICT_COLOURS[step.done.verdict] : 'accent')
    context.fillRect(NAMES + from * scale, phases.indexOf(step.phase) * LANE + 3, Math.max(size > 0 ? 1 : 0, size * scale - 0.5), LANE - 6)
  }
  context.fillStyle = colour('muted')
  context.fillText('0', NAMES, phases.length * LANE + 9)
  context.textAlign = 'right'
  context.fillText(MEASURES[measure].words(end <= Number.EPSILON ? 0 : end), width, phases.length * LANE + 9)
  context.textAlign = 'left'
}
