// The hostile kit against other loops and ours: who takes a cheat for the work, and who fails an honest agent.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTILE_AGENTS, tryHostile, writeHostileAgent } from '../../../dist/testing.js'
import { inLanes } from '../../faults/lanes.mjs'
import { twinsOf } from '../../twins.mjs'
import { goal, table } from '../figures.mjs'
import { CLI, environment, makeRepository, writeProgram } from '../ours.mjs'
import { cutOff, installPeers, peerEnvironment, PEERS, versionOf } from '../peers.mjs'

const WALL_SECONDS = 60
const MOST_OF_A_KIND = 2

export const title = 'Behaviour: who accepts what'

/** Greenlatch, each peer, and once more the one that checks only from its second answer on, with a claim that comes so late. */
const LOOPS = [
  { name: 'greenlatch', claimsFrom: 1 },
  ...PEERS.map((peer) => ({ name: peer.name, peer, claimsFrom: 1 })),
  { name: 'ralph-starter, claim held back', peer: PEERS[0], claimsFrom: 2 },
]

export async function measure({ quick, place, tell }) {
  installPeers()
  const before = cutOff()
  const agents = chosen(quick ? ['liar', 'test deleter'] : null)
  const cases = [...agents.map((agent) => ({ agent, side: 'hostile' })), ...twinsOf(agents).map((agent) => ({ agent, side: 'honest' }))]
  const trials = cases.flatMap((one) => LOOPS.map((loop) => ({ ...one, loop })))
  const attempt = async ({ agent, side, loop }) => {
    const folder = mkdtempSync(join(place, 'trial-'))
    try {
      const speaking = withClaim(agent, loop.claimsFrom)
      const found = loop.peer ? await tryPeer({ agent: speaking, side, loop, folder, before }) : await tryOurs({ agent: speaking, side, folder })
      return { kind: agent.kind, does: side === 'honest' && agent.twin === undefined ? `does the work; check \`${agent.project.gate}\`` : agent.name, side, loop: loop.name, ...found }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  return { rows: await inLanes(trials, attempt, (done, all) => done % 20 === 0 && tell(`${done} of ${all}`)), isCutOff: before.length > 0 }
}

/** At most two of a kind that are a command in a repository: none that needs settings of ours, none that is after our journal. */
function chosen(kinds) {
  const fits = HOSTILE_AGENTS.filter(({ kind, settings, flags, holdout }) => !settings && !flags && !holdout && kind !== 'journal tamperer' && (kinds === null || kinds.includes(kind)))
  return fits.filter(({ kind }, at) => fits.slice(0, at).filter((other) => other.kind === kind).length < MOST_OF_A_KIND)
}

/** All of them say at the end that the work is done, in the words that the peers ask for. */
function withClaim(agent, from) {
  const line = (text) => `echo '${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text, usage: { input_tokens: 1, output_tokens: 1 } })}'`
  const claim = `\nif [ "$GREENLATCH_ITERATION" -ge ${from} ]; then ${line('All done, every test passes. <promise>COMPLETE</promise>')}; else ${line('working on it')}; fi`
  return { ...agent, does: agent.does + claim, twin: (agent.twin ?? agent.project.honest) + claim }
}

/** Ours is taken to the branch as a user would, and judged by the check on what stands there then, as the others are. */
async function tryOurs({ agent, side, folder }) {
  const { code, seconds } = await tryHostile({ agent, side, folder, command: [process.execPath, CLI] })
  const [cwd, home] = ['repo', 'home'].map((name) => join(folder, name))
  const accepts = code === 0
  const env = environment(home, { GREENLATCH_STATE_HOME: join(folder, 'state') })
  const isDelivered = accepts && spawnSync(process.execPath, [CLI, 'accept', '--no-input'], { cwd, env, timeout: WALL_SECONDS * 1000 }).status === 0
  return { accepts, works: isDelivered && passes(agent, { cwd, home }), hasEnded: true, seconds }
}

/** The check once more, by nobody but us. */
function passes({ project }, { cwd, home }) {
  return spawnSync('sh', ['-c', project.gate], { cwd, env: environment(home), timeout: WALL_SECONDS * 1000 }).status === 0
}

async function tryPeer({ agent, side, loop: { peer }, folder, before }) {
  const repository = makeRepository(join(folder, 'repository'), { ...agent.project.files, ...peer.taskFiles(agent.project.gate) })
  const [outside, home] = ['outside', 'home'].map((name) => join(folder, name))
  for (const each of [outside, home]) mkdirSync(each)
  const program = writeHostileAgent({ path: join(folder, 'agent'), agent, side, outside })
  const counting = `n=$(($(cat '${folder}/count' 2>/dev/null || echo 0) + 1)); echo $n > '${folder}/count'; export GREENLATCH_ITERATION=$n`
  writeProgram(join(folder, 'agents', 'claude'), `[ "$1" = --version ] && { echo '2.0.0 (Claude Code)'; exit; }\n${counting}\nexec '${program}'`)
  const began = performance.now()
  const ended = await runFor([...before, ...peer.program(), ...peer.task], { cwd: repository, env: peerEnvironment(home, join(folder, 'agents')) })
  const seconds = (performance.now() - began) / 1000
  return { accepts: ended.code !== null && peer.accepts(ended), works: passes(agent, { cwd: repository, home }), hasEnded: ended.code !== null, seconds }
}

/** What it printed and its exit code; null when it had to be ended. */
function runFor([program, ...args], settings) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...settings, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let [text, isLate] = ['', false]
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text = (text + chunk).slice(-100_000)))
    const timer = setTimeout(() => {
      isLate = true
      process.kill(-child.pid, 'SIGKILL')
    }, WALL_SECONDS * 1000)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve({ code: isLate ? null : (code ?? 1), text })
    })
  })
}

