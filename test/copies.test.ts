// Clean copies through the CLI: where a baseline and the deciding check run, what they find there, and what is left of it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

function installed(): Workshop {
  const shop = makeWorkshop({ a: 'zero\n', '.gitignore': 'node_modules\n.env\n' })
  mkdirSync(join(shop.repo, 'node_modules/left'), { recursive: true })
  writeFileSync(join(shop.repo, 'node_modules/left/index'), 'dependency\n')
  return shop
}

function roomOf(shop: Workshop): string {
  return dirname(dirname(shop.session()))
}

function leftIn(shop: Workshop): string[] {
  return readdirSync(join(roomOf(shop), 'checkouts')).filter((name) => name.includes('.copy-'))
}

/** Makes what the gates want, and patches a dependency besides. */
function cheat(shop: Workshop): string {
  return shop.program('agent', 'echo two > b; echo patched > node_modules/left/index; echo x > .env')
}

/** Waits in the copy of a tree with the agent's work, until it may go on. */
function slowGate(shop: Workshop): string {
  const waits = 'case $PWD in *.copy-*) [ ! -e b ] || [ -e "$ROOT/go" ] || { touch "$ROOT/there"; sleep 1000; };; esac'
  return shop.program('gate', waits, 'test -e b && grep patched node_modules/left/index')
}

describe('the deciding check', () => {
  it('uses dependencies that no agent has touched, names what an agent has, and leaves no copy behind', async () => {
    const shop = installed()
    const gate = ['--gate', 'test -e b && grep patched node_modules/left/index']
    const ended = await shop.run(['run', 'converge', 'x', '--max-iterations', '1', '--ai-cmd', cheat(shop), ...gate])
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/not green in a clean copy.*: \.env, node_modules\/left\/index$/m)])
    expect(leftIn(shop)).toEqual([])
  })

  it('in place uses the dependencies from before the agent, which stay until the session is over', async () => {
    const shop = installed()
    const started = shop.start(['run', 'converge', 'x', '--in-place', '--max-iterations', '1', '--ai-cmd', cheat(shop), '--gate', slowGate(shop)])
    await until('a gate in a copy', () => existsSync(join(shop.root, 'there')))
    started.send('SIGKILL')
    await started.ended
    const deps = join(roomOf(shop), 'deps')
    const [key] = readdirSync(deps)
    const { stderr } = await shop.run(['clean', '--yes'])
    expect([stderr, readdirSync(deps)]).toEqual([expect.stringContaining('is not over, and agents have worked where it was copied from'), [key]])
    writeFileSync(join(shop.root, 'go'), '')
    const ended = await shop.run(['resume'])
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringMatching(/not green in a clean copy.*node_modules\/left\/index/)])
    expect((await shop.run(['clean', '--yes'])).code).toBe(0)
    expect(readdirSync(deps)).toEqual([])
  })

  it.each(['resume', 'clean'])('leaves a copy behind when it is killed, and %s removes it', async (command) => {
    const shop = installed()
    const started = shop.start(['run', 'converge', 'x', '--max-iterations', '1', '--ai-cmd', cheat(shop), '--gate', slowGate(shop)])
    await until('a gate in a copy', () => existsSync(join(shop.root, 'there')))
    started.send('SIGKILL')
    await started.ended
    expect(leftIn(shop)).toContain(`${basename(shop.session())}.copy-1`)
    writeFileSync(join(shop.root, 'go'), '')
    await shop.run(command === 'clean' ? ['clean', '--yes'] : ['resume'])
    expect(leftIn(shop)).toEqual([])
  })
})
