// The same scripted agent in loops of other makers and in ours: what each iteration costs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goal, largest, megabytes, ms, percent, table, times, verdict } from '../figures.mjs'
import { keptByEach } from '../kept.mjs'
import { inTurns, measured, perIteration } from '../measure.mjs'
import { bareLoop, environment, makeRepository, MOST_ADDED_MILLISECONDS, oodaCommand, writeProgram } from '../ours.mjs'
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
  const ourRun = (kind, many, words = []) => measuredWithOwn([...words, ...oodaCommand({ iterations: many, agent: agentOf(kind), state: join(place, `state-${made++}`) })], { cwd: fresh(), place })
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
  const loopsFor = (kind) => ({
    ...(kind === 'commits' ? {} : { greenlatch: (many, words) => ourRun(kind, many, words) }),
    ...Object.fromEntries(able.filter(({ name }) => name in waysOf[kind]).map((one) => [one.name, (many, words) => peerRun(kind, one, many, words)])),
  })
  const kept = {}
  for (const kind of Object.keys(AGENTS)) kept[kind] = await keptByEach(loopsFor(kind), place)
  tell('what is kept')
  return { iterations, isCutOff: before.length > 0, unable, kept, idle: await part('idle'), edits: await part('edits'), commits: await part('commits') }
}

const TELL_OWN = `
const { appendFileSync } = require('node:fs')
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  appendFileSync(process.env.BENCH_OWN, \`\${(user + system) / 1000}\\n\`)
})`

/** `own` is what our process itself took of the processor: the rest of `cpu` is that of what it started. */
async function measuredWithOwn(argv, { cwd, place }) {
  const [hook, own] = [join(place, 'own.cjs'), join(place, 'own')]
  writeFileSync(hook, TELL_OWN)
  writeFileSync(own, '')
  const taken = await measured(argv, { cwd, env: environment(place, { NODE_OPTIONS: `--require=${hook}`, BENCH_OWN: own }) })
  return { ...taken, own: readFileSync(own, 'utf8').trimEnd().split('\n').reduce((sum, line) => sum + Number(line), 0) }
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

/** Where our processor time goes: git is all that is started but for the agent. What starting it takes of Node is our own. */
function partsOf({ greenlatch, shell }) {
  return { 'our own process, which also forks and looks': greenlatch.own, "git's processes": greenlatch.cpu - greenlatch.own - shell.cpu, 'the agent': shell.cpu }
}

function inWords(parts) {
  const sum = Object.values(parts).reduce((all, each) => all + each, 0)
  return Object.entries(parts).map(([name, each]) => `${name} ${ms(each)} (${percent(each / sum)})`).join(', ')
}

function goalsOf({ kept, idle, edits, commits }) {
  const ahead = (words, mine, theirs, why) => ['cpu', 'wall'].map((key) => goal(`${words}, ${key === 'cpu' ? 'CPU' : 'clock'} against the best peer`, mine.greenlatch[key] / best(theirs, key), { most: 1, write: times, why }))
  const over = (words, { greenlatch, shell }, why) => goal(`CPU of a durable iteration over an agent of one line of shell${words}, started by a shell`, greenlatch.cpu - shell.cpu, { most: MOST_ADDED_MILLISECONDS, write: ms, why })
  const overRuntime = Math.min(...onBunIn(idle).map((name) => idle[name].cpu - idle.bun.cpu))
  const keeping = `of ${ms(edits.greenlatch.cpu)}: ${inWords(partsOf(edits))}. A state is kept by git, looked for in all files and synced (${syncsIn(kept.edits)}), at what bare plumbing started by Node costs (see the checkpoint below); without it nothing could be gone back to`
  const idling = `of ${ms(idle.greenlatch.cpu)}, ${ms(idle.node.cpu)} is the agent as Node starts it (on Bun ${ms(idle.bun?.cpu ?? 0)}, by a shell ${ms(idle.shell.cpu)}), and ${ms(idle.greenlatch.cpu - idle.node.cpu)} the rest: prompt, answer and decision in the journal (${syncsIn(kept.idle)}), and the look for changed files and for processes that were left`
  return [
    over('', idle, idling),
    over(' that changes a file, which is kept', edits, keeping),
    ...ahead('an iteration that changes nothing', idle, idle, idling),
    goal('what is added to the bare runtime by an iteration that changes nothing, CPU against the best peer', (idle.greenlatch.cpu - idle.node.cpu) / overRuntime, { most: 1, write: times, why: idling }),
    ...ahead('an iteration whose state is kept, by us or by the agent', edits, commits, keeping),
    ...ahead('an iteration whose state we keep and the peer does not', edits, edits, keeping),
  ]
}

function syncsIn(kept) {
  return kept === null ? 'syncs were not counted, since there is no strace here' : `syncs for each iteration: ${Object.entries(kept).map(([name, { syncs }]) => `\`${name}\` ${syncs.toFixed(1)}`).join(', ')}`
}

const KINDS = { idle: 'changes nothing', edits: 'changes a file', commits: 'changes a file and commits' }

function keptTable(kept) {
  if (kept.idle === null) return 'What each of them keeps was not counted, since there is no strace here.'
  const rows = Object.entries(KINDS).flatMap(([kind, words]) => Object.entries(kept[kind]).map(([name, { syncs, files, bytes, where }]) => [
    `\`${name}\``, words, syncs.toFixed(1), files.toFixed(1), bytes.toFixed(0), where.length === 0 ? 'none' : where.map((folder) => `\`${folder}\``).join(' '),
  ]))
  return `What is kept of each iteration, counted in runs of 11 and of 1: calls that sync what was written, by strace, files that are new, bytes that are more, the agent's own included, and the folders that get a new file with most iterations.

${table(['loop', 'the agent', 'syncs', 'new files', 'more bytes', 'new files in'], rows)}`
}

