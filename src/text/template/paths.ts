// Takes out of a path what differs from machine to machine and from run to run.
import { quietName } from './words.js'

/** Temporary folders; the name below them is made up afresh. */
const TEMPORARY = new RegExp(
  [
    '^(?:/private)?(?:/var/folders/[^/]+/[^/]+/T|/(?:var/|usr/)?tmp|/dev/shm)/',
    '^[A-Za-z]:/(?:Users/[^/]+/AppData/Local|Windows)/Temp/',
  ].join('|'),
)
/** Where files lie on a machine. A path that begins otherwise may be the route of a web address. */
const TOP_FOLDERS = [
  'home', 'root', 'usr', 'var', 'opt', 'srv', 'mnt', 'media', 'tmp', 'private', 'etc', 'nix', 'proc', 'dev', 'run', 'snap',
  'Users', 'Library', 'Volumes', 'Applications', 'builds?', 'workspaces?', 'github', '__w', 'cygdrive',
]
const ON_DISK = new RegExp(`^(?:/(?:${TOP_FOLDERS.join('|')})/|[A-Za-z]:/)`)
const PLACE = /:\d+(?::\d+)?$/
const PORT = /^(\w+:\/\/[^/:]+):\d{4,5}(?=\/|$)/
/** What `mkdtemp` and its kind put at the end of a name, or make a whole name of. */
const MADE_UP = /^(.*?)(?:[-_.][A-Za-z0-9_]{6,12}|\d+)$/
const OF_PYTHON = /^tmp[a-z0-9_]{8}$/

/** A word with a slash or a backslash in it. */
export function quietPath(word: string): string {
  const path = (word.startsWith('file://') ? word.slice(7) : word).replaceAll('\\', '/')
  if (path.includes('://')) return quietSegments(path.replace(PORT, '$1:<n>'))
  const bare = path.replace(PLACE, '')
  const place = bare === path ? '' : ':<n>'
  if (!ON_DISK.test(bare)) return quietSegments(bare) + place
  const last = bare.slice(bare.lastIndexOf('/') + 1)
  const stable = withoutMadeUp(last)
  const isScratch = TEMPORARY.test(bare) && (stable !== last || !bare.replace(TEMPORARY, '').includes('/'))
  return isScratch ? `<path>${place}` : `<path>/${quietSegment(stable)}${place}`
}

function quietSegments(path: string): string {
  return path.split('/').map(quietSegment).join('/')
}

function quietSegment(segment: string): string {
  return /\d/.test(segment) ? quietName(segment) : segment
}

/** A name with a made-up ending keeps its beginning. Words, which have no digit and no change of case, are kept whole. */
function withoutMadeUp(name: string): string {
  if (OF_PYTHON.test(name)) return 'tmp<n>'
  const found = MADE_UP.exec(name)
  const [beginning = ''] = found?.slice(1) ?? []
  const ending = name.slice(beginning.length)
  return found && (/\d/.test(ending) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(ending)) ? `${beginning}<n>` : name
}
