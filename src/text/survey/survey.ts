// What a survey of a tree holds: each file with its size, and for sources what they import and declare.

export type Survey = { files: readonly SurveyFile[] }

export type SurveyFile = { path: string; bytes: number; content: FileContent }

export type FileContent =
  | SourceContent
  /** A source of a known language whose parsing took too much. */
  | { kind: 'unparsed'; language: string; lines: number }
  | { kind: 'text'; lines: number }
  | { kind: 'binary' }
  /** Too large to be looked into. */
  | { kind: 'huge' }
  | { kind: 'link' }
  | { kind: 'submodule' }
  /** Its content was not to be had. */
  | { kind: 'missing' }

export type SourceContent = {
  kind: 'source'
  language: string
  lines: number
  imports: readonly string[]
  signatures: readonly Signature[]
  /** How many declarations there are, at least, beyond those listed. */
  unlisted: number
  /** Places that could not be parsed. */
  errors: number
}

/** A declaration on one line, as written, without its body. `owner` is what it belongs to, such as `Cart` for a method. */
export type Signature = { kind: SignatureKind; owner: string | null; name: string; text: string }

export type SignatureKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'trait'
  | 'struct'
  | 'enum'
  | 'constant'
  | 'module'
  /** Rust: what a type implements; it declares no name. */
  | 'impl'
  | 'macro'
