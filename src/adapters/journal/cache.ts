// The cache of the fold, session.json: saves reading the whole journal, proves what had been written, and is never the truth (I1).
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../core/types.js'
import { replaceFile } from '../../files/durable.js'
import { redact } from '../../process/secrets.js'
import { FORMAT, seal, sealOf } from './line.js'

/** The record the cache was made after: its number, where its line begins, and its sum. */
export type Proof = { seq: number; offset: number; sum: string }

export type Cache = Proof & { format: number; fold: number; session: Session }

export type CacheRead = { kind: 'none' } | { kind: 'unreadable' } | { kind: 'cache'; cache: Cache }

const MAX_BYTES = 64 * 1024 * 1024

export function cachePath(folder: string): string {
  return join(folder, 'session.json')
}

/** Atomic, not synced: after a power cut a lost or empty cache only costs a rebuild. */
export function writeCache(folder: string, cache: Omit<Cache, 'format'>, extra: object): void {
  const { seq, offset, sum, fold, session } = cache
  // The fold of a running session still holds what the records of it do not.
  const body = redact(JSON.stringify({ ...extra, format: FORMAT, fold, seq, offset, sum, session }))
  replaceFile(cachePath(folder), seal(body, 'check').text)
}

/** Whatever cannot be read or does not carry its own checksum counts for nothing. */
export function readCache(folder: string): CacheRead {
  try {
    const path = cachePath(folder)
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (!entry) return { kind: 'none' }
    if (!entry.isFile() || entry.size > MAX_BYTES) return { kind: 'unreadable' }
    const bytes = readFileSync(path)
    if (!sealOf(bytes.subarray(0, -1), 'check')) return { kind: 'unreadable' }
    const cache: unknown = JSON.parse(bytes.toString('utf8'))
    return isCache(cache) ? { kind: 'cache', cache } : { kind: 'unreadable' }
  } catch {
    return { kind: 'unreadable' }
  }
}

function isCache(value: unknown): value is Cache {
  const cache = value as Cache
  const numbers = [cache.format, cache.fold, cache.seq, cache.offset]
  const plain = numbers.every((number) => Number.isSafeInteger(number) && number >= 0)
  return plain && typeof cache.sum === 'string' && typeof cache.session === 'object' && cache.session !== null
}
