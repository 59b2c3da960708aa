// The same scripted agent in loops of other makers and in ours: what each iteration costs.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { goal, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured } from '../measure.mjs'
import { environment, makeRepository, oodaCommand, writeProgram } from '../ours.mjs'
import { cutOff, installPeers, peerEnvironment, PEERS, versionOf } from '../peers.mjs'

/** Changes a file each time, or loops that look for progress would end, and answers as the command line of Claude does. */
const AGENT = `[ "$1" = --version ] && { echo '2.0.0 (Claude Code)'; exit; }
echo x >> work.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"working on it","usage":{"input_tokens":1,"output_tokens":1}}'`

export const title = 'The loop beside others'

export async function measure({ quick, place, tell }) {
  installPeers()
  const before = cutOff()
  const iterations = quick ? 6 : 30
  const agent = writeProgram(join(place, 'agents', 'claude'), AGENT)
  let made = 0
  const freshRepository = (files = {}) => makeRepository(join(place, `repository-${made++}`), { 'package.json': '{"name":"a","version":"1.0.0"}\n', ...files })
  const bareFolder = () => {
    const folder = join(place, `folder-${made++}`)
    mkdirSync(folder)
    return folder
  }
  /** A run of many less a run of one, each in a place of its own. */
  const each = async (run) => {
    const [all, one] = [await run(iterations), await run(1)]
    return { cpu: (all.cpu - one.cpu) / (iterations - 1), wall: (all.wall - one.wall) / (iterations - 1), megabytes: all.megabytes }
  }
  const ours = (cwdFor) => () => each((many) => measured(oodaCommand({ iterations: many, agent, state: join(place, `state-${made++}`) }), { cwd: cwdFor(), env: environment(place) }))
  const peer = ({ program, loop, files, loopCodes }) => () => each((many) =>
    measured([...before, ...program(), ...loop(many)], { cwd: freshRepository(files(many)), env: peerEnvironment(place, join(place, 'agents')), allowed: loopCodes }))
  const shell = (many) => measured(['sh', '-c', `i=0; while [ $i -lt ${many} ]; do '${agent}' </dev/null >/dev/null; i=$((i+1)); done`], { cwd: bareFolder(), env: environment(place) })
  const rows = await inTurns(quick ? 1 : 3, {
    shell: () => each(shell),
    journal: ours(bareFolder),
    checkpoint: ours(freshRepository),
    ...Object.fromEntries(PEERS.map((one) => [one.name, peer(one)])),
  }, tell)
  return { iterations, rows, isCutOff: before.length > 0 }
}

export function render({ iterations, rows, isCutOff }) {
  const names = { shell: 'shell loop', journal: '**`greenlatch run ooda`**, in a folder', checkpoint: '**`greenlatch run ooda`**, in a repository', ...Object.fromEntries(PEERS.map((peer) => [peer.name, `\`${peer.name}\` ${versionOf(peer)}`])) }
  const line = ([name, { cpu, wall, megabytes: peak }]) => [names[name], ms(cpu), times(cpu / rows.shell.cpu), ms(wall), times(wall / rows.shell.wall), megabytes(peak)]
  const best = (key) => Math.min(...PEERS.map(({ name }) => rows[name][key]))
  const ahead = (way, name, key, words) => goal(`${words} of an iteration ${way} against the best peer`, rows[name][key] / best(key), { most: 1, write: times })
  return {
    goals: [
      ahead('that is journaled', 'journal', 'cpu', 'CPU'),
      ahead('that is journaled', 'journal', 'wall', 'clock'),
      ahead('that is journaled and checkpointed', 'checkpoint', 'cpu', 'CPU'),
      ahead('that is journaled and checkpointed', 'checkpoint', 'wall', 'clock'),
    ],
    body: `${iterations} iterations with one scripted agent, a shell program that adds a line to a file and answers in one line, under the name \`claude\` for those that know no other; what a run of one costs is taken off. The peers are installed from npm into \`.cache/peers\` and run in a repository, ${isCutOff ? 'cut off from the network' : 'with the network, since this system does not allow to cut it off'}, headless, without delays, notices and skills; \`ralphy-cli\` is given as many tasks as iterations, since an iteration is a task there. None of them keeps the state of the files after an iteration or syncs what it writes. In a folder ours writes a synced journal, prompts and answers; in a repository it keeps each state of the files in a store besides, synced, so that each can be gone back to.

${table(['each iteration', 'CPU', 'to the shell', 'clock', 'to the shell', 'peak RSS'], Object.entries(rows).map(line))}

${verdict({
  slowest: `in a repository the checkpoint (${ms(rows.checkpoint.cpu - rows.journal.cpu)} of ${ms(rows.checkpoint.cpu)} CPU), which is git's own work (see below)`,
  limit: `the agent itself, ${ms(rows.shell.cpu)} of CPU in a shell loop`,
  near: `${times(rows.journal.cpu / rows.shell.cpu)} of it with the journal, ${times(rows.checkpoint.cpu / rows.shell.cpu)} with checkpoints; the best peer takes ${times(best('cpu') / rows.shell.cpu)}`,
})}`,
  }
}
