import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderSurvey } from './render.js'
import { rankFiles } from './rank.js'
import type { FileContent, Signature, SourceContent, SurveyFile } from './survey.js'
import { countTokens } from '../prompt/tokens.js'

const SMALLEST = 8

const SOURCE: SourceContent = { kind: 'source', language: 'TypeScript', lines: 10, imports: [], signatures: [], unlisted: 0, errors: 0 }

function source(path: string, more: Partial<SourceContent> = {}, bytes = 100): SurveyFile {
  return { path, bytes, content: { ...SOURCE, ...more } }
}

function text(path: string, lines = 3): SurveyFile {
  return { path, bytes: 50, content: { kind: 'text', lines } }
}

function fn(name: string): Signature {
  return { kind: 'function', owner: null, name, text: `function ${name}(argument: string, other: number): Promise<void>` }
}

const render = (files: SurveyFile[], tokens = 10_000): string => renderSurvey({ files }, tokens)

/** Files with a line of their own, and files that are counted. */
function accounted(shown: string): { listed: number; counted: number } {
  const none = /^\(([\d,]+) files?, none listed\)$/.exec(shown)
  if (none) return { listed: 0, counted: number(none[1]) }
  const [listing = '', counts] = shown.split(/\n(?=Not listed)/)
  const listed = listing.split('\n').filter((line) => /^ {2}\S/.test(line)).length
  return { listed, counted: number(/: ([\d,]+) files?/.exec(counts ?? '')?.[1]) }
}

function number(digits: string | undefined): number {
  return Number((digits ?? '0').replaceAll(',', ''))
}

