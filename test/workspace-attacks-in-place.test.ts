// Work in the user's own folder: what an agent does to any repository there is put back and named, and what the user does stays.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryWith } from '../src/git/fixture.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const IN_PLACE = ['ooda', 'x', '--in-place', '--max-iterations', '1']

describe('an agent that works in place', () => {
  it('does not leave programs in the repository of a linked worktree, nor lead the worktree elsewhere.', async () => {
    const shop = makeWorkshop()
    const linked = join(shop.root, 'linked')
    shop.git('worktree', 'add', '-q', linked)
    const before = [join(shop.repo, '.git/config'), join(linked, '.git')].map((path) => readFileSync(path, 'utf8'))
    const agent = shop.program(
      'agent', 'cat > /dev/null', 'git config core.fsmonitor evil', `mkdir -p '${shop.repo}/.git/hooks'`, `echo evil > '${shop.repo}/.git/hooks/pre-commit'`,
      'git init -q "$ROOT/evil"; echo "gitdir: $ROOT/evil/.git" > .git; echo done',
    )
    const ended = await shop.run(['run', ...IN_PLACE, '--ai-cmd', agent], { cwd: linked })
    expect(ended.code).toBe(0)
    expect([join(shop.repo, '.git/config'), join(linked, '.git')].map((path) => readFileSync(path, 'utf8'))).toEqual(before)
    expect(existsSync(join(shop.repo, '.git/hooks/pre-commit'))).toBe(false)
    for (const named of ['.git was changed; put back', `${shop.repo}/.git/config was changed`, `${shop.repo}/.git/hooks was added`]) {
      expect(ended.stderr).toContain(named)
    }
  })

  it('does not leave programs in repositories inside, nor when its own work is first run by a gate.', async () => {
    const shop = makeWorkshop()
    repositoryWith(join(shop.repo, 'build/inner'), { i: 'i\n' })
    const agent = shop.program('agent', 'cat > /dev/null', 'git -C build/inner config core.fsmonitor evil', 'echo "git config core.editor evil" > test.sh; echo done')
    const ended = await shop.run(['run', ...IN_PLACE, '--ai-cmd', agent, '--gate', 'g=sh test.sh'])
    expect(ended.stderr).toContain('build/inner/.git/config was changed; put back')
    expect(ended.stderr).toContain(' .git/config was changed; put back')
    expect([shop.file('build/inner/.git/config'), shop.file('.git/config')].join('')).not.toContain('evil')
  })
})

describe('between two runs in place', () => {
  async function opened(script: string): Promise<Workshop> {
    const shop = makeWorkshop()
    const agent = shop.program('agent', 'cat > /dev/null', script)
    expect(await shop.run(['open', ...IN_PLACE, '--ai-cmd', agent])).toMatchObject({ code: 0 })
    return shop
  }

  it('what the user changes in their repository stays.', async () => {
    const shop = await opened('echo new > new; echo done')
    shop.git('config', 'alias.mine', 'status')
    writeFileSync(join(shop.repo, '.git/config.mine'), '')
    const ended = await shop.run(['resume'])
    expect([ended.code, shop.git('config', 'alias.mine'), shop.file('new')]).toEqual([0, 'status', 'new\n'])
    expect(ended.stderr).not.toContain('put back')
  })

  it('what has changed since a turn that was cut off is put back, kept and named, since nobody knows whose it is.', async () => {
    const shop = await opened('[ -e "$ROOT/second" ] || { git config alias.evil x; touch "$ROOT/second"; echo cut off here >&2; sleep 60; }; echo done')
    const started = shop.start(['resume'])
    while (!existsSync(join(shop.root, 'second'))) await new Promise((resolve) => setTimeout(resolve, 50))
    started.send('SIGKILL')
    await started.ended
    const ended = await shop.run(['resume'])
    expect(ended.stderr).toContain('.git/config was changed; put back, and what stood there is kept in')
    expect([ended.code, shop.file('.git/config')]).toEqual([0, expect.not.stringContaining('evil')])
  })
})
