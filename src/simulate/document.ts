// What a simulation found, as a document for people.
import { percent, type Bound, type Simulation } from './bounds.js'
import { letterOf, pictureOf, type Point } from './curve.js'
import type { Figures } from './figures.js'
import { PATHOLOGIES } from './kinds.js'
import { PUBLISHED } from './published.js'

export type Found = { simulation: Simulation; bounds: readonly Bound[]; alone: Simulation; curve: readonly Point[]; seconds: number }

const names = PUBLISHED.map(({ name }) => name)

export function documentOf({ simulation, bounds, alone, curve, seconds }: Found): string {
  const { sessions, seed } = simulation
  const parts = [nowherePart(simulation), honestPart(simulation, alone), twinsPart(simulation), curvePart(curve)]
  return `# Convergence: what the ladder catches and what it costs

Made by \`npm run simulate\`; do not edit. ${sessions.toLocaleString('en')} sessions from seed ${seed}, in ${seconds.toFixed(0)} s of processor time on one core.
The same seed gives the same figures. What the rungs are is in [convergence-ladder.md](convergence-ladder.md).

Simulated agents go through the real engine: the procedure \`converge\` as it is shipped, its judgement, ladder, ratchet and seal, and the
diagnosis that \`explain\` gives. Only agent, gates and files are made up: a project has twelve tests, and a state of the files says which fail.
No simulated agent heeds a stance, a diagnosis or a plan, so that the ladder gets no credit for help it might give.

## Bounds

${table(['bound', 'found', ''], bounds.map(({ text, figure, isKept }) => [text, figure, isKept ? 'kept' : '**broken**']))}

${parts.join('\n\n')}
`
}

function nowherePart({ bad }: Simulation): string {
  return `## Agents that get nowhere

*Named* is the share of sessions whose diagnosis has the right name, *after* the iteration in which it first had it (median), *ends* the
iteration in which the session was stopped (median), *false* the share that ended as converged and was not right. For the rules of published
loops: where they stop (median), and in brackets the share they call complete although it is not.

${table(['agent', 'named', 'after', 'ends', 'false', ...names], bad.map(badRow))}

\`fixed cap 10\` and \`exact 4/3/3/6\` (the same change with the same result four times, the same change with an error three times, three times no
change, six times two states in turn) end on the agent's word; \`equal twice\` and \`same set 3/5\` (the failing set three times: another
strategy; five times: the end) end when the gate passes in the agent's own folder. All are given 20 iterations at most, as \`converge\` is.
They have no clean copy, no pinned tests and no scope. A reviewer is not part of them.`
}

function honestPart({ honest }: Simulation, alone: Simulation): string {
  return `## Honest agents

A try succeeds with chance *p*: it fixes one of one to four failing tests. Of the other tries the share *breaks* breaks something else.
*Too early* is the share that was stopped by anything but those 20 iterations.

${table(['agent', 'done', 'too early', 'budget spent', 'ends', ...names.map((name) => `${name}: too early`)], honest.map(honestRow))}

An agent that answers only as implementer, with nobody to diagnose, amend or plan, gets its second round without any of these.

${table(['one role alone', 'done', 'too early', 'budget spent', 'ends'], alone.honest.map((figures) => honestRow(figures).slice(0, 5)))}`
}

function twinsPart({ twins }: Simulation): string {
  return `## Honest agents that begin badly

Each behaves as its pathology for one or two tries and is honest from then on (*p* .75).

${table(['agent', 'done', 'too early', 'budget spent', 'ends', ...names.map((name) => `${name}: too early`)], twins.map(honestRow))}`
}

function curvePart(curve: readonly Point[]): string {
  return `## The curve: waste against premature stops

Stopping is a trade-off: whoever waits for *K* tries without progress stops a live run with probability (1 − *p*)^*K* each time. Each point is a
ladder with its last rung at another level; two rounds means that counting starts afresh once before the end. *Waste* is the mean number of
iterations spent on the agents of the first table; *lost* is the share of honest agents that were stopped too early.

${table(['', 'ladder or rule', 'waste', 'lost at p .5', 'lost at p .25'], curve.map(curveRow))}

Upwards: lost at *p* .5. To the right: waste, in iterations.

\`\`\`
${pictureOf(curve).join('\n')}
\`\`\`

The shipped ladder is \`at 5, two rounds\`. A cheaper one is a line of settings, and \`greenlatch backtest --policy\` tells what it would have
done to the sessions you have.`
}

function badRow(figures: Figures, place: number): string[] {
  const { name, named, namedAfter, ends, falseComplete, published } = figures
  const told = published.map((rule) => `${rule.ends}${rule.falseComplete > 0 ? ` (${percent(rule.falseComplete)})` : ''}`)
  const isReviewed = PATHOLOGIES[place]?.reviewed === true
  return [name, percent(named), String(namedAfter), String(ends), percent(falseComplete), ...(isReviewed ? PUBLISHED.map(() => '–') : told)]
}

function honestRow({ name, converged, early, exhausted, ends, published }: Figures): string[] {
  const told = published.length === 0 ? PUBLISHED.map(() => '–') : published.map((rule) => percent(rule.early))
  return [name, percent(converged), percent(early), percent(exhausted), String(ends), ...told]
}

function curveRow({ name, waste, lost }: Point, place: number): string[] {
  return [letterOf(place), name, waste.toFixed(1), percent(lost.half), percent(lost.quarter)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const ruler = head.map((_, column) => (column === 0 || /[a-z]{3}/i.test(rows[0]?.[column] ?? '') ? '---' : '---:'))
  return [line(head), `|${ruler.join('|')}|`, ...rows.map(line)].join('\n')
}
