// The tree of the user's files as they stand, by their own rules for ignoring and line endings, without writing to their repository.
import { bytePath, rawPath, type BytePath } from '../files/byte-path.js'
import { filteredAmong } from './filters.js'
import { git, type Repository } from './git.js'
import { hiddenIn, isThere, unhide, type View } from './hidden.js'
import { objectFoldersOf } from './standing.js'
import { withIndexCopy } from './status.js'

export type FilesOf = {
  topLevel: string
  gitDir: string
  commonDir: string
  /** An object folder of ours, where what is new goes. */
  objects: string
}

export type FilesTree = {
  tree: string
  /** To read the tree from: its objects are partly ours and partly the user's. */
  repository: Repository
  /** Repositories inside that are no submodules: what is in them is not in the tree. */
  left: BytePath[]
}

/**
 * Begins with a copy of the user's index, so that what a sparse checkout leaves out is not taken for deleted, and only what has
 * changed is read. Files that git is told to take for unchanged are read as well. Not by `git add`: that would start a second git in every submodule.
 */
export async function treeOfFiles(files: FilesOf): Promise<FilesTree> {
  const { topLevel, gitDir, commonDir, objects } = files
  const alternates = objectFoldersOf(commonDir).folders
  const repository: Repository = { gitDir, config: 'foreign', objects, alternates, durable: true }
  return withIndexCopy(gitDir, async (index) => {
    const view = { ...repository, userConfig: 'read', workTree: topLevel, index } as const
    await unhide(view, await hiddenIn(view))
    const filtered = await uncoverFiltered(view)
    const { fields } = await git(view, ['ls-files', '-z', '--others', '--modified', '--deleted', '--exclude-standard'])
    const [left, changed] = [fields.filter((path) => path.endsWith('/')), [...filtered, ...fields.filter((path) => !path.endsWith('/'))]]
    // Sorted, a file comes before what lies in a folder of the same name, and makes room for it in the index.
    const input = Buffer.from([...new Set(changed)].toSorted().map((path) => `${path}\0`).join(''), 'latin1')
    await git(view, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input })
    return { tree: (await git(view, ['write-tree'])).text, repository, left }
  })
}

/**
 * What the index holds of a file behind a filter is not what stands there, though git takes it for unchanged: it could be written back in
 * place of the file, and what the filter takes out would be lost. Without what the index knows of its time and size, it is read again.
 */
async function uncoverFiltered(view: View): Promise<BytePath[]> {
  const { fields } = await git(view, ['ls-files', '-z', '--stage'])
  const lines = new Map(fields.filter((field) => field.startsWith('100')).map((field) => [field.slice(field.indexOf('\t') + 1), field]))
  const filtered = (await filteredAmong(view, [...lines.keys()])).filter((path) => isThere(`${bytePath(view.workTree)}/${path}`))
  const input = rawPath(filtered.map((path) => `${lines.get(path) ?? ''}\0`).join(''))
  if (filtered.length > 0) await git(view, ['update-index', '-z', '--index-info'], { input })
  return filtered
}
