// Progress in lines through the command line: colours by flag, variables and terminal, sentences for ears, and one line for prompts.
import { describe, expect, it } from 'vitest'
import { makeWorkshop } from './support/repositories.js'

const COLOUR = '\u001B['

describe('progress in lines', () => {
  it('has colours where they are asked for, and none where they are not; is spoken when it is to be; status --short is one line', async () => {
    const shop = makeWorkshop()
    const run = (more: string[], env: Record<string, string>) => shop.run(['run', 'ooda', 'x', '--fresh', '--max-iterations', '1', '--ai-cmd', 'true', '--gate', 'false', '--failure-threshold', '1', ...more], { env })
    const forced = await run([], { FORCE_COLOR: '1' })
    expect(forced.stderr).toContain(`${COLOUR}33m`)
    expect(forced.stdout).not.toContain(COLOUR)
    for (const [more, env] of [[['--no-color'], { FORCE_COLOR: '1' }], [[], { FORCE_COLOR: '1', NO_COLOR: '1' }]] as const) {
      expect((await run([...more], env)).stderr).not.toContain(COLOUR)
    }
    const spoken = await run(['--accessible'], { TERM: 'xterm' })
    expect(spoken.stderr).not.toMatch(/[·→×…]/)
    expect(spoken.stderr).not.toContain(COLOUR)
    expect(await shop.run(['status', '--short'])).toMatchObject({ stdout: expect.stringMatching(/^ooda \w+.*\n$/) as string })
  })
})
