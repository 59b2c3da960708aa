// A source file made ready to be looked at: without comments, without what stands in its strings, and with its brackets paired.

export type Language = 'javascript' | 'python' | 'go' | 'rust' | 'java'

/** All three texts are equally long, so that an offset means the same place in each. */
export type Source = {
  language: Language
  text: string
  /** Comments are blank. */
  bare: string
  /** What stands in strings is blank too; their quotes are left. */
  code: string
  /** Where the bracket that opens at an offset closes; the end of the text when it never does. */
  closes: (offset: number) => number
  line: (offset: number) => number
}

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/i, 'javascript'],
  [/\.pyi?$/i, 'python'],
  [/\.go$/i, 'go'],
  [/\.rs$/i, 'rust'],
  [/\.(?:java|kts?|scala|groovy)$/i, 'java'],
]

export function languageOf(path: string): Language | null {
  return LANGUAGES.find(([ending]) => ending.test(path))?.[1] ?? null
}

export const DOUBLE = String.raw`"[^"\\\n]*(?:\\[^][^"\\\n]*)*"?`
export const SINGLE = String.raw`'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?`
const BACKTICK = '`[^`\\\\]*(?:\\\\[^][^`\\\\]*)*`?'
export const LINE_COMMENT = String.raw`\/\/[^\n]*`
export const BLOCK_COMMENT = String.raw`\/\*[^]*?(?:\*\/|$)`
/** After a value a slash divides; after these it opens a regular expression. */
const PATTERN = String.raw`(?=\/)(?<=(?:^|[=(,:;!&|?{}\[\n]|=>|\breturn)[ \t]{0,40})\/(?![*\/])(?:[^\/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,300}\/`

const RUST_STRINGS = [String.raw`(?<!\w)b?r(#*)"[^]*?(?:"\1|$)`, String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"?`, String.raw`'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x..|.))'`]

/** Comments and strings, as they come. */
export const TOKENS: Record<Language, RegExp> = {
  javascript: new RegExp([LINE_COMMENT, BLOCK_COMMENT, PATTERN, DOUBLE, SINGLE, BACKTICK].join('|'), 'g'),
  python: new RegExp([String.raw`#[^\n]*`, String.raw`"""[^]*?(?:"""|$)`, String.raw`'''[^]*?(?:'''|$)`, DOUBLE, SINGLE].join('|'), 'g'),
  go: new RegExp([LINE_COMMENT, BLOCK_COMMENT, DOUBLE, '`[^`]*`?', SINGLE].join('|'), 'g'),
  rust: new RegExp([LINE_COMMENT, BLOCK_COMMENT, ...RUST_STRINGS].join('|'), 'g'),
  java: new RegExp([LINE_COMMENT, BLOCK_COMMENT, String.raw`"""[^]*?(?:"""|$)`, DOUBLE, SINGLE].join('|'), 'g'),
}

export function sourceOf(text: string, language: Language): Source {
  const [bare, code] = masked(text, language)
  const pairs = pairsIn(code)
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const closes = (offset: number): number => pairs.get(offset) ?? text.length
  return { language, text, bare, code, closes, line: (offset) => countBelow(breaks, offset) + 1 }
}

function masked(text: string, language: Language): readonly [bare: string, code: string] {
  const [bare, code]: [string[], string[]] = [[], []]
  let at = 0
  for (const { 0: token, index } of text.matchAll(TOKENS[language])) {
    const before = text.slice(at, index)
    const isComment = language === 'python' ? token.startsWith('#') : /^\/[/*]/.test(token)
    bare.push(before, isComment ? blank(token) : token)
    code.push(before, isComment ? blank(token) : hollow(token))
    at = index + token.length
  }
  return [[...bare, text.slice(at)].join(''), [...code, text.slice(at)].join('')]
}

function blank(token: string): string {
  return token.replaceAll(/[^\n]/g, ' ')
}

function hollow(token: string): string {
  if (token.length < 2) return token
  return `${token.slice(0, 1)}${blank(token.slice(1, -1))}${token.slice(-1)}`
}

const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** A bracket that does not fit closes what fits it, and whatever was left open inside. */
function pairsIn(code: string): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: { bracket: string; at: number }[] = []
  for (const { 0: bracket, index } of code.matchAll(/[()[\]{}]/g)) {
    const wanted = OPENING[bracket]
    if (wanted === undefined) open.push({ bracket, at: index })
    else {
      const at = open.findLastIndex((one) => one.bracket === wanted)
      for (const { at: start } of at < 0 ? [] : open.splice(at)) pairs.set(start, index)
    }
  }
  return pairs
}

/** How many of the sorted numbers are smaller. */
export function countBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

// ───────────────────────────── tokens ─────────────────────────────

export type Token = { kind: 'literal' | 'other'; text: string; at: number }

const OPENING_BRACKETS = new Set('([{')
const CLOSING = new Set(')]}')
const SEPARATORS = new Set(',;')
const STRING = /^(?:["'`/]|b?r#*")/
const LITERAL_WORD = /^(?:\d.*|true|false|null|undefined|None|True|False|nil)$/
const PIECE = String.raw`(?<blanks>\s+)|\d[\w.]*(?:(?<=[eE])[+-]\d+)?|[\w$]+|[^]`
const PIECES = new Map(Object.entries(TOKENS).map(([language, { source }]) => [language, new RegExp(`${source}|${PIECE}`, 'g')]))

/**
 * Equal for a text that was only laid out anew: without comments and blanks, and without a comma or semicolon before a bracket that closes.
 * In Python how deep a line is indented is part of it.
 */
export function tokensOf({ bare, code, language }: Source, from: number, to: number): Token[] {
  const tokens: Token[] = []
  const levels = [0]
  let depth = 0
  for (const { 0: text, index, groups } of bare.slice(from, to).matchAll(PIECES.get(language) ?? /[^]/g)) {
    if (groups?.['blanks'] !== undefined) {
      const at = from + index + text.length
      const indent = language === 'python' && depth === 0 && at < code.length ? /\n([ \t]*)$/.exec(text)?.[1] : undefined
      if (indent !== undefined) tokens.push({ kind: 'other', text: `⇥${levelOf(levels, indent.length)}`, at })
      continue
    }
    if (CLOSING.has(text)) {
      if (SEPARATORS.has(tokens.at(-1)?.text ?? '')) tokens.pop()
      depth--
    } else if (OPENING_BRACKETS.has(text)) depth++
    const isLiteral = text.length > 1 ? STRING.test(text) || LITERAL_WORD.test(text) : /\d/.test(text)
    tokens.push({ kind: isLiteral ? 'literal' : 'other', text, at: from + index })
  }
  while (/^(?:[,;]|⇥\d+)$/.test(tokens.at(-1)?.text ?? '')) tokens.pop()
  return tokens
}

/** How many indents deep, however wide each is. */
function levelOf(levels: number[], indent: number): number {
  while ((levels.at(-1) ?? 0) > indent) levels.pop()
  if ((levels.at(-1) ?? 0) < indent) levels.push(indent)
  return levels.length
}

export function compact(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ')
}

/** The same for texts in which only literals differ. */
export function skeleton(tokens: readonly Token[]): string {
  return tokens.map(({ kind, text }) => (kind === 'literal' ? '◇' : text)).join(' ')
}
