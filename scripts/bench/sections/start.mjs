// How soon a command line answers, ours and those of others, each against what it runs on.
import { join } from 'node:path'
import { goal, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured } from '../measure.mjs'
import { CLI, environment, oodaCommand } from '../ours.mjs'
import { cutOff, installPeers, peerEnvironment, PEERS } from '../peers.mjs'

const GOAL_RATIO = 1.3
/** What tells the help of a run; `ralphy-cli` has no commands. */
const HELP = { 'ralphy-cli': ['--help'] }
const helpOf = (name) => HELP[name] ?? ['run', '--help']

export const title = 'Cold start'

export async function measure({ quick, place, tell }) {
  installPeers()
  const before = cutOff()
  const settings = { cwd: place, env: environment(place) }
  const state = join(place, 'state')
  await measured(oodaCommand({ iterations: 1, agent: '/bin/true', state }), settings)
  const theirs = { cwd: place, env: peerEnvironment(place, join(place, 'none')) }
  const peers = PEERS.flatMap(({ name, program, runtime }) => [
    [`${name} bare`, () => measured([...before, ...runtime], theirs)],
    [name, () => measured([...before, ...program(), '--version'], theirs)],
    [`${name} help`, () => measured([...before, ...program(), ...helpOf(name)], theirs)],
  ])
  const rows = await inTurns(quick ? 3 : 15, {
    bare: () => measured([process.execPath, '-e', '0'], settings),
    greenlatch: () => measured([process.execPath, CLI, '--version'], settings),
    help: () => measured([process.execPath, CLI, 'run', '--help'], settings),
    run: () => measured(oodaCommand({ iterations: 1, agent: '/bin/true', state }), settings),
    status: () => measured([process.execPath, CLI, 'status', '--state-dir', state], settings),
    ...Object.fromEntries(peers),
  }, tell)
  return { rows }
}

export function render({ rows }) {
  const ratio = (name, bare) => rows[name].wall / rows[bare].wall
  const line = (label, name, bare) => [label, ms(rows[bare].wall), ms(rows[name].wall), times(ratio(name, bare)), ms(rows[name].cpu), megabytes(rows[name].megabytes)]
  const toPeers = (mine, kind) => ratio(mine, 'bare') / Math.min(...PEERS.map(({ name }) => ratio(`${name}${kind}`, `${name} bare`)))
  const why = `the help of a run takes ${ms(rows.help.wall - rows.bare.wall)} over Node, ${PEERS.map(({ name }) => `\`${name}\` ${ms(rows[`${name} help`].wall - rows[`${name} bare`].wall)} over its runtime`).join(', ')}`
  return {
    goals: [
      goal('`greenlatch --version` against `node -e 0`, by the clock', ratio('greenlatch', 'bare'), { most: GOAL_RATIO, write: times }),
      goal('`--version` over its runtime, which ours answers without loading the program, against the quickest peer', toPeers('greenlatch', ''), { most: 1, write: times }),
      goal('the help of a run over its runtime, which loads the program, against the quickest peer', toPeers('help', ' help'), { most: 1, write: times, why }),
    ],
    body: `\`--version\` and a few commands more, each against a program that does nothing on the same runtime (\`node -e 0\`, for \`ralph-tui\` \`bun -e 0\`; \`ralphy-cli\` is a small Node program that starts a compiled one). Ours answers \`--version\` before it loads the program, so that row says what a launcher costs, not a program; the help of a run has to load it as far as the flags are known, by all four.

${table(['', 'runtime', 'clock', 'ratio', 'CPU', 'peak RSS'], [
  line('**`greenlatch --version`**', 'greenlatch', 'bare'),
  line('`greenlatch run --help`', 'help', 'bare'),
  line('`greenlatch status`', 'status', 'bare'),
  line('`greenlatch run ooda`, one iteration', 'run', 'bare'),
  ...PEERS.map(({ name }) => line(`\`${name} --version\``, name, `${name} bare`)),
  ...PEERS.map(({ name }) => line(`\`${name} ${helpOf(name).join(' ')}\``, `${name} help`, `${name} bare`)),
])}

${verdict({
  slowest: `Node's own start (${ms(rows.bare.wall)} of ${ms(rows.greenlatch.wall)})`,
  limit: '`node -e 0`',
  near: `${times(ratio('greenlatch', 'bare'))}, ${ms(rows.greenlatch.wall - rows.bare.wall)} more; ${times(ratio('help', 'bare'))} where the program is loaded, ${ms(rows.help.wall - rows.bare.wall)} more`,
})}`,
  }
}
