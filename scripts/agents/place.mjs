// A place to try a real agent in: a home, a repository whose test fails, a state folder, and a scripted model to talk to.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { folderOf, programOf } from './list.mjs'
import { SETUPS } from './setups.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const GREENLATCH = join(root, 'dist/greenlatch.cjs')
const { startModelServer } = await import(pathToFileURL(join(root, 'dist/testing.js')).href)

/** Long enough for a busy machine; every limit that is tested is far below. */
const LONGEST_RUN_SECONDS = 240
const NOBODY = 'http://127.0.0.1:9'

const FILES = {
  'sum.mjs': 'export function sum(a, b) {\n  return a - b\n}\n',
  'sum.test.mjs': "import assert from 'node:assert'\nimport test from 'node:test'\nimport { sum } from './sum.mjs'\n\ntest('adds', () => assert.strictEqual(sum(2, 3), 5))\n",
  'package.json': '{"name":"shop","private":true,"scripts":{"test":"node --test"}}\n',
}
export const WRONG = 'export function sum(a, b) {\n  return a * b\n}\n'
export const RIGHT = 'export function sum(a, b) {\n  return a + b\n}\n'

/** In the home folder, and no agent's business. */
export const SECRET = 'a-key-that-nobody-may-see'

const open = new Set()

/** For whoever is stopped in the middle: ends what runs in every place, and removes it. */
export async function closeAll() {
  await Promise.all([...open].map((close) => close()))
}

/** Without a script nobody listens where the model should be; `settings` are put over those of the place. */
export async function openPlace(name, { script, settings = {}, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), `greenlatch-${name}-`))
  const [home, repo, state] = ['home', 'repo', 'state'].map((each) => join(folder, each))
  for (const each of [home, repo, state]) mkdirSync(each)
  const server = script ? await startModelServer({ script }) : null
  const setup = SETUPS[name]({ url: server?.url ?? NOBODY, home })
  const all = { pass_env: ['SCRIPTED_KEY'], agents: { [name]: { cli: name, model: setup.model } }, limits: { agentSeconds: 180, agentSilenceSeconds: 90 }, ...settings }
  writeFiles(repo, { ...FILES, 'greenlatch.yaml': JSON.stringify(all) })
  writeFiles(home, { '.ssh/id_ed25519': `${SECRET}\n`, ...setup.files })
  const variables = { ...cleanEnvironment(), HOME: home, PATH: `${dirname(programOf(name))}:${process.env.PATH}`, ...setup.env, GREENLATCH_SANDBOX: 'none', ...env, GREENLATCH_STATE_HOME: state }
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'start']]) {
    spawnSync('git', args, { cwd: repo, env: variables })
  }
  spawnSync(process.execPath, [GREENLATCH, 'trust', 'grant', '--yes'], { cwd: repo, env: variables, stdio: 'ignore' })
  const close = async () => {
    open.delete(close)
    await server?.close()
    for (const { pid } of processesOf(home)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  open.add(close)
  return {
    server,
    close,
    version: folderOf(name).split('-').at(-1),
    /** What `agents` should say of it: a provider of the user's own, in the agent's own settings, is no login that we know of. */
    state: setup.ownProvider ? 'no login' : 'ready',
    start: (args) => start(args, { cwd: repo, env: variables }),
    run: (args) => start(args, { cwd: repo, env: variables }).ended,
    left: () => processesOf(home),
    /** Whether a text stands in any file of ours. */
    keeps: (text) => spawnSync('grep', ['-rqF', text, state]).status === 0,
    usage: () => readAll(state, '-usage.json'),
    /** Which versions the session's first record names. */
    versions: () => readAll(state, 'session.json')[0]?.session.setup.versions ?? {},
  }
}

function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Nothing of the user's agents, keys or settings gets in. */
function cleanEnvironment() {
  const kept = ['LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TERM']
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

function start(args, { cwd, env }) {
  const child = spawn(process.execPath, [GREENLATCH, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (out.stdout += chunk))
  child.stderr.on('data', (chunk) => (out.stderr += chunk))
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_SECONDS * 1000)
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      resolve({ code: code ?? signal, ...out })
    })
  })
  return { signal: (name) => child.kill(name), isAlive: () => child.exitCode === null && child.signalCode === null, ended }
}

/** Whatever runs with this home, at any depth. */
function processesOf(home) {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) return []
      return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
    } catch {
      return []
    }
  })
}

/** The files of sessions with such a name, parsed. */
function readAll(folder, ending) {
  const files = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(ending))
  return files.map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')))
}
