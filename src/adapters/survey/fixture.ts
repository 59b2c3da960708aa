// For tests: a tree that is made up of texts, and counts what is read of it.
import { createHash } from 'node:crypto'
import { bytePath } from '../../files/byte-path.js'
import type { SourceContent } from '../../text/survey/survey.js'
import { lookInto } from './content.js'
import { languageOf } from './languages/index.js'
import type { TreeEntry } from './listing.js'
import type { Parsers } from '../../syntax/parsers.js'
import type { ReadBlobs } from './survey.js'

export type MadeUpTree = { entries: TreeEntry[]; read: ReadBlobs; reads: string[] }

export function treeOf(files: Readonly<Record<string, string | Buffer>>): MadeUpTree {
  const blobs = new Map<string, Buffer>()
  const entries = Object.entries(files).map(([path, content]): TreeEntry => {
    const bytes = Buffer.from(content)
    const blob = createHash('sha1').update(bytes).digest('hex')
    blobs.set(blob, bytes)
    return { path: bytePath(path), mode: '100644', blob, sizeBytes: bytes.length }
  })
  const reads: string[] = []
  async function* read(ids: readonly string[]): AsyncGenerator<readonly [string, Buffer]> {
    for (const id of ids) {
      reads.push(id)
      const bytes = blobs.get(id)
      if (bytes) yield [id, bytes]
    }
  }
  return { entries, read, reads }
}

export async function sourceOf(parsers: Parsers, path: string, text: string): Promise<SourceContent> {
  const content = await lookInto(Buffer.from(text), languageOf(path), parsers)
  if (content?.kind !== 'source') throw new Error(`${path} is ${content?.kind ?? 'nothing'}`)
  return content
}

/** Signatures as rows of a table: kind, owner, name, text. */
export function rowsOf({ signatures }: SourceContent): string[] {
  return signatures.map(({ kind, owner, name, text }) => `${kind} | ${owner ?? '-'} | ${name} | ${text}`)
}
