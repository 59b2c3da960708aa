// The figures of the repair benchmark as tables for the terminal and as a page of the documentation.
import { loadavg } from 'node:os'
import { by, choicesOf, figuresOf, goalsOf, speedGoalsOf, speedsOf } from './figures.mjs'

/** Read when the page is made. */
const machineLoad = () => `Load average over fifteen minutes: ${loadavg()[2].toFixed(1)}`
const percent = (part, whole) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)
const number = (value, digits = 0) => (value === null ? '–' : value.toFixed(digits))
const pair = ([middle, high], digits) => `${number(middle, digits)} / ${number(high, digits)}`

const HEADINGS = ['', 'bugs', 'solved', 'correct', 'overfit', 'one-line solved', 'exhaustive solves', 'of those ≤ 300', '≤ 30', 'first that passes', 'tried', 'seconds']

function row([name, results]) {
  const figures = figuresOf(results)
  const { bugs, solved, correct, overfit, oneLine, oneLineSolved, solvable, within300, within30 } = figures
  return [
    name,
    bugs,
    `${solved} (${percent(solved, bugs)})`,
    correct,
    `${overfit} (${percent(overfit, solved)})`,
    `${oneLineSolved} of ${oneLine} (${percent(oneLineSolved, oneLine)})`,
    solvable,
    percent(within300, solvable),
    percent(within30, solvable),
    pair(figures.first, 0),
    pair(figures.tried, 0),
    pair(figures.seconds, 1),
  ]
}

function table(headings, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

const LANGUAGE_NAMES = { javascript: 'JavaScript', typescript: 'TypeScript', python: 'Python' }
const groups = (results, key) => by(results, key).map(([name, some]) => row([LANGUAGE_NAMES[name] ?? name, some]))

function goals(results, speeds) {
  const found = goalsOf(results).map(({ name, part, whole, least, most, reached }) => {
    const asked = least === undefined ? `≤ ${percent(most, 1)}` : `≥ ${percent(least, 1)}`
    return { name, asked, figure: `${percent(part, whole)} (${part} of ${whole})`, reached }
  })
  const rows = [...found, ...(speeds.length > 0 ? speedGoalsOf(speeds) : [])]
  return table(['goal', 'asked', 'reached', ''], rows.map(({ name, asked, figure, reached }) => [name, asked, figure, reached ? 'yes' : 'no']))
}

/** What the choice is worth: the same searches with another choice among the changes that pass. */
function choices(results) {
  const { solved, agent, first, random, best } = choicesOf(results)
  const names = { 'the agent': agent, 'the first that passes, in its order': first, 'the first that passes, in a random order': random, 'the best there is': best }
  return table(['who chooses', 'wrong by hidden tests', 'of the solved ones'], Object.entries(names).map(([name, wrong]) => [name, number(wrong, Number.isInteger(wrong) ? 0 : 1), percent(wrong, solved)]))
}

export function tablesOf(results, speeds) {
  const { cut, exhaustiveCut } = figuresOf(results)
  const note = `cut off by time: ${cut}; exhaustive searches cut off before their end, which count as not solving: ${exhaustiveCut}`
  return [table(HEADINGS, [row(['all', results]), ...groups(results, 'language')]), goals(results, speeds), choices(results), note].join('\n\n')
}

function speedTable(speeds) {
  const rows = [['all', speeds], ...by(speeds, 'language')].map(([name, some]) => {
    const { searches, warm, slowest, plain } = speedsOf(some)
    return [LANGUAGE_NAMES[name] ?? name, searches, number(warm, 1), number(slowest, 1), number(plain, 1)]
  })
  return table(['', 'searches', 'candidates per second', 'in the slowest search', 'a process for each'], rows)
}

function looked(looks) {
  const told = looks.map(({ seed, bugs }) => `${bugs} bugs${seed === null ? '' : ` with seed ${seed}`}`)
  return `The part \`fresh\` has been looked at ${looks.length === 1 ? 'once' : `${looks.length} times`}, this time included: ${told.join(', ')}.`
}

const listed = (results) =>
  results.length === 0
    ? 'None.'
    : results.map(({ id, kind, language, lines }) => `- \`${id}\`, ${language}: ${kind}${lines > 1 ? `, ${lines} lines` : ''}`).join('\n')

export function documentOf(results, speeds, { command, total, limits, machine, looks }) {
  const { cut, exhaustiveCut } = figuresOf(results)
  return `# The repair agent on its own corpus

Made by \`${command}\`; do not edit.${results.length < total ? ` These are ${results.length} of the ${total} bugs of the part, drawn by the seed.` : ''}

The corpus is ours (\`test/corpus/repair\`): small programs in JavaScript, TypeScript and Python, each with visible tests, which the agent is given, and hidden ones, which it never sees. Bugs are of two kinds: natural ones written by hand, and mutants made by rules other than the agent's own operators (deleted, swapped, repeated and copied statements, a return one line early, exchanged branches, the nearest name by spelling, a dropped call, a mistyped number, exchanged parts of arguments, a neighbour's condition or loop bound, a dropped operand). Every bug fails some visible tests, not all, and some hidden ones.

The agent was tuned on other programs than these (\`tune\` and \`report\`), these were written without a look at its operators, and the seed of their mutants was chosen after tuning. ${looked(looks)}

- *solved*: all visible tests pass, run by the command itself · *correct*: all hidden tests pass too · *overfit*: solved but not correct
- *exhaustive solves*: solved by the agent, or else by trying every change of every operator on every line of every function that a failing test enters (at most ${limits.exhaustive.candidates} candidates and ${limits.exhaustive.seconds} s for each bug)
- *first that passes*, *tried*, *seconds*: median / 90th percentile; after the first that passes the agent tries some more and chooses among them; at most ${limits.ranked.candidates} candidates and ${limits.ranked.seconds} s for each bug, one process for each
- *seconds* with two searches at a time on ${machine}; searches of the agent that were cut off by time: ${cut}; exhaustive ones that were cut off before their end, and count as not solving: ${exhaustiveCut}

## Goals

${goals(results, speeds)}

## What the choice is worth

Of the changes that the agent tried and that pass, at most twelve for each bug are held against the hidden tests (on average ${number(choicesOf(results).rivals, 1)}). A random order is told as what is to be expected of it; the best there is chooses a right one wherever one passes.

${choices(results)}

## By language

${table(HEADINGS, [row(['all', results]), ...groups(results, 'language')])}

## Speed

One bug of each program, one search at a time with a copy for each of ${machine}, nothing known beforehand; first as it is by default, then with a run of the command for each candidate (\`warm: false\`). Only trying is timed, not what comes before it. ${machineLoad()}.

${speedTable(speeds)}

## By origin

${table(HEADINGS, groups(results, 'origin'))}

## By kind of bug

${table(
  ['', 'bugs', 'solved', 'correct', 'exhaustive solves'],
  by(results, 'kind').map(([kind, some]) => {
    const { bugs, solved, correct, solvable } = figuresOf(some)
    return [kind, bugs, solved, correct, solvable]
  }),
)}

## Solved but not correct

${listed(results.filter(({ ranked }) => ranked.solved && !ranked.correct))}

## Found by exhaustive search alone

${listed(results.filter(({ ranked, exhaustive }) => !ranked.solved && exhaustive?.solved))}

## Not solved by any operator

${listed(results.filter(({ ranked, exhaustive }) => !ranked.solved && !exhaustive?.solved))}
`
}
