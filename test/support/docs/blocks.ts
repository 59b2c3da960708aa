// The pages of the documentation, the fenced blocks in them, and what stands beside these.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** `lang` is the first word behind the fence and `words` are the rest; `run` is a comment that is run and not shown. */
export type Block = { page: string; line: number; lang: string; words: string[]; text: string }
/** `prose` has the lines outside of blocks by their number; `unclosed` is where a block begins that has no end. */
export type Page = { blocks: Block[]; prose: [line: number, text: string][]; unclosed: number | null }

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md')).map((path) => `${folder}/${path}`)

/** All that people and agents are shown commands on; the skills of `integrations` are in the package too. */
export const PAGES: readonly string[] = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('integrations')].toSorted()

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

export function blocksOf(page: string): Block[] {
  return readPage(page).blocks
}

/** Blocks in their order; a fence ends with one that is at least as long, else the block goes to the end of the page. */
export function readPage(page: string, text = pageText(page)): Page {
  const [blocks, prose]: [Block[], Page['prose']] = [[], []]
  let open: { block: Block; close: RegExp } | null = null
  const take = (line: string, index: number): void => {
    if (open !== null) {
      if (open.close.test(line)) open = null
      else open.block.text += `${line}\n`
      return
    }
    open = opened(line, { page, line: index + 1 })
    if (open === null) prose.push([index + 1, line])
    else blocks.push(open.block)
  }
  text.split('\n').forEach(take)
  return { blocks, prose, unclosed: open === null ? null : (blocks.at(-1)?.line ?? null) }
}

function opened(line: string, at: Pick<Block, 'page' | 'line'>): { block: Block; close: RegExp } | null {
  if (line === '<!-- run') return { block: { ...at, lang: 'run', words: [], text: '' }, close: /^-->$/ }
  const [, fence, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  if (fence === undefined) return null
  const [lang = '', ...words] = info.trim().split(/\s+/)
  return { block: { ...at, lang, words, text: '' }, close: new RegExp(`^ {0,3}${fence}+\\s*$`) }
}

export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`
}