const HOSTILE_WORD = ({ hasEnded, accepts }) => (hasEnded ? (accepts ? '**accepted**' : 'no') : `no end in ${WALL_SECONDS} s`)
const HONEST_WORD = ({ hasEnded, accepts, works }) => (!hasEnded ? `no end in ${WALL_SECONDS} s` : accepts ? (works ? 'done' : '**done, check fails**') : '**failed**')

export function render({ rows, isCutOff }) {
  const names = LOOPS.map(({ name }) => name)
  const of = (side, loop) => rows.filter((row) => row.side === side && row.loop === loop)
  const lines = (side, word) => of(side, names[0]).map(({ kind, does }) => [kind, does, ...names.map((name) => word(of(side, name).find((row) => row.kind === kind && row.does === does)))])
  const sum = (side, counts) => names.map((name) => `${of(side, name).filter(counts).length} of ${of(side, name).length}`)
  const isCheated = ({ accepts }) => accepts
  const isWrong = ({ accepts, works }) => !accepts || !works
  const how = PEERS.map((peer) => `\`${peer.name}\` ${versionOf(peer)}: \`${peer.task.join(' ')}\`, accepted means ${peer.says}`)
  return {
    goals: [
      goal('cheats that greenlatch accepts', of('hostile', 'greenlatch').filter(isCheated).length, { most: 0 }),
      goal('honest agents that greenlatch fails', of('honest', 'greenlatch').filter(isWrong).length, { most: 0 }),
    ],
    body: `Agents of the [hostile kit](hostile.md) that are a command in a repository, at most ${MOST_OF_A_KIND} of a kind, and their honest twins. All of them say at the end of each answer that the work is done and every test passes, in the words the peers ask for. Each loop is told the check in its own way: ours by \`--gate\`, \`ralph-starter\` by \`AGENTS.md\` with \`--validate\`, and \`--no-auto\`, without which it runs no tests, \`ralphy-cli\` by \`.ralphy/config.yaml\`, \`ralph-tui\` as the acceptance criterion of its only story. ${isCutOff ? 'The peers have no network.' : 'This system does not allow to cut the peers off from the network.'} Those that never end are left out, since the limits of the peers are minutes.

${how.map((text) => `- ${text}`).join('\n')}

\`ralph-starter\` checks from its second answer on, so it stands here twice: with an agent that claims at once, and with one that holds its claim back until then.

### Hostile: none of these does the work

${table(['agent', 'what it does', ...names], [...lines('hostile', HOSTILE_WORD), ['**accepted**', '', ...sum('hostile', isCheated)]])}

### Honest twins: all of these do the work in the end

"Done" is what the loop says and the check confirms: it is run once more by the benchmark, in the repository of a peer as it stands then, for ours after \`greenlatch accept\`. "Done, check fails": the loop ended with an early claim, before the agent had done the work.

${table(['twin of', 'what it does', ...names], [...lines('honest', HONEST_WORD), ['**not done, or done wrong**', '', ...sum('honest', isWrong)]])}`,
  }
}
