// Comments of sources in many languages: where each stands, and the rest of the text with its strings hollowed out.
import { BLOCK_COMMENT, DOUBLE, languageOf, LINE_COMMENT, SINGLE, TOKENS, type Language } from '../test-changes/source.js'

/** Kinds of sources that are told to look away by words of their own. */
export type Family = Language | 'markup' | 'styles' | 'c' | 'csharp' | 'swift' | 'dart' | 'php' | 'ruby' | 'script' | 'sql' | 'lua'

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/\.(?:vue|svelte|astro|html?)$/i, 'markup'],
  [/\.(?:css|scss|sass|less)$/i, 'styles'],
  [/\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|mm?|cu)$/i, 'c'],
  [/\.cs$/i, 'csharp'],
  [/\.swift$/i, 'swift'],
  [/\.dart$/i, 'dart'],
  [/\.(?:php|phtml)$/i, 'php'],
  [/\.(?:rb|erb|rbi)$/i, 'ruby'],
  [/(?:\.(?:sh|bash|zsh|ksh|ya?ml|tf|tfvars|r|pl|pm|exs?|jl|nim|cr)|(?:^|\/)(?:Docker|Container)file(?:\.[\w-]+)?)$/i, 'script'],
  [/\.sql$/i, 'sql'],
  [/\.lua$/i, 'lua'],
]

export function familyOf(path: string): Family | null {
  return languageOf(path) ?? FAMILIES.find(([ending]) => ending.test(path))?.[1] ?? null
}

const HASH_COMMENT = String.raw`#[^\n]*`
const TRIPLED = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`
const STRINGS = [DOUBLE, SINGLE]

/**
 * A string ends with its line where a language does not say otherwise by its quotes, so that an apostrophe in some text hides no
 * comment below it. Markup has no strings here: its text is full of apostrophes.
 */
const PIECES: Record<Exclude<Family, Language>, readonly string[]> = {
  markup: [String.raw`<!--[^]*?(?:-->|$)`, LINE_COMMENT, BLOCK_COMMENT],
  styles: [LINE_COMMENT, BLOCK_COMMENT, ...STRINGS],
  c: [LINE_COMMENT, BLOCK_COMMENT, ...STRINGS],
  csharp: [LINE_COMMENT, BLOCK_COMMENT, TRIPLED, String.raw`@"[^"]*(?:""[^"]*)*"?`, ...STRINGS],
  swift: [LINE_COMMENT, BLOCK_COMMENT, TRIPLED, DOUBLE],
  dart: [LINE_COMMENT, BLOCK_COMMENT, TRIPLED, ...STRINGS],
  php: [LINE_COMMENT, String.raw`#(?!\[)[^\n]*`, BLOCK_COMMENT, ...STRINGS],
  ruby: [HASH_COMMENT, ...STRINGS],
  script: [String.raw`(?<!\S)#[^\n]*`, ...STRINGS],
  sql: [String.raw`--[^\n]*`, BLOCK_COMMENT, ...STRINGS],
  lua: [String.raw`--\[\[[^]*?(?:\]\]|$)`, String.raw`--[^\n]*`, ...STRINGS],
}

const TOKENS_OF = new Map<Family, RegExp>([
  ...Object.entries(TOKENS).map(([family, tokens]) => [family as Family, tokens] as const),
  ...Object.entries(PIECES).map(([family, pieces]) => [family as Family, new RegExp(pieces.join('|'), 'g')] as const),
])

const OPENS_COMMENT: Record<'hash' | 'dashes' | 'slashes', RegExp> = { hash: /^(?:#|\/[/*])/, dashes: /^(?:--|\/\*)/, slashes: /^(?:\/[/*]|<!--)/ }

function openingOf(family: Family): RegExp {
  switch (family) {
    case 'python':
    case 'ruby':
    case 'script':
    case 'php':
      return OPENS_COMMENT.hash
    case 'sql':
    case 'lua':
      return OPENS_COMMENT.dashes
    default:
      return OPENS_COMMENT.slashes
  }
}

export type Comment = { at: number; text: string }

/** `code` is as long as the text: comments and what stands in strings are blank in it. */
export function split(text: string, family: Family): { comments: Comment[]; code: string } {
  const opening = openingOf(family)
  const comments: Comment[] = []
  const code: string[] = []
  let from = 0
  for (const { 0: token, index } of text.matchAll(TOKENS_OF.get(family) ?? /$^/g)) {
    if (opening.test(token)) comments.push({ at: index, text: token })
    code.push(text.slice(from, index), token.replaceAll(/[^\n]/g, ' '))
    from = index + token.length
  }
  return { comments, code: [...code, text.slice(from)].join('') }
}
