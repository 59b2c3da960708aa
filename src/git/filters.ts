// Which files of a tree would go through a filter, such as those of LFS or git-crypt, by what its attributes say.
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { bytePath, rawPath, type BytePath } from '../files/byte-path.js'
import { git, type Repository } from './git.js'
import { isOn, type Settings } from './settings.js'
import { readText } from './standing.js'
import type { Some } from './status.js'

export type FilterUse = {
  driver: string
  /** Whether a program is set up under that name. Without one git leaves the files as they are. */
  isSetUp: boolean
  paths: Some
}

/** What git says of a file that no driver is named for. */
const NO_DRIVER: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set'])

export type TreeEntry = { mode: string; id: string; path: BytePath }

export async function entriesOf(repository: Repository, tree: string): Promise<TreeEntry[]> {
  const { fields } = await git(repository, ['ls-tree', '-r', '-z', '--full-tree', tree])
  return fields.map((field) => {
    const tab = field.indexOf('\t')
    const [mode = '', , id = ''] = field.slice(0, tab).split(' ')
    return { mode, id, path: field.slice(tab + 1) }
  })
}

export type Look = {
  repository: Repository & { index: string }
  commonDir: string
  settings: Settings
  tree: string
  entries: readonly TreeEntry[]
}

/** `repository.index` is overwritten. */
export async function filtersIn(look: Look): Promise<FilterUse[]> {
  if (!(await mayFilter(look))) return []
  const { repository, entries, settings, tree } = look
  await git(repository, ['read-tree', '--empty'])
  await git(repository, ['read-tree', tree])
  const files = entries.filter(({ mode }) => mode.startsWith('100'))
  const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(''), 'latin1')
  const { fields } = await git({ ...repository, userConfig: 'read' }, ['check-attr', '--cached', '-z', '--stdin', 'filter'], { input })
  const uses = new Map<string, FilterUse>()
  for (let at = 0; at + 2 < fields.length; at += 3) note(uses, settings, fields[at] ?? '', fields[at + 2] ?? '')
  return [...uses.values()]
}

/** Of these files those that some filter is named for, whether or not a program is set up under that name. */
export async function filteredAmong(repository: Repository, paths: readonly BytePath[]): Promise<BytePath[]> {
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
  const { fields } = await git(repository, ['check-attr', '-z', '--stdin', 'filter'], { input })
  return fields.filter((_, at) => at % 3 === 0 && !NO_DRIVER.has(fields[at + 2] ?? ''))
}

function note(uses: Map<string, FilterUse>, settings: Settings, path: BytePath, driver: string): void {
  if (NO_DRIVER.has(driver)) return
  const use = uses.get(driver) ?? { driver, isSetUp: isSetUp(settings, driver), paths: { count: 0, first: [] } }
  uses.set(driver, use)
  use.paths.count++
  if (use.paths.first.length < 5) use.paths.first.push(path)
}

function isSetUp(settings: Settings, driver: string): boolean {
  const programs = ['clean', 'smudge', 'process'].some((kind) => (settings.get(`filter.${driver}.${kind}`)?.at(-1) ?? '') !== '')
  return programs || isOn(settings, `filter.${driver}.required`)
}

/** Asking git about every file is only worth it when the word stands somewhere. */
async function mayFilter({ repository, commonDir, settings, entries }: Look): Promise<boolean> {
  const everywhere = settings.get('core.attributesfile')?.at(-1) ?? join(process.env['XDG_CONFIG_HOME'] || '~/.config', 'git/attributes')
  const outside = [join(commonDir, 'info/attributes'), rawPath(everywhere.replace(/^~(?=\/)/, bytePath(homedir())))]
  if (outside.some((path) => readText(path).includes('filter'))) return true
  const ids = entries.filter(({ path }) => basename(path) === '.gitattributes').map(({ id }) => id)
  if (ids.length === 0) return false
  const { stdout } = await git(repository, ['cat-file', '--batch'], { input: `${ids.join('\n')}\n` })
  return stdout.includes('filter')
}
