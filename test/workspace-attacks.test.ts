// Attacks on the place where agents work, and on what is read and written there: each goes nowhere, is named, and leaves a way on.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, repositoryWith, stateOf } from '../src/git/fixture.js'
import { makeWorkshop, refusal, type Workshop } from './support/repositories.js'

function checkoutsOf(shop: Workshop): string {
  return join(shop.session(), '../../checkouts')
}

describe('a checkout that an agent swaps for a link to the user’s repository', () => {
  async function swapped(): Promise<{ shop: Workshop; before: Record<string, string> }> {
    const shop = makeWorkshop()
    const agent = shop.program('agent', 'cat > /dev/null', 'here=$(pwd); cd ..', 'mv "$here" "$ROOT/moved"', 'ln -s "$ROOT/repo" "$here"; echo done')
    const gate = shop.program('gate', 'echo gate > gate-was-here')
    const before = shop.everything()
    const ended = await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent, '--gate', `g=${gate}`])
    expect([ended.code, ended.stderr]).toEqual([10, expect.stringContaining('is no folder any more')])
    expect(ended.stderr).toContain('next: greenlatch resume')
    expect([shop.starts('gate'), shop.everything()]).toEqual([[], before])
    return { shop, before }
  }

  it('is made again by resume, and the link alone is taken away.', async () => {
    const { shop, before } = await swapped()
    shop.program('agent', 'cat > /dev/null', 'echo new > new; echo done')
    const ended = await shop.run(['resume'])
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('was replaced by a link')])
    const checkout = join(checkoutsOf(shop), basename(shop.session()))
    expect(readdirSync(checkout).toSorted()).toEqual(['.git', '.gitignore', 'a', 'new', 'sub'])
    expect(shop.everything()).toEqual(before)
  })

  it('is cleaned away, and what the link leads to stays.', async () => {
    const { shop, before } = await swapped()
    const ended = await shop.run(['clean', '--yes'])
    expect([ended.code, readdirSync(checkoutsOf(shop))]).toEqual([0, []])
    expect(shop.everything()).toEqual(before)
  })
})

describe('a checkout with names and depths that no tree holds', () => {
  it('lets the run go on, is named, and is cleaned away.', async () => {
    const shop = makeWorkshop()
    const nest = "python3 -c \"import os\nfor _ in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)\nopen('deep', 'w')\""
    const agent = shop.program('agent', 'cat > /dev/null', `echo x > '.git:a\nb'; mkdir new; cd new`, nest, 'echo kept > ../kept; echo done')
    const ended = await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('nested too deep for any path')])
    expect(ended.stderr).toContain('git cannot hold this name')
    expect((await shop.run(['diff', '--stat'])).stdout).toMatch(/^added +\+1 −0 {2}kept\n$/)
    expect([(await shop.run(['clean', '--yes'])).code, readdirSync(checkoutsOf(shop))]).toEqual([0, []])
    // The next to take the session away could not.
    spawnSync('rm', ['-rf', shop.state])
  })
})

