// What a page shows as code and no test would see: fences away from the margin or without an end, code marked in other ways, words that mean nothing.
import { readPage, placeOf, type Block } from './blocks.js'

const IN_LINE = /(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g

/** What marks code in a line that is not in a fenced block; code within the line is left out before. */
const MARKS: readonly [RegExp, string][] = [
  [/`{3,}|~{3,}/, 'a fence that does not stand at the margin'],
  [/^(?: {4,}| {0,3}\t)\s*\S/, 'a line that is indented like code'],
  [/^\s*(?:>|[-*+]|\d+[.)])(?: {5,}| *\t)\s*\S/, 'a line that is indented like code'],
  [/<(?:pre|code|samp|kbd|textarea|xmp|listing|script|style)\b/i, 'code in HTML'],
]

/** A line for each place where code would be shown and not tried. */
export function unseenCode(page: string, text?: string): string[] {
  const { prose, unclosed } = readPage(page, text)
  const found = prose.flatMap(([line, written]) => {
    const bare = written.replaceAll(IN_LINE, '')
    const [, what] = MARKS.find(([mark]) => mark.test(bare)) ?? []
    return what === undefined ? [] : [`${page}:${line}: ${what}`]
  })
  return unclosed === null ? found : [...found, `${page}:${unclosed}: a block without an end`]
}

const FILE = /[./]/
/** What may stand behind a language besides the name of a file; what stands behind `json` is held against its own list. */
const WORDS: Readonly<Record<string, readonly string[]>> = { sh: ['dry'], yaml: ['script', 'policy'] }
const NO_FILES: ReadonlySet<string> = new Set(['console', 'run', 'mermaid'])
/** Files in YAML that something of ours reads. */
const READ_YAML = /(?:^|\/)(?:greenlatch|config)\.yaml$|^profiles\/[\w-]+\.yaml$/

/** Why a block is not tried as it says; null when it is. A file has to be named by another block of its page, or be settings. */
export function wordsFault(block: Block, others: readonly Block[]): string | null {
  const { lang, words: [word, ...more] } = block
  const place = placeOf(block)
  if (more.length > 0) return `${place}: "${more.join(' ')}" behind "${lang} ${word}" means nothing`
  if (word === undefined || lang === 'json' || WORDS[lang]?.includes(word)) return null
  if (!FILE.test(word) || NO_FILES.has(lang)) return `${place}: "${word}" behind "${lang}" means nothing`
  if (lang === 'yaml' && !READ_YAML.test(word)) return `${place}: nothing of ours reads ${word}`
  const isNamed = word === 'greenlatch.yaml' || word === 'AGENTS.md' || others.some((other) => other.line !== block.line && other.text.includes(word))
  return isNamed ? null : `${place}: no other block of the page names ${word}`
}
