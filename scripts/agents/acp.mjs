// `npm run test:agents:acp -- [names]`: real agents over the Agent Client Protocol, through the built command line, without a network.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fetchInto } from './fetch.mjs'
import { AGENTS, cacheFolder, folderOf, programOf } from './list.mjs'
import { SETUPS } from './setups.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const ISOLATED = 'ACP_TEST_ISOLATED'
const PATIENCE_SECONDS = 120

/** Programs that lend an agent the protocol; the newest versions that run on Node 20. */
const BRIDGES = {
  claude: { package: '@agentclientprotocol/claude-agent-acp', version: '0.49.0', program: 'node_modules/.bin/claude-agent-acp' },
  codex: { package: '@agentclientprotocol/codex-acp', version: '2.6.0', program: 'node_modules/.bin/codex-acp' },
}

/** How each is started so that it speaks the protocol, and what its server has to be told besides. */
const COMMANDS = {
  claude: () => [bridge('claude')],
  codex: () => [bridge('codex')],
  opencode: () => [programOf('opencode'), 'acp'],
  gemini: () => [programOf('gemini'), '--acp'],
  qwen: () => [programOf('qwen'), '--acp'],
  goose: () => [programOf('goose'), 'acp'],
}

/** Those that let the scripted model be chosen over the protocol; the others have it from their own settings. */
const OFFERS_MODEL = new Set(['opencode', 'gemini', 'qwen'])

function bridge(name) {
  return join(bridgeFolder(name), BRIDGES[name].program)
}

function bridgeFolder(name) {
  return join(cacheFolder(), `${name}-acp-${BRIDGES[name].version}`)
}

// ───────────────────────────── one run ─────────────────────────────

/** A repository whose check fails, a home of its own, and settings that name the agent. */
function makeGround(name, url) {
  const folder = mkdtempSync(join(tmpdir(), `greenlatch-acp-${name}-`))
  const home = join(folder, 'home')
  const { env, model, files = {} } = SETUPS[name]({ url, home })
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(`home/${path}`, path.endsWith('.toml') ? `model = "${model}"\n${text}` : text)
  mkdirSync(home, { recursive: true })
  write('repo/answer.txt', 'red\n')
  write('repo/check.sh', 'grep -qx green answer.txt && grep -qx new made.txt || { echo "FAIL answer: expected green"; exit 1; }\n')
  const extra = name === 'goose' ? { GOOSE_MODEL: model } : {}
  const agents = { it: { acp: COMMANDS[name](), env: { ...env, ...extra }, ...(OFFERS_MODEL.has(name) && { model }) } }
  const scope = { allow: ['*.txt'], deny: ['notes.txt'] }
  write('repo/greenlatch.yaml', JSON.stringify({ agent: 'it', pass_env: ['ACP_TEST_GROUND'], agents, gates: [{ name: 'check', run: 'sh check.sh' }], scope }, null, 2))
  const git = (...args) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: join(folder, 'repo'), stdio: 'ignore' })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start')
  const clean = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', GREENLATCH_STATE_HOME: join(folder, 'state'), ACP_TEST_GROUND: folder }
  spawnSync(process.execPath, [join(root, 'dist/greenlatch.cjs'), 'trust', 'grant', '--yes'], { cwd: join(folder, 'repo'), env: clean, stdio: 'ignore' })
  return { folder, env: clean }
}

function run({ folder, env }, args) {
  const child = spawn(process.execPath, [join(root, 'dist/greenlatch.cjs'), ...args], { cwd: join(folder, 'repo'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const timer = setTimeout(() => child.kill('SIGTERM'), PATIENCE_SECONDS * 1000)
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, said: () => said })))
  return { child, ended: ended.finally(() => clearTimeout(timer)), said: () => said }
}

/** Everything that still runs and was started from this ground, told by its environment. */
function leftOf({ folder }) {
  const mark = `ACP_TEST_GROUND=${folder}`
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && environmentOf(pid).includes(mark))
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

/** A file that is there, which some write only when they have read it, and one that is not. */
const WORK = [
  { read: { path: 'answer.txt' } },
  { write: { path: 'answer.txt', content: 'green\n' } },
  { write: { path: 'made.txt', content: 'new\n' } },
  { text: 'The answer is green now.' },
]

