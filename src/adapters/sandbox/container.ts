// A sandbox by podman or docker: one container for each process, made of an image of the user's, with the same folders under the same paths.
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { Confined, Sandbox } from '../../ports.js'
import { runProcess } from '../../process/run.js'
import { runShort } from '../../process/short.js'
import type { ProcessResult } from '../../process/types.js'
import { containerArgv, environmentOfProgram, variablesInside, type ContainerOptions } from './container-argv.js'
import { DOOR, doorFor, once } from './door.js'
import type { Ground } from './ground.js'
import { giveHome } from './home.js'
import { leaderByNode } from './inside.js'
import { ownLimits } from './limits.js'
import { openRooms, type Rooms } from './room.js'
import { unmade, unmadeAfter } from './unmade.js'

const SECONDS = 30

export function container(ground: Ground, options: ContainerOptions): Sandbox {
  const rooms = openRooms()
  const told = new Set<string>()
  let ofImage: Promise<string[]> | undefined
  return {
    name: 'container',
    confines: true,
    describe: `a container of ${options.image} by ${basename(options.program)}: the checkout is written, nothing else of this machine is seen`,
    run(request) {
      ofImage ??= variablesOf(options)
      return runInside(ground, options, { rooms, ofImage }, { ...request, onDenied: once(told, request.onDenied) })
    },
    async close() {
      rooms.close()
    },
  }
}

/** The variables that an image sets, as `NAME=value`; none where it cannot be asked. */
async function variablesOf({ program, image }: ContainerOptions): Promise<string[]> {
  const argv: [string, ...string[]] = [program, 'image', 'inspect', '--format', '{{json .Config.Env}}', image]
  const { ending, exitCode, stdout } = await runShort({ argv, cwd: '/', env: environmentOfProgram(), timeoutSeconds: SECONDS, outputBytes: 1024 * 1024 })
  return ending === 'exited' && exitCode === 0 ? namedIn(stdout.toString('utf8')) : []
}

function namedIn(text: string): string[] {
  try {
    return (JSON.parse(text) as string[] | null) ?? []
  } catch {
    return []
  }
}

type Kept = { rooms: Rooms; ofImage: Promise<string[]> }

async function runInside(ground: Ground, options: ContainerOptions, { rooms, ofImage }: Kept, { reach, onDenied, ...request }: Confined): Promise<ProcessResult> {
  const closing: (() => unknown)[] = []
  try {
    const room = rooms.open(null)
    closing.push(room.remove)
    if (reach.home) closing.push(giveHome(ground.home, room.home, reach.home).refresh)
    const { network } = reach
    const door = await doorFor(network, ground, room.sockets, onDenied)
    if (door) closing.push(door.close)
    const wished = request.env ?? {}
    const work = ground.workOf(reach.tree ?? request.cwd)
    const there = (paths: readonly string[]): string[] => paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
    const name = `greenlatch-${randomBytes(8).toString('hex')}`
    const inside = door?.argv(leaderByNode('node'), DOOR) ?? []
    const argv = containerArgv({
      ...options,
      name,
      cwd: realpathSync(request.cwd),
      ...variablesInside(wished, { cwd: request.cwd, home: ground.home, ofImage: await ofImage }),
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
      own: ownLimits(),
      argv: [...inside, ...request.argv],
    })
    // A daemon goes on with its container when whoever asked for it is gone.
    closing.push(() => runShort({ argv: [options.program, 'rm', '--force', name], cwd: '/', env: environmentOfProgram(), timeoutSeconds: SECONDS, outputBytes: 64 * 1024 }))
    return told(await runProcess({ ...request, inner: { argv: request.argv, through: basename(options.program) }, env: { ...wished, ...environmentOfProgram() }, argv }))
  } catch (error) {
    return unmade('container', String((error as Error).message))
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** 125: the program itself failed; 126 and 127 may be the command's own, unless it is the program that says so. Nothing has run then. */
function told(result: ProcessResult): ProcessResult {
  const [line = ''] = result.stderr.text.trim().split('\n')
  const isOfProgram = result.exitCode === 125 || ([126, 127].includes(result.exitCode ?? 0) && result.stdout.bytes === 0 && /^(Error: |docker: )/.test(line))
  return isOfProgram ? { ...result, ...unmadeAfter('container', line.slice(0, 200)) } : result
}
