// C: the ladder as lanes: which rung was in force when.
import type { Row, View } from '../text/view/view.js'
import { Canvas, type Pen } from './canvas.js'
import { Panel, type PlotProps } from './panel.js'
import type { Column } from './table.js'

const LANE = 20

export function Lanes({ view, choose }: PlotProps) {
  const { ladder, rung } = view.head
  const says = sentence(view)
  const pick = (x: number, _y: number, width: number): void => {
    const row = view.rows[Math.floor((x / width) * view.rows.length)]
    if (row) choose(row.iteration)
  }
  return (
    <Panel letter="C" title="Ladder" says={says} rows={view.rows.filter((row) => row.rung >= 0)} columns={columnsOf(view)}>
      {ladder.length > 0 && (
        <>
          <Canvas label={says} data={view} height={() => ladder.length * LANE} draw={(pen) => drawLanes(pen, view)} onPick={pick} />
          <ol class="rungs">
            {ladder.map(({ at, name }, place) => (
              <li class={place === rung ? 'here' : undefined}>
                no better ×{at}: {name}{place === rung && <strong> · you are here</strong>}
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}

function sentence({ head, rows }: View): string {
  if (head.ladder.length === 0) return 'This procedure has no ladder.'
  const used = new Set(rows.map(({ rung }) => rung).filter((rung) => rung >= 0))
  if (used.size === 0) return 'No rung was needed.'
  return `${used.size} of ${head.ladder.length} rungs were used${head.rung >= 0 ? `; rung ${head.rung + 1} is in force` : ''}.`
}

function columnsOf({ head }: View): Column<Row>[] {
  return [
    { name: 'Iteration', number: true, cell: ({ iteration }) => iteration },
    { name: 'Rung', number: true, cell: ({ rung }) => rung + 1 },
    { name: 'What it changes', cell: ({ rung }) => head.ladder[rung]?.name ?? '' },
    { name: 'No better', number: true, cell: ({ check }) => (check ? `×${check.level}` : '–') },
  ]
}

function drawLanes({ context, width, colour }: Pen, { rows, head }: View): void {
  const step = width / Math.max(1, rows.length)
  for (const [lane] of head.ladder.entries()) {
    context.fillStyle = colour('tint')
    context.fillRect(0, lane * LANE + 4, width, LANE - 8)
    context.fillStyle = colour('accent')
    for (const [place, { rung }] of rows.entries()) if (rung === lane) context.fillRect(place * step, lane * LANE + 4, Math.max(1, step), LANE - 8)
    context.fillStyle = colour('muted')
    context.textBaseline = 'middle'
    context.fillText(String(lane + 1), 2, lane * LANE + LANE / 2)
  }
}
