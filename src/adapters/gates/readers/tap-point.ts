// One line of TAP that says whether a test passed.
import type { YamlDetails } from './tap-yaml.js'

export type Point = {
  ok: boolean
  name: string
  directive: 'skip' | 'todo' | null
  opensBrace: boolean
  details: YamlDetails | null
  /** What was printed before it: node:test shows there what a file wrote. */
  before: readonly string[]
  /** What was printed after it: perl's Test::More tells there what is wrong. */
  comments: string[]
}

const POINT = /(not )?ok\b(?: +(\d+)\b)?(?: *- ?| +|$)(.*)$/y
const DIRECTIVE = /(?:^|[^\\])# *(skip|todo)\b/i
const TIME = /\s+# time=[\d.]+m?s\s*$/

export function pointOf(line: string, indent: number): Point | null {
  POINT.lastIndex = indent
  const found = POINT.exec(line)
  if (found === null) return null
  const [, not, number, rest = ''] = found
  const opensBrace = rest.endsWith(' {') || rest === '{'
  const text = opensBrace ? rest.slice(0, -1).trimEnd() : rest
  const [described, directive] = text.includes('#') ? directiveIn(text) : [text, null]
  const name = unescaped(described.trim())
  return {
    ok: not === undefined,
    name: name === '' ? `test ${number ?? ''}`.trim() : name,
    directive,
    opensBrace,
    details: null,
    before: [],
    comments: [],
  }
}

function directiveIn(text: string): [described: string, directive: Point['directive']] {
  const found = DIRECTIVE.exec(text)
  if (found === null) return [text.replace(TIME, ''), null]
  const end = found.index + (found[0].startsWith('#') ? 0 : 1)
  return [text.slice(0, end), found[1]?.toLowerCase() === 'skip' ? 'skip' : 'todo']
}

export function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\([#\\])/g, '$1') : text
}

/** node:test reports a file without tests, one that dies, and (before Node 20) every file as a test named by its path. */
export function fileOf(name: string): string | null {
  return /^(?:file:\/\/)?\/.*\.[cm]?[jt]sx?$/.test(name) ? name : null
}
