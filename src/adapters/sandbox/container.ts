// A sandbox by podman or docker: one container for each process, made of an image of the user's, with the same folders under the same paths.
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { Confined, Sandbox } from '../../ports.js'
import { childEnvironment } from '../../process/environment.js'
import { runProcess } from '../../process/run.js'
import { runShort } from '../../process/short.js'
import type { ProcessResult } from '../../process/types.js'
import { openDoor } from './door.js'
import { confinedEnvironment } from './environment.js'
import type { Ground, SandboxLimits } from './ground.js'
import { giveHome } from './home.js'
import { openRooms, type Rooms } from './room.js'

export type ContainerOptions = { program: string; image: string }

/** Where the sockets of the network are seen inside. */
const DOOR = '/run/greenlatch'
const REMOVE_SECONDS = 30

export function container(ground: Ground, options: ContainerOptions): Sandbox {
  const rooms = openRooms()
  return {
    name: 'container',
    confines: true,
    describe: `a container of ${options.image} by ${basename(options.program)}: the checkout is written, nothing else of this machine is seen`,
    run: (request) => runInside(ground, options, rooms, request),
    async close() {
      rooms.close()
    },
  }
}

export type ContainerPlan = ContainerOptions & {
  name: string
  cwd: string
  /** Variables that are handed on, by name. */
  variables: readonly string[]
  folders: readonly { from: string; to: string; may: 'read' | 'write' }[]
  network: 'none' | 'host'
  limits: SandboxLimits
  argv: readonly string[]
}

export function containerArgv(plan: ContainerPlan): [string, ...string[]] {
  const { processes, memoryMegabytes, fileMegabytes } = plan.limits
  const owner = basename(plan.program) === 'podman' ? ['--userns', 'keep-id'] : ['--user', `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`]
  return [
    plan.program, 'run', '--rm', '--interactive', '--init', '--name', plan.name,
    '--network', plan.network, '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--ipc', 'private', ...owner,
    ...(processes > 0 ? ['--pids-limit', String(processes)] : []),
    ...(memoryMegabytes > 0 ? ['--memory', `${memoryMegabytes}m`] : []),
    ...(fileMegabytes > 0 ? ['--ulimit', `fsize=${fileMegabytes * 1024 * 1024}`] : []),
    ...plan.folders.flatMap(({ from, to, may }) => ['--mount', `type=bind,"source=${from}","target=${to}"${may === 'read' ? ',readonly' : ''}`]),
    ...plan.variables.flatMap((name) => ['--env', name]),
    '--workdir', plan.cwd,
    '--entrypoint', plan.argv[0] ?? '',
    plan.image,
    ...plan.argv.slice(1),
  ]
}

async function runInside(ground: Ground, options: ContainerOptions, rooms: Rooms, { reach, onDenied, ...request }: Confined): Promise<ProcessResult> {
  const closing: (() => unknown)[] = []
  try {
    const room = rooms.open(null)
    closing.push(room.remove)
    if (reach.home) closing.push(giveHome(ground.home, room.home, reach.home).refresh)
    const { network } = reach
    const door = typeof network === 'string' ? null : await openDoor(room.sockets, [...network.hosts, ...ground.allow], (address) => onDenied?.(address))
    if (door) closing.push(door.close)
    const extra = request.env ?? {}
    const env = confinedEnvironment(process.env, extra)
    const work = ground.workOf(request.cwd)
    const there = (paths: readonly string[]): string[] => paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
    const name = `greenlatch-${randomBytes(8).toString('hex')}`
    // The program of the host is another than the one of the image.
    const inside = door?.argv(DOOR).with(0, 'node') ?? []
    const argv = containerArgv({
      ...options,
      name,
      cwd: realpathSync(request.cwd),
      variables: Object.keys(childEnvironment(process.env, { cwd: request.cwd, tree: '', extra: env })).filter((variable) => variable !== 'PATH'),
      folders: [
        { from: room.home, to: ground.home, may: 'write' },
        { from: room.temporary, to: '/tmp', may: 'write' },
        ...there([...ground.read, ...(reach.read ?? [])]).map((path) => ({ from: path, to: path, may: 'read' as const })),
        ...there([...ground.write, ...(reach.write ?? []), work.folder]).map((path) => ({ from: path, to: path, may: 'write' as const })),
        ...there(work.fixed).map((path) => ({ from: path, to: path, may: 'read' as const })),
        ...(door ? [{ from: door.folder, to: DOOR, may: 'read' as const }] : []),
      ],
      network: network === 'host' ? 'host' : 'none',
      limits: ground.limits,
      argv: [...inside, ...request.argv],
    })
    // A daemon goes on with its container when whoever asked for it is gone.
    closing.push(() => runShort({ argv: [options.program, 'rm', '--force', name], cwd: '/', env: { PATH: process.env['PATH'] ?? '', HOME: ground.home }, timeoutSeconds: REMOVE_SECONDS, outputBytes: 64 * 1024 }))
    return told(await runProcess({ ...request, inner: request.argv, env, argv }))
  } catch (error) {
    return unmade(String((error as Error).message))
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** 125: the program itself failed, and nothing has run. */
function told(result: ProcessResult): ProcessResult {
  if (result.exitCode !== 125) return result
  return { ...result, ending: 'unstartable', exitCode: null, note: `the container cannot be made: ${(result.stderr.text.trim().split('\n')[0] ?? '').slice(0, 200)}` }
}

function unmade(why: string): ProcessResult {
  const nothing = { text: '', bytes: 0, cut: false }
  return { ending: 'unstartable', exitCode: null, signal: null, note: `the container cannot be made: ${why}`, seconds: 0, stdout: nothing, stderr: nothing, leftovers: 0 }
}
