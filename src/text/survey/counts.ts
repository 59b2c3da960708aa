// Counts by folder of the files that a survey does not list.
import { counted } from '../amounts.js'

/** The first folders of a path as shown: `a/b/c/` at depth 2 is `a/b/`. */
export function folderAt(folder: string, depth: number): string {
  const parts = folder.split('/')
  return parts.length - 1 <= depth ? folder : `${parts.slice(0, depth).join('/')}/`
}

/** One line for each folder, or a single line for all when the depth is 0. `folders` holds one entry per file. */
export function countLines(folders: readonly string[], depth: number): string[] {
  if (folders.length === 0) return []
  if (depth === 0) return [`Not listed: ${counted(folders.length, 'file')}`]
  const counts = new Map<string, number>()
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const title = `Not listed, counted by folder with all below it: ${counted(folders.length, 'file')}`
  return [title, ...sorted.map(([folder, count]) => `  ${folder}: ${counted(count, 'file')}`)]
}
