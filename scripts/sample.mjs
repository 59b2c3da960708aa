// `npm run sample`: builds, then runs the loop on a copy of the bundled sample. Needs no model and no network.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cli = join(root, 'dist/greenlatch.cjs')

function start(args, options) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit', ...options })
  if (error) throw error
  return status ?? 1
}

if (!existsSync(cli) || process.env.npm_lifecycle_event === 'sample') {
  if (start([join(root, 'scripts/build.mjs'), '--no-types'], { cwd: root }) !== 0) process.exit(1)
}
const place = mkdtempSync(join(tmpdir(), 'greenlatch-sample-'))
const project = join(place, 'cart')
cpSync(join(root, 'examples/cart'), project, { recursive: true })
const env = { ...process.env, GREENLATCH_STATE_HOME: join(place, 'state') }

console.log(`sample copied to ${project}\n$ greenlatch run ooda "Make the cart's tests pass."`)
const code = start([cli, 'run', 'ooda', "Make the cart's tests pass."], { cwd: project, env })
if (code !== 0) process.exit(code)
for (const command of ['diff --stat', 'accept', 'status']) {
  console.log(`\n$ greenlatch ${command}`)
  start([cli, ...command.split(' ')], { cwd: project, env })
}
console.log(`\nlook at it:  cd ${project} && GREENLATCH_STATE_HOME=${env.GREENLATCH_STATE_HOME} node ${cli} logs`)
