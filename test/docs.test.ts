// What the documents say has to be so: every link leads somewhere, every path is there, every snippet is run or checked by a test.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { COMMANDS } from '../src/cli/command-list.js'
import { builtinProcedures } from '../src/procedures/index.js'
import { blocksOf, PAGES, pageText, placeOf, ROOT, type Block } from './support/docs/blocks.js'
import { programFaults, yamlFault } from './support/docs/checks.js'
import { drawingOf } from './support/docs/drawing.js'
import { jsonFault } from './support/docs/json.js'
import { wrongCommands } from './support/docs/inline.js'
import { brokenLinks } from './support/docs/links.js'
import { examplesOf, listed, TYPED_BY_SCRIPTS, unread, wrongCounts } from './support/docs/lists.js'
import { missingCommands } from './support/docs/named.js'
import { isFile } from './support/docs/transcript.js'
import { unseenCode, wordsFault } from './support/docs/unseen.js'

const blocks = PAGES.flatMap(blocksOf)

/** Pages with nothing to type. */
const TOP = ['AGENTS.md', 'ARCHITECTURE.md', 'CHANGELOG.md']

const TYPED = new Set(['console', 'sh', 'run'])

/** What becomes of a block; null when nothing does. A file is written for the commands of its page; settings are checked besides. */
function wayOf(block: Block): string | null {
  if (listed(block)) return 'by another test'
  if (TYPED.has(block.lang)) return block.words.includes('dry') ? 'run dry' : 'run'
  if (block.lang === 'yaml' || block.lang === 'json') return 'checked'
  if (block.lang === 'mermaid') return 'drawn'
  if (block.page === 'CONTRIBUTING.md' && block.lang === '') return 'held against the repository'
  return isFile(block) && blocks.some(({ page, lang }) => page === block.page && TYPED.has(lang)) ? 'written' : null
}

const withWay = (way: string): Block[] => blocks.filter((block) => wayOf(block) === way)

