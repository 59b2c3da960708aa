// Tests of running the commands of a reply, with real processes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import type { Activity, CommandsRequest, Confined, Ran } from '../../ports.js'
import { createCommands, type CommandsOptions } from './commands.js'
import { noSandbox } from '../sandbox/none.js'

const POLICY = { allow: ['node *', 'cat *', 'no-such-program'], deny: ['node --inspect'], timeoutSeconds: 30 }

type How = Partial<Pick<CommandsOptions, 'withheld' | 'sandbox'>> & Partial<Pick<CommandsRequest, 'wallSeconds'>> & { timeoutSeconds?: number; signal?: AbortSignal }

function runner(): { cwd: string; activities: Activity[]; run(lines: readonly string[], how?: How): Promise<Ran[] | 'aborted'> } {
  const cwd = temporaryFolder()
  const activities: Activity[] = []
  const effect = { id: '3.write', iteration: 2 } as CommandsRequest['effect']
  return {
    cwd,
    activities,
    run(lines, { withheld = [], wallSeconds = 60, timeoutSeconds = 30, signal = new AbortController().signal, ...more } = {}) {
      const commands = createCommands({ sandbox: noSandbox(), policy: { ...POLICY, timeoutSeconds }, withheld, ...more })
      return commands.run({ session: 's1', effect, cwd, lines, wallSeconds, onActivity: (activity) => void activities.push(activity) }, signal)
    },
  }
}

const js = (code: string): string => `node -e '${code}'`

describe('commands of a reply', () => {
  it('IS-09 are run in their order, in the folder, each with what it said; one that fails stops no other', async () => {
    const { run, cwd, activities } = runner()
    const ran = await run([js('require("fs").writeFileSync("a.txt", "made"); console.log("first")'), js('console.error("no good"); process.exit(3)'), 'cat a.txt'])
    expect(ran).toMatchObject([
      { ending: 'passed', note: 'exit 0', output: 'first\n' },
      { ending: 'failed', note: 'exit 3', output: 'no good\n' },
      { ending: 'passed', line: 'cat a.txt', output: 'made' },
    ])
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('made')
    expect(activities).toContainEqual({ kind: 'doing', note: 'cat a.txt' })
  })

  it('IS-09 are not started when they are blocked, and no shell reads those that are', async () => {
    const { run, cwd } = runner()
    writeFileSync(join(cwd, 'x y'), 'quoted')
    const ran = await run(['touch pwned', 'node --inspect x.js', 'cat a; touch pwned', "cat 'x y'", "cat '$(touch pwned)'"])
    expect(ran).toMatchObject([
      { ending: 'blocked', note: 'no rule allows it', output: '' },
      { ending: 'blocked', note: 'denied by "node --inspect"' },
      { ending: 'blocked', note: expect.stringContaining('no shell runs it') as string },
      { ending: 'passed', output: 'quoted' },
      { ending: 'failed', output: expect.stringContaining('$(touch pwned)') as string },
    ])
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })

  it('IS-09 are ended by their time limit with all that they started, and what they said until then is kept', async () => {
    const { run } = runner()
    const ran = await run([js('console.log("began"); setInterval(() => {}, 1000)'), js('console.log("next")')], { timeoutSeconds: 5 })
    expect(ran).toMatchObject([{ ending: 'timeout', note: expect.stringMatching(/wall-clock limit|silence limit/) as string, output: 'began\n' }, { ending: 'passed', output: 'next\n' }])
  })

  it('IS-09 are ten at most, have no more time than the session, and end with it', async () => {
    const { run } = runner()
    const many = await run(Array.from({ length: 12 }, (_, n) => `no-rule ${n}`))
    expect(many === 'aborted' ? [] : many.map(({ ending }) => ending)).toEqual([...Array.from({ length: 10 }, () => 'blocked'), 'left out', 'left out'])
    expect(await run(['cat x'], { wallSeconds: 0 })).toMatchObject([{ ending: 'left out', note: 'no time is left' }])
    expect(await run(['cat x'], { signal: AbortSignal.abort() })).toBe('aborted')
  })

  it('IS-09 that cannot be started have failed, and floods are cut', async () => {
    const { run } = runner()
    const ran = await run(['no-such-program', js('for (let n = 0; n < 200000; n++) console.log("flood")')])
    expect(ran).toMatchObject([{ ending: 'failed' }, { ending: 'passed' }])
    expect(ran === 'aborted' ? 0 : (ran[1]?.output.length ?? 0)).toBeLessThan(200_000)
  })

  it('see no key of a model, and are found again by their session', async () => {
    const { run } = runner()
    const line = js('console.log(process.env.HOME, process.env.GREENLATCH_SESSION)')
    expect(await run([line], { withheld: ['HOME'] })).toMatchObject([{ output: 'undefined s1\n' }])
    expect(await run([line])).toMatchObject([{ output: `${process.env['HOME']} s1\n` }])
  })

  it('IS-09 are run in the sandbox, without a network', async () => {
    const { run } = runner()
    const asked: Confined[] = []
    const sandbox = { ...noSandbox(), run: (request: Confined) => (asked.push(request), noSandbox().run(request)) }
    await run(['cat a b'], { sandbox })
    expect(asked).toMatchObject([{ argv: ['cat', 'a', 'b'], reach: { network: 'none' } }])
  })
})
