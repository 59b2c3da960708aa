// A sandbox by bubblewrap: each process sees a file system, processes and a network of its own, and all of it is gone when it ends.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { Confined, Reach, Sandbox } from '../../ports.js'
import { findExecutable } from '../../process/command-line.js'
import { runProcess } from '../../process/run.js'
import type { ProcessResult } from '../../process/types.js'
import { bubblewrapArgv } from './bubblewrap-argv.js'
import { DOOR, doorFor, once } from './door.js'
import { confinedEnvironment } from './environment.js'
import type { Ground } from './ground.js'
import { giveHome, type GivenHome } from './home.js'
import { findLeader } from './inside.js'
import { limitWords, openGroup } from './limits.js'
import { openRooms, type Rooms } from './room.js'
import { unmade, unmadeAfter } from './unmade.js'
import { viewOf } from './view.js'

const REFRESH_MILLISECONDS = 1000
/** Bubblewrap is not asked to end but what runs in it: it goes with the last of them. `env` takes that back for the command itself. */
const STAY = 'for file in $1; do echo 0 > "$file"; done; shift; trap "" TERM; exec "$@"'
const HEED = ['env', '--default-signal=TERM']

/** Runs each process by bubblewrap, with a view of the machine of its own; `program` is where that is, `bwrap` on PATH where nothing is said. */
export function bubblewrap(ground: Ground, program = 'bwrap'): Sandbox {
  const rooms = openRooms()
  const told = new Set<string>()
  return {
    name: 'bubblewrap',
    confines: true,
    describe: 'bubblewrap: the checkout is written, the rest is read-only or hidden, and the network is closed but for what is allowed',
    run: (request) => runInside(ground, program, rooms, { ...request, onDenied: once(told, request.onDenied) }),
    async close() {
      rooms.close()
    },
  }
}

async function runInside(ground: Ground, program: string, rooms: Rooms, { reach, onDenied, ...request }: Confined): Promise<ProcessResult> {
  const closing: (() => unknown)[] = []
  try {
    const room = rooms.open(keptHome(ground, request.cwd, reach))
    closing.push(room.remove)
    if (reach.home) closing.push(watchHome(giveHome(ground.home, room.home, reach.home)))
    const group = openGroup(ground.limits)
    if (group) closing.push(group.remove)
    const door = await doorFor(reach.network, ground, room.sockets, onDenied)
    if (door) closing.push(door.close)
    const extra = request.env ?? {}
    const env = confinedEnvironment(process.env, extra)
    const inside = bubblewrapArgv({
      program: findExecutable(program, process.env) ?? program,
      cwd: realpathSync(request.cwd),
      mounts: viewOf(ground, { cwd: request.cwd, reach, path: extra['PATH'] ?? process.env['PATH'], room }),
      network: reach.network === 'host' ? 'host' : 'own',
      door: door && { from: door.folder, to: DOOR },
      before: [...HEED, ...limitWords(ground.limits), ...(door?.argv(await findLeader(), DOOR) ?? [])],
      argv: request.argv,
    })
    return told(await runProcess({ ...request, inner: { argv: request.argv, through: 'bwrap' }, env, argv: ['/bin/sh', '-c', STAY, 'sh', group?.joins.join(' ') ?? '', ...inside] }))
  } catch (error) {
    return unmade('sandbox', String((error as Error).message))
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** The name of a home that stays; null for one that is new. */
function keptHome({ workOf }: Ground, cwd: string, reach: Reach): string | null {
  const { folder, home } = workOf(reach.tree ?? cwd)
  return home === 'fresh' || reach.home ? null : `home-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`
}

/** What is refreshed is taken back while the process runs: others of the user's may need it. */
function watchHome(home: GivenHome): () => void {
  const timer = setInterval(home.refresh, REFRESH_MILLISECONDS)
  return () => {
    clearInterval(timer)
    home.refresh()
  }
}

/** Where bubblewrap itself fails, nothing has run. */
function told(result: ProcessResult): ProcessResult {
  const [line = ''] = result.stderr.text.trim().split('\n')
  if (result.exitCode !== 1 || result.stdout.bytes > 0 || !line.startsWith('bwrap: ')) return result
  return { ...result, ...unmadeAfter('sandbox', line.slice(0, 200)) }
}
