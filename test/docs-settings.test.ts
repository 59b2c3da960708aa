// Settings that the pages show without running them: a run can be planned with each, and each command that they name runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, PAGES, placeOf } from './support/docs/blocks.js'
import { listed } from './support/docs/lists.js'
import { makeGround, settingsFaults, type Ground } from './support/docs/settings.js'

const shown = PAGES.flatMap(blocksOf).filter((block) => block.lang === 'yaml' && block.words.length === 0 && !listed(block))

describe.concurrent('the settings in', () => {
  let ground: Ground
  beforeAll(async () => void (ground = await makeGround()))
  afterAll(() => ground.close())

  it.each(shown.map((block) => [placeOf(block), block] as const))('%s can be used as they stand', async (_, block) => {
    expect((await settingsFaults(block, ground)).join('\n\n')).toBe('')
  })
})
