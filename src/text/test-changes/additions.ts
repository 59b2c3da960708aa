// Tells whether a test file only gained tests: all it held before stands in it unchanged, and no existing test can be affected by name.
import { outermost, type Block } from './blocks.js'
import { compact, tokensOf, type Language, type Source, type Token } from './source.js'

type Side = { source: Source; blocks: readonly Block[] }

export function onlyGainsTests(old: Side, now: Side): boolean {
  const known = new Set(old.blocks.map(({ name }) => name))
  const gained = now.blocks.filter(({ name }) => !known.has(name))
  return isSameRest(restOf(old.source, []), restOf(now.source, outermost(gained)))
}

export function isSameRest(was: Rest, is: Rest): boolean {
  return compact(was.tokens) === compact(is.tokens) && importsGrow(was.imports, is.imports)
}

// ───────────────────────────── what is left ─────────────────────────────

type Import = { from: string; names: readonly string[] }
type Rest = { tokens: Token[]; imports: Import[] }

/** Looked for in code, where no string can be taken for one. */
const IMPORTS: Record<Language, RegExp> = {
  javascript: /^import\s+(?<names>\{[^}]{0,2000}\})\s*from\s*(?<from>["'][^"'\n]*["'])[ \t]*;?/gm,
  python: /^from\s+(?<from>[\w.]+)\s+import\s+(?<names>[\w ,]{1,2000}|\([\w\s,]{1,2000}\))$/gm,
  go: /^[ \t]+(?<names>)(?<from>"[^"\n]*")$/gm,
  rust: /^[ \t]*use\s+(?<from>[\w:]+)::(?<names>\w+|\{[\w\s,]{1,2000}\})\s*;/gm,
  java: /^import\s+(?<from>[\w.]+)\.(?<names>\w+)\s*;/gm,
}

/** The tokens from one place to another that are in none of the blocks; imports are apart, since a new test may need another name. */
export function restOf(source: Source, blocks: readonly Block[], from = 0, to = source.text.length): Rest {
  const found = [...source.code.slice(from, to).matchAll(IMPORTS[source.language])]
  const places = found.map((match) => [from + match.index, from + match.index + match[0].length] as const)
  const left = [...blocks.map(({ start, end }) => [start, end] as const), ...places].toSorted(([a], [b]) => a - b)
  const kept: string[] = []
  let at = 0
  for (const [start, end] of left) {
    kept.push(source.bare.slice(at, start), source.bare.slice(Math.max(at, start), end).replaceAll(/[^\n]/g, ' '))
    at = Math.max(at, end)
  }
  const bare = [...kept, source.bare.slice(at)].join('')
  const tokens = tokensOf({ ...source, bare }, from, to).filter(({ text }) => text !== ';')
  return { tokens, imports: places.map((place) => importAt(source, place)) }
}

function importAt({ text, language }: Source, [start, end]: readonly [number, number]): Import {
  const [match] = text.slice(start, end).matchAll(IMPORTS[language])
  const { from = '', names = '' } = match?.groups ?? {}
  return { from, names: (language === 'go' ? from : names).match(/[\w$./-]+(?:\s+as\s+[\w$]+)?/g) ?? [] }
}

/** Names by which tests are written: whoever brings in others of these changes what all tests mean. */
const RESERVED = new RegExp(String.raw`\b(?:it|test|describe|context|suite|specify|expect\w*|assert\w*|vi|jest|chai|sinon|should`
  + String.raw`|t|before\w*|after\w*|pytest|unittest|TestCase|mock|patch|approx|raises|Test|Assertions?|Mockito)\b`)

/** Every import of before is there in its order with all its names, and what came to it is neither everything nor reserved. */
function importsGrow(old: readonly Import[], now: readonly Import[]): boolean {
  let at = 0
  for (const { from, names } of now) {
    const was = old[at]?.from === from ? old[at] : undefined
    if (was) at++
    const added = names.filter((name) => !was?.names.includes(name))
    const loses = was?.names.some((name) => !names.includes(name)) === true
    if (loses || names.length === 0 || added.some((name) => RESERVED.test(name))) return false
  }
  return at === old.length
}
