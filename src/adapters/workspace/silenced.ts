// What a candidate has added to sources to make checks look away, measured against the start tree.
import type { Tree } from '../../core/types.js'
import { createPins } from '../../text/pins/pins.js'
import { isSearched, newSilences, silenceExceptions } from '../../text/silences/silences.js'
import { readBlobs } from './blobs.js'
import { differing, smallOnes, type Differing } from './integrity-read.js'
import type { SealPlan } from './seal.js'
import type { Store } from './store.js'

const FILE_MODES = new Set(['100644', '100755'])
const LARGEST_BYTES = 16 * 1024 * 1024

/** As exceptions, for people. What is pinned has rules of its own. */
export async function silencedBetween({ store, start, gateFiles, caseInsensitive }: Omit<SealPlan, 'index'>, tree: Tree): Promise<string[]> {
  if (start === tree) return []
  const pinOf = createPins({ gateFiles, caseInsensitive })
  const sources = (await differing(store, start, tree)).filter(({ name, oldId, newId }) => oldId !== newId && isSearched(name) && pinOf(name) === null)
  const texts = await textsOf(store, [...sources.flatMap(newOf), ...sources.flatMap(oldOf)])
  const changes = sources.map((one) => ({ path: one.name, before: textOf(texts, oldOf(one)), after: textOf(texts, newOf(one)) }))
  const unread = sources.filter((one) => newOf(one).some((id) => !texts.has(id))).map(({ name }) => name)
  return silenceExceptions(newSilences(changes), unread)
}

function newOf({ newMode, newId }: Differing): string[] {
  return FILE_MODES.has(newMode) ? [newId] : []
}

function oldOf({ oldMode, oldId }: Differing): string[] {
  return FILE_MODES.has(oldMode) ? [oldId] : []
}

function textOf(texts: ReadonlyMap<string, string>, [id]: readonly string[]): string | null {
  return id === undefined ? null : (texts.get(id) ?? null)
}

/** Compilers pass over what makes a file no text for others, such as a NUL in a comment; so UTF-16 can be read as well. */
async function textsOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for await (const [id, bytes] of readBlobs(store, await smallOnes(store, [...new Set(ids)], LARGEST_BYTES))) {
    texts.set(id, bytes.toString('utf8').replaceAll('\0', ''))
  }
  return texts
}
