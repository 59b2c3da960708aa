// The pages of the documentation and the fenced blocks in them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** `lang` is the first word behind the fence and `words` are the rest; `run` is a comment that is run and not shown. */
export type Block = { page: string; line: number; lang: string; words: string[]; text: string }

export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`),
].toSorted()

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** In their order; a fence ends with one that is at least as long. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: (Block & { close: RegExp }) | null = null
  const take = (line: string, index: number): void => {
    if (open !== null) {
      if (open.close.test(line)) {
        const { close: _, ...block } = open
        blocks.push(block)
        open = null
      } else open.text += `${line}\n`
      return
    }
    const [, fence, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    const [lang = '', ...words] = info.trim().split(/\s+/)
    const start = { page, line: index + 1, text: '' }
    if (fence !== undefined) open = { ...start, lang, words, close: new RegExp(`^ {0,3}${fence}+\\s*$`) }
    else if (line === '<!-- run') open = { ...start, lang: 'run', words: [], close: /^-->$/ }
  }
  pageText(page).split('\n').forEach(take)
  return blocks
}

export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`
}
