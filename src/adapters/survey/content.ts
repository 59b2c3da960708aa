// Looks into one file: text or binary, how many lines, and the outline of a source.
import type { FileContent } from '../../text/survey/survey.js'
import { outlineOf, type Language } from './languages/index.js'
import type { Parser } from '../../syntax/parser.js'

type Parsing = Pick<Parser, 'parse'>

const BINARY_PROBE_BYTES = 8_000
const LINE_FEED = 0x0a

/** Undefined when the parser was closed before it came to this file. */
export async function lookInto(bytes: Buffer, language: Language | undefined, parser: Parsing): Promise<FileContent | undefined> {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return { kind: 'binary' }
  const lines = countLines(bytes)
  if (!language) return { kind: 'text', lines }
  const text = new TextDecoder().decode(bytes)
  const parsed = await parser.parse(language, text)
  switch (parsed.kind) {
    case 'closed':
      return undefined
    case 'given-up':
      return { kind: 'unparsed', language: language.name, lines }
    case 'parsed': {
      const { imports, signatures, unlisted } = outlineOf(language, parsed.root, text)
      return { kind: 'source', language: language.name, lines, imports: [...imports], signatures, unlisted, errors: parsed.errors }
    }
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return bytes.length === 0 || bytes.at(-1) === LINE_FEED ? lines : lines + 1
}
