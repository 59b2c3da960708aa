// B: each failure a line, each iteration a column: what came, stayed, changed and went.
import { useMemo, useState } from 'preact/hooks'
import { counted } from '../text/amounts.js'
import { readMark, type Failing, type View } from '../text/view/view.js'
import { placeName } from '../text/view/sentences.js'
import { Canvas, type Pen } from './canvas.js'
import { Panel, type PlotProps } from './panel.js'
import type { Column } from './table.js'

type Status = ReturnType<typeof readMark>['status']

/** A mark says the same by its sign and by its colour. */
const SIGNS: Record<Status, { sign: string; colour: string; means: string }> = {
  new: { sign: '+', colour: 'bad', means: 'new' },
  regressed: { sign: '!', colour: 'bad', means: 'back again' },
  changed: { sign: '~', colour: 'warn', means: 'another fault' },
  same: { sign: '•', colour: 'accent', means: 'the same fault' },
  excused: { sign: 'e', colour: 'muted', means: 'excused' },
  flaky: { sign: '?', colour: 'muted', means: 'flaky, set aside' },
}

const LINE_HEIGHT = 16
const LEAST_CELL_FOR_SIGN = 9
const MOST_LINES = 40
const NAMES_SHARE = 0.34

type Listed = { failing: Failing; place: number; seen: number }

export function HeatMap({ view, selected, choose }: PlotProps) {
  const [all, showAll] = useState(false)
  const listed = useMemo(() => listedIn(view), [view])
  const shown = all ? listed : listed.slice(0, MOST_LINES)
  const says = listed.length === 0 ? 'Nothing has failed.' : `${counted(listed.length, 'different failure')}; ${listed.filter(({ failing }) => failing.last === lastChecked(view)).length} in the last check.`
  const more = listed.length > MOST_LINES && <button type="button" aria-pressed={all} onClick={() => showAll(!all)}>All {listed.length}</button>
  const pick = (x: number, _y: number, width: number): void => {
    const cell = cellWidth(width, view.rows.length)
    const row = view.rows[Math.floor((x - namesWidth(width)) / cell)]
    if (row) choose(row.iteration)
  }
  return (
    <Panel letter="B" title="What fails" says={says} rows={listed} columns={columnsOf(view)} tools={more} wide>
      {listed.length > 0 && (
        <>
          <Canvas label={`${says} The table names each of them.`} data={[view, selected, all]} height={() => shown.length * LINE_HEIGHT + 18} draw={(pen) => drawMap(pen, view, shown, selected)} onPick={pick} />
          <p class="legend-line">{Object.values(SIGNS).map(({ sign, means }) => <span class="sign"><b>{sign}</b> {means}</span>)}</p>
        </>
      )}
    </Panel>
  )
}

function lastChecked({ rows }: View): number {
  return rows.findLast(({ check }) => check !== null)?.iteration ?? -1
}

/** The newest and longest first. */
function listedIn({ failures, rows }: View): Listed[] {
  const seen = new Map<number, number>()
  for (const { check } of rows) for (const mark of check?.marks ?? []) {
    const { place } = readMark(mark)
    seen.set(place, (seen.get(place) ?? 0) + 1)
  }
  return failures
    .map((failing, place) => ({ failing, place, seen: seen.get(place) ?? 0 }))
    .toSorted((a, b) => b.failing.last - a.failing.last || b.seen - a.seen || a.place - b.place)
}

function columnsOf({ rows }: View): Column<Listed>[] {
  const judged = rows.filter(({ check }) => check !== null).length
  return [
    { name: 'Gate', cell: ({ failing }) => failing.gate },
    { name: 'What fails', cell: ({ failing }) => failing.subject },
    { name: 'First seen', cell: ({ failing }) => placeName(failing.first) },
    { name: 'Last seen', cell: ({ failing }) => placeName(failing.last) },
    { name: `Of ${judged} checks`, number: true, cell: ({ seen }) => seen },
    { name: 'Message', cell: ({ failing }) => failing.message },
  ]
}

function namesWidth(width: number): number {
  return Math.round(Math.min(320, width * NAMES_SHARE))
}

function cellWidth(width: number, columns: number): number {
  return Math.min(2.5 * LINE_HEIGHT, (width - namesWidth(width)) / Math.max(1, columns))
}

function drawMap({ context, width, colour }: Pen, { rows }: View, shown: readonly Listed[], selected: number): void {
  const left = namesWidth(width)
  const cell = cellWidth(width, rows.length)
  const lines = new Map(shown.map(({ place }, line) => [place, line]))
  context.fillStyle = colour('text')
  context.textBaseline = 'middle'
  for (const [line, { failing }] of shown.entries()) context.fillText(fitted(context, failing.subject, left - 8), 0, (line + 0.5) * LINE_HEIGHT)
  const chosen = rows.findIndex(({ iteration }) => iteration === selected)
  context.fillStyle = colour('tint')
  if (chosen >= 0) context.fillRect(left + chosen * cell, 0, Math.max(1, cell), shown.length * LINE_HEIGHT)
  context.textAlign = 'center'
  for (const [column, { check }] of rows.entries()) {
    for (const { place, status } of (check?.marks ?? []).map(readMark)) {
      const line = lines.get(place)
      if (line !== undefined) drawCell(context, { x: left + column * cell, y: line * LINE_HEIGHT, cell }, SIGNS[status], colour)
    }
  }
  context.textAlign = 'left'
  context.fillStyle = colour('muted')
  context.fillText('iterations →', left, shown.length * LINE_HEIGHT + 9)
}

type Place = { x: number; y: number; cell: number }

function drawCell(context: CanvasRenderingContext2D, { x, y, cell }: Place, { sign, colour }: { sign: string; colour: string }, colourOf: Pen['colour']): void {
  const gap = cell > 4 ? 1 : 0
  context.fillStyle = colourOf(colour)
  context.fillRect(x, y + 1, Math.max(1, cell - gap), LINE_HEIGHT - 2)
  if (cell < LEAST_CELL_FOR_SIGN) return
  context.fillStyle = colourOf('surface')
  context.fillText(sign, x + cell / 2, y + LINE_HEIGHT / 2)
}

/** The end of a name tells more than its beginning. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (context.measureText(`…${text.slice(-middle)}`).width <= width) low = middle
    else high = middle - 1
  }
  return `…${low > 0 ? text.slice(-low) : ''}`
}
