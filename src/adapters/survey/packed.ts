// What is known of a file as a cache keeps it: a source as one flat list, which is read far quicker than objects that all have the same keys.
import type { FileContent, Signature, SourceContent } from '../../text/survey/survey.js'

const FIELDS = 4

type Head = [language: string, lines: number, unlisted: number, errors: number, imports: readonly string[]]
/** Of each signature kind, owner, name and text in turn. */
type Fields = (string | null)[]
export type Packed = [...Head, Fields] | Exclude<FileContent, SourceContent>

export function packed(content: FileContent): Packed {
  if (content.kind !== 'source') return content
  const { language, lines, unlisted, errors, imports, signatures } = content
  return [language, lines, unlisted, errors, imports, signatures.flatMap(({ kind, owner, name, text }) => [kind, owner, name, text])]
}

export function unpacked(from: Packed): FileContent {
  if (!Array.isArray(from)) return from
  const [language, lines, unlisted, errors, imports, fields] = from
  return { kind: 'source', language, lines, imports, signatures: signaturesIn(fields), unlisted, errors }
}

function signaturesIn(fields: Fields): Signature[] {
  const signatures: Signature[] = []
  for (let at = 0; at < fields.length; at += FIELDS) {
    signatures.push({ kind: fields[at], owner: fields[at + 1], name: fields[at + 2], text: fields[at + 3] } as Signature)
  }
  return signatures
}
