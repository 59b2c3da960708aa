// The user's files as trees: through our store alone, or by the rules of the repository they belong to.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratch } from '../../files/durable.js'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { shownPath } from '../../files/byte-path.js'
import { treeOfFiles } from '../../git/files-tree.js'
import { hiddenIn, unhide } from '../../git/hidden.js'
import { copyIndex } from '../../git/status.js'
import { quoteWord } from '../../text/prompt/quote.js'
import type { Files } from './accept-files.js'
import { indexOf } from './accept-index.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'
import { changedEntries } from './changes.js'
import { importTree } from './objects.js'
import { inTheWay, stand } from './restore.js'
import { salvage } from './salvage.js'
import { snapshot, type Site } from './snapshot.js'
import { syncPaths } from './sync-below.js'

type Naming = { session: string; at: number; say: (text: string) => void }

const WHY = 'before accept'

/** For a folder without git: every byte as it stands. */
export function filesOfFolder(site: Site, { session, at, say }: Naming): Files {
  const told = (notices: readonly string[]): void => notices.forEach((notice) => say(notice))
  return {
    async take() {
      const { tree, notices } = await snapshot(site)
      told(notices)
      return tree
    },
    async change(_, to, known) {
      const { salvaged, notices } = await stand({ ...site, base: known, session, tree: to, at, why: WHY })
      told(notices)
      return shortName(salvaged)
    },
  }
}

/** For a repository: with its rules for ignoring and line endings. Its index stays as it is. */
export function filesOfRepository(landing: Landing, { session, at }: Naming): Files {
  return {
    take: () => takeFiles(landing),
    async change(from, to, known) {
      const kept = from === known ? null : await salvage(landing.store, { session, tree: from, message: WHY, at })
      await changeFiles(landing, from, to)
      return shortName(kept)
    },
  }
}

function shortName(ref: string | null): string | null {
  return ref === null ? null : ref.split('/').slice(-2).join('/')
}

async function takeFiles({ topLevel, gitDir, commonDir, store, room }: Landing): Promise<Tree> {
  const objects = makeScratch(join(room.path, 'objects-'))
  try {
    const { tree, repository } = await treeOfFiles({ topLevel, gitDir, commonDir, objects })
    return await importTree(store, repository, tree)
  } finally {
    rmSync(objects, { recursive: true, force: true })
  }
}

/** Git looks at every file again before it writes one: what has changed since it was taken in stops it. */
async function changeFiles(landing: Landing, from: Tree, to: Tree): Promise<void> {
  const { topLevel, store, room } = landing
  const entries = await changedEntries(store, from, to)
  const [blocking] = inTheWay(topLevel, entries)
  if (blocking !== undefined) {
    const text = `${shownPath(blocking)} stands where a file of the result belongs, and would be lost`
    throw new Refusal(EXIT.usage, text, `ls -la ${quoteWord(topLevel)}`)
  }
  rmSync(room.index, { force: true })
  const own = { ...repositoryOf(landing), workTree: topLevel, index: copyIndex(indexOf(landing), room.index) }
  await unhide(own, await hiddenIn(own))
  await gitFor(landing, own, ['read-tree', '--reset', from])
  await gitFor(landing, own, ['update-index', '-q', '--refresh'], { accepts: [1] })
  await gitFor(landing, own, ['read-tree', '-m', '-u', from, to])
  syncPaths(topLevel, entries.map(({ path }) => path))
}
