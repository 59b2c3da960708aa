// Sessions that are started below the root of a repository: where agents and gates work, and what is pinned there.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const SETTINGS = 'gates: [{ name: words, run: sh words.sh }]\n'

/** The root has a check of its own, and so has the folder below. */
function shopWithBoth(settings = ''): Workshop {
  const files = { 'words.sh': 'echo "FAIL words: at the root"; grep -q right sub/work.txt\n', 'sub/words.sh': 'echo "FAIL words: in the folder"; grep -q right work.txt\n', 'sub/work.txt': 'wrong\n' }
  return makeWorkshop({ ...files, ...(settings !== '' && { 'greenlatch.yaml': settings }) })
}

const textOf = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

function below(shop: Workshop): { cwd: string } {
  return { cwd: join(shop.repo, 'sub') }
}

describe('a session that is started below the root', () => {
  it('runs the gates of the settings at the root, and the agent where it was started', async () => {
    const shop = shopWithBoth(SETTINGS)
    const agent = shop.program('agent', 'cat > "$ROOT/prompt"', 'echo right > work.txt')
    const ended = await shop.run(['run', 'mend it', '--ai-cmd', agent], below(shop))
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/CONVERGED/)])
    expect(textOf(shop.session(), 'baseline.words.log')).toContain('at the root')
    expect(textOf(shop.root, 'prompt')).toContain('- words: `sh words.sh (in ..)`')
  })

  it('runs a gate that was typed where it was typed', async () => {
    const shop = shopWithBoth()
    const agent = shop.program('agent', 'cat > "$ROOT/prompt"', 'echo right > work.txt')
    const ended = await shop.run(['run', 'mend it', '--gate', 'words=sh words.sh', '--ai-cmd', agent], below(shop))
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/CONVERGED/)])
    expect(textOf(shop.session(), 'baseline.words.log')).toContain('in the folder')
    expect(textOf(shop.root, 'prompt')).toContain('- words: `sh words.sh`')
  })

  it('is not proved by a gate whose program there was written over', async () => {
    const shop = shopWithBoth()
    const ended = await shop.run(['run', 'mend it', '--gate', 'words=sh words.sh', '--ai-cmd', shop.program('agent', 'cat > /dev/null', 'echo true > words.sh'), '--max-iterations', '2'], below(shop))
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain('sub/words.sh')
    expect(eventsOf(shop.session()).some((event) => event.type === 'decided' && event.decision.finish?.outcome === 'converged')).toBe(false)
  })

  it('runs gates where its settings lie, when these lie below the root of the repository', async () => {
    const shop = makeWorkshop({ 'app/greenlatch.yaml': 'gates: [{ name: words, run: sh checks/words.sh }, { name: lib, run: sh ok.sh, cwd: lib }]\n', 'app/checks/words.sh': 'grep -q right work.txt\n', 'app/lib/ok.sh': 'test -f ok.txt\n', 'app/lib/ok.txt': '', 'app/work.txt': 'wrong\n' })
    const app = { cwd: join(shop.repo, 'app') }
    const cheated = await shop.run(['run', 'mend it', '--ai-cmd', shop.program('cheat', 'cat > /dev/null', 'echo true > checks/words.sh'), '--max-iterations', '2'], app)
    expect([cheated.code, cheated.stderr]).not.toEqual([0, expect.anything()])
    expect(cheated.stderr).toContain('app/checks/words.sh')
    const ended = await shop.run(['run', 'mend it', '--fresh', '--ai-cmd', shop.program('agent', 'cat > "$ROOT/prompt"', 'echo right > work.txt')], app)
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/CONVERGED/)])
    expect(textOf(shop.root, 'prompt')).toContain('- words: `sh checks/words.sh`\n- lib: `sh ok.sh (in lib)`')
    expect(await shop.run(['resume'], app)).toMatchObject({ stderr: expect.not.stringContaining('gates') })
  })

  it('is repaired by the built-in agent wherever the fault lies', async () => {
    const shop = makeWorkshop({
      'greenlatch.yaml': 'gates: [{ name: test, run: node --test }]\n',
      'package.json': '{ "private": true, "type": "module" }\n',
      'src/add.js': 'export const add = (a, b) => a - b\n',
      'test/add.test.js': "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { add } from '../src/add.js'\n\ntest('adds', () => assert.equal(add(2, 3), 5))\n",
      'sub/notes.txt': 'n\n',
    })
    const ended = await shop.run(['run', 'make the tests pass', '--agent', 'repair'], below(shop))
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/changed "src\/add\.js"/)])
  })

  it('does not follow a gate by a link, wherever that leads, and says where', async () => {
    for (const target of ['..', 'sub']) {
      const shop = makeWorkshop({ 'greenlatch.yaml': 'gates: [{ name: words, run: sh words.sh, cwd: way }]\n', 'sub/words.sh': 'exit 1\n' })
      symlinkSync(target, join(shop.repo, 'way'))
      shop.commit('a link')
      const ended = await shop.run(['run', 'mend it', '--ai-cmd', 'true'])
      expect([ended.code, ended.stderr]).toEqual([5, expect.stringMatching(/its folder way is reached by a link, and leads to (\.\.|sub): name that instead/)])
    }
  })

  it.each([
    ['a gate whose folder becomes a link to another', 'sub', 'rm -rf sub; ln -s other sub'],
    ['a gate whose folder becomes a link to where nothing is checked', 'sub', 'rm -rf sub; ln -s .git sub'],
    ['a gate whose folder is taken away', 'sub', 'rm -rf sub'],
  ])('is not proved by %s', async (_, cwd, deed) => {
    const shop = makeWorkshop({ 'greenlatch.yaml': `gates: [{ name: words, run: "! grep -rq wrong .", cwd: ${cwd} }]\n`, 'sub/work.txt': 'wrong\n', 'other/work.txt': 'right\n' })
    const ended = await shop.run(['run', 'mend it', '--ai-cmd', shop.program('agent', 'cat > /dev/null', deed), '--max-iterations', '2'])
    expect(ended.code, ended.stderr).not.toBe(0)
  })

  it.each([
    ['the script of npm above it', 'npm test', { 'package.json': '{ "private": true, "scripts": { "test": "sh scripts/check.sh" } }', 'scripts/check.sh': 'exit 1\n' }, 'echo true > ../scripts/check.sh', 'scripts/check.sh'],
    ['a file that a runner is given by name', 'node --test checks/run.js', { 'sub/checks/run.js': "import { test } from 'node:test'\ntest('one', () => { throw new Error('no') })\n" }, `printf "import { test } from 'node:test'\ntest('one', () => {})\n" > checks/run.js`, 'sub/checks/run.js'],
    ['the top by way of git', 'cd "$(git rev-parse --show-toplevel)" && sh check.sh', { 'check.sh': 'exit 1\n' }, 'echo true > ../check.sh', 'check.sh'],
    ['a link', 'sh way/check.sh', { 'other/check.sh': 'exit 1\n' }, 'echo true > ../other/check.sh', 'other/check.sh'],
  ])('GL-03 is not proved where the agent writes over what the gate comes to by %s', async (_, gate, files, deed, named) => {
    const shop = makeWorkshop({ 'sub/work.txt': 'wrong\n', ...files })
    symlinkSync('../other', join(shop.repo, 'sub/way'))
    shop.commit('a link')
    const ended = await shop.run(['run', 'mend it', '--gate', `check=${gate}`, '--ai-cmd', shop.program('agent', 'cat > /dev/null', deed), '--max-iterations', '2'], below(shop))
    expect(ended.code, ended.stderr).not.toBe(0)
    expect(ended.stderr).toContain(named)
  })
})
