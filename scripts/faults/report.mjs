// The figures of a fault run as tables, for the terminal and for docs/reliability.md.
import { table } from '../bench/figures.mjs'
const KINDS = ['lost', 'repeated', 'stuck', 'left', 'touched']

/** One row per call: how many points were killed, and how many trials had a fault of each kind. A trial stands under its first point. */
export function tableOf(trials) {
  const names = [...new Set(trials.map(({ points }) => nameOf(points[0])))].toSorted()
  const rows = names.map((name) => rowOf(name, trials.filter(({ points }) => nameOf(points[0]) === name)))
  return [['call', 'points', ...KINDS], ...rows, rowOf('all', trials)]
}

/** Calls of the loop stand under their own name, those of a git under what it was doing. */
function nameOf({ verb, call }) {
  return verb === undefined ? call : `git ${verb}`
}

function rowOf(name, trials) {
  const faulty = (kind) => trials.filter((trial) => trial.faults.some((fault) => fault.kind === kind)).length
  return [name, trials.reduce((sum, trial) => sum + trial.reached, 0), ...KINDS.map(faulty)]
}

/** One row for each story, apart for kills of the loop itself and of a git that it had started. */
export function storiesTable(results) {
  const rows = Object.entries(results).flatMap(([name, trials]) => {
    const isOwn = ({ points }) => points[0].verb === undefined
    const theirs = trials.filter((trial) => !isOwn(trial))
    return [rowOf(`\`${name}\`, the loop`, trials.filter(isOwn)), rowOf(`\`${name}\`, its git`, theirs)]
  })
  return [['killed', 'points', ...KINDS], ...rows, rowOf('all', Object.values(results).flat())]
}

export function inColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  const padded = (cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))
  return rows.map((row) => row.map(padded).join('  ')).join('\n')
}

export function inMarkdown([head, ...rows]) {
  return table(head, rows)
}

export function cutsTable({ read }) {
  const row = (name, { refused, said, between, silent }) => [name, refused, said, between, silent.length]
  return [['cache of the session', 'refused', 'said', 'cannot be told', 'silent'], row('beside it', read.with), row('gone', read.without)]
}
