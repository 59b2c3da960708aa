// The figures of an evaluation, as a summary for the terminal and as a page of the documentation.
import { table } from '../bench/figures.mjs'
import { figuresOf, HELD_OUT, partOf } from './evaluate.mjs'

const percent = (part) => `${(100 * part).toFixed(2)} %`
const share = ({ pairs, wrong, missed }) => `${pairs - wrong - missed} of ${pairs}`

function groups(pairs) {
  const names = ['looked at from the start', ...HELD_OUT.map(({ name }) => name), 'whole runs']
  const parts = names.map((part) => [part, pairs.filter((pair) => partOf(pair) === part)])
  return [['all', pairs], ...parts].filter(([, some]) => some.length > 0)
}

function by(pairs, key) {
  return [...new Set(pairs.map((pair) => pair[key]))].toSorted().map((value) => [value, pairs.filter((pair) => pair[key] === value)])
}

export function summaryOf(pairs) {
  const rows = [['', 'pairs', 'wrong', 'missed', 'precision', 'recall', 'F']]
  for (const [name, some] of [...groups(pairs), ...by(pairs, 'runner'), ...by(pairs, 'kind')]) {
    const { pairs: count, wrong, missed, precision, recall, f } = figuresOf(some)
    rows.push([name, count, wrong, missed, percent(precision), percent(recall), f.toFixed(4)])
  }
  return rows.map(([name, ...cells]) => `${name.padEnd(36)}${cells.map((cell) => String(cell).padStart(11)).join('')}`).join('\n')
}

function figureRow([name, pairs]) {
  const { same, different, wrong, missed, precision, recall, f } = figuresOf(pairs)
  return [name, same + different, same, different, wrong, missed, percent(precision), percent(recall), f.toFixed(4)]
}

/** One line for all pairs of a runner and a family that are confused in the same way. */
function confused(pairs) {
  const bad = pairs.filter(({ is, says }) => is !== says)
  const names = [...new Set(bad.map(({ runner, family, kind }) => `${family}, ${kind}: ${runner}`))].toSorted()
  const count = (name) => bad.filter(({ runner, family, kind }) => `${family}, ${kind}: ${runner}` === name).length
  return names.length === 0 ? 'None.' : names.map((name) => `- ${name} (${count(name)})`).join('\n')
}

const FIGURES = ['', 'pairs', 'same', 'different', 'different, taken for the same', 'same, taken for different', 'precision', 'recall', 'F']

export function documentOf(pairs, goal) {
  const parts = [RECIPE, figuresPart(pairs, goal), confusedPart(pairs), AGAIN]
  return `# Fingerprints

Made by \`npm run fingerprints\`; do not edit. The reports it reads are stored in \`test/corpus/fingerprints\`; no runner is needed.

${parts.join('\n\n')}
`
}

const RECIPE = `## What makes two failures the same

A fingerprint is \`2:\` and a hash of five things. The number is the version of the recipe; fingerprints of different versions are never equal.

| part | what it is | what it is not |
|---|---|---|
| gate | the name of the gate | |
| subject | the id of the test; outside tests, the file or program; of plain output, the failing line without its noise | |
| type | the error's type as the language names it; without one, the kind of fault | |
| function | the innermost function of your own code in the stack; the file, where it has no name | lines and columns; frames of the language, of packages and of runners |
| message | a template of the message, and of what the error comes from in the end (\`[cause]\`, \`Caused by\`, Python's chain, a compiler's mark) | times, durations, dates of today, addresses, hashes, UUIDs, tokens, ports, process ids, seeds, paths outside the checkout, places in files, terminal codes, wrapping, the order of entries between braces |

Numbers in a message are values unless something says they are not: a unit of time behind them, a word such as \`port\`, \`pid\` or \`seed\` before them, the shape of a clock or of an address, or eight digits and more that are neither round nor compared with anything. So \`expected 3 to equal 4\` and \`expected 5 to equal 4\` are two faults. A time, a date or a duration that stands alone in quotes is a value too, and so is every date before 2025.

All time-outs of a test are one fault, and so are all recursions without an end: where exactly they were cut off is chance.`

function figuresPart(pairs, goal) {
  const { f } = figuresOf(pairs)
  return `## Figures

Goal: F of at least ${goal}. Reached: **${f.toFixed(4)}**.

Faults were planted in small projects and run by the real runners under three conditions: other folders, other temporary folders, lines put above the code, other indentation and line ends, tests and keys in another order, another time zone, other seeds, colours, another width, and ports, process ids, addresses, times and tokens that change by themselves. Near misses were planted beside them: another value, type or function in the same test, the same assertion in another test, one more failing test. Every observation of a family is compared with every other of the same runner.

Precision: of the pairs said to be the same, those that are. Recall: of the pairs that are the same, those said to be. Whole runs compare all failures of two runs as sets, so one mistake in fifty makes them differ.

${table(FIGURES, groups(pairs).map(figureRow))}

### How well it does on what it has not seen

The figures above are those of a recipe whose mistakes on this corpus were looked at and put right. Three times before that it was judged on families of faults that were planted or set aside for it and had not been looked at, many of them with kinds of noise it had never met:

${table(['', 'F at first look', 'F now'], HELD_OUT.map(({ name, firstLook }) => [name, firstLook.toFixed(4), figuresOf(pairs.filter((pair) => partOf(pair) === name)).f.toFixed(4)]))}

The first round taught it tokens without digits, examples found by property tests, drawn code frames, remains of colours and sources that cannot be parsed; the second, dates with slashes and UUIDs in addresses; the third, messages that end like a stack frame, and memory sizes. Some mistakes of the first two rounds were those of the planting, such as a near miss that was none. So in a project with noise of its own, expect something nearer the middle column. A kind of noise that is missing costs recall: the same fault looks new each time. It hardly ever makes two faults one.

### By runner

${table(FIGURES, by(pairs, 'runner').map(figureRow))}

### By what differs

${table(['', 'told rightly'], by(pairs, 'kind').map(([name, some]) => [name, share(figuresOf(some))]))}`
}

function confusedPart(pairs) {
  return `## Confused pairs

By family of faults, what differs and runner, with the number of pairs.

${confused(pairs)}

What a report does not show cannot be told apart by it: JSON reports of vitest and mocha and the TAP of node leave out an error's cause, node's JUnit report says of a file that cannot be loaded only that it failed, vitest shortens objects in messages to their first keys, and Rust names functions only when \`RUST_BACKTRACE\` is set. pytest with colours cuts long values sooner, and messages of more than 2,000 characters are kept without their middle. These are the runners' own reports: behind a gate vitest, mocha and node:test tell causes as well, vitest tells differences and errors of hooks, and cargo names functions.`
}

const AGAIN = `## Making the corpus again

\`node scripts/plant-fingerprints.mjs [runner …]\` plants the faults (\`scripts/fingerprints/\`), runs the runners, which have to be installed, and stores their reports, compressed and with neutral paths in place of those of the machine. \`index.json\` says for each report which test shows which fault.`
