import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RepairEntry } from '../../../agent-entry.js'
import type { Effect } from '../../../core/types.js'
import { temporaryFolder } from '../../../files/fixture.js'
import type { Agent, Answer } from '../../../ports.js'
import { commandGate } from '../../gates/command.js'
import { repairAgent } from './agent.js'
import { noSandbox } from '../../sandbox/none.js'

type Files = Record<string, string>
type Place = { cwd: string; ask(agent: Agent): Promise<Answer | undefined>; read(path: string): string }

function place(files: Files): Place {
  const [cwd, session] = [temporaryFolder(), temporaryFolder()]
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  mkdirSync(join(session, 'iteration-1'))
  const effect = { kind: 'ask', id: 'e1', base: 'iteration-1/implement', iteration: 1, yields: 'candidate' } as Extract<
    Effect,
    { kind: 'ask' }
  >
  const limits = { wallSeconds: 120, silenceSeconds: 120, outputBytes: 1_000_000 }
  const responsePath = join(session, 'iteration-1/implement-response.md')
  const request = { session: 's', effect, prompt: '', responsePath, cwd, top: cwd, limits, left: { tokens: null, usd: null }, onActivity: () => {} }
  return { cwd, ask: (agent) => agent.ask(request, new AbortController().signal), read: (path) => readFileSync(join(cwd, path), 'utf8') }
}

function agent(run: string, entry: Partial<RepairEntry> = {}): Agent {
  const gate = { name: 'tests', run }
  return repairAgent({ sandbox: noSandbox(), name: 'repair', entry: { repair: true, ...entry }, gates: [{ entry: gate, gate: commandGate({ ...gate, sandbox: noSandbox() }) }] })
}

const OF_AGE = 'export function isOfAge(years) {\n  return years > 18\n}\n'
const MENDED = OF_AGE.replace('> 18', '>= 18')
const OF_AGE_TEST = [
  "import test from 'node:test'",
  "import assert from 'node:assert/strict'",
  "import { isOfAge } from './age.js'",
  "test('from eighteen on', () => assert.equal(isOfAge(18), true))",
  "test('not before', () => assert.deepEqual([17, 40].map(isOfAge), [false, true]))",
  '',
].join('\n')
const JAVASCRIPT: Files = { 'package.json': '{ "type": "module" }', 'age.js': OF_AGE, 'age.test.js': OF_AGE_TEST }

const HALVINGS = 'def halvings(n):\n    count = 0\n    while n >= 0:\n        n //= 2\n        count += 1\n    return count\n'
const HALVINGS_TEST = [
  'import unittest',
  'from halving import halvings',
  '',
  'class T(unittest.TestCase):',
  '    def test_eight(self):',
  '        self.assertEqual(halvings(8), 4)',
  '',
].join('\n')

/** Enough for these bugs; more would only take longer. */
const FEW = { candidates: 3 }

describe('the repair agent', () => {
  it('GL-06 mends a bug in JavaScript with a warm runner, and says what, where and after how many', async () => {
    const at = place(JAVASCRIPT)
    const answer = await at.ask(agent('node --test', FEW))
    expect(answer).toMatchObject({ ending: 'done', note: expect.stringMatching(/^comparison in age\.js:2, after \d+ candidates?$/) })
    expect(answer?.text).toContain('-   return years > 18\n+   return years >= 18')
    expect(at.read('age.js')).toBe(MENDED)
  })

  it('GL-06 mends the same with one process for each candidate', async () => {
    const at = place(JAVASCRIPT)
    expect(await at.ask(agent('node --test', { candidates: 1, warm: false }))).toMatchObject({ ending: 'done' })
    expect(at.read('age.js')).toBe(MENDED)
  })

  it('GL-06 mends a bug in Python that makes a test run without an end', async () => {
    const at = place({ 'halving.py': HALVINGS, 'test_halving.py': HALVINGS_TEST })
    expect(await at.ask(agent('python3 -m unittest', FEW))).toMatchObject({ ending: 'done' })
    expect(at.read('halving.py')).toBe(HALVINGS.replace('n >= 0', 'n > 0'))
  })

  it('proposes nothing twice on the same sources, and says when it has nothing more to try', async () => {
    const at = place(JAVASCRIPT)
    const repairer = agent('node --test', FEW)
    const proposed: string[] = []
    let answer = await at.ask(repairer)
    while (answer?.ending === 'done' && proposed.length < 4) {
      proposed.push(at.read('age.js'))
      writeFileSync(join(at.cwd, 'age.js'), OF_AGE)
      answer = await at.ask(repairer)
    }
    expect(proposed).toEqual([MENDED, ...new Set(proposed.slice(1))])
    expect(answer).toMatchObject({ ending: 'exhausted', note: expect.stringMatching(/^no repair found: \d+ candidates were refuted, more are left than it may try/) })
    expect(at.read('age.js')).toBe(OF_AGE)
  })

  it.each([true, false])('leaves what tests write into installed packages to its copies (warm: %s)', async (warm) => {
    const writing = [
      "import { appendFileSync, writeFileSync } from 'node:fs'",
      "import { dep } from 'dep'",
      "test('packages are whole', () => assert.equal(dep, 1))",
      "appendFileSync('vendor/log.txt', 'ran')",
      "writeFileSync('node_modules/dep/left.js', 'export const dep = 2')",
    ]
    const at = place({
      ...JAVASCRIPT,
      'age.test.js': OF_AGE_TEST + writing.join('\n'),
      'vendor/log.txt': '',
      'node_modules/dep/package.json': '{ "type": "module", "main": "index.js" }',
      'node_modules/dep/index.js': 'export const dep = 1',
      'node_modules/dep/left.js': '',
    })
    expect(await at.ask(agent('node --test', { candidates: 1, warm }))).toMatchObject({ ending: 'done' })
    expect([at.read('age.js'), at.read('vendor/log.txt'), at.read('node_modules/dep/left.js')]).toEqual([MENDED, '', ''])
  })

  it('changes no test, and nothing at all when no gate fails', async () => {
    const at = place({ ...JAVASCRIPT, 'age.js': MENDED })
    expect(await at.ask(agent('node --test'))).toMatchObject({ ending: 'exhausted' })
    expect([at.read('age.js'), at.read('age.test.js')]).toEqual([MENDED, OF_AGE_TEST])
  })

  it('is not ready without a gate that it may see', async () => {
    const blind = repairAgent({ sandbox: noSandbox(), name: 'repair', entry: { repair: true }, gates: [] })
    expect(await blind.ready()).toMatch(/there is no gate/)
    expect(await agent('node --test').ready()).toBeNull()
  })
})