describe('snippets', () => {
  it('are all run or checked', () => {
    const ways = [...new Set(blocks.map(wayOf))]
    console.log(`snippets: ${ways.map((way) => `${blocks.filter((block) => wayOf(block) === way).length} ${way}`).join(', ')}`)
    expect(blocks.filter((block) => wayOf(block) === null).map(placeOf)).toEqual([])
  })

  it('are all seen: none is away from the margin, without an end, or marked in another way', () => {
    expect([...PAGES, ...TOP].flatMap((page) => unseenCode(page))).toEqual([])
    const unseen = (text: string): string[] => unseenCode('a.md', text)
    for (const shown of ['    ```sh', '\t```sh', '> ```sh', '- ```sh', '1. ~~~', '<pre>', '<code>false</code>', '    false', '\tfalse', '>     false', '-      false']) expect(unseen(`a\n\n${shown}\n`), shown).toHaveLength(1)
    for (const open of ['```sh\nfalse\n', '````text\na\n```\n', '<!-- run\nfalse\n']) expect(unseen(`a\n\n${open}`), open).toEqual(['a.md:3: a block without an end'])
    expect(unseen('a `<pre>` and `` ``` ``\n\n- b\n  - c\n\n```text\n    d\n```\n')).toEqual([])
  })

  it('have words behind their language that mean something, and files that are used', () => {
    expect(blocks.filter((block) => !listed(block)).map((block) => wordsFault(block, blocks.filter(({ page }) => page === block.page))).filter((fault) => fault !== null)).toEqual([])
    const shown = (lang: string, ...words: string[]): Block => ({ page: 'a.md', line: 1, lang, words, text: '' })
    const faulty = [shown('yaml', 'nonsense'), shown('yaml', '.github/workflows/x.yml'), shown('sh', 'dry', 'too'), shown('sh', 'wet'), shown('console', 'x.sh'), shown('text', 'unused.txt')]
    expect(faulty.map((block) => wordsFault(block, [block])).filter((fault) => fault === null)).toEqual([])
    expect(wordsFault(shown('text', 'used.txt'), [{ ...shown('sh'), line: 5, text: 'cat used.txt' }])).toBeNull()
  })

  it('that another test runs are read there, so many as it reads, and no entry of the list is left over', () => {
    expect(unread()).toEqual([])
    expect(wrongCounts()).toEqual([])
  })

  it('of CONTRIBUTING.md name scripts, suites and paths of this repository', () => {
    const named = withWay('held against the repository')
    expect(named.flatMap(({ text }) => missingCommands(text))).toEqual([])
    expect(named.length).toBeGreaterThan(0)
    expect(missingCommands('npm run nosuch   all of it\nnpm test -- --only nosuch\nnpx vitest run no/such\nrm -rf .\n')).toHaveLength(4)
  })

  it('that wait for a fresh clone stand as they are in the script that types them', () => {
    const typed = blocks.filter((block) => TYPED_BY_SCRIPTS.some((row) => listed(block) === row))
    expect(typed.length).toBeGreaterThan(0)
    for (const block of typed) expect(readFileSync(join(ROOT, listed(block)?.test ?? ''), 'utf8'), placeOf(block)).toContain(`command: '${block.text.trim()}'`)
  })

  it('in YAML are taken by what reads them', async () => {
    const faults = await Promise.all(withWay('checked').filter(({ lang }) => lang === 'yaml').map(yamlFault))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })

  it('in JSON are what the program writes, reads or is started by', async () => {
    const faults = await Promise.all(withWay('checked').filter(({ lang }) => lang === 'json').map(jsonFault))
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })

  it('in JavaScript and TypeScript fit the types of the built package', () => {
    const folder = mkdtempSync(join(tmpdir(), 'greenlatch-snippets-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const typed = (['far ends', 'hostile agents', 'a far sandbox', 'profiles in programs'] as const).flatMap((name) => examplesOf(name))
    expect(programFaults([...typed, ...blocks.filter((block) => block.lang === 'js' && isFile(block))], folder)).toEqual([])
  })

  it('that draw the loop have the routes and the ladder that it has', () => {
    const [drawn, ...others] = withWay('drawn')
    expect(others).toEqual([])
    expect(drawn?.text).toBe(drawingOf(builtinProcedures['converge'] ?? expect.unreachable()))
  })
})

// ───────────────────────────── links and paths ─────────────────────────────

describe('links', () => {
  it('lead somewhere, headings included', () => {
    expect(PAGES.filter((page) => page.startsWith('integrations/'))).not.toEqual([])
    const broken = [...PAGES, ...TOP, 'docs/llms.txt'].flatMap((page) => brokenLinks(page).map((link) => `${page}: ${link}`))
    expect(broken).toEqual([])
  })

  it('lead to every page of the package from the index, and to every kind of page from llms.txt', () => {
    const index = pageText('docs/README.md')
    const below = PAGES.filter((page) => /^docs\/(?!decisions\/|README)/.test(page)).map((page) => page.slice('docs/'.length))
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
    const kept = files.flatMap((path) => (path.startsWith('!') ? [path.slice(1)] : []))
    expect(below.filter((page) => !index.includes(`(${page})`)).map((page) => `docs/${page}`)).toEqual(kept)
    for (const page of kept) expect(index).toContain(`\`${page}\``)
    for (const kind of ['Tutorial', 'How-to', 'Reference', 'Explanation']) expect([index, pageText('docs/llms.txt')].map((text) => text.includes(`## ${kind}`))).toEqual([true, true])
  })

  it('and paths of files in backticks name what is there', () => {
    const gone = (page: string): string[] => {
      const named = Array.from(pageText(page).matchAll(/`((?:src|test|scripts|docs|integrations)\/[\w./-]+\.\w+)`/g), ([, path = '']) => path)
      return named.filter((path) => !existsSync(join(ROOT, path)) && !SAMPLES.has(path)).map((path) => `${page}: ${path}`)
    }
    expect(PAGES.filter((page) => !page.startsWith('docs/decisions/')).flatMap(gone)).toEqual([])
  })
})

/** Paths of made-up repositories that pages speak of. */
const SAMPLES = new Set(['src/add.js', 'src/add.py', 'test/add.test.js', 'test/clock.test.js'])

describe('commands within a line', () => {
  it('are there, and so are their flags', () => {
    // What the change log says was so at its time.
    expect([...PAGES, ...TOP].filter((page) => page !== 'CHANGELOG.md').flatMap((page) => wrongCommands(page))).toEqual([])
    const wrong = (code: string): string[] => wrongCommands('a.md', `it is \`${code}\` then`)
    for (const code of ['greenlatch nosuch --foo', 'greenlatch run --foo', 'greenlatch fleet nosuch', 'greenlatch pause a b', 'greenlatch status | greenlatch nosuch']) expect(wrong(code), code).toHaveLength(1)
    for (const code of ['greenlatch undo --to <iteration or salvage/n>', 'greenlatch reply < answer.md', 'greenlatch -C there status --json', 'greenlatch fleet up --stop']) expect(wrong(code), code).toEqual([])
  })
})

describe('the README', () => {
  it('names every command', () => {
    for (const { name } of COMMANDS) expect(pageText('README.md') + pageText('docs/reference/commands.md')).toContain(`\`${name}`)
  })
})
