// For tests: sources read as the agent reads them.
import { proposalsIn } from './operators/index.js'
import { applied } from './dedupe.js'
import { openReader, type Reader } from './parse.js'
import type { Unit } from './tree.js'
import type { Kind } from './types.js'

let reader: Reader | null = null

export async function read(path: string, source: string): Promise<Unit> {
  reader ??= openReader()
  const unit = await reader.unit(path, source)
  if (!unit) throw new Error(`${path} does not parse`)
  return unit
}

export async function closeReader(): Promise<void> {
  await reader?.close()
  reader = null
}

/** Every text that some operator makes of a source, with the kind that made it. */
export async function madeOf(path: string, source: string): Promise<Map<string, Kind>> {
  const unit = await read(path, source)
  return new Map(proposalsIn(unit, () => true).map((proposal) => [applied(source, proposal.edits), proposal.kind]))
}
