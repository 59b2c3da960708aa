// The commands that the documents show, run in a sample repository with scripted agents: they work, and print what is shown.
import { describe, expect, it } from 'vitest'
import { blocksOf, PAGES, type Block } from './support/docs/blocks.js'
import { listed } from './support/docs/lists.js'
import { makeSample } from './support/docs/sample.js'
import { differencesOf, isFile, runAll, typedOf } from './support/docs/transcript.js'

const isOurs = (block: Block): boolean => !listed(block)
const isTyped = ({ lang }: Block): boolean => ['console', 'sh', 'run'].includes(lang)

/** Files that a page shows are written where it also shows commands. */
const pages = PAGES.map((page) => [page, blocksOf(page).filter((block) => isOurs(block) && (isTyped(block) || isFile(block)))] as const).filter(([, blocks]) => blocks.some(isTyped))

describe.concurrent('the commands of', () => {
  it.each(pages)('%s do what is shown', async (_, blocks) => {
    const sample = await makeSample()
    try {
      expect(differencesOf(await runAll(typedOf(blocks, sample), sample)).join('\n\n')).toBe('')
    } finally {
      await sample.close()
    }
  })
})
