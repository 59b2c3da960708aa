// The figures of a fault run: lines for the terminal, and docs/reliability.md.
const KINDS = ['lost', 'repeated', 'stuck', 'left', 'touched']

/** One row per system call: how many points were killed, and how many of the trials had a fault of each kind. A trial stands under its first point. */
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

export function inColumns(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  const padded = (cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))
  return table.map((row) => row.map(padded).join('  ')).join('\n')
}

function inMarkdown([head, ...rows]) {
  return [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

export function cutsTable({ read }) {
  const row = (name, { refused, said, between, silent }) => [name, refused, said, between, silent.length]
  return [['cache of the session', 'refused', 'said', 'cannot be told', 'silent'], row('beside it', read.with), row('gone', read.without)]
}

export function documentOf({ first, second, cuts }) {
  return `# Reliability

Made by \`npm run test:faults\`, which fails when any figure that should be 0 is not; do not edit. \`npm test\` runs a sample of the same.

## Killed at any moment

One whole iteration of \`ooda\` with one gate, through the built command line. The process is killed with signal 9 at the entry of a system call of its main thread, one trial for each call from the first touch of its state to its end; then \`greenlatch resume\` is typed, or the same command again when there was no session yet, and nothing else. Left out are calls that only concern memory and threads. A trial counts

- as *lost* when a record that was in the journal or had been told to the user is missing or changed, when the chain of records does not hold, or when work was never done;
- as *repeated* when work whose end was recorded is done again, or an effect is asked or observed twice (the one effect that was cut off is begun anew, under its own id);
- as *stuck* when the session does not come to the same end as without a kill, with no other step;
- as *left* when anything of it still runs, or a file or folder is there that an unharmed run does not leave. Not counted: the name of the killed owner, and the temporary file of the cache when the session was already over. The folder of a session that never got a first record is cleared away by a run that comes more than a minute later; the trial makes it look that old.

${inMarkdown(tableOf(first))}

Killed a second time, at points of \`resume\` spread over its whole length:

${inMarkdown(tableOf(second).filter((row, index, all) => index === 0 || index === all.length - 1))}

## Journal cut short

The journal of a finished session (${cuts.length.toLocaleString('en')} bytes), cut at every single byte and opened as \`resume\` opens it. *Refused* is exit 10 with \`greenlatch repair\` as the next command; *said* means that a warning names the unfinished record that does not count. Without the cache beside it, a journal that ends exactly between two records is a whole journal, and nothing can tell that there was more.

${inMarkdown(cutsTable(cuts))}

Through the command line, at ${cuts.cli.length} places: \`status\` refused ${cuts.cli.filter((fault) => fault === null).length} times and named \`greenlatch repair\`; at every fifth place \`resume\` refused too, and after \`repair\` both worked.
`
}
