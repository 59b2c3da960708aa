// The user's index: compared by what is in it, and replaced as a whole while it is held.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BytePath } from '../../files/byte-path.js'
import { stateRefusal, syncFolder } from '../../files/durable.js'
import { copyIndex } from '../../git/status.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'

const USUAL_MODE = 0o644

export function indexOf({ gitDir }: Pick<Landing, 'gitDir'>): string {
  return join(gitDir, 'index')
}

/** `<mode> <object> <stage>`, and `S` for a file that a sparse checkout leaves out. */
export type IndexEntry = { tag: string; mode: string; object: string; path: BytePath }

export async function entriesIn(landing: Landing, index: string): Promise<IndexEntry[]> {
  const { fields } = await gitFor(landing, { ...repositoryOf(landing), index }, ['ls-files', '-t', '--stage', '-z'])
  return fields.map((field) => {
    const end = field.indexOf('\t')
    const [tag = '', mode = '', object = ''] = field.slice(0, end).split(' ')
    return { tag, mode, object, path: field.slice(end + 1) }
  })
}

/** Whether two index files hold the same, whenever and by whomever they were last refreshed. */
export async function holdSame(landing: Landing, one: string, other: string): Promise<boolean> {
  return JSON.stringify(await entriesIn(landing, one)) === JSON.stringify(await entriesIn(landing, other))
}

/** There whole or not at all. */
export function installIndex(landing: Landing, from: string): void {
  const target = indexOf(landing)
  const temporary = `${target}.greenlatch-${landing.session}`
  try {
    copyIndex(from, temporary)
    chmodSync(temporary, (statSync(target, { throwIfNoEntry: false })?.mode ?? USUAL_MODE) & 0o777)
    sync(temporary)
    renameSync(temporary, target)
    syncFolder(dirname(target))
  } catch (error) {
    throw stateRefusal(error, target, `ls -la ${quoteWord(dirname(target))}`)
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
