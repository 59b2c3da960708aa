// The same scripted agent in loops of other makers and in ours: what each iteration costs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goal, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured, perIteration } from '../measure.mjs'
import { bareLoop, environment, makeRepository, oodaCommand, writeProgram } from '../ours.mjs'
import { cutOff, installPeers, peerEnvironment, PEERS, versionOf } from '../peers.mjs'

const ANSWER = `echo '{"type":"result","subtype":"success","is_error":false,"result":"working on it","usage":{"input_tokens":1,"output_tokens":1}}'`
/** Each answers as the command line of Claude does. */
const AGENTS = {
  idle: ANSWER,
  edits: `echo x >> work.txt\n${ANSWER}`,
  commits: `echo x >> work.txt\ngit add -A && git commit -qm step >/dev/null\n${ANSWER}`,
}
/** `ralph-starter` says "No progress for 3 consecutive iterations - stopping" where nothing changes. */
const NEEDS_CHANGES = new Set(['ralph-starter'])

export const title = 'The loop beside others'

export async function measure({ quick, place, tell }) {
  installPeers()
  const before = cutOff()
  /** The loop alone is quick, and needs more of them for a steady figure. */
  const iterations = quick ? { idle: 20, edits: 10, commits: 10 } : { idle: 200, edits: 60, commits: 60 }
  const rounds = quick ? 1 : 3
  let made = 0
  const fresh = (files = {}) => makeRepository(join(place, `repository-${made++}`), { '.gitignore': '.ralph*\n', 'package.json': '{"name":"a","version":"1.0.0"}\n', ...files })
  const agentOf = (kind) => writeProgram(join(place, kind, 'claude'), `[ "$1" = --version ] && { echo '2.0.0 (Claude Code)'; exit; }\n${AGENTS[kind]}`)
  const shell = (kind) => () => perIteration(iterations[kind], (many) => measured(['sh', '-c', `i=0; while [ $i -lt ${many} ]; do '${agentOf(kind)}' </dev/null >/dev/null; i=$((i+1)); done`], { cwd: fresh(), env: environment(place) }))
  const runtime = (program) => () => perIteration(iterations.idle, (many) => measured(bareLoop(program, agentOf('idle'), many), { cwd: place, env: peerEnvironment(place, place) }))
  const ourRun = (kind, many, words = []) => measured([...words, ...oodaCommand({ iterations: many, agent: agentOf(kind), state: join(place, `state-${made++}`) })], { cwd: fresh(), env: environment(place) })
  const ours = (kind) => () => perIteration(iterations[kind], (many) => ourRun(kind, many))
  const peerRun = (kind, { program, loop, files, loopCodes }, many, words = []) => {
    agentOf(kind)
    return measured([...words, ...before, ...program(), ...loop(many)], { cwd: fresh(files(many)), env: peerEnvironment(place, join(place, kind)), allowed: loopCodes })
  }
  const { able, unable } = await whoRuns((one) => peerRun('edits', one, 2), tell)
  const peersFor = (kind) => Object.fromEntries(able.filter(({ name }) => kind !== 'idle' || !NEEDS_CHANGES.has(name)).map((one) => [one.name, () => perIteration(iterations[kind], (many) => peerRun(kind, one, many))]))
  const waysOf = {
    idle: { shell: shell('idle'), node: runtime('node'), bun: runtime('bun'), greenlatch: ours('idle'), ...peersFor('idle') },
    edits: { shell: shell('edits'), greenlatch: ours('edits'), ...peersFor('edits') },
    commits: { shell: shell('commits'), ...peersFor('commits') },
  }
  const part = (kind) => inTurns(rounds, waysOf[kind], (words) => tell(`${kind}, ${words}`))
  const looped = { greenlatch: (many, words) => ourRun('edits', many, words), ...Object.fromEntries(able.map((one) => [one.name, (many, words) => peerRun('edits', one, many, words)])) }
  const syncs = await syncsOf(looped, place)
  return { iterations, isCutOff: before.length > 0, unable, syncs, idle: await part('idle'), edits: await part('edits'), commits: await part('commits') }
}

/** One that does not run here must not take the figures of the others with it. */
async function whoRuns(attempt, tell) {
  const [able, unable] = [[], {}]
  for (const one of PEERS) {
    await attempt(one).then(() => able.push(one), (error) => {
      unable[one.name] = error.message.split('\n').slice(0, 2).join(' ').slice(0, 300)
      tell(`${one.name} does not run here: ${error.message}`)
    })
  }
  return { able, unable }
}

