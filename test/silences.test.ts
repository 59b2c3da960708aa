// End-to-end tests of changes that tell a check to look away: they converge with an exception that is named wherever the result is told.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Ended, type Place } from './support/cli.js'

const TSC = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')
const NAMED = 'a check was told to look away: // @ts-nocheck at src/a.js:1'

function git(place: Place, ...args: string[]): void {
  const who = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com']
  execFileSync('git', [...who, ...args], { cwd: place.repo, stdio: 'ignore' })
}

/** The types are in order at the start, and one test fails. `src/old.js` was silenced before. */
function repository(): Place {
  const place = makePlace()
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'config', 'user.name', 'Someone')
  git(place, 'config', 'user.email', 'someone@example.com')
  place.write('src/a.js', '/** @returns {number} */\nexport function a() {\n  return 0\n}\n')
  place.write('src/old.js', '/** @type {number} */\n// @ts-ignore\nexport const old = "1"\n')
  place.write('test/a.test.js', `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { a } from '../src/a.js'\ntest('a', () => assert.ok(a() == 1))\n`)
  place.write('package.json', '{"name":"a","version":"1.0.0","type":"module"}\n')
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'first')
  return place
}

function run(place: Place, does: string): Promise<Ended> {
  const agent = place.program('agent', 'cat > /dev/null', does)
  const types = `types=node ${TSC} --noEmit --lib es5 --allowJs --checkJs --strict src/a.js src/old.js`
  return place.run(['run', 'make a give 1', '--gate', 'test=node --test', '--gate', types, '--ai-cmd', agent, '--max-iterations', '1'])
}

const WRONG = `sed -i "s/return 0/return '1'/" src/a.js`
const SILENCED = `${WRONG}; sed -i '1i // @ts-nocheck' src/a.js`
const RIGHT = `sed -i 's/return 0/return 1/' src/a.js; sed -i '1i // what was silenced before stays so' src/old.js`

describe('a check of types', () => {
  it('GL-07 that was told to look away is an exception to the proof, named by the end, status, report, explain and accept', async () => {
    const place = repository()
    const ended = await run(place, SILENCED)
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^converged\tpartly verified\t/)])
    expect(ended.stderr).toContain(`except:   ${NAMED}`)
    const told = await Promise.all(['status', 'report', 'explain'].map(async (command) => [command, (await place.run([command])).stdout.includes(NAMED)]))
    expect(told).toEqual([['status', true], ['report', true], ['explain', true]])
    expect(await place.status()).toMatchObject({ label: 'partly verified', exceptions: [NAMED] })
    const accepted = await place.run(['accept'])
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining(`except:  ${NAMED}`)])
  })

  it('that looks everywhere it did before is no exception', async () => {
    const place = repository()
    const ended = await run(place, RIGHT)
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^converged\tverified\t/)])
    expect(ended.stderr).not.toContain('except:')
    expect(await place.status()).toMatchObject({ label: 'verified', exceptions: [] })
  })

  it('fails for what is wrong and not silenced', async () => {
    expect((await run(repository(), WRONG)).stdout).not.toContain('converged')
  })
})
