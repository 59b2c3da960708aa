// The packed tarball on every Node we promise: started by npx, run to a proved end, imported and required, with nothing but Node, npm and git there.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment } from './clean-environment.mjs'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

readOptions('test:nodes', {})
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The oldest that package.json allows, and a late one of each line after it. */
const VERSIONS = [`${manifest.engines.node.replace('>=', '')}.0`, '22.23.3', '24.21.0']
const LIMIT_MS = 300_000

const REPOSITORY = {
  'package.json': '{ "private": true, "type": "module" }\n',
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'test/add.test.js': "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { add } from '../src/add.js'\n\ntest('adds', () => assert.equal(add(2, 3), 5))\n",
}
/** Every door by both ways; prints how many names each has. */
const DOORS = `
import { createRequire } from 'node:module'
const doors = ['greenlatch', 'greenlatch/core', 'greenlatch/testing']
const names = async (open) => Promise.all(doors.map(async (door) => Object.keys(await open(door)).length))
console.log(JSON.stringify([await names((door) => import(door)), await names(createRequire(import.meta.url))]))
`

const nodes = installNodes()
const folder = mkdtempSync(join(tmpdir(), 'greenlatch-nodes-'))
try {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const tarball = join(folder, JSON.parse(packed)[0].filename)
  // All come to their end first: what still runs would write into the folder that is removed.
  const tried = await Promise.allSettled(VERSIONS.map((version) => tryOn(version, tarball)))
  for (const { value, reason } of tried) console.log(value ?? reason.message)
  if (tried.some(({ status }) => status === 'rejected')) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function tryOn(version, tarball) {
  const place = join(folder, version)
  const env = { ...cleanEnvironment(place, nodes[version]), npm_config_ignore_scripts: 'true', npm_config_offline: 'true' }
  const start = async (cwd, program, ...args) => (await promisify(execFile)(join(env.PATH, program), args, { cwd, env, timeout: LIMIT_MS, maxBuffer: 64_000_000 })).stdout.trim()
  const greenlatch = ['--yes', '--package', tarball, 'greenlatch']
  same('node --version', await start(place, 'node', '--version'), `v${version}`)
  same('npx … --version', await start(env.HOME, 'npx', ...greenlatch, '--version'), manifest.version)
  const repository = join(place, 'repository')
  writeFiles(repository, REPOSITORY)
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=You', '-c', 'user.email=you@example.com', 'commit', '-qm', 'first']]) await start(repository, 'git', ...args)
  const told = JSON.parse(await start(repository, 'npx', ...greenlatch, 'run', 'make the tests pass', '--agent', 'repair', '--gate', 'node --test', '--json'))
  same('the run', [told.finish.outcome, told.finish.label], ['converged', 'verified'])
  const program = join(place, 'program')
  writeFiles(program, { 'package.json': '{ "private": true, "type": "module" }\n', 'doors.js': DOORS })
  await start(program, 'npm', 'install', tarball)
  const [imported, required] = JSON.parse(await start(program, 'node', 'doors.js'))
  same('names by require', required, imported)
  if (imported.includes(0)) throw new Error(`a door is empty: ${imported}`)
  return `node ${version}: npx starts it, a run converged (verified), ${imported.length} doors by import and by require`
}

function same(what, is, expected) {
  if (JSON.stringify(is) !== JSON.stringify(expected)) throw new Error(`${what}: ${JSON.stringify(is)}, and not ${JSON.stringify(expected)}`)
}

function writeFiles(at, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), text)
  }
}

/** Version → the `node` program of the npm package that carries it for this platform; kept in .cache for the next time. */
function installNodes() {
  const at = join(root, '.cache', 'nodes')
  const paths = Object.fromEntries(VERSIONS.map((version) => [version, join(at, 'node_modules', `node-${version}`, 'bin', 'node')]))
  if (Object.values(paths).every((path) => existsSync(path))) return paths
  mkdirSync(at, { recursive: true })
  const packages = VERSIONS.map((version) => `node-${version}@npm:node-${process.platform}-${process.arch}@${version}`)
  execFileSync('npm', ['install', '--prefix', at, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict=false', ...packages], { stdio: 'inherit' })
  return paths
}
