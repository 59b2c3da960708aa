// The command line of bubblewrap for one process.
import type { Mount } from './view.js'

export type BubblewrapPlan = {
  program: string
  cwd: string
  mounts: readonly Mount[]
  network: 'own' | 'host'
  /** A folder outside → where it is seen, for the sockets of the network. */
  door: { from: string; to: string } | null
  /** What comes between bubblewrap and the command, such as limits. */
  before: readonly string[]
  argv: readonly string[]
}

/** New names for processes, messages and host; no right of root's; all of it gone with whoever has started it. */
const APART = ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent', '--cap-drop', 'ALL']

/** Settings of the kernel, which are files of root's: a root in a sandbox would write those of the machine. */
const KERNEL = ['sys', 'sysrq-trigger', 'fs', 'acpi', 'scsi', 'mtrr', 'pressure'].flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`])

export function bubblewrapArgv({ program, cwd, mounts, network, door, before, argv }: BubblewrapPlan): [string, ...string[]] {
  const folders = mounts.filter(({ kind }) => kind === 'hidden')
  return [
    program,
    ...APART,
    ...(network === 'own' ? ['--unshare-net'] : []),
    '--ro-bind', '/', '/',
    '--dev', '/dev',
    '--proc', '/proc',
    ...KERNEL,
    ...mounts.flatMap(mountWords),
    ...(door ? ['--ro-bind', door.from, door.to] : []),
    // Nobody is to fill memory through a folder that only stands for one that is hidden.
    ...folders.flatMap(({ path }) => ['--remount-ro', path]),
    '--chdir', cwd,
    '--',
    ...before,
    ...argv,
  ]
}

function mountWords({ kind, path, from }: Mount): string[] {
  switch (kind) {
    case 'hidden':
      return ['--tmpfs', path]
    case 'blank':
      // A device in a place where there are none cannot be opened.
      return ['--ro-bind', '/dev/null', path]
    case 'read':
      return ['--ro-bind', from, path]
    case 'write':
    case 'private':
      return ['--bind', from, path]
  }
}
