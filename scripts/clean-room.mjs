// The two commands of README.md as they stand there, in a fresh clone, by a user who is not root and has nothing but Node, npm, git and a shell.
// The second checks and builds there, names the packages that the other tests need, and runs those that need none.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnvironment } from './clean-environment.mjs'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

readOptions('test:clean-room', {})
const NOBODY = 65_534
const LIMIT_MS = 900_000
/** What each has to end with and to say. */
const EXPECTED = [
  { command: 'npm install && npm run demo', code: 0, says: [/^CONVERGED \(verified\)/m, /^converged\tverified\t/m] },
  { command: 'npm install && npm test', code: 0, says: [/^Install first: apt-get install .*\bstrace\b/m, /^lint .* 1 passed/m, /^types .* 1 passed/m, /^build .* 1 passed/m, /^unit +left out: programs are missing$/m, /^values .* [1-9]\d{3} passed, 0 failed, 0 skipped$/m, /^[1-9]\d{3} passed, 0 failed, \d+ skipped$/m] },
]

const isRoot = process.getuid?.() === 0
const folder = mkdtempSync(join(tmpdir(), 'greenlatch-room-'))
try {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone])
  const env = cleanEnvironment(folder)
  if (isRoot) giveAway(folder)
  for (const { command, ...expected } of EXPECTED) await tryCommand(command, expected, { cwd: clone, env })
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function tryCommand(command, { code, says }, place) {
  if (!readFileSync(join(place.cwd, 'README.md'), 'utf8').includes(`\n${command}\n`)) throw new Error(`README.md does not say "${command}"`)
  const began = performance.now()
  const ended = await start(command, place)
  const missed = [...(ended.code === code ? [] : [`exit ${code}, and not ${ended.code}`]), ...says.filter((pattern) => !pattern.test(ended.text)).map(String)]
  if (missed.length > 0) throw new Error(`${command}\n${ended.text}\nmissed: ${missed.join(', ')}`)
  console.log(`${command}: as it should be, ${((performance.now() - began) / 1000).toFixed(0)} s\n${says.map((pattern) => `  ${pattern.exec(ended.text)[0]}`).join('\n')}`)
}

function start(command, { cwd, env }) {
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, ...(isRoot && { uid: NOBODY, gid: NOBODY }) })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve({ code, text })))
}

function giveAway(at) {
  const below = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of [at, ...below]) chownSync(path, NOBODY, NOBODY)
}
