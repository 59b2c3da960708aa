// Finds the assertions of a test and says how much each demands, so that a looser one in its place is noticed.
import { endOfStatement } from './blocks.js'
import { compact, skeleton, tokensOf, type Language, type Source, type Token } from './source.js'

/** More of them, and more of each, is not looked at, so that nobody can keep us busy by putting one into another. */
const MOST_ASSERTIONS = 500
const LONGEST_ASSERTION_CHARS = 1000

/** Equality demands 3, an order, a part or an error 2, mere presence or difference 1, and what holds whatever the code does 0. */
export type Assertion = { at: number; text: string; shape: string; literals: readonly Token[]; demands: 0 | 1 | 2 | 3 }

/** What ava and tap call on the object they hand to a test. */
const ON_T =
  'is|not|deepEqual|notDeepEqual|like|truthy|falsy|true|false|throws|throwsAsync|notThrows|regex|snapshot|pass|fail|equal|same|ok|match|strictSame|rejects'
const IN_JAVASCRIPT = [
  String.raw`expect(?:\s*\.\s*(?:soft|poll|element|assertions|hasAssertions))?`,
  String.raw`(?:(?:sinon|t|chai)\s*\.\s*)?assert\w*(?:\s*\.\s*\w+)*`,
  String.raw`t\s*\.\s*(?:${ON_T})`,
]
const IN_PYTHON = [
  String.raw`^[ \t]*assert\b`,
  String.raw`(?<![\w.])(?:self|cls)\s*\.\s*(?:assert\w+|fail)\s*\(`,
  String.raw`\b(?:pytest|self)\s*\.\s*(?:raises|warns)\s*\(`,
  String.raw`\bassert_\w+\s*\(`,
]

