// A folder of its own for one trial: a user's repository, an agent and a gate that log every run of theirs, a git that can be killed.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { root } from '../results.mjs'
import { installGit } from './git-wrapper.mjs'
import { readLines } from './journal.mjs'
import { makeRepository, stateOf, tryGit } from './repository.mjs'

export const CLI = join(root, 'dist', 'greenlatch.cjs')
const MOST_SECONDS = 120
/** A killed process loses nothing the kernel has taken, so memory serves as well as a disk, and faster. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let template = null

/** The repository is made once and copied. `on`: where it and the state shall be, when memory is not the place for them. */
export function makeWorld(on = null) {
  const folder = mkdtempSync(join(base, 'greenlatch-faults-'))
  const disk = on ?? folder
  const world = { folder, work: join(disk, 'work'), state: join(disk, 'state'), log: join(folder, 'log'), bin: join(folder, 'bin') }
  template ??= makeTemplate()
  cpSync(template, world.work, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  mkdirSync(world.bin)
  installGit(world.bin)
  writeFileSync(world.log, '')
  return { ...world, logged: () => readFileSync(world.log, 'utf8'), remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

function makeTemplate() {
  const folder = mkdtempSync(join(base, 'greenlatch-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  makeRepository(folder)
  return folder
}

export const JSONL = ['--output', 'jsonl']

/** Runs the CLI in the world, under `wrapper` when there is one. `onOutput` hears all that it has printed so far. */
export function greenlatch(world, args, wrapper = [], onOutput = () => {}, env = {}) {
  return startGreenlatch(world, args, wrapper, onOutput, env).ended
}

/** The same, with the process at hand while it runs. */
export function startGreenlatch(world, args, wrapper = [], onOutput = () => {}, more = {}) {
  const argv = [...wrapper, process.execPath, CLI, ...args, '--state-dir', world.state, '--no-input']
  const env = { PATH: `${world.bin}:${process.env.PATH}`, HOME: world.folder, FAULTS_LOG: world.log, FAULTS_MARK: world.folder, GREENLATCH_SANDBOX: 'none', ...more }
  const child = spawn(argv[0], argv.slice(1), { cwd: world.work, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      out[name] += text
      if (name === 'stdout') onOutput(out.stdout)
    })
  }
  const limit = setTimeout(() => child.kill('SIGKILL'), MOST_SECONDS * 1000)
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...out }))
    // Should something that outlives the loop ever hold our pipes, it must not hold us up.
    child.on('exit', (code, signal) => setTimeout(() => resolve({ code, signal, ...out }), 5000).unref())
  }).finally(() => clearTimeout(limit))
  return { child, ended, until: (look) => waitFor(look, child) }
}

async function waitFor(look, child) {
  while (!look()) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended before what was waited for')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The rooms of the state folder: one for each repository, and here there is one. */
function rooms({ state }) {
  const paths = existsSync(state) ? readdirSync(state).map((name) => join(state, name)) : []
  return paths.filter((path) => existsSync(join(path, 'sessions')))
}

/** The folders of all sessions there are, those without a journal included. */
function sessionFolders(world) {
  return rooms(world).flatMap((room) => {
    const entries = readdirSync(join(room, 'sessions'), { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(room, 'sessions', entry.name))
  })
}

export function journalIn(world) {
  const paths = sessionFolders(world).map((folder) => join(folder, 'journal.jsonl'))
  return paths.filter((path) => existsSync(path))
}

/** The records of the only session; none while there is none. */
export function linesOf(world) {
  const [path] = journalIn(world)
  return path === undefined ? [] : readLines(path)
}

/** What the user's repository looks like. */
export function userState(world) {
  return { files: stateOf(world.work), commits: Number(tryGit(`${world.work}/.git`, ['rev-list', '--count', 'main']).stdout) }
}

export function storeIn(world) {
  return rooms(world).map((room) => join(room, 'store.git')).find((path) => existsSync(path)) ?? null
}

/** Where the agents of the only session work. */
export function checkoutIn(world) {
  const folder = sessionFolders(world).find((session) => existsSync(join(session, 'journal.jsonl')))
  return folder === undefined ? null : folder.replace(/\/sessions\/([^/]+)$/, '/checkouts/$1')
}

/**
 * Every file and empty folder below the state folder, with the id of the session made equal. Left out are a file that names the owner (it
 * stays where its process was killed, decides nothing, and the next owner replaces it) and the objects themselves, which git looks after: a
 * killed git may leave an unfinished one that nothing names.
 */
export function stateFiles(world) {
  const { state } = world
  if (!existsSync(state)) return []
  const id = basename(checkoutIn(world) ?? '')
  const isTold = (entry) => (entry.isDirectory() ? readdirSync(pathOf(entry)).length === 0 : !/^owner(-.+)?\.json$/.test(entry.name))
  const entries = readdirSync(state, { recursive: true, withFileTypes: true }).filter(isTold)
  const named = (found) => (found === id ? '<id>' : '<other>')
  const plain = (path) => relative(state, path).replace(/^[^/]+/, '*').replaceAll(/\d{8}-\d{6}-[a-z0-9]{5}/g, named)
  return entries.map(pathOf).map(plain).filter((path) => !/\/objects\//.test(path)).toSorted()
}

function pathOf(entry) {
  return join(entry.parentPath, entry.name)
}

/** Makes what was killed before its first record look as old as it will be when somebody comes back to it. A git that outlived the loop has ended by then. */
export async function letTimePass(world) {
  const unborn = sessionFolders(world).filter((folder) => !existsSync(join(folder, 'journal.jsonl')))
  const halfMade = (room) => readdirSync(room).filter((name) => name.startsWith('.store.git.making-'))
  const stores = rooms(world).flatMap((room) => halfMade(room).map((name) => join(room, name)))
  if (unborn.length + stores.length === 0) return
  for (let tries = 0; tries < 100 && stillRunning(world).length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const folder of [...unborn, ...stores]) if (existsSync(folder)) utimesSync(folder, 0, 0)
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
