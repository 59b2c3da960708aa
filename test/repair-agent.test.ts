// The built-in repair agent through the command line: alone, and as the first of a chain.
import { spawnSync } from 'node:child_process'
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
    expect(run.stderr).toMatch(/fix has no answer \(nothing more to try.*\): other is asked instead/)
  })
})
