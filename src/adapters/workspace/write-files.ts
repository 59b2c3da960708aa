// Writes the files of a reply into the folder agents work in: inside it, through no link, and never into a repository's own files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../errors.js'
import { find } from '../../files/guard.js'
import type { TextFile } from '../../ports.js'

/** `.git` under any name by which some file system would find it. */
const REPOSITORY_NAME = /^(?:\.git|git~\d+)[. ]*$/i

export async function writeFiles(root: string, files: readonly TextFile[]): Promise<{ refused: string[] }> {
  return { refused: files.flatMap((file) => writeFile(root, file) ?? []) }
}

/** Null when it was written, else why not. */
function writeFile(root: string, { path, text }: TextFile): string | null {
  try {
    if (path.split('/').some((part) => REPOSITORY_NAME.test(part))) return `${path}: it belongs to git`
    const found = find(root, path)
    if (found.entry && !found.entry.isFile()) return `${path}: something else than a file stands there`
    if (!found.hasRoom) mkdirSync(dirname(found.path), { recursive: true })
    writeFileSync(found.path, text, { mode: found.entry?.mode ?? 0o644 })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    return `${path}: ${error instanceof Error ? error.message : String(error)}`
  }
}
