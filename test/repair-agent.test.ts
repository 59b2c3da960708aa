// The built-in repair agent through the command line: alone, and as the first of a chain.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace, type Place } from './support/cli.js'

function repository(files: Record<string, string>): Place {
  const place = makePlace()
  for (const [path, text] of Object.entries(files)) place.write(path, text)
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'start']]) spawnSync('git', args, { cwd: place.repo })
  return place
}

const RIGHT = 'export function largest(values) {\n  let best = values[0]\n  for (const value of values) if (value > best) best = value\n  return best\n}\n'
const TESTS = "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { largest } from './largest.js'\ntest('the largest', () => assert.equal(largest([3, 9, 4]), 9))\ntest('one', () => assert.equal(largest([7]), 7))\n"
const FILES = { 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n', 'largest.test.js': TESTS }
/** What no small change can mend. */
const MISSING = {
  'words.js': "export const words = () => { throw new Error('not built yet') }\n",
  'words.test.js': "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { words } from './words.js'\ntest('words', () => assert.deepEqual(words('a b'), ['a', 'b']))\n",
}

describe('the repair agent', () => {
  it('GL-06 mends a bug alone, and the loop proves it', async () => {
    const place = repository({ ...FILES, 'largest.js': RIGHT.replace('value > best', 'value < best') })
    const run = await place.run(['run', '--agent', 'repair', '--gate', 'npm test'])
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('converged\tverified') })
    expect((await place.run(['diff'])).stdout).toMatch(/-.*value < best[\s\S]*\+.*value >=? best/)
  })

  it('GL-06 says that it has nothing more to try, and the next agent of its chain is asked on the tree that was meant', async () => {
    const wrong = 'export function largest(values) {\n  return "nobody"\n}\n'
    const place = repository({ ...FILES, 'largest.js': wrong })
    const script = place.scripted([{ write: { 'largest.js': RIGHT }, say: 'written anew' }]).replace('scripted:', '')
    place.write('greenlatch.yaml', `agent: fix\nagents:\n  fix: { repair: true, candidates: 5, seconds: 30, fallback: other }\n  other: { script: ${script} }\ngates:\n  - { name: tests, run: npm test }\n`)
    const run = await place.run(['run'])
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('converged') })
    expect(run.stderr).toMatch(/fix has no answer \(no repair found: 5 candidates were refuted, more are left than it may try.*\): other is asked instead/)
  })

  it('GL-06 is first in a chain that is a list: it mends what it can, and hands the rest over', async () => {
    const place = repository({ ...FILES, ...MISSING, 'largest.js': RIGHT.replace('value > best', 'value < best') })
    const settings = join(place.home, '.config/greenlatch')
    mkdirSync(settings, { recursive: true })
    const agent = place.program('agent', 'cat > /dev/null', `printf 'export const words = (text) => text.split(" ")\\n' > words.js`)
    writeFileSync(join(settings, 'config.yaml'), `agents: { other: { command: ${agent} } }\n`)
    place.write('greenlatch.yaml', 'agents: [repair, other]\ngates:\n  - { name: tests, run: node --test }\n')
    const run = await place.run(['run'])
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('converged\tverified') })
    expect(run.stderr).toMatch(/ 1 {2}implement .*largest\.js[^]*repair has no answer .*: other is asked instead[^]* 2 {2}implement .*words\.js/)
    expect(place.starts('agent')).toHaveLength(1)
  })

  it('GL-06 is asked where no other agent is found, says so first, and names the ways on when it has nothing more to try', async () => {
    const place = repository({ ...FILES, ...MISSING, 'largest.js': RIGHT.replace('value > best', 'value < best') })
    const run = await place.run(['run', '--gate', 'node --test'])
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('stalled') })
    expect(run.stderr).toMatch(/^no agent is configured or found, so the built-in repair agent is asked: .*\n/)
    expect(run.stderr).toMatch(/pattern: +nothing left to try\n/)
    const explained = (await place.run(['explain'])).stdout
    expect(explained).toContain('asked: repair (from the package itself: no other agent was found)')
    for (const way of ['What was mended can be taken.', 'greenlatch agents', '--url', '--agent paste']) expect(explained).toContain(way)
    expect((await place.run(['diff'])).stdout).toMatch(/\+.*value >=? best/)
    const goOn = /go on: +greenlatch (resume \S+ --agent paste)\n/.exec(run.stderr)?.[1] ?? ''
    expect((await place.run(['resume'])).stderr).toMatch(/pattern: +nothing left to try\n/)
    expect(await place.run(goOn.split(' '))).toMatchObject({ code: 8 })
  })

  it('says of checks that pass already that nothing fails, before it is asked and at the end', async () => {
    const place = repository({ ...FILES, 'largest.js': RIGHT })
    const { code, stderr } = await place.run(['run', 'make the tests pass', '--gate', 'npm test'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/baseline .* 0 failing\nwarning: every check passes already: .*\n +1 {2}implement/)
    expect(stderr).toMatch(/pattern: +nothing fails\n/)
    expect(stderr).not.toContain('greenlatch resume')
    expect((await place.run(['explain'])).stdout).toContain('Every check passes already')
  })

  it('is not asked for what it cannot do: a procedure that needs a plan, or one without gates', async () => {
    const place = repository({ ...FILES, 'largest.js': RIGHT })
    for (const words of [['run', 'tdd', 'more', '--gate', 'node --test'], ['run', 'ooda']]) {
      const refused = await place.run(words)
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody answers as') as string })
      expect(refused.stderr).not.toContain('--agent repair')
    }
    const gateless = await place.run(['run', 'make the tests pass'])
    expect(gateless.stderr).toMatch(/no check is configured either: with one \(--gate\) the built-in repair agent is asked/)
    expect(gateless.stderr).not.toContain('--agent repair')
    expect(gateless.stderr).toMatch(/\n {2}next: greenlatch run 'make the tests pass' --gate "<your test command>"\n$/)
  })
})
