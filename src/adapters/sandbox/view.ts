// The file system as a process in a sandbox sees it: all of it can be read, except what is hidden, and little can be written.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute } from 'node:path'
import type { Reach } from '../../ports.js'
import type { Ground } from './ground.js'
import { toolFolders } from './tools.js'

/** `hidden` is an empty folder, `blank` a file that cannot be read; `private` is a folder of its own in the place of the real one, and `from` where that lies. */
export type Mount = { kind: 'hidden' | 'blank' | 'read' | 'write' | 'private'; path: string; from: string }

/** Homes, what others share, sockets of services, other disks. */
const HIDDEN = ['/home', '/root', '/Users', '/run', '/mnt', '/media', '/var/spool', '/var/lib/docker', '/var/lib/containers']
/** What only its owner can read, which is us when we are root. */
const SECRETS = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/ssh', '/etc/krb5.keytab']
const TEMPORARY = ['/tmp', '/var/tmp']

export type Room = { home: string; temporary: string }

export type Place = { cwd: string; reach: Reach; path: string | undefined; room: Room }

/** In the order in which they have to be made: what lies inside another comes after it. */
export function viewOf(ground: Ground, { cwd, reach, path, room }: Place): Mount[] {
  const work = ground.workOf(reach.tree ?? cwd)
  const installed = [...toolFolders(ground.home, process.env), ...onPath(path, ground)].filter((folder) => !isHidden(folder, ground))
  const programs = [...installed, nodeFolder(), ...(reach.network === 'host' ? resolverFolder() : [])]
  const mounts: Mount[] = [
    ...mountsOf('hidden', [...HIDDEN, ...(process.getuid?.() === 0 ? SECRETS : []), ...ground.hidden]),
    ...mountsOf('private', [...TEMPORARY, tmpdir()], room.temporary),
    ...mountsOf('private', [ground.home], room.home),
    ...mountsOf('read', [...programs, ...ground.read, ...(reach.read ?? [])]),
    ...mountsOf('write', [...ground.write, ...(reach.write ?? []), work.folder]),
    ...mountsOf('read', work.fixed),
  ]
  return withoutNeedless(inOrder(mounts))
}

function mountsOf(kind: Mount['kind'], paths: readonly string[], from?: string): Mount[] {
  return paths.filter((path) => isAbsolute(path) && path !== '/' && existsSync(path)).map((path) => {
    const real = realpathSync(path)
    return { kind: kind === 'hidden' && !statSync(real).isDirectory() ? 'blank' : kind, path: real, from: from ?? real }
  })
}

/** Later ones win over earlier ones for the same path. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]))
  return [...byPath.values()].toSorted((a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1))
}

/** What shows, or hides, only what is seen, or hidden, already. */
function withoutNeedless(mounts: readonly Mount[]): Mount[] {
  const kept: Mount[] = []
  for (const mount of mounts) {
    const around = kept.findLast(({ path }) => mount.path.startsWith(`${path}/`))?.kind ?? 'read'
    const isNeedless = mount.kind === 'hidden' ? around === 'hidden' || around === 'private' : mount.kind === 'read' && around === 'read'
    if (!isNeedless) kept.push(mount)
  }
  return kept
}

/** Programs are found where the user finds them; what the repository has installed comes with its copy. */
function onPath(path: string | undefined, { home }: Ground): string[] {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder)).map((folder) => realpathSync(folder))
  const broad = new Set(['/', '/tmp', home, dirname(home)])
  return folders.filter((folder) => !broad.has(folder))
}

function isHidden(folder: string, { hidden }: Ground): boolean {
  return hidden.some((each) => folder === each || folder.startsWith(`${each}/`))
}

/** Node itself, with what it brings along. */
function nodeFolder(): string {
  const bin = dirname(realpathSync(process.execPath))
  return bin.endsWith('/bin') && dirname(bin) !== '/' ? dirname(bin) : bin
}

/** Names cannot be looked up without it. */
function resolverFolder(): string[] {
  try {
    return [dirname(realpathSync('/etc/resolv.conf'))].filter((folder) => folder !== '/etc')
  } catch {
    return []
  }
}
