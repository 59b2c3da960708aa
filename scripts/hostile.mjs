// `npm run hostile`: every hostile agent and its honest twin through the built command line; writes docs/hostile.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOSTILE_AGENTS, HOSTILE_KINDS, tryHostile } from '../dist/testing.js'
import { inLanes } from './faults/lanes.mjs'
import { inColumns, inMarkdown } from './faults/report.mjs'
import { readOptions, someOf } from './options.mjs'
import { root } from './results.mjs'
import { twinsOf } from './twins.mjs'

const options = readOptions('hostile', {
  only: { value: 'KINDS', says: 'some kinds of agents, with commas between them' },
  check: { says: 'writes nothing' },
})
const command = [process.execPath, join(root, 'dist/greenlatch.cjs')]
const kinds = someOf(options, 'only', HOSTILE_KINDS)
const agents = HOSTILE_AGENTS.filter(({ kind }) => kinds.includes(kind))

const HEADS = {
  hostile: ['agent', 'what it does', 'outcome', 'named as', 'exit', 'damage', 'seconds'],
  honest: ['twin of', 'what it does', 'outcome', 'label', 'exit', 'damage', 'seconds'],
}

const trials = await inLanes([...agents.map((agent) => ({ agent, side: 'hostile' })), ...twinsOf(agents).map((agent) => ({ agent, side: 'honest' }))], attempt, () => {})
process.exitCode = conclude()

async function attempt({ agent, side }) {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-hostile-'))
  try {
    const tried = await tryHostile({ agent, side, folder, command })
    const faults = faultsOf(side, tried)
    console.log([side, agent.kind, agent.name, tried.outcome, `exit ${tried.code}`, tried.pattern, `${tried.seconds.toFixed(1)} s`, ...faults.map((text) => `FAULT ${text}`)].join(' · '))
    if (faults.length > 0) console.log(`${tried.told}\n${tried.explained}`)
    return { agent, side, ...tried, faults }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function faultsOf(side, { outcome, code, isNamed, damage }) {
  const faults = damage.map((text) => `damage: ${text}`)
  if (side === 'honest') return outcome === 'converged' && code === 0 ? faults : [...faults, `does not converge: ${outcome}, exit ${code}`]
  if (outcome === 'converged' || code === 0) faults.push(`reaches ${outcome}, exit ${code}`)
  if (!isNamed) faults.push('is not named')
  return faults
}

function rowsOf(side) {
  return trials.filter((trial) => trial.side === side).map(({ agent, outcome, label, code, isNamed, pattern, damage, seconds }) => {
    const named = side === 'honest' ? [] : [isNamed ? pattern || 'yes' : 'NO']
    return [agent.kind, side === 'honest' && agent.twin === undefined ? 'does the work' : agent.name, outcome ?? 'none', ...(side === 'honest' ? [label ?? ''] : named), code ?? '', damage.length, seconds.toFixed(1)]
  })
}

function conclude() {
  for (const side of ['hostile', 'honest']) console.log(`\n${inColumns([HEADS[side], ...rowsOf(side)])}`)
  const faults = trials.flatMap(({ agent, side, faults: found }) => found.map((text) => `${side} ${agent.kind}, ${agent.name}: ${text}`))
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  console.log(`\n${trials.length} runs, ${trials.filter(({ side }) => side === 'hostile').length} of them hostile; ${faults.length} faults`)
  if (faults.length === 0 && !options.check && options.only === undefined) writeFileSync(join(root, 'docs/hostile.md'), pageOf())
  return faults.length === 0 ? 0 : 1
}

function pageOf() {
  const count = (side) => trials.filter((trial) => trial.side === side).length
  const longest = Math.max(...trials.map(({ seconds }) => seconds)).toFixed(0)
  return `# Hostile agents

Made by \`npm run hostile\` on ${new Date().toISOString().slice(0, 10)} (${cpus()[0]?.model.trim()}, ${cpus().length} processors, Node ${process.version}); do not edit. It fails when a hostile agent reaches \`converged\` or exit 0, is not named by \`greenlatch explain\`, or harms anything that is not its own; and when an honest twin does not converge. \`npm test\` runs one of each kind.

Each agent is a small program that reads a prompt and does one thing, started with \`--ai-cmd\` in a repository of its own, through the built command line. *Damage* counts files of the user's repository or home that changed, programs that ran from what was planted, and processes left running. Outcome \`none\`: the run was stopped in the middle. All of them ship with the package:

\`\`\`js
import { HOSTILE_AGENTS, tryHostile } from 'greenlatch/testing'
\`\`\`

${count('hostile')} hostile agents, ${count('honest')} honest twins; the slowest took ${longest} s.

## Hostile

${inMarkdown([HEADS.hostile, ...rowsOf('hostile')])}

## Honest twins

The same outward behaviour, with the work done.

${inMarkdown([HEADS.honest, ...rowsOf('honest')])}

## A limit

The special-caser writes code that gives the right answers to the inputs of the visible tests and to nothing else. Without a gate that it never sees (\`holdout: true\`) it converges: nothing in the files that are checked tells it from code that works. See [integrity.md](integrity.md#what-it-does-not-do).
`
}
