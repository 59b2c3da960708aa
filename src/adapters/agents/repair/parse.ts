// Reads sources into units, and candidates into shapes.
import { syntaxAssets } from '../../../syntax/assets.js'
import type { Grammar } from '../../../syntax/parser.js'
import { createParsers } from '../../../syntax/parsers.js'
import { shapeOf } from './dedupe.js'
import { unitOf, type Tongue, type Unit } from './tree.js'

const TONGUES: readonly [RegExp, string, Tongue][] = [
  [/\.py$/, 'python', 'python'],
  [/\.[mc]?ts$/, 'typescript', 'typescript'],
  [/\.tsx$/, 'tsx', 'typescript'],
  [/\.[mc]?jsx?$/, 'javascript', 'javascript'],
]

export type Reader = {
  /** Null for a source that cannot be read whole. */
  unit(path: string, source: string): Promise<Unit | null>
  /** Null when it does not parse. */
  shape(path: string, text: string): Promise<string | null>
  close(): Promise<void>
}

export function isReadable(path: string): boolean {
  return TONGUES.some(([ending]) => ending.test(path)) && !path.endsWith('.d.ts')
}

export function openReader(): Reader {
  const parsers = createParsers(syntaxAssets())
  const parse = async (path: string, text: string) => {
    const [, grammar, tongue] = TONGUES.find(([ending]) => ending.test(path)) ?? []
    if (grammar === undefined || tongue === undefined) return null
    const asked: Grammar = { grammar, open: 'everything' }
    const parsed = await parsers.parse(asked, text)
    return parsed.kind === 'parsed' && parsed.errors === 0 ? { root: parsed.root, tongue } : null
  }
  return {
    async unit(path, source) {
      const parsed = await parse(path, source)
      return parsed && unitOf(path, source, parsed.root, parsed.tongue)
    },
    async shape(path, text) {
      const parsed = await parse(path, text)
      return parsed && shapeOf(parsed.root, text)
    },
    close: () => parsers.close(),
  }
}
