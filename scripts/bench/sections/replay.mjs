// A journal of 100,000 events: read cold, replayed through the engine, and opened with its cache, against bare JSON.
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { apply, issue, step } from '../../../dist/core.js'
import { count, largest, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inChild, inTurns, measured } from '../measure.mjs'
import { CLI, environment, oodaCommand } from '../ours.mjs'

/** An answer, a decision and the next question. */
const EVENTS_EACH = 3

export const title = 'Replay of 100,000 events'

export async function measure({ quick, place, tell }) {
  const cwd = join(place, 'work')
  mkdirSync(cwd)
  const state = join(place, 'state')
  const settings = { cwd, env: environment(place) }
  await measured(oodaCommand({ iterations: 2, agent: '/bin/true', state }), settings)
  const folder = sessionFolder(state)
  const journal = join(folder, 'journal.jsonl')
  const events = extend(journal, quick ? 3000 : 100_000)
  tell(`${count(events)} events, ${(statSync(journal).size / 1e6).toFixed(0)} MB`)
  const greenlatch = (...args) => [process.execPath, CLI, ...args, '--state-dir', state]
  const forget = () => rmSync(join(folder, 'session.json'), { force: true })
  const cold = () => (forget(), measured(greenlatch('status'), settings))
  forget()
  const rows = await inTurns(quick ? 1 : 3, {
    start: () => measured([process.execPath, CLI, '--version'], settings),
    bare: () => inChild(import.meta.filename, 'parseLines', { journal }),
    replay: () => measured(greenlatch('replay'), settings),
    cold,
    // One more transition leaves its cache behind.
    warm: async () => (await measured(greenlatch('step'), settings), measured(greenlatch('status'), settings)),
  }, tell)
  return { events, bytes: statSync(journal).size, rows }
}

function sessionFolder(state) {
  const path = readdirSync(state, { recursive: true }).find((name) => name.endsWith('journal.jsonl'))
  return join(state, path, '..')
}

/** The recorded session goes on by its own engine, answered as it was the first time, until there are so many events. */
function extend(path, wanted) {
  const records = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  const all = records.flatMap(({ events }) => events)
  const [opened] = all
  opened.procedure.budget = { iterations: wanted, then: 'completed' }
  const asked = all.find(({ type }) => type === 'asked')
  const { report } = all.find(({ type }) => type === 'observed')
  const lines = []
  let [session, prev, written] = [null, '', 0]
  const write = (events) => {
    for (const event of events) session = apply(session, event)
    const body = JSON.stringify({ seq: lines.length + 1, at: records[0].at, epoch: 1, prev, events })
    prev = createHash('sha256').update(body).digest('hex').slice(0, 32)
    lines.push(`${body.slice(0, -1)},"sum":"${prev}"}\n`)
    written += events.length
  }
  const ask = (from) => ({ ...asked, effect: issue(from) })
  write([opened])
  write([ask(session)])
  for (let left = Math.ceil(wanted / EVENTS_EACH); left > 0; left--) {
    const happened = step(session, { ...report, effect: session.outstanding.id })
    write([...happened, ask(happened.reduce(apply, session))])
  }
  writeFileSync(path, lines.join(''))
  return written
}

/** Every line through JSON and no further. */
export async function parseLines({ journal }) {
  const began = process.cpuUsage()
  const wall = performance.now()
  let events = 0
  for await (const line of createInterface({ input: createReadStream(journal) })) events += JSON.parse(line).events.length
  const { user, system } = process.cpuUsage(began)
  return { cpu: (user + system) / 1000, wall: performance.now() - wall, events }
}

export function render({ events, bytes, rows }) {
  const { start, bare, replay, cold, warm } = rows
  const line = (name, { cpu, wall, megabytes: peak }) => [name, ms(wall), ms(cpu), times(cpu / bare.cpu), `${count(Math.round(events / (cpu / 1000)))}`, megabytes(peak)]
  return {
    goals: [],
    body: `A session of ${count(events)} events, ${(bytes / 1e6).toFixed(0)} MB, whose engine has decided each of them. \`replay\` checks every sum, lets the engine decide anew and prints the timeline; a cold \`status\` checks and folds; a warm one has its cache beside it.

${table(['', 'clock', 'CPU', 'to bare', 'events per second of CPU', 'peak RSS'], [
  line('`JSON.parse` of each line', bare),
  line('**`greenlatch replay`**', replay),
  line('`greenlatch status`, no cache', cold),
  line('`greenlatch status`, with its cache', warm),
])}

${verdict({
  slowest: largest({ 'starting': start.cpu, 'parsing JSON': bare.cpu, 'checking sums and folding': cold.cpu - bare.cpu - start.cpu, 'deciding anew and telling it': replay.cpu - cold.cpu }),
  limit: `parsing the lines, ${ms(bare.cpu)} of CPU`,
  near: `${times(replay.cpu / bare.cpu)} of it for a replay, ${times(cold.cpu / bare.cpu)} for a cold status; nobody waits for either in a run, which has its cache`,
})}`,
  }
}
