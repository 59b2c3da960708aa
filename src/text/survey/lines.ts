// A file of a survey as lines of text: its name with what it is, its names in short, or its signatures in full.
import { counted, grouped } from '../amounts.js'
import { sanitise } from '../sanitise.js'
import type { Signature, SignatureKind, SourceContent, SurveyFile } from './survey.js'

export type FileLines = {
  /** The folder as shown, with a slash at its end. */
  folder: string
  path: string
  /** Undefined where there is nothing more to tell than the path. Made only when asked for: most files of a large tree are not. */
  detail: { names: () => string; full: () => readonly string[] } | undefined
}

const CONTAINERS: ReadonlySet<SignatureKind> = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'type', 'module', 'impl'])

export function fileLines(file: SurveyFile): FileLines {
  const parts = file.path.split('/').map(shownName)
  const name = parts.at(-1) ?? ''
  const path = `  ${name}  ${factsOf(file)}`
  return { folder: folderName(parts.slice(0, -1)), path, detail: file.content.kind === 'source' ? detailOf(path, file.content) : undefined }
}

function folderName(parts: readonly string[]): string {
  return parts.length === 0 ? './' : `${parts.join('/')}/`
}

/** Names that could be taken for something else, or cannot be shown as they are, stand in quotes. */
function shownName(name: string): string {
  const shown = sanitise(name)
  const isPlain = shown === name && /^[^\s"\\]+( [^\s"\\]+)*$/.test(name)
  return isPlain ? name : JSON.stringify(shown)
}

function factsOf({ content, bytes }: SurveyFile): string {
  switch (content.kind) {
    case 'source':
      return [content.language, counted(content.lines, 'line'), ...errorsOf(content)].join(', ')
    case 'unparsed':
      return `${content.language}, ${counted(content.lines, 'line')}, not parsed`
    case 'text':
      return counted(content.lines, 'line')
    case 'binary':
    case 'huge':
      return `${content.kind}, ${counted(bytes, 'byte')}`
    case 'link':
    case 'submodule':
      return content.kind
    case 'missing':
      return `${counted(bytes, 'byte')}, content not available`
  }
}

function errorsOf({ errors }: SourceContent): string[] {
  return errors === 0 ? [] : [counted(errors, 'syntax error')]
}

function detailOf(path: string, content: SourceContent): FileLines['detail'] {
  if (content.imports.length === 0 && content.signatures.length === 0) return undefined
  return { names: () => `${path}: ${namesOf(content)}`, full: () => [path, ...fullLines(content)] }
}

function fullLines({ imports, signatures, unlisted }: SourceContent): string[] {
  const importLine = imports.length === 0 ? [] : [`    imports: ${imports.map(oneLine).join(', ')}`]
  const more = unlisted === 0 ? [] : [`    … and ${grouped(unlisted)} or more declarations`]
  return [...importLine, ...signatureLines(signatures), ...more]
}

function namesOf({ signatures, unlisted }: SourceContent): string {
  const named = signatures.filter((signature) => signature.kind !== 'impl')
  const names = new Set(named.map(({ owner, name }) => oneLine(fullName(owner, name))))
  const shown = [...names, ...(unlisted === 0 ? [] : [`and ${grouped(unlisted)} or more`])].join(', ')
  return shown === '' ? 'declares nothing' : shown
}

/** What belongs to something stands indented below it; where that is elsewhere, its name is said first. */
function signatureLines(signatures: readonly Signature[]): string[] {
  const lines: string[] = []
  let group: string | null = null
  for (const { kind, owner, name, text } of signatures) {
    if (owner !== null && owner !== group) lines.push(`    in ${oneLine(owner)}:`)
    lines.push(`${owner === null ? '    ' : '      '}${oneLine(text)}`)
    group = CONTAINERS.has(kind) ? fullName(owner, name) : owner
  }
  return lines
}

function fullName(owner: string | null, name: string): string {
  return owner === null ? name : `${owner}.${name}`
}

function oneLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim()
}
