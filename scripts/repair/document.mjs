// The figures of the repair benchmark as tables for the terminal and as a page of the documentation.
import { by, figuresOf, goalsOf } from './figures.mjs'

const percent = (part, whole) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)
const number = (value, digits = 0) => (value === null ? '–' : value.toFixed(digits))
const pair = ([middle, high], digits) => `${number(middle, digits)} / ${number(high, digits)}`

const HEADINGS = ['', 'bugs', 'solved', 'correct', 'overfit', 'one-line solved', 'exhaustive solves', 'of those ≤ 300', '≤ 30', 'first that passes', 'tried', 'seconds']

function row([name, results]) {
  const figures = figuresOf(results)
  const { bugs, solved, correct, overfit, oneLine, oneLineSolved, solvable, within300, within30 } = figures
  return [
    name, bugs, `${solved} (${percent(solved, bugs)})`, correct, `${overfit} (${percent(overfit, solved)})`, `${oneLineSolved} of ${oneLine} (${percent(oneLineSolved, oneLine)})`,
    solvable, percent(within300, solvable), percent(within30, solvable), pair(figures.first, 0), pair(figures.tried, 0), pair(figures.seconds, 1),
  ]
}

function table(headings, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

const LANGUAGE_NAMES = { javascript: 'JavaScript', typescript: 'TypeScript', python: 'Python' }
const groups = (results, key) => by(results, key).map(([name, some]) => row([LANGUAGE_NAMES[name] ?? name, some]))

function goals(results) {
  return table(['goal', 'asked', 'reached', ''], goalsOf(results).map(({ name, part, whole, least, most, reached }) => {
    const asked = least === undefined ? `≤ ${percent(most, 1)}` : `≥ ${percent(least, 1)}`
    return [name, asked, `${percent(part, whole)} (${part} of ${whole})`, reached ? 'yes' : 'no']
  }))
}

export function tablesOf(results) {
  const { cut, exhaustiveCut } = figuresOf(results)
  const note = `cut off by time: ${cut}; exhaustive searches cut off before their end, which count as not solving: ${exhaustiveCut}`
  return [table(HEADINGS, [row(['all', results]), ...groups(results, 'language')]), goals(results), note].join('\n\n')
}

const listed = (results) => (results.length === 0 ? 'None.' : results.map(({ id, kind, language, lines }) => `- \`${id}\`, ${language}: ${kind}${lines > 1 ? `, ${lines} lines` : ''}`).join('\n'))

export function documentOf(results, { part, seed, limits, machine }) {
  const { cut, exhaustiveCut } = figuresOf(results)
  return `# The repair agent on its own corpus

Made by \`npm run bench:repair -- --part ${part} --seed ${seed}\`; do not edit.

The corpus is ours (\`test/corpus/repair\`): small programs in JavaScript, TypeScript and Python, each with visible tests, which the agent is given, and hidden ones, which it never sees. Bugs are of two kinds: natural ones written by hand, and mutants made by rules other than the agent's own operators (deleted, swapped, repeated and copied statements, a return one line early, exchanged branches, the nearest name by spelling, a dropped call, a mistyped number, exchanged parts of arguments, a neighbour's condition or loop bound, a dropped operand). Every bug fails some visible tests, not all, and some hidden ones.

The agent was tuned on other programs than these: \`tune\` and \`report\` share none, and the seed of these mutants was chosen after tuning.

- *solved*: all visible tests pass, run by the command itself · *correct*: all hidden tests pass too · *overfit*: solved but not correct
- *exhaustive solves*: solved by the agent, or else by trying every change of every operator on every line of the program, in the order of the sources (at most ${limits.exhaustive.candidates} candidates and ${limits.exhaustive.seconds} s for each bug)
- *first that passes*, *tried*, *seconds*: median / 90th percentile; the agent tries up to ${limits.ranked.more} more after the first that passes and chooses among them; at most ${limits.ranked.candidates} candidates and ${limits.ranked.seconds} s for each bug, one process for each
- *seconds* with two searches at a time on ${machine}; searches of the agent that were cut off by time: ${cut}; exhaustive ones that were cut off before their end, and count as not solving: ${exhaustiveCut}

## Goals

${goals(results)}

## By language

${table(HEADINGS, [row(['all', results]), ...groups(results, 'language')])}

## By origin

${table(HEADINGS, groups(results, 'origin'))}

## By kind of bug

${table(['', 'bugs', 'solved', 'correct', 'exhaustive solves'], by(results, 'kind').map(([kind, some]) => {
  const { bugs, solved, correct, solvable } = figuresOf(some)
  return [kind, bugs, solved, correct, solvable]
}))}

## Solved but not correct

${listed(results.filter(({ ranked }) => ranked.solved && !ranked.correct))}

## Found by exhaustive search alone

${listed(results.filter(({ ranked, exhaustive }) => !ranked.solved && exhaustive?.solved))}

## Not solved by any operator

${listed(results.filter(({ ranked, exhaustive }) => !ranked.solved && !exhaustive?.solved))}
`
}
