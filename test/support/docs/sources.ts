// What each source file says of itself, in the sentence it opens with.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { ROOT } from './blocks.js'
import { firstSentence, oneLine } from './declared.js'

/** Tests say what they prove, and what lies below these folders is worked on and not part of the product. */
const NO_SOURCE = /\.test\.|\bfixtures?\b|__golden__|^src\/cli\/demo\/shop\//

/** Folder → its files, each with the sentence it opens with. */
export function openingSentences(top: string): Map<string, { file: string; says: string }[]> {
  const entries = readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile() && /\.(ts|tsx|cts|mjs)$/.test(entry.name)).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  const folders = new Map<string, { file: string; says: string }[]>()
  for (const path of paths.filter((one) => !NO_SOURCE.test(one)).toSorted()) {
    const [, comment] = /^(?:#!.*\n)?((?:\/\/ .+\n)+)/.exec(readFileSync(join(ROOT, path), 'utf8')) ?? []
    const says = comment && firstSentence(oneLine(comment.replaceAll(/^\/\/ /gm, '')))
    if (says === undefined) throw new Error(`${path} does not open with a sentence that says what it is`)
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), { file: basename(path), says }])
  }
  return folders
}
