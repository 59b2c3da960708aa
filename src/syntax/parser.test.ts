import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { syntaxAssets } from './assets.js'
import { lookInto } from '../adapters/survey/content.js'
import { languageOf, type Language } from '../adapters/survey/languages/index.js'
import { createParser, type Parsed, type Parser } from './parser.js'

const open: Parser[] = []
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close()
})

function newParser(...[assets, graceMilliseconds]: Parameters<typeof createParser> | []): Parser {
  const parser = createParser(assets ?? syntaxAssets(), graceMilliseconds)
  open.push(parser)
  return parser
}

function parse(parser: Parser, path: string, text: string): Promise<Parsed> {
  return parser.parse(languageOf(path) as Language, text)
}

function script(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'greenlatch-thread-')), 'thread.mjs')
  writeFileSync(path, `import { parentPort } from 'node:worker_threads'\n${text}`)
  return path
}

describe('the parsing thread', () => {
  it.each([
    ['brackets', 'a.py', `x = ${'('.repeat(10_000)}${')'.repeat(10_000)}\n`],
    ['classes', 'A.java', `${'class A {'.repeat(10_000)}${'}'.repeat(10_000)}`],
    ['namespaces', 'a.ts', `${'namespace a {'.repeat(10_000)}${'}'.repeat(10_000)}`],
    ['blocks that are never closed', 'a.js', '{'.repeat(10_000)],
  ])('gets through 10,000 levels of %s', async (_, path, text) => {
    expect(await lookInto(Buffer.from(text), languageOf(path), newParser())).toMatchObject({ kind: 'source', lines: 1 })
  })

  it('gets through a single line of 1 MB', async () => {
    const parsed = await parse(newParser(), 'a.js', `export const a = ["${'x'.repeat(990_000)}"]`)
    expect(parsed).toMatchObject({ kind: 'parsed', errors: 0 })
  })

  it('does not look into the bodies of functions', async () => {
    const parsed = await parse(newParser(), 'a.py', 'def f(a):\n    if a:\n        import b\n')
    const [definition] = parsed.kind === 'parsed' ? parsed.root.children : []
    expect(definition?.children.map(({ field, children }) => [field, children.length])).toEqual([['name', 0], ['parameters', 1], ['body', 0]])
  })

  it('gives up on a source that would take all memory, and goes on with the next', async () => {
    const parser = newParser()
    const [bomb, next] = await Promise.all([parse(parser, 'a.ts', 'a<b,'.repeat(240_000)), parse(parser, 'b.py', 'def f(): pass\n')])
    expect(bomb).toEqual({ kind: 'given-up' })
    expect(next).toMatchObject({ kind: 'parsed', errors: 0 })
  })

  it('is ended when it does not come back', async () => {
    const worker = script("parentPort.on('message', () => { for (;;) {} })\nparentPort.postMessage({ kind: 'ready' })\n")
    expect(await parse(newParser({ ...syntaxAssets(), worker }, 100), 'a.py', '')).toEqual({ kind: 'given-up' })
  })

  it('is a fault of ours when it cannot even begin', async () => {
    const worker = script("throw new Error('no such thing')\n")
    await expect(parse(newParser({ ...syntaxAssets(), worker }), 'a.py', '')).rejects.toThrow('no such thing')
  })

  it('is a fault of ours when a grammar cannot be loaded', async () => {
    const grammar = (): string => script('not a grammar')
    await expect(parse(newParser({ ...syntaxAssets(), grammar }), 'a.py', '')).rejects.toThrow(/the grammar of python cannot be loaded/)
  })

  it('answers what still waits when it is closed', async () => {
    const parser = newParser()
    const waiting = parse(parser, 'a.py', 'def f(): pass\n')
    expect(parser.waiting()).toBe(1)
    await parser.close()
    expect(await waiting).toEqual({ kind: 'closed' })
  })
})
