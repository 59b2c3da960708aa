// The languages that are looked into, and which files are written in them.
import { newOutline, type Outline } from '../outline.js'
import type { Open, Syntax } from '../../../syntax/syntax.js'
import { openGo, outlineGo } from './go.js'
import { openJava, outlineJava } from './java.js'
import { openJavaScript, outlineJavaScript } from './javascript.js'
import { openPython, outlinePython } from './python.js'
import { openRust, outlineRust } from './rust.js'

export type Language = {
  name: string
  grammar: string
  open: Open
  outline: (outline: Outline, root: Syntax) => void
}

const python: Language = { name: 'Python', grammar: 'python', open: openPython, outline: outlinePython }
const typescript: Language = { name: 'TypeScript', grammar: 'typescript', open: openJavaScript, outline: outlineJavaScript }
const tsx: Language = { ...typescript, grammar: 'tsx' }
const javascript: Language = { ...typescript, name: 'JavaScript', grammar: 'javascript' }
const go: Language = { name: 'Go', grammar: 'go', open: openGo, outline: outlineGo }
const rust: Language = { name: 'Rust', grammar: 'rust', open: openRust, outline: outlineRust }
const java: Language = { name: 'Java', grammar: 'java', open: openJava, outline: outlineJava }

const BY_ENDING = new Map<string, Language>([
  ...['py', 'pyi'].map((ending) => [ending, python] as const),
  ...['ts', 'mts', 'cts'].map((ending) => [ending, typescript] as const),
  ...['js', 'jsx', 'mjs', 'cjs'].map((ending) => [ending, javascript] as const),
  ['tsx', tsx],
  ['go', go],
  ['rs', rust],
  ['java', java],
])

export function languageOf(path: string): Language | undefined {
  return BY_ENDING.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
}

export function outlineOf(language: Language, root: Syntax, source: string): Outline {
  const outline = newOutline(source)
  language.outline(outline, root)
  return outline
}
