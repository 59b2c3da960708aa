// Runs commands and says what they took: the clock, the processor time of all that was waited for, and memory.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medians } from './figures.mjs'

const CHILD = join(import.meta.dirname, 'child.mjs')
/** GNU's, which tells the memory of what it waited for; the word `time` of a shell does not. */
export const GNU_TIME = '/usr/bin/time'

/**
 * Milliseconds by the clock and of the processor, told by the shell that waits for the command and so to the millisecond;
 * `megabytes` is the most that the largest process of the tree ever had, as the kernel tells it of all that was waited for. The
 * program that asks it stands around that shell, so its own cost is in no figure, and what is smaller than a shell reads as one.
 * What the command printed is shown only when it fails.
 */
export async function measured(argv, { cwd, env, allowed = [0] }) {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-measured-'))
  try {
    const script = 'TIMEFORMAT="%3R %3U %3S"; out=$1; shift; time "$@" >"$out" 2>&1 </dev/null'
    const [printed, memory] = [join(folder, 'printed'), join(folder, 'memory')]
    const child = spawn(GNU_TIME, ['--quiet', '-f', '%M', '-o', memory, 'bash', '-c', script, 'bash', printed, ...argv], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    const { code, text } = await ended(child, child.stderr)
    const [wall, user, system] = text.trim().split('\n').at(-1).split(' ').map((seconds) => Number(seconds) * 1000)
    if (!allowed.includes(code) || !(wall >= 0)) throw new Error(`cannot measure ${argv.join(' ')}: exit ${code}: ${readFileSync(printed, 'utf8').slice(-2000)}`)
    return { wall, cpu: user + system, megabytes: (Number(readFileSync(memory, 'utf8')) * 1024) / 1e6 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What one more iteration costs: a run of many less a run of one, so that start and end fall out. `run` is given how many. */
export async function perIteration(many, run) {
  const [all, one] = [await run(many), await run(1)]
  return Object.fromEntries(Object.keys(all).map((key) => [key, key === 'megabytes' ? all[key] : (all[key] - one[key]) / (many - 1)]))
}

/** Several ways in turns, so that a busy moment of the machine falls on all of them; medians of each. */
export async function inTurns(rounds, ways, tell = () => {}) {
  const found = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [name, way] of Object.entries(ways)) found[name].push(await way())
    tell(`round ${round} of ${rounds}`)
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, medians(all)]))
}

/** Calls an exported function of a module in a process of its own, so that its memory is its own. */
export async function inChild(module, name, input) {
  const child = spawn(process.execPath, ['--expose-gc', CHILD, module, name, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { code, text } = await ended(child, child.stdout)
  if (code !== 0) throw new Error(`${name} of ${module} failed with exit ${code}`)
  return JSON.parse(text)
}

/** The clock ticks a process and what it has waited for have used as milliseconds, and its memory now. */
export function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ').map(Number)
  return { cpu: (fields[11] + fields[12] + fields[13] + fields[14]) * 10, megabytes: (fields[21] * 4096) / 1e6 }
}

/** The most memory that all processes of a tree had together, as far as samples see it. */
export function watchTree(pid, everyMilliseconds) {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, treeOf(pid).reduce((sum, each) => sum + memoryOf(each), 0))), everyMilliseconds)
  return { stop: () => (clearInterval(timer), most) }
}

function treeOf(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [pid, ...children.flatMap(treeOf)]
  } catch {
    return []
  }
}

function memoryOf(pid) {
  try {
    return statusMegabytes(pid, 'RssAnon')
  } catch {
    return 0
  }
}

/** `VmHWM` is the most that a process had since it became the program it is: what is told at its end also holds what it was forked from. */
export function statusMegabytes(pid, field) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6
}

function ended(child, stream) {
  let text = ''
  stream.on('data', (chunk) => (text += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text }))
  })
}
