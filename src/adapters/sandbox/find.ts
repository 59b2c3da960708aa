// Which sandboxes this machine can make, found out by making one.
import { readFileSync } from 'node:fs'
import { findExecutable } from '../../process/command-line.js'
import { runShort } from '../../process/short.js'
import { bubblewrapArgv } from './bubblewrap-argv.js'
import { environmentOfProgram } from './container-argv.js'

/** `why`: why there is none, in one line; `next`: what to type about it. */
export type Found = { here: true; program: string } | { here: false; why: string; next: string }

const SECONDS = 20

/** Starts one that does nothing. */
export async function findBubblewrap(environment: NodeJS.ProcessEnv = process.env): Promise<Found> {
  if (process.platform !== 'linux') return { here: false, why: 'bubblewrap is for Linux alone', next: 'greenlatch run --sandbox container' }
  const program = findExecutable('bwrap', environment)
  if (program === null) return { here: false, why: 'bubblewrap is not installed', next: installing('bubblewrap') }
  const argv = bubblewrapArgv({ program, cwd: '/', mounts: [], network: 'own', door: null, before: [], argv: ['/bin/sh', '-c', ':'] })
  const { ending, exitCode, stderr, note } = await runShort({ argv, cwd: '/', env: { PATH: environment['PATH'] ?? '' }, timeoutSeconds: SECONDS, outputBytes: 64 * 1024 })
  if (ending === 'exited' && exitCode === 0) return { here: true, program }
  const said = stderr.toString('utf8').trim().split('\n')[0] || note
  return { here: false, why: `bubblewrap is installed and may not work here (${said.slice(0, 160)})`, next: permitting() }
}

/** The ones that need no daemon of root's come first. */
export async function findContainer(environment: NodeJS.ProcessEnv = process.env): Promise<Found> {
  const programs = ['podman', 'docker'].flatMap((name) => findExecutable(name, environment) ?? [])
  let why = 'neither podman nor docker is installed'
  for (const program of programs) {
    const { ending, exitCode, stderr, note } = await runShort({ argv: [program, 'info'], cwd: '/', env: environmentOfProgram(environment), timeoutSeconds: SECONDS, outputBytes: 1024 * 1024 })
    if (ending === 'exited' && exitCode === 0) return { here: true, program }
    why = `${program} does not work here (${(stderr.toString('utf8').trim().split('\n')[0] || note).slice(0, 160)})`
  }
  return { here: false, why, next: installing('podman') }
}

const INSTALLERS: readonly (readonly [RegExp, string])[] = [
  [/\b(debian|ubuntu)\b/, 'sudo apt-get install'],
  [/\b(fedora|rhel|centos)\b/, 'sudo dnf install'],
  [/\barch\b/, 'sudo pacman -S'],
  [/\b(suse|opensuse)\b/, 'sudo zypper install'],
  [/\balpine\b/, 'sudo apk add'],
]

function installing(name: string): string {
  if (process.platform === 'darwin') return `brew install ${name}`
  const system = textOf('/etc/os-release')
  const [, install] = INSTALLERS.find(([id]) => id.test(system)) ?? []
  return install === undefined ? `install the package ${name}` : `${install} ${name}`
}

/** Ubuntu lets only named programs make namespaces. */
function permitting(): string {
  if (textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1') return 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'
  if (textOf('/proc/sys/kernel/unprivileged_userns_clone').trim() === '0') return 'sudo sysctl kernel.unprivileged_userns_clone=1'
  return 'greenlatch doctor'
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
