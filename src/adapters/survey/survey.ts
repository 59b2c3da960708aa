// Surveys a tree of files: what each is, and for sources what it imports and declares, reading only what no earlier survey knows.
import { rawPath } from '../../files/byte-path.js'
import type { FileContent, Survey } from '../../text/survey/survey.js'
import { syntaxAssets } from '../../syntax/assets.js'
import { openCache, type SurveyCache } from './cache.js'
import { lookInto } from './content.js'
import { languageOf, type Language } from './languages/index.js'
import type { TreeEntry } from './listing.js'
import { createParsers, type Parsers } from '../../syntax/parsers.js'

type Blob = readonly [id: string, bytes: Buffer]

/** Gives the contents of blobs, in any order; what cannot be had is left out. */
export type ReadBlobs = (ids: readonly string[]) => AsyncIterable<Blob> | Iterable<Blob>

export type SurveyRequest = { entries: readonly TreeEntry[]; read: ReadBlobs; cacheFolder: string; signal?: AbortSignal }

export type SurveyResult = {
  survey: Survey
  /** Blobs that had to be read; all others were known. */
  blobsRead: number
  /** Whether what was found out is kept for the next survey. */
  isKept: boolean
}

/** A blob looked at as one language, or as text of any kind: the same bytes may have two names with different endings. */
type Task = { key: string; blob: string; language: Language | undefined }

const HUGE_BYTES = 1_000_000

export async function surveyTree({ entries, read, cacheFolder, signal }: SurveyRequest): Promise<SurveyResult> {
  const looked = entries.map((entry) => ({ entry, seen: contentByEntry(entry) ?? taskOf(entry) }))
  const tasks = new Map(looked.flatMap(({ seen }) => ('key' in seen ? [[seen.key, seen]] : [])))
  const cache = openCache(cacheFolder, new Set(tasks.keys()))
  const known = new Map<string, FileContent>()
  for (const key of tasks.keys()) {
    const content = cache.get(key)
    if (content) known.set(key, content)
  }
  const missing = [...tasks.values()].filter((task) => !known.has(task.key))
  const blobsRead = await lookIntoAll(missing, { read, cache, known, signal })
  const files = looked.toSorted(byPath).map(({ entry, seen }) => ({
    path: rawPath(entry.path).toString('utf8'),
    bytes: entry.sizeBytes,
    content: 'key' in seen ? (known.get(seen.key) ?? { kind: 'missing' as const }) : seen,
  }))
  return { survey: { files }, blobsRead, isKept: cache.save() }
}

/** An entry with what can be told of it without looking inside, or else with what has to be looked at. */
type Looked = { entry: TreeEntry; seen: FileContent | Task }

function byPath({ entry: one }: Looked, { entry: other }: Looked): number {
  return one.path < other.path ? -1 : 1
}

function taskOf({ path, blob }: TreeEntry): Task {
  const language = languageOf(path)
  return { key: `${language?.grammar ?? 'text'}:${blob}`, blob, language }
}

/** What can be told without looking inside. */
function contentByEntry({ mode, sizeBytes }: TreeEntry): FileContent | undefined {
  if (mode === '120000') return { kind: 'link' }
  if (mode === '160000') return { kind: 'submodule' }
  return sizeBytes > HUGE_BYTES ? { kind: 'huge' } : undefined
}

type Work = { read: ReadBlobs; cache: SurveyCache; known: Map<string, FileContent>; signal: AbortSignal | undefined }

/** Returns how many blobs were read. What was found out before an interruption is kept for the next survey. */
async function lookIntoAll(tasks: readonly Task[], work: Work): Promise<number> {
  if (tasks.length === 0) return 0
  const parsers = createParsers(syntaxAssets())
  const close = (): void => void parsers.close()
  work.signal?.addEventListener('abort', close)
  try {
    return await readAndLook(tasks, work, parsers)
  } catch (error) {
    work.cache.save()
    throw error
  } finally {
    work.signal?.removeEventListener('abort', close)
    await parsers.close()
  }
}

async function readAndLook(tasks: readonly Task[], { read, cache, known, signal }: Work, parsers: Parsers): Promise<number> {
  const byBlob = groupByBlob(tasks)
  const running = new Set<Promise<void>>()
  let blobsRead = 0
  for await (const [blob, bytes] of read([...byBlob.keys()])) {
    signal?.throwIfAborted()
    blobsRead++
    for (const { key, language } of byBlob.get(blob) ?? []) {
      const job = lookInto(bytes, language, parsers).then((content) => {
        if (content) known.set(key, cache.put(key, content))
        running.delete(job)
      })
      // Whoever waits for it hears of a failure; when nobody does any more, it is of no interest.
      job.catch(() => {})
      running.add(job)
    }
    if (running.size >= parsers.mostWaiting) await Promise.race(running)
  }
  await Promise.all(running)
  signal?.throwIfAborted()
  return blobsRead
}

function groupByBlob(tasks: readonly Task[]): Map<string, Task[]> {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) groups.set(task.blob, [...(groups.get(task.blob) ?? []), task])
  return groups
}
