// Copies folders from one root to the same places below another, so that nothing in the copy leads back to where it was taken from.
import { readFileSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath } from '../../files/byte-path.js'
import { makeFolder, printable } from '../../files/durable.js'
import { runShort } from '../../process/short.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { removeTree } from './checkout-remove.js'
import { turnBelow, type Turning } from './copy-turn.js'
import { entryAt, prefixesOf } from './nested.js'

/** Folders that package managers make and repositories ignore. */
export const DEPENDENCY_NAMES: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv'])

const COPY_SECONDS = 1800

export type Copied = { paths: string[]; seconds: number }

type Options = {
  /** What the roots are called in scripts, where that is not simply what they are. */
  called?: { from?: string; to?: string }
  signal?: AbortSignal
}

/** Shared by the file system where it can. What is there already stays. */
export async function copyFolders(from: string, to: string, paths: readonly string[], options: Options = {}): Promise<Copied> {
  const started = performance.now()
  const missing = paths.filter((path) => isFree(to, path))
  const { called } = options
  const texts = { from: called?.from === undefined ? [from, ...otherNamesOf(from, missing)] : [called.from], to: called?.to ?? to }
  for (const path of missing) await copyFolder({ from, to, texts }, path, options.signal)
  return { paths: missing, seconds: (performance.now() - started) / 1000 }
}

/** Nothing stands there, and nothing on the way but folders: through a link a copy would go elsewhere. */
function isFree(to: string, path: string): boolean {
  const isOpen = prefixesOf(bytePath(path)).every((prefix) => entryAt(to, prefix)?.isDirectory() ?? true)
  return isOpen && entryAt(to, bytePath(path)) === undefined
}

/** Under another name first, so that a copy is there whole or not at all. */
async function copyFolder(turning: Turning, path: string, signal: AbortSignal | undefined): Promise<void> {
  const { from, to } = turning
  const target = join(to, path)
  const partial = join(dirname(target), `.greenlatch-partial-${path.split('/').at(-1)}`)
  makeFolder(dirname(target))
  removeTree(partial)
  const flags = process.platform === 'darwin' ? ['-cRp'] : ['-a', '--reflink=auto']
  const result = await runShort({
    argv: ['cp', ...flags, '--', join(from, path), partial],
    cwd: to,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    timeoutSeconds: COPY_SECONDS,
    outputBytes: 1024 * 1024,
    ...(signal && { signal }),
  })
  if (result.ending !== 'exited' || result.exitCode !== 0) {
    removeTree(partial)
    const said = printable(result.stderr.toString('utf8').trim().split('\n')[0] ?? '').slice(0, 300)
    throw new Refusal(EXIT.state, `cannot copy ${printable(path)}: ${said || result.note}`, `df -h ${quoteWord(to)}`)
  }
  turnBelow(bytePath(partial), bytePath(target), insideOf(path), turning)
  renameSync(partial, target)
}

/** `packages/a/node_modules/.bin/x` → `.bin/x`. */
function insideOf(path: string): string {
  const parts = path.split('/')
  return bytePath(parts.slice(parts.findIndex((part) => DEPENDENCY_NAMES.has(part)) + 1).join('/'))
}

/** A virtual environment that was made through a link knows the root by another name. */
function otherNamesOf(from: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      const [, named = ''] = /^VIRTUAL_ENV=['"]?([^'"\n]+)['"]?$/m.exec(readFileSync(join(from, path, 'bin/activate'), 'utf8')) ?? []
      const isAnother = named.endsWith(`/${path}`) && named !== join(from, path) && realpathSync(named) === realpathSync(join(from, path))
      return isAnother ? [named.slice(0, -path.length - 1)] : []
    } catch {
      return []
    }
  })
}
