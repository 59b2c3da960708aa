// A folder of its own for one trial: a workspace, an agent and a gate that log every run of theirs, and a state folder.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../results.mjs'

export const CLI = join(root, 'dist', 'greenlatch.cjs')
const MOST_SECONDS = 120
/** A killed process loses nothing the kernel has taken, so memory serves as well as a disk, and faster. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const script = (who) => `#!/bin/sh
cat >/dev/null
echo "${who} $GREENLATCH_EFFECT" >>"$FAULTS_LOG"
echo answered
echo noted >&2
`

export function makeWorld() {
  const folder = mkdtempSync(join(base, 'greenlatch-faults-'))
  const world = { folder, work: join(folder, 'work'), state: join(folder, 'state'), log: join(folder, 'log') }
  mkdirSync(world.work)
  for (const who of ['agent', 'gate']) writeFileSync(join(world.work, `${who}.sh`), script(who), { mode: 0o755 })
  writeFileSync(world.log, '')
  return { ...world, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export const RUN = ['run', 'ooda', '--max-iterations', '1', '--ai-cmd', './agent.sh', '--gate', 'checked=./gate.sh']

/** Runs the CLI in the world, under `wrapper` when there is one. */
export function greenlatch(world, args, wrapper = []) {
  const argv = [...wrapper, process.execPath, CLI, ...args, '--state-dir', world.state, '--no-input']
  const env = { PATH: process.env.PATH, HOME: world.folder, FAULTS_LOG: world.log, FAULTS_MARK: world.folder }
  const child = spawn(argv[0], argv.slice(1), { cwd: world.work, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text))
  const limit = setTimeout(() => child.kill('SIGKILL'), MOST_SECONDS * 1000)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...out }))
    // Should something that outlives the loop ever hold our pipes, it must not hold us up.
    child.on('exit', (code, signal) => setTimeout(() => resolve({ code, signal, ...out }), 5000).unref())
  }).finally(() => clearTimeout(limit))
}

/** The folders of all sessions there are, those without a journal included. */
function sessionFolders({ state }) {
  const repositories = existsSync(state) ? readdirSync(state) : []
  return repositories.flatMap((name) => {
    const store = join(state, name, 'sessions')
    const entries = existsSync(store) ? readdirSync(store, { withFileTypes: true }) : []
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(store, entry.name))
  })
}

export function journalIn(world) {
  const paths = sessionFolders(world).map((folder) => join(folder, 'journal.jsonl'))
  return paths.filter((path) => existsSync(path))
}

/**
 * Every file and empty folder below the state folder, with session ids made equal. A file that names the owner is left out: it
 * stays where its process was killed, decides nothing, and the next owner replaces it.
 */
export function stateFiles({ state }) {
  if (!existsSync(state)) return []
  const isTold = (entry) => (entry.isDirectory() ? readdirSync(pathOf(entry)).length === 0 : !/^owner(-.+)?\.json$/.test(entry.name))
  const entries = readdirSync(state, { recursive: true, withFileTypes: true }).filter(isTold)
  return entries.map(pathOf).map((path) => relative(state, path).replace(/^[^/]+/, '*').replace(/sessions\/[^/]+\//, 'sessions/*/')).toSorted()
}

function pathOf(entry) {
  return join(entry.parentPath, entry.name)
}

/** Makes what was killed before its first record look as old as it will be when somebody comes back to it. */
export function letTimePass(world) {
  for (const folder of sessionFolders(world)) if (!existsSync(join(folder, 'journal.jsonl'))) utimesSync(folder, 0, 0)
}

/** Living processes that were started in this world. */
export function stillRunning({ folder }) {
  const wanted = `FAULTS_MARK=${folder}\0`
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(wanted))
}

function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
