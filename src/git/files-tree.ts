// The tree of the user's files as they stand, by their own rules for ignoring and line endings, without writing to their repository.
import type { BytePath } from '../files/byte-path.js'
import { git, type Repository } from './git.js'
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
 * changed is read. Not by `git add`: that would start a second git in every submodule.
 */
export async function treeOfFiles(files: FilesOf): Promise<FilesTree> {
  const { topLevel, gitDir, commonDir, objects } = files
  const alternates = objectFoldersOf(commonDir).folders
  const repository: Repository = { gitDir, config: 'foreign', objects, alternates, durable: true }
  return withIndexCopy(gitDir, async (index) => {
    const view: Repository = { ...repository, userConfig: 'read', workTree: topLevel, index }
    const { fields } = await git(view, ['ls-files', '-z', '--others', '--modified', '--deleted', '--exclude-standard'])
    const [left, changed] = [fields.filter((path) => path.endsWith('/')), fields.filter((path) => !path.endsWith('/'))]
    // Sorted, a file comes before what lies in a folder of the same name, and makes room for it in the index.
    const input = Buffer.from([...new Set(changed)].toSorted().map((path) => `${path}\0`).join(''), 'latin1')
    await git(view, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input })
    return { tree: (await git(view, ['write-tree'])).text, repository, left }
  })
}