/** Calls that make sure of what was written, for each iteration; null where there is no strace. */
async function syncsOf(looped, place) {
  if (spawnSync('strace', ['-V']).status !== 0) return null
  const counted = {}
  for (const [name, run] of Object.entries(looped)) {
    const callsIn = async (many) => {
      const log = join(place, `syncs-${name}-${many}`)
      await run(many, ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync,msync,sync_file_range,syncfs', '-e', 'signal=none', '-o', log])
      return readFileSync(log, 'utf8').split('\n').filter((line) => /sync(fs|_file_range)?\(/.test(line)).length
    }
    counted[name] = (await callsIn(11) - await callsIn(1)) / 10
  }
  return counted
}

const NAMES = { shell: 'shell loop', node: 'Node alone', bun: 'Bun alone', greenlatch: '**`greenlatch run ooda`**', ...Object.fromEntries(PEERS.map((peer) => [peer.name, `\`${peer.name}\` ${versionOf(peer)}`])) }

function linesOf(rows) {
  const line = ([name, { cpu, wall, megabytes: peak }]) => [NAMES[name], ms(cpu), times(cpu / rows.shell.cpu), ms(wall), times(wall / rows.shell.wall), megabytes(peak)]
  return table(['each iteration', 'CPU', 'to the shell', 'clock', 'to the shell', 'peak RSS'], Object.entries(rows).map(line))
}

function best(rows, key) {
  return Math.min(...PEERS.filter(({ name }) => rows[name]).map(({ name }) => rows[name][key]))
}

function onBunIn(idle) {
  return ['ralph-tui', 'ralphy-cli'].filter((name) => idle[name])
}

function goalsOf({ syncs, idle, edits, commits }) {
  const ahead = (words, mine, theirs, why) => ['cpu', 'wall'].map((key) => goal(`${words}, ${key === 'cpu' ? 'CPU' : 'clock'} against the best peer`, mine.greenlatch[key] / best(theirs, key), { most: 1, write: times, why }))
  const overRuntime = Math.min(...onBunIn(idle).map((name) => idle[name].cpu - idle.bun.cpu))
  const howSynced = syncs === null ? '' : `, and ${(syncs.greenlatch ?? 0).toFixed(1)} syncs against ${Math.max(0, ...PEERS.map(({ name }) => syncs[name] ?? 0)).toFixed(1)} at most`
  const keeping = `a state is kept by git, looked for in all files and synced${howSynced}: ${ms(edits.greenlatch.cpu - idle.greenlatch.cpu)} of ${ms(edits.greenlatch.cpu)}, at what bare plumbing costs (see the checkpoint below); without it nothing could be gone back to`
  const idling = `ours keeps prompt, answer and decision of each iteration, synced, and looks for changed files and for processes that were left; the peers do none of it. A start of the agent alone takes ${ms(idle.node.cpu)} of CPU on Node and ${ms(idle.bun?.cpu ?? 0)} on Bun`
  return [
    ...ahead('an iteration that changes nothing', idle, idle, idling),
    goal('what is added to the bare runtime by an iteration that changes nothing, CPU against the best peer', (idle.greenlatch.cpu - idle.node.cpu) / overRuntime, { most: 1, write: times, why: idling }),
    ...ahead('an iteration whose state is kept, by us or by the agent', edits, commits, keeping),
    ...ahead('an iteration whose state we keep and the peer does not', edits, edits, keeping),
  ]
}

export function render({ iterations, isCutOff, unable = {}, syncs = null, idle, edits, commits }) {
  const onBun = onBunIn(idle)
  const absent = Object.entries(unable).map(([name, why]) => ` \`${name}\` did not run here and is left out: ${why}.`).join('')
  const synced = syncs === null ? 'How often each of them syncs was not counted, since there is no strace here.' : `Calls that sync what was written, for each iteration that changes a file, counted by strace: ${Object.entries(syncs).map(([name, many]) => `\`${name}\` ${many.toFixed(1)}`).join(', ')}.`
  return {
    goals: goalsOf({ syncs, idle, edits, commits }),
    body: `${iterations.idle} iterations, ${iterations.edits} where files are changed, with one scripted agent, a shell program that answers in one line, under the name \`claude\` for those that know no other; what a run of one costs is taken off. The peers are installed from npm into \`.cache/peers\` and run in a repository, ${isCutOff ? 'cut off from the network' : 'with the network, since this system does not allow to cut it off'}, headless, without delays, notices and skills; \`ralphy-cli\` is given as many tasks as iterations, since an iteration is a task there.${absent}

${synced}

### The agent changes nothing

The loop alone. "Node alone" and "Bun alone" only start the agent with a prompt and wait for its end: \`ralph-tui\` and \`ralphy-cli\` run on Bun. What is added to that by CPU: ours ${ms(idle.greenlatch.cpu - idle.node.cpu)}, ${onBun.map((name) => `\`${name}\` ${ms(idle[name].cpu - idle.bun.cpu)}`).join(', ')}. \`ralph-starter\` is not here, since it ends after three answers without a change ("No progress for 3 consecutive iterations - stopping").

${linesOf(idle)}

### The agent changes a file

Ours keeps every state of the files, synced, so that each can be gone back to; the peers keep none.

${linesOf(edits)}

### The agent changes a file and commits

So that the peers have every state too: there the agent runs \`git add\` and \`git commit\` itself. To be held against ours above.

${linesOf(commits)}

${verdict({
  slowest: `git, which keeps the state: ${ms(edits.greenlatch.cpu - idle.greenlatch.cpu)} of ${ms(edits.greenlatch.cpu)} CPU (see the checkpoint below)`,
  limit: `the agent itself in a shell loop, ${ms(idle.shell.cpu)} of CPU when it changes nothing, ${ms(commits.shell.cpu)} when it commits`,
  near: `${times(idle.greenlatch.cpu / idle.shell.cpu)} and ${times(edits.greenlatch.cpu / commits.shell.cpu)} of it; the best peer takes ${times(best(idle, 'cpu') / idle.shell.cpu)} and ${times(best(commits, 'cpu') / commits.shell.cpu)}`,
})}`,
  }
}
