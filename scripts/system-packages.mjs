// Makes sure the programs the tests start are there: installs them as root on Debian, else names the packages and exits with MISSING.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram, MISSING } from './programs.mjs'

/** Program → the Debian package that brings it. */
const NEEDED = {
  git: 'git', chromium: 'chromium', setsid: 'util-linux', tmux: 'tmux', strace: 'strace', faketime: 'faketime', 'mkfs.ext4': 'e2fsprogs', 'mkfs.xfs': 'xfsprogs', make: 'make', bwrap: 'bubblewrap', perl: 'perl-base', time: 'time',
  podman: 'podman', runc: 'runc', catatonit: 'catatonit',
  python3: 'python3', pytest: 'python3-pytest', go: 'golang-go', cargo: 'cargo', 'redis-server': 'redis-server',
}

const missing = absent()
if (missing.length > 0) {
  if (canInstall()) install(packagesOf(missing))
  const still = absent()
  if (still.length > 0) {
    console.error(`The tests start ${still.join(', ')}, which this machine does not have.`)
    console.error(`Install first: apt-get install ${packagesOf(still).join(' ')}   (or the same packages of your system)`)
    process.exit(MISSING)
  }
}

function absent() {
  return Object.keys(NEEDED).filter((program) => findProgram(program) === undefined)
}

function packagesOf(programs) {
  return programs.map((program) => NEEDED[program])
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

function install(packages) {
  aptGet(['update'])
  aptGet(['install', '-y', '--no-install-recommends', ...packages])
}

/** A failure is not acted on here: what counts is whether the programs are there afterwards. */
function aptGet(args) {
  console.error(`apt-get ${args.join(' ')}`)
  spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