const ASSERTION: Record<Language, RegExp> = {
  javascript: new RegExp(String.raw`(?<![\w$.])(?:${IN_JAVASCRIPT.join('|')})\s*\(|\.\s*should\b`, 'g'),
  python: new RegExp(IN_PYTHON.join('|'), 'gm'),
  go: /(?<!\w)(?:\w+\s*\.\s*(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|(?:assert|require|is|qt|gomega)\s*\.\s*\w+|Expect)\s*\(/g,
  rust: /(?<!\w)(?:debug_|prop_)?assert\w*!\s*[({[]|(?<!\w)(?:panic|unreachable)!\s*[({[]/g,
  java: /(?<!\w)(?:assert\w*|fail|verify\w*|expect\w*)\s*\(|(?<!\w)should\w+\b/g,
}

export function assertionsIn(source: Source, from: number, to: number): Assertion[] {
  return [...source.code.slice(from, to).matchAll(ASSERTION[source.language])].slice(0, MOST_ASSERTIONS).map((match) => {
    const at = from + match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0)
    return assertionFrom(source, at, Math.min(endOfAssertion(source, at, match[0].trim()), to, at + LONGEST_ASSERTION_CHARS))
  })
}

function endOfAssertion({ code, closes }: Source, at: number, head: string): number {
  if (head === 'assert') return endOfStatement(code, at, closes)
  let end = at + head.length
  if (/[({[]$/.test(head)) end = closes(end - 1) + 1
  const link = /\s*(?:\?\.|\.)\s*[\w$]+\s*|\s*(?=\()/y
  for (;;) {
    link.lastIndex = end
    const found = link.exec(code)?.[0]
    if (found === undefined || (found.trim() === '' && code[end + found.length] !== '(')) return end
    end += found.length
    if (code[end] === '(') end = closes(end) + 1
    if (end >= code.length) return code.length
  }
}

function assertionFrom(source: Source, at: number, end: number): Assertion {
  const tokens = tokensOf(source, at, end)
  const literals = tokens.filter(({ kind }) => kind === 'literal')
  return { at, text: compact(tokens), shape: skeleton(tokens), literals, demands: demandsOf(source, at, end) }
}

// ───────────────────────────── how much it demands ─────────────────────────────

function named(...lists: readonly string[]): RegExp {
  return new RegExp(`^(?:${lists.join('|').replaceAll(' ', '|')})$`)
}

const EXACT = named(
  'toBe toEqual toStrictEqual toBe(?:Null|Undefined|NaN) to(?:Match|ThrowErrorMatching)(?:Inline)?Snapshot toHaveLength toHaveTextContent',
  'toHaveBeenCalledWith toHaveBeenCalledTimes equals? eqs? eql strictEqual deepEqual deepStrictEqual is same strictSame',
  'assertEquals? assertStrictEquals assert_eq assertSame assertArrayEquals assertIterableEquals assert_(?:array_)?equal',
  'assert(?:List|Dict|Set|Tuple|Count|MultiLine|Sequence)Equal Equal EqualValues Exactly JSONEq isEqualTo isSameAs',
  String.raw`containsExactly\w*`,
)
const LOOSE = named(
  'toBe(?:Defined|Truthy|Falsy) toBeInstanceOf toBeTypeOf toHaveBeenCalled ok exists? truthy falsy true false isOk isDefined pass',
  'assert assert(?:True|False|Exists|IsNotNone|NotNull|IsInstance|InstanceOf|DoesNotThrow) assert_ne True False NoError',
  'is(?:NotNull|NotEmpty|True|False|InstanceOf) assertions hasAssertions',
  String.raw`assertNot\w* Not\w+ doesNot\w+ not\w*`,
)

function demandsOf(source: Source, at: number, end: number): Assertion['demands'] {
  const code = source.code.slice(at, end)
  if (holdsAlways(source, at, end)) return 0
  if (/\b(?:not|never)\s*\.|\.\s*not\b/.test(code)) return 1
  if (source.language === 'python' && code.startsWith('assert') && !/^assert\w/.test(code)) return demandOfCondition(code)
  const name = matcherOf(code)
  if (EXACT.test(name)) return 3
  if (!LOOSE.test(name)) return 2
  return demandOfCondition(code)
}

/** A condition demands what its operator does. */
function demandOfCondition(code: string): Assertion['demands'] {
  if (/[^!=<>]===?[^=]|\.\s*equals\s*\(|\bis\s+(?:None|True|False)\b|\bisDeepStrictEqual\b/.test(code)) return 3
  const isPartial = /[^=]>=?[^>]|<=?|\bin\b|\.\s*(?:includes|contains|starts[Ww]ith|ends[Ww]ith|match|test)\b/
  return isPartial.test(code.replaceAll('=>', '')) ? 2 : 1
}

/** The last name that is called in a chain, the name of the function otherwise. */
function matcherOf(code: string): string {
  const isChain = /^(?:expect|Expect|assertThat|\.\s*should)\b/.test(code)
  const names = isChain ? withoutArguments(code).match(/[\w$]+/g) : /^[\w$.\s]+/.exec(code)?.[0].match(/[\w$]+/g)
  return names?.at(-1) ?? ''
}

function withoutArguments(code: string): string {
  let depth = 0
  let kept = ''
  for (const character of code) {
    if (/[([{]/.test(character)) depth++
    if (depth === 0) kept += character
    if (/[)\]}]/.test(character)) depth--
  }
  return kept
}

/** Only literals, the same on both sides, or `|| true`. */
function holdsAlways(source: Source, at: number, end: number): boolean {
  const code = source.code.slice(at, end)
  if (/\|\|\s*true\b|\bor\s+True\b/.test(code)) return true
  const open = code.search(/[({[]/)
  const isPlain = /^assert\b\s*[^\s(!.]/.test(code)
  const sides = isPlain ? sidesOf(source, at + 6, end) : [...argumentsIn(source, at + open), ...matcherArguments(source, at + open, end)]
  const texts = sides.map(([from, to]) => tokensOf(source, from, to))
  const compared = texts.slice(0, 2).map(compact)
  if (compared.length === 2 && compared[0] === compared[1] && compared[0] !== '') return true
  const tokens = texts.flat()
  const alwaysFails = /raise|panic|unreachable|fail|Error|Fatal|assertions/i.test(code.slice(0, Math.max(open, 0)))
  return tokens.length > 0 && !alwaysFails && tokens.every(({ kind, text }) => kind === 'literal' || /^[-+!()=<>]$/.test(text))
}

/** Of Python's `assert a == b, text`. */
function sidesOf({ code }: Source, from: number, end: number): [number, number][] {
  const comma = code.slice(from, end).search(/,(?![^([{]*[)\]}])/)
  const stop = comma < 0 ? end : from + comma
  const equal = code.slice(from, stop).indexOf('==')
  return equal < 0 ? [[from, stop]] : [[from, from + equal], [from + equal + 2, stop]]
}

function argumentsIn({ code, closes }: Source, open: number): [number, number][] {
  const close = closes(open)
  const found: [number, number][] = []
  let start = open + 1
  for (let at = start; at <= close; at++) {
    if (/[([{]/.test(code[at] ?? '')) at = closes(at)
    else if (code[at] === ',' || at === close) {
      if (code.slice(start, at).trim() !== '') found.push([start, at])
      start = at + 1
    }
  }
  return found
}

/** Of `expect(a).toBe(b)`: b. */
function matcherArguments(source: Source, open: number, end: number): [number, number][] {
  const close = source.closes(open)
  const second = source.code.slice(close + 1, end).indexOf('(')
  return second < 0 ? [] : argumentsIn(source, close + 1 + second)
}