describe('a state folder that another user could have laid out', () => {
  it.each<[string, (state: string) => void, string, RegExp]>([
    ['belongs to them', (state) => chownSync(state, 65_534, 65_534), 'belongs to another user', /--state-dir/],
    ['is open to all', (state) => chmodSync(state, 0o777), 'can be written to by every user', /^chmod o-w /],
  ])('is not used when it %s.', async (_, spoil, message, next) => {
    const shop = makeWorkshop()
    mkdirSync(shop.state)
    spoil(shop.state)
    const agent = shop.program('agent', 'cat > /dev/null', 'echo done')
    for (const args of [['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent], ['resume'], ['status'], ['clean']]) {
      expect(refusal(await shop.run(args))).toEqual([10, expect.stringContaining(message), expect.stringMatching(next)])
    }
    expect([readdirSync(shop.state), shop.starts('agent')]).toEqual([[], []])
  })
})

describe('a session whose first commit the user has rewritten and pruned', () => {
  it('goes on after clean, from what is kept of it, and says so.', async () => {
    const shop = makeWorkshop()
    const agent = shop.program('agent', 'cat > /dev/null', 'git log --oneline > "$ROOT/log"; echo new > new; echo done')
    expect(await shop.run(['open', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])).toMatchObject({ code: 0 })
    expect(await shop.run(['clean', '--yes'])).toMatchObject({ code: 0 })
    shop.put({ 'sub/b': 'rewritten\n' })
    for (const args of [['branch', '-q', '-D', 'other'], ['commit', '-q', '-a', '--amend', '-m', 'rewritten'], ['reflog', 'expire', '--expire=now', '--all']]) shop.git(...args)
    shop.git('gc', '-q', '--prune=now')
    const ended = await shop.run(['resume'])
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('is no longer in your repository')])
    expect(shop.read('log')).toContain('Start of the Greenlatch session')
    expect((await shop.run(['diff', '--stat'])).stdout).toContain('new')
  })
})

describe('a folder that is reached through a link', () => {
  function linked(): { shop: Workshop; run: (folder: string) => ReturnType<Workshop['run']>; outside: string } {
    const shop = makeWorkshop()
    const outside = join(shop.root, 'outside')
    put(outside, { 'kept.txt': 'kept\n' })
    repositoryWith(join(shop.root, 'elsewhere'), { 'pkg/f': 'f\n' })
    symlinkSync(outside, join(shop.repo, 'out'))
    symlinkSync(join(shop.root, 'elsewhere/pkg'), join(shop.repo, 'away'))
    symlinkSync('sub', join(shop.repo, 'within'))
    symlinkSync(shop.repo, join(shop.root, 'alias'))
    shop.commit('links')
    const agent = shop.program('agent', 'cat > /dev/null', 'pwd -P > "$ROOT/where"; echo x > made; echo done')
    return { shop, outside, run: (folder) => shop.run(['-C', folder, 'run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent]) }
  }

  it.each([['out', 'outside'], ['away', 'elsewhere/pkg']])('is refused when it lies outside: %s.', async (link, real) => {
    const { shop, run, outside } = linked()
    const before = stateOf(outside)
    const [code, message, next] = refusal(await run(join(shop.repo, link)))
    expect([code, next]).toEqual([2, `greenlatch -C ${join(shop.root, real)}`])
    expect(message).toContain(`leads to ${join(shop.root, real)}`)
    expect([shop.starts('agent'), stateOf(outside), shop.sessions()]).toEqual([[], before, []])
  })

  it.each([['repo/within', 'sub'], ['alias', ''], ['alias/within', 'sub'], ['alias/sub', 'sub']])('is worked in where it really lies: %s.', async (folder, place) => {
    const { shop, run } = linked()
    expect(await run(join(shop.root, folder))).toMatchObject({ code: 0 })
    expect(shop.read('where').trim()).toBe(join(checkoutsOf(shop), basename(shop.session()), place))
  })

  it('is looked at again by resume, and refused when it leads elsewhere by then.', async () => {
    const { shop, outside } = linked()
    const open = ['-C', join(shop.repo, 'sub'), 'open', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', join(shop.root, 'agent')]
    expect(await shop.run(open)).toMatchObject({ code: 0 })
    renameSync(join(shop.repo, 'sub'), join(shop.root, 'gone'))
    symlinkSync(outside, join(shop.repo, 'sub'))
    const again = await shop.run(['resume'])
    expect(again.stderr).toContain(`leads to ${outside}`)
    expect([again.code, readdirSync(outside)]).toEqual([2, ['kept.txt']])
    rmSync(join(shop.repo, 'sub'))
    renameSync(join(shop.root, 'gone'), join(shop.repo, 'sub'))
    expect(await shop.run(['resume'])).toMatchObject({ code: 0 })
    expect(shop.read('where').trim()).toBe(join(checkoutsOf(shop), basename(shop.session()), 'sub'))
  })
})
