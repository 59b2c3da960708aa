// `npm run agents:install -- [names]`: puts the real agent programs into the cache folder and prints what each says of its version.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { AGENTS, cacheFolder, folderOf, programOf } from './list.mjs'

const INSTALL_SECONDS = 900
const VERSION_SECONDS = 60
const NPM_OPTIONS = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(AGENTS, name))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; known are ${Object.keys(AGENTS).join(', ')}`)
  process.exit(2)
}
const names = asked.length > 0 ? asked : Object.keys(AGENTS)
console.log(`agents in ${cacheFolder()}`)
const rows = names.map((name) => ({ name, pinned: AGENTS[name].version, says: install(name) }))
for (const { name, pinned, says } of rows) console.log(`${name.padEnd(9)} ${pinned.padEnd(9)} ${says ?? 'missing'}`)
process.exit(rows.every(({ says }) => says !== undefined) ? 0 : 1)

/** What the program says of its version; undefined when it could not be installed or does not start. */
function install(name) {
  if (!existsSync(programOf(name))) fetchInto(folderOf(name), AGENTS[name])
  return existsSync(programOf(name)) ? versionOf(name) : undefined
}

/** Installed beside its place and then moved, so that an install that was cut off never passes for a whole one. */
function fetchInto(folder, { package: packageName, version }) {
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  const npm = ['install', '--prefix', partial, ...NPM_OPTIONS, `${packageName}@${version}`]
  const { status } = spawnSync('npm', npm, { cwd: partial, stdio: ['ignore', 'inherit', 'inherit'], timeout: INSTALL_SECONDS * 1000 })
  rmSync(folder, { recursive: true, force: true })
  if (status === 0) renameSync(partial, folder)
  rmSync(partial, { recursive: true, force: true })
}

function versionOf(name) {
  const { status, stdout, stderr } = spawnSync(programOf(name), ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_SECONDS * 1000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return status === 0 ? (stdout.trim() || stderr.trim()).split('\n').at(-1) : undefined
}
