// The command line of podman or docker for one process, and which variables are told inside.
import { basename, delimiter } from 'node:path'
import { childEnvironment } from '../../process/environment.js'
import { confinedEnvironment } from './environment.js'
import type { SandboxLimits } from './ground.js'
import type { OwnLimits } from './limits.js'

export type ContainerOptions = { program: string; image: string }

export type ContainerPlan = ContainerOptions & {
  name: string
  cwd: string
  /** Variables that are handed on, by name, so that no value is seen in a list of processes. */
  variables: readonly string[]
  /** Variables whose values are other ones inside. */
  set: Readonly<Record<string, string>>
  folders: readonly { from: string; to: string; may: 'read' | 'write' }[]
  network: 'none' | 'host'
  limits: SandboxLimits
  /** What we may have ourselves; null where it cannot be told. */
  own: OwnLimits | null
  argv: readonly string[]
}

export function containerArgv(plan: ContainerPlan): [string, ...string[]] {
  const { processes, memoryMegabytes, fileMegabytes } = plan.limits
  const isPodman = basename(plan.program) === 'podman'
  const user = process.getuid?.() ?? 0
  // Root's podman has no other names for users that could be kept.
  const owner = isPodman && user !== 0 ? ['--userns', 'keep-id'] : ['--user', `${user}:${process.getgid?.() ?? 0}`]
  return [
    plan.program, 'run', '--rm', '--interactive', '--init', '--name', plan.name,
    '--network', plan.network, '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--ipc', 'private', ...owner,
    ...(processes > 0 ? ['--pids-limit', String(processes)] : []),
    ...(memoryMegabytes > 0 ? ['--memory', `${memoryMegabytes}m`] : []),
    ...(fileMegabytes > 0 ? ['--ulimit', `fsize=${fileMegabytes * 1024 * 1024}`] : []),
    // Podman would ask for more than it has itself, which not every root may.
    ...(isPodman && plan.own ? ['--ulimit', `nofile=${plan.own.files}:${plan.own.files}`, '--ulimit', `nproc=${plan.own.processes}:${plan.own.processes}`] : []),
    ...plan.folders.flatMap(({ from, to, may }) => ['--mount', `type=bind,"source=${from}","target=${to}"${may === 'read' ? ',readonly' : ''}`]),
    ...plan.variables.flatMap((name) => ['--env', name]),
    ...Object.entries(plan.set).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--workdir', plan.cwd,
    '--entrypoint', plan.argv[0] ?? '',
    plan.image,
    ...plan.argv.slice(1),
  ]
}

type Variables = Readonly<Record<string, string | undefined>>

/** What the program itself needs to find its own folders, its daemon or its machine. */
const OF_PROGRAM = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY', 'CONTAINER_HOST', 'CONTAINER_CONNECTION', 'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF']

export function environmentOfProgram(environment: Variables = process.env): Record<string, string> {
  return Object.fromEntries(OF_PROGRAM.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])))
}

/**
 * What is told inside: what every process is told but paths of this machine, which mean nothing there, and what is asked for. `ofImage`:
 * the variables that the image sets, as `NAME=value`.
 */
export function variablesInside(own: Variables, { cwd, home, ofImage }: { cwd: string; home: string; ofImage: readonly string[] }): Pick<ContainerPlan, 'variables' | 'set'> {
  const all = childEnvironment(process.env, { cwd, tree: '', extra: confinedEnvironment(process.env, own) })
  const isTold = (name: string): boolean => name in own || name === 'PWD' || !(all[name] ?? '').startsWith('/')
  const names = Object.keys(all).filter((name) => isTold(name) && !OF_PROGRAM.includes(name))
  const moved = environmentOfProgram(own)
  return { variables: names, set: { HOME: home, ...moved, PATH: pathInside(own['PATH'], ofImage) } }
}

const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What is put in front of this machine's PATH comes in front of the image's. */
function pathInside(wished: string | undefined, ofImage: readonly string[]): string {
  const here = new Set((process.env['PATH'] ?? '').split(delimiter))
  const added = (wished ?? '').split(delimiter).filter((folder) => folder !== '' && !here.has(folder))
  const usual = ofImage.find((word) => word.startsWith('PATH='))?.slice('PATH='.length) || USUAL_PATH
  return [...added, usual].join(delimiter)
}
