// Where things are: the repository's folder, the settings files and the state folder.
import { createHash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { oneLine } from './words.js'

const PROJECT_FILE = 'greenlatch.yaml'

export type Environment = Readonly<Record<string, string | undefined>>

/** A file of settings, and how it is named to people. */
export type SettingsFile = { tier: 'user' | 'project'; path: string; name: string }

/** The nearest folder, upwards from `cwd`, that holds `greenlatch.yaml` or `.git`; else `cwd` itself. */
export function repositoryRoot(cwd: string): string {
  const start = resolve(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    if (present(join(folder, PROJECT_FILE)) || present(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return start
  }
}

/** A name for the repository's part of the state folder: readable, and different for every place on this machine. */
export function repositoryId(root: string): string {
  const real = realPath(root)
  const readable = basename(real).replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '').slice(0, 40)
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 10)
  return `${readable === '' ? 'root' : readable}-${hash}`
}

/** The folder all state is kept in. Settings from `loadConfig` already contain the environment's say, so they come first. */
export function stateHome(from: { env: Environment; home: string; settings?: { stateDir?: string } }): string {
  const chosen = from.settings?.stateDir ?? from.env.GREENLATCH_STATE_HOME
  if (chosen !== undefined && chosen !== '') return absolutePath(chosen, process.cwd(), from.home)
  return join(xdgFolder(from.env.XDG_STATE_HOME) ?? join(from.home, '.local', 'state'), 'greenlatch')
}

/** The settings files that are there, weakest first. */
export function settingsFiles(from: { cwd: string; env: Environment; home: string; root: string; file?: string }): SettingsFile[] {
  const userPath = join(xdgFolder(from.env.XDG_CONFIG_HOME) ?? join(from.home, '.config'), 'greenlatch', 'config.yaml')
  const user: SettingsFile = { tier: 'user', path: userPath, name: oneLine(underHome(userPath, from.home)) }
  if (from.file !== undefined) {
    const given: SettingsFile = { tier: 'project', path: resolve(from.cwd, from.file), name: oneLine(from.file) }
    return present(userPath) ? [user, given] : [given]
  }
  const path = join(from.root, PROJECT_FILE)
  const project: SettingsFile = { tier: 'project', path, name: oneLine(relative(resolve(from.cwd), path)) }
  const files = [user, project].filter((file) => present(file.path))
  if (!files.includes(project)) refuseOtherEnding(from.root)
  return files
}

/** Follows `~/` and a base folder. */
export function absolutePath(path: string, base: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path)
}

function refuseOtherEnding(root: string): void {
  if (!present(join(root, 'greenlatch.yml'))) return
  throw new Refusal(EXIT.usage, `greenlatch.yml is not read: the file is called ${PROJECT_FILE}`, `mv greenlatch.yml ${PROJECT_FILE}`)
}

/** A link to nothing counts as present, so that it is named instead of passed over. */
function present(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Where links lead to; the path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** The XDG rules say that a relative path is to be ignored. */
function xdgFolder(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined
}

function underHome(path: string, home: string): string {
  const inside = relative(home, path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : `~/${inside}`
}
