// What a stranger's machine has: a home of its own, and no programs but Node, npm, git and a shell.
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from './programs.mjs'

const PROGRAMS = ['npm', 'npx', 'git', 'sh']
/** Without these a machine behind a proxy reaches no registry. */
const NETWORK = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

/** The variables for it; `folder` gets the home, the programs and a place for temporary files. */
export function cleanEnvironment(folder, node = process.execPath) {
  const [home, bin, temporary] = ['home', 'bin', 'tmp'].map((name) => join(folder, name))
  for (const path of [home, bin, temporary]) mkdirSync(path, { recursive: true })
  for (const program of PROGRAMS) symlinkSync(pathOf(program), join(bin, program))
  symlinkSync(node, join(bin, 'node'))
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name))
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  return { ...Object.fromEntries(network), HOME: home, PATH: bin, TMPDIR: temporary, LANG: 'C.UTF-8', npm_config_registry: registry, npm_config_update_notifier: 'false' }
}

function pathOf(program) {
  const found = findProgram(program)
  if (found === undefined) throw new Error(`${program} is not found on PATH`)
  return realpathSync(found)
}
