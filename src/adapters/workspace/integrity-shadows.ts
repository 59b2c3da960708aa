// Which new files of a candidate take the place of modules that its checks load.
import type { Tree } from '../../core/types.js'
import { pathText } from '../../files/byte-path.js'
import { mayShadow, shadowing } from '../../text/pins/shadows.js'
import type { Differing } from './integrity-read.js'
import type { Store } from './store.js'
import { indexLines } from './take-back.js'

const MISSING_MODE = '000000'
const LINK_MODES = new Set(['120000', '160000'])

type Place = {
  store: Store
  start: Tree
  /** Files that gates run: Python looks for modules beside its script first. */
  gateFiles: readonly string[]
  /** Folders that gates run in. */
  folders: readonly string[]
  isPinned: (path: string) => boolean
}

export async function shadowsIn({ store, start, gateFiles, folders, isPinned }: Place, entries: readonly Differing[]): Promise<Set<string>> {
  const added = entries.filter(isNew).map(({ name, newMode }) => ({ name, isLink: LINK_MODES.has(newMode) }))
  if (!added.some(mayShadow)) return new Set()
  const before = [...(await indexLines(store, start)).keys()].map((path) => pathText(path))
  const deleted = entries.filter(({ newMode }) => newMode === MISSING_MODE).map(({ name }) => name)
  const beside = gateFiles.filter((path) => path.endsWith('.py')).map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.')
  return shadowing({ before, added, deleted, folders: [...folders, ...beside], isPinned })
}

/** A file that was made a link is a new thing under an old name. */
function isNew({ oldMode, newMode }: Differing): boolean {
  return newMode !== MISSING_MODE && (oldMode === MISSING_MODE || (LINK_MODES.has(newMode) && !LINK_MODES.has(oldMode)))
}