export function render({ iterations, isCutOff, unable = {}, kept, idle, edits, commits }) {
  const onBun = onBunIn(idle)
  const absent = Object.entries(unable).map(([name, why]) => ` \`${name}\` did not run here and is left out: ${why}.`).join('')
  return {
    goals: goalsOf({ kept, idle, edits, commits }),
    body: `${iterations.idle} iterations, ${iterations.edits} where files are changed, with one scripted agent, a shell program that answers in one line, under the name \`claude\` for those that know no other; what a run of one costs is taken off. The peers are installed from npm into \`.cache/peers\` and run in a repository, ${isCutOff ? 'cut off from the network' : 'with the network, since this system does not allow to cut it off'}, headless, without delays, notices and skills; \`ralphy-cli\` is given as many tasks as iterations, since an iteration is a task there.${absent}

${keptTable(kept)}

### The agent changes nothing

The loop alone. "Node alone" and "Bun alone" only start the agent with a prompt and wait for its end: \`ralph-tui\` and \`ralphy-cli\` run on Bun. What is added to that by CPU: ours ${ms(idle.greenlatch.cpu - idle.node.cpu)}, ${onBun.map((name) => `\`${name}\` ${ms(idle[name].cpu - idle.bun.cpu)}`).join(', ')}. \`ralph-starter\` is not here, since it ends after three answers without a change ("No progress for 3 consecutive iterations - stopping").

${linesOf(idle)}

### The agent changes a file

Ours keeps every state of the files, so that each can be gone back to; what the peers keep is counted above. Of its CPU: ${inWords(partsOf(edits))}.

${linesOf(edits)}

### The agent changes a file and commits

So that the peers have every state too: there the agent runs \`git add\` and \`git commit\` itself. To be held against ours above.

${linesOf(commits)}

${verdict({
  slowest: `where the state is kept, ${largest(partsOf(edits))}`,
  limit: `the agent itself in a shell loop, ${ms(idle.shell.cpu)} of CPU when it changes nothing, ${ms(commits.shell.cpu)} when it commits`,
  near: `${times(idle.greenlatch.cpu / idle.shell.cpu)} and ${times(edits.greenlatch.cpu / commits.shell.cpu)} of it; the best peer takes ${times(best(idle, 'cpu') / idle.shell.cpu)} and ${times(best(commits, 'cpu') / commits.shell.cpu)}`,
})}`,
  }
}