describe('a rendered survey', () => {
  it('IS-02 of an empty workspace is exactly (empty workspace), whatever the budget', () => {
    for (const budget of [0, 1, 4, 5, 1000]) expect(render([], budget)).toBe('(empty workspace)')
  })

  it('IS-01 lists files by folder with what they are, what they import and what they declare', () => {
    const signatures: Signature[] = [
      { kind: 'class', owner: null, name: 'Cart', text: 'export class Cart' },
      { kind: 'method', owner: 'Cart', name: 'add', text: 'add(item: Item): void' },
      { kind: 'function', owner: null, name: 'total', text: 'export function total(): number' },
      { kind: 'method', owner: 'Other', name: 'late', text: 'late()' },
    ]
    const shown = render([
      source('src/cart.ts', { imports: ['./money.js', 'node:fs'], signatures, unlisted: 7, errors: 1 }),
      source('src/plain.ts'),
      text('README.md', 1),
      { path: 'logo.png', bytes: 12_345, content: { kind: 'binary' } },
      { path: 'data.bin', bytes: 2_000_000, content: { kind: 'huge' } },
      { path: 'src/odd.ts', bytes: 9, content: { kind: 'unparsed', language: 'TypeScript', lines: 1 } },
      { path: 'latest', bytes: 9, content: { kind: 'link' } },
      { path: 'module', bytes: 0, content: { kind: 'submodule' } },
      { path: 'gone.txt', bytes: 4, content: { kind: 'missing' } },
    ])
    expect(shown).toBe(`9 files, 22 lines: other 6, TypeScript 3

./
  README.md  1 line
  data.bin  huge, 2,000,000 bytes
  gone.txt  4 bytes, content not available
  latest  link
  logo.png  binary, 12,345 bytes
  module  submodule
src/
  cart.ts  TypeScript, 10 lines, 1 syntax error
    imports: ./money.js, node:fs
    export class Cart
      add(item: Item): void
    export function total(): number
    in Other:
      late()
    … and 7 or more declarations
  odd.ts  TypeScript, 1 line, not parsed
  plain.ts  TypeScript, 10 lines`)
  })

  it('tells of the best in full, of the next by names, of others by path, and counts the rest, and says so', () => {
    const signatures = [fn('one'), fn('two'), fn('three')]
    const files = Array.from({ length: 60 }, (_, at) => source(`src/f${at}/part.ts`, { signatures, lines: 100 - at }))
    const shown = render(files, 500)
    expect(shown).toContain('  part.ts  TypeScript, 100 lines\n    function one(')
    expect(shown).toMatch(/ {2}part\.ts {2}TypeScript, \d+ lines: one, two, three\n/)
    expect(shown).toMatch(/ {2}part\.ts {2}TypeScript, \d+ lines …\n/)
    expect(shown).toMatch(/\nNot listed, counted by folder with all below it: \d+ files\n {2}src\/: \d+ files\n/)
    expect(shown).toMatch(/\nTo save room, of \d+ listed files with declarations \d+ in full, \d+ by names, \d+ by path \(…\)\.$/)
    expect(countTokens(shown)).toBeGreaterThan(450)
  })

  it('shows odd names on one line, in quotes and without what could steer a terminal or hide', () => {
    const paths = ['a\nb.md', 'c\u001b[31md\u202ee.md', 'dir\r\n/x.md', ' led by a space.md', '\u0007']
    const shown = render(paths.map((path) => text(path)))
    expect(shown.split('\n').slice(2)).toEqual([
      '"dir\\n"/',
      '  x.md  3 lines',
      './',
      '  " led by a space.md"  3 lines',
      '  ""  3 lines',
      '  "a\\nb.md"  3 lines',
      '  "cde.md"  3 lines',
    ])
  })

  it('shows signatures on one line without control characters', () => {
    const signatures = [{ ...fn('f'), text: "function f(a = '\u202e\n\t')" }]
    const shown = render([source('a.ts', { imports: ['x\u001b]0;title\u0007y'], signatures })])
    expect(shown).toContain("    imports: xy\n    function f(a = ' ')")
  })

  const plainNames = fc.constantFrom('src', 'test', 'a.ts', 'index.ts', 'vendor', 'b.py', ' x', '\n', '"', '\u202e', '…')
  const oddNames = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((name) => name.replaceAll('/', '_'))
  const names = fc.oneof(plainNames, oddNames)
  const kinds = fc.constantFrom('function', 'method', 'class', 'impl')
  const signature = fc.record({ kind: kinds, owner: fc.option(names), name: names, text: fc.string({ maxLength: 120 }) })
  const sources = fc.record({
    kind: fc.constant('source'),
    language: fc.constantFrom('Go', 'Python'),
    lines: fc.nat(),
    imports: fc.array(names, { maxLength: 5 }),
    signatures: fc.array(signature, { maxLength: 12 }),
    unlisted: fc.nat(3),
    errors: fc.nat(3),
  })
  const others = fc.constantFrom({ kind: 'binary' }, { kind: 'huge' }, { kind: 'link' }, { kind: 'submodule' }, { kind: 'missing' })
  const texts = fc.record({ kind: fc.constant('text'), lines: fc.nat() })
  const contents = fc.oneof(sources, texts, others) as fc.Arbitrary<FileContent>
  const paths = fc.array(names, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
  const file = fc.record({ path: paths, bytes: fc.nat(), content: contents })
  const files = fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1, maxLength: 80 })

  it('never costs more than its budget, never loses a file without counting it, and is the same each time', () => {
    fc.assert(
      fc.property(files, fc.oneof(fc.nat(60), fc.nat(3000)), (some, budget) => {
        const shown = render(some, budget)
        expect(countTokens(shown)).toBeLessThanOrEqual(Math.max(budget, SMALLEST))
        const { listed, counted } = accounted(shown)
        expect(listed + counted).toBe(some.length)
        expect(render(some.toReversed(), budget)).toBe(shown)
      }),
      { numRuns: 300 },
    )
  })

  it('has room for everything in a large budget', () => {
    fc.assert(
      fc.property(files, (some) => {
        const shown = render(some, 1_000_000)
        expect(accounted(shown)).toEqual({ listed: some.length, counted: 0 })
        expect(shown).not.toContain('\nTo save room')
      }),
      { numRuns: 100 },
    )
  })
})

describe('the rank of files', () => {
  const order = (...files: SurveyFile[]): string[] => rankFiles({ files }).map(({ path }) => path)

  it('puts sources before other texts, tests, what is no text, and what was generated or comes from others', () => {
    const files = [
      source('vendor/lib/a.ts'),
      source('src/api.min.js'),
      { path: 'logo.png', bytes: 1, content: { kind: 'binary' as const } },
      source('src/cart.test.ts'),
      source('test/all.ts'),
      text('package-lock.json', 5000),
      text('README.md'),
      source('src/cart.ts'),
      source('one-line.js', { lines: 1 }, 50_000),
    ]
    const [sources, texts, tests, others] = [['src/cart.ts'], ['README.md'], ['src/cart.test.ts', 'test/all.ts'], ['logo.png']]
    const generated = ['package-lock.json', 'one-line.js', 'src/api.min.js', 'vendor/lib/a.ts']
    expect(order(...files)).toEqual([sources, texts, tests, others, generated].flat())
  })

  it('puts first what others import, then what is closer to the root, then what is longer', () => {
    const files = [
      source('src/deep/down/short.ts', { lines: 5 }),
      source('src/deep/down/long.ts', { lines: 50 }),
      source('src/deep/down/base.ts', { lines: 1 }),
      source('main.ts', { imports: ['./src/deep/down/base.js'] }),
    ]
    expect(order(...files)).toEqual(['src/deep/down/base.ts', 'main.ts', 'src/deep/down/long.ts', 'src/deep/down/short.ts'])
  })
})
