// `fleet status`: what is queued, what runs where, and how far it is.
import { countBy, rungOf, sharesOf, type Row } from '../../fleet/rows.js'
import { batches, moneyLeft } from '../../fleet/shared.js'
import { duration } from '../../text/amounts.js'
import type { Call } from '../program.js'
import { chosen, rowsOf, withFleet, type FleetFlags } from './open.js'

const MOST_ROWS = 50

export default function status({ args, flags }: Call<FleetFlags>): Promise<number> {
  return withFleet(flags, async (fleet) => {
    const rows = chosen(await rowsOf(fleet), args[0])
    const { output, server: { redis } } = fleet
    const counts = Object.fromEntries(countBy(rows))
    if (output.format !== 'text') {
      const known = [...(await batches(redis))].filter(([id]) => rows.some(({ batch }) => batch === id))
      const money = await Promise.all(known.map(async ([id, batch]) => ({ batch: id, ...batch, left: await moneyLeft(redis, id) })))
      output.json({ counts, batches: money, sessions: rows })
      return 0
    }
    // What runs is what people come to see.
    const order = ['running', 'cancelling', 'later', 'queued']
    const sorted = rows.toSorted((a, b) => (order.indexOf(a.state) + 5) % 5 - ((order.indexOf(b.state) + 5) % 5))
    output.data(rows.length === 0 ? 'the queue is empty' : Object.entries(counts).map(([state, count]) => `${count} ${state}`).join(', '))
    if (rows.length > 0) output.data(tableOf(sorted.slice(0, MOST_ROWS)))
    if (rows.length > MOST_ROWS) output.say(`${rows.length - MOST_ROWS} more: greenlatch fleet status --json, or fleet results --csv`)
    return 0
  })
}

function tableOf(rows: readonly Row[]): string {
  const head = ['session', 'state', 'where', 'iteration', 'rung', 'budget', 'time', 'cost', 'task']
  const cells = rows.map((row) => [
    row.session,
    `${row.state}${row.wins === true ? ' (wins)' : ''}`,
    row.worker ?? '-',
    String(row.iteration),
    String(rungOf(row) ?? '-'),
    sharesOf(row)[0]?.text ?? '-',
    duration(row.spent.seconds),
    `$${row.spent.usd.toFixed(2)}`,
    (row.why ?? row.task).replaceAll(/\s+/g, ' ').slice(0, 60),
  ])
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]?.length ?? 0)))
  return [head, ...cells].map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd()).join('\n')
}
