// Writes and deletes files for agents in the folder they work in: inside it, through no link, and never a repository's own files.
import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, type Stats } from 'node:fs'
import { EXIT, Refusal } from '../errors.js'
import { errnoOf, printable, writeAll } from './durable.js'
import { find, partsOf } from './guard.js'

type TextFile = { path: string; text: string }

/** `.git` under any name by which some file system would find it. */
const REPOSITORY_NAME = /^(?:\.git|git~\d+)(?:[. ]*|:.*)$/i
/** Characters that some file systems leave out of a name. */
const IGNORED_IN_NAMES = /[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u00AD]/g
/** Names that stand for a device, or lose their end, where Windows reads them. */
const ODD_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)|[. ]$|[:<>|"?*]/i
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const LONGEST_NAME_BYTES = 255

/** A larger file is none that a reply changes by parts. */
const LARGEST_TEXT_BYTES = 8_000_000

/** The text of a file of a reply; null where there is none that the reply could change. */
export function readText(root: string, path: string): string | null {
  try {
    const { entry, path: absolute } = find(root, path)
    if (!entry?.isFile() || entry.size > LARGEST_TEXT_BYTES || oddnessOf(partsOf(path)) !== null) return null
    const text = readFileSync(absolute, 'utf8')
    return text.includes('\0') || text.includes('\uFFFD') ? null : text
  } catch (error) {
    if (error instanceof Refusal || errnoOf(error) !== null) return null
    throw error
  }
}

/**
 * All or nothing: where one of them is refused, the folder is as it was. What goes comes first, so that a folder can stand where a
 * file was.
 */
export async function writeFiles(root: string, files: readonly TextFile[], deletes: readonly string[] = []): Promise<{ refused: string[] }> {
  const refused = [...deletes.flatMap((path) => troubleWith(root, path, 'delete', deletes) ?? []), ...files.flatMap(({ path }) => troubleWith(root, path, 'write', deletes) ?? [])]
  if (refused.length > 0) return { refused }
  const undo: (() => void)[] = []
  for (const work of [...deletes.map((path) => () => deleteFile(root, path, undo)), ...files.map((file) => () => writeFile(root, file, undo))]) {
    const why = work()
    if (why === null) continue
    takeBack(undo)
    return { refused: [why] }
  }
  return { refused: [] }
}

function takeBack(undo: readonly (() => void)[]): void {
  try {
    for (const back of undo.toReversed()) back()
  } catch (error) {
    if (errnoOf(error) === null) throw error
    throw new Refusal(EXIT.state, `files of a reply were half written and cannot be taken back (${errnoOf(error)})`, 'make room or give access, then: greenlatch resume')
  }
}

/** What can be told before anything is touched; null when nothing stands in the way. */
function troubleWith(root: string, path: string, wish: 'write' | 'delete', deletes: readonly string[]): string | null {
  // Below a file that goes there is nothing to look at yet; the path itself is looked at when it is written.
  if (wish === 'write' && deletes.some((gone) => path.startsWith(`${gone}/`))) return null
  return guarded(root, path, ({ entry }) => (wish === 'delete' && !entry ? 'there is no such file to delete' : null))
}

/** Null when it was written, else why not. */
function writeFile(root: string, { path, text }: TextFile, undo: (() => void)[]): string | null {
  return guarded(root, path, ({ entry, path: absolute }) => {
    makeParents(root, path, undo)
    undo.push(restorerOf(absolute, entry))
    writeNew(absolute, text, entry ? entry.mode & 0o777 : 0o644)
    return null
  })
}

/** Null when it was taken away, else why not. Folders stay: git keeps no empty ones anyway. */
function deleteFile(root: string, path: string, undo: (() => void)[]): string | null {
  return guarded(root, path, ({ entry, path: absolute }) => {
    undo.push(restorerOf(absolute, entry))
    rmSync(absolute)
    return null
  })
}

/** Puts back what stands there now. */
function restorerOf(absolute: string, entry: Stats | undefined): () => void {
  if (!entry) return () => rmSync(absolute, { force: true })
  const before = readFileSync(absolute)
  return () => writeNew(absolute, before, entry.mode & 0o777)
}

/** Does it where the path leads to an ordinary file inside, or to none yet; else says why not. */
function guarded(root: string, path: string, work: (found: ReturnType<typeof find>) => string | null): string | null {
  const refused = (why: string): string => `${printable(path)}: ${why}`
  try {
    const odd = oddnessOf(partsOf(path))
    if (odd !== null) return refused(odd)
    const found = find(root, path)
    if (found.entry && !found.entry.isFile()) return refused('something else than a file stands there')
    const why = work(found)
    return why === null ? null : refused(why)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    if (errnoOf(error) === null) throw error
    return refused(REASONS[errnoOf(error) ?? ''] ?? `it cannot be written (${errnoOf(error)})`)
  }
}

const REASONS: Record<string, string> = {
  ENOTDIR: 'a file stands where a folder is needed',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'no space is left',
  EACCES: 'no permission',
}

/** Whether one of the names is `.git`, however it is written. */
export function belongsToGit(parts: readonly string[]): boolean {
  return parts.some((part) => REPOSITORY_NAME.test(part.normalize('NFKC').replace(IGNORED_IN_NAMES, '')))
}

function oddnessOf(parts: readonly string[]): string | null {
  if (belongsToGit(parts)) return 'it belongs to git'
  if (parts.some((part) => CONTROL.test(part))) return 'it contains a control character or a line break'
  if (parts.some((part) => ODD_NAME.test(part))) return 'not every system can have a file of that name'
  return parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME_BYTES) ? 'a name in it is too long' : null
}

/** One by one, so that none of them is made beyond a link that was put there meanwhile. */
function makeParents(root: string, path: string, undo: (() => void)[]): void {
  let folder = root
  for (const part of partsOf(path).slice(0, -1)) {
    folder = `${folder}/${part}`
    const entry = lstatSync(folder, { throwIfNoEntry: false })
    if (!entry) {
      mkdirSync(folder)
      const made = folder
      undo.push(() => rmdirSync(made))
    } else if (!entry.isDirectory()) throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' })
  }
}

/** Always a new file: what lies there may have another name outside, and what comes in between is not followed. */
function writeNew(path: string, content: string | Buffer, mode: number): void {
  rmSync(path, { force: true })
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode)
  try {
    writeAll(fd, Buffer.from(content))
  } finally {
    closeSync(fd)
  }
}