async function converges(name, startModelServer, turns = WORK, alsoWrong = () => null) {
  const server = await startModelServer({ script: { turns, after: 'repeat' } })
  const ground = makeGround(name, server.url)
  const { code, said } = await run(ground, ['run', 'converge', 'make the answer green', '--max-iterations', '2']).ended
  await server.close()
  const left = leftOf(ground)
  const problem = code !== 0 ? `exit ${code}\n${said()}` : left.length > 0 ? `left running: ${left.join(', ')}` : alsoWrong(ground)
  return { problem, folder: ground.folder, served: server.requests.length }
}

/** Those that write through us, or ask with the name of the file: what is out of scope never comes to be. */
const ASKS_FIRST = new Set(['claude', 'gemini', 'qwen', 'goose'])

function refused(name, startModelServer) {
  const wrong = ({ folder }) => {
    const paths = readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-answers.jsonl'))
    const answers = paths.map((path) => readFileSync(join(folder, 'state', path), 'utf8')).join('')
    return /notes\.txt.*"refused".*out of scope/.test(answers) ? null : `no write was refused:\n${answers}`
  }
  return converges(name, startModelServer, [{ write: { path: 'notes.txt', content: 'mine\n' } }, ...WORK], wrong)
}

async function interrupted(name, startModelServer) {
  const server = await startModelServer({ script: { turns: [{ fault: 'hang' }], after: 'repeat' } })
  const ground = makeGround(name, server.url)
  const running = run(ground, ['run', 'converge', 'make the answer green'])
  for (let waited = 0; waited < PATIENCE_SECONDS && !server.requests.some(({ kind }) => kind === 'turn') && running.child.exitCode === null; waited += 0.1) await sleep(100)
  const reached = server.requests.some(({ kind }) => kind === 'turn')
  running.child.kill('SIGINT')
  const { code, said } = await running.ended
  await server.close()
  const left = leftOf(ground)
  const problem = !reached ? `never asked its model\n${said()}` : code !== 130 ? `exit ${code} instead of 130\n${said()}` : left.length > 0 ? `left running: ${left.join(', ')}` : null
  return { problem, folder: ground.folder, served: server.requests.length }
}

// ───────────────────────────── all of them ─────────────────────────────

/** Returns how many went wrong. */
export async function testAcpAgents(names) {
  const { startModelServer } = await import(pathToFileURL(join(root, 'dist/testing.js')).href)
  let failed = 0
  for (const name of names) {
    const trials = [['converges', converges], ['leaves nothing when interrupted', interrupted]]
    if (ASKS_FIRST.has(name)) trials.push(['is refused a write that is out of scope', refused])
    for (const [what, trial] of trials) {
      const began = performance.now()
      const { problem, folder, served } = await trial(name, startModelServer)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(`${problem === null ? 'ok  ' : 'FAIL'} ${name} over ACP ${what} (${seconds} s, ${served} requests)${problem === null ? '' : `\n${problem}\n${folder}`}`)
      if (problem === null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      else failed += 1
    }
  }
  return failed
}

function install(names) {
  for (const name of names) {
    const isBridge = Object.hasOwn(BRIDGES, name)
    if (isBridge && !existsSync(bridge(name))) fetchInto(bridgeFolder(name), BRIDGES[name])
    if (!isBridge && !existsSync(programOf(name))) fetchInto(folderOf(name), AGENTS[name])
  }
}

async function main() {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !Object.hasOwn(COMMANDS, name))
  if (unknown.length > 0) return fail(`unknown: ${unknown.join(', ')}; known are ${Object.keys(COMMANDS).join(', ')}`)
  if (!existsSync(join(root, 'dist/testing.js'))) return fail('dist/ is not built; next: npm run build')
  const names = asked.length > 0 ? asked : Object.keys(COMMANDS)
  if (process.env[ISOLATED] === '1') return process.exit((await testAcpAgents(names)) === 0 ? 0 : 1)
  install(names)
  const alone = process.getuid() === 0 ? ['-n'] : ['-rn']
  const inside = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, fileURLToPath(import.meta.url), ...names]
  const { status } = spawnSync('unshare', [...alone, ...inside], { stdio: 'inherit', env: { ...process.env, [ISOLATED]: '1' } })
  process.exit(status ?? 1)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
