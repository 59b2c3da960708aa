// The fleet: what waits in its queue, what runs where, and how much of its bounds is used.
import { duration } from '../text/amounts.js'
import type { Fleet, FleetLine } from './data.js'
import { toneOf } from './header.js'
import { Table, type Column } from './table.js'

export function FleetPanel({ fleet: { problem, counts, lines, money } }: { fleet: Fleet }) {
  const said = Object.entries(counts).map(([word, count]) => `${count} ${word}`).join(', ')
  return (
    <section class="panel wide" aria-label="Fleet">
      <h2>Fleet{said !== '' && ` · ${said}`}</h2>
      {problem !== null && <p class="lost" role="status">{problem}. It is tried again by itself{lines.length > 0 && '; what is shown may be old'}.</p>}
      {money.map((text) => <p class="says">{text}</p>)}
      {lines.length > 0 && <Table label="Fleet" rows={lines} columns={COLUMNS} />}
      {problem === null && lines.length === 0 && <p class="empty">The queue is empty. <code>greenlatch fleet submit --help</code> tells how to fill it.</p>}
    </section>
  )
}

const COLUMNS: Column<FleetLine>[] = [
  { name: 'State', cell: ({ state }) => <span class={`state ${toneOf(state)}`}>{state}</span> },
  { name: 'Session', cell: ({ session }) => <span class="id">{session}</span> },
  { name: 'Where', cell: ({ worker }) => worker ?? '–' },
  { name: 'Iteration', number: true, cell: ({ iteration }) => iteration },
  { name: 'Rung', number: true, cell: ({ rung }) => rung ?? '–' },
  { name: 'Failing', number: true, cell: ({ failing }) => failing ?? '–' },
  { name: 'Budget', cell: ({ budget }) => budget || '–' },
  { name: 'Time', number: true, cell: ({ seconds }) => duration(seconds) },
  { name: 'USD', number: true, cell: ({ usd }) => usd.toFixed(2) },
  { name: 'Task', cell: ({ task, repository, next }) => <>{task} <span class="cause">{next === null ? repository : `next: ${next}`}</span></> },
]
