// Runs the built CLI on a newer Node than the one we build with: its version, then the demo.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './results.mjs'

const VERSION = '24.9.0'
const folder = join(root, '.cache', 'node24')

mkdirSync(folder, { recursive: true })
const node = install()
console.log(`node ${run('--version')}`)
console.log(`greenlatch ${run('dist/greenlatch.cjs', '--version')} on it`)
console.log(run('dist/greenlatch.cjs', 'demo'))

/** The `node` program out of the npm package that carries it for this platform; kept in .cache for the next time. */
function install() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(path) || versionOf(path) !== `v${VERSION}`) {
    const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--engine-strict=false']
    execFileSync('npm', ['install', ...options, `${name}@${VERSION}`], { stdio: 'inherit' })
  }
  return path
}

function versionOf(path) {
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
}

function run(...args) {
  return execFileSync(node, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 180_000 }).trim()
}
