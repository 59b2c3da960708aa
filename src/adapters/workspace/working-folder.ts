// The folder that agents work in stays a folder of the checkout: turned into a link, it would take them wherever an agent likes.
import { relative } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, shownPath, type BytePath } from '../../files/byte-path.js'
import type { Stood } from '../../ports.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { changedEntries } from './changes.js'
import { entryAt, prefixesOf, requireFolder } from './nested.js'
import type { Site } from './snapshot.js'
import { replacePaths } from './take-back.js'

type Working = Pick<Site, 'store' | 'index' | 'folder'> & { cwd: string }

/** What stands on the way below the checkout and is no folder; null when there are only folders, as far as the way goes. */
function obstacleOn({ folder, cwd }: Pick<Working, 'folder' | 'cwd'>): BytePath | null {
  const way = bytePath(relative(folder, cwd))
  if (way === '') return null
  return prefixesOf(`${way}/`).find((prefix) => !(entryAt(folder, prefix)?.isDirectory() ?? true)) ?? null
}

/** Throws Refusal when it leads elsewhere. */
export function workingFolder(working: Pick<Working, 'folder' | 'cwd'>): string {
  requireFolder(working.folder)
  const obstacle = obstacleOn(working)
  if (obstacle === null) return working.cwd
  throw new Refusal(EXIT.guard, `agents and gates would not work in the checkout: ${shownPath(obstacle)} there is no folder`, `ls -la ${quoteWord(working.folder)}`)
}

/** The tree without what an agent has put in place of the folder it works in, which is put back there too. */
export async function keepWorkingFolder(
  working: Working,
  { from, tree }: { from: Tree; tree: Tree },
  standOn: (tree: Tree, why: string) => Promise<Stood>,
): Promise<{ tree: Tree; notices: string[] }> {
  const obstacle = obstacleOn(working)
  if (obstacle === null) return { tree, notices: [] }
  const entries = await changedEntries(working.store, from, tree)
  const paths = entries.map(({ path }) => path).filter((path) => path === obstacle || path.startsWith(`${obstacle}/`))
  const allowed = await replacePaths(working, { in: tree, from, paths })
  const { salvage, notices } = await standOn(allowed, 'the folder that is worked in was replaced')
  const said = `${shownPath(obstacle)}, which is worked in, was replaced; put back${salvage ? ` (kept as ${salvage})` : ''}`
  return { tree: allowed, notices: [said, ...notices] }
}
