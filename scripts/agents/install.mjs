// `npm run agents:install -- [names]`: puts the real agent programs into the cache folder and prints what each says of its version.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fetchInto } from './fetch.mjs'
import { AGENTS, cacheFolder, folderOf, programOf } from './list.mjs'

const VERSION_SECONDS = 60

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

function versionOf(name) {
  const { status, stdout, stderr } = spawnSync(programOf(name), ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_SECONDS * 1000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return status === 0 ? (stdout.trim() || stderr.trim()).split('\n').at(-1) : undefined
}
