import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RepairEntry } from '../../../agent-entry.js'
import type { Effect } from '../../../core/types.js'
import { temporaryFolder } from '../../../files/fixture.js'
import type { Agent, Answer } from '../../../ports.js'
import { commandGate } from '../../gates/command.js'
import { repairAgent } from './agent.js'

type Files = Record<string, string>
type Place = { cwd: string; ask(agent: Agent): Promise<Answer | undefined>; read(path: string): string }

function place(files: Files): Place {
  const [cwd, session] = [temporaryFolder(), temporaryFolder()]
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  mkdirSync(join(session, 'iteration-1'))
  const effect = { kind: 'ask', id: 'e1', base: 'iteration-1/implement', iteration: 1, yields: 'candidate' } as Extract<Effect, { kind: 'ask' }>
  const limits = { wallSeconds: 120, silenceSeconds: 120, outputBytes: 1_000_000 }
  const request = { session: 's', effect, prompt: '', responsePath: join(session, 'iteration-1/implement-response.md'), cwd, limits, left: { tokens: null, usd: null }, onActivity: () => {} }
  return { cwd, ask: (agent) => agent.ask(request, new AbortController().signal), read: (path) => readFileSync(join(cwd, path), 'utf8') }
}

function agent(run: string, entry: Partial<RepairEntry> = {}): Agent {
  const gate = { name: 'tests', run }
  return repairAgent({ name: 'repair', entry: { repair: true, ...entry }, gates: [{ entry: gate, gate: commandGate(gate) }] })
}

const SUM = 'export function sum(values) {\n  let total = 0\n  for (let i = 1; i < values.length; i += 1) {\n    total += values[i]\n  }\n  return total\n}\n'
const SUM_TEST = "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sum } from './sum.js'\ntest('all count', () => assert.equal(sum([5, 2, 3]), 10))\ntest('none', () => assert.equal(sum([]), 0))\n"
const JAVASCRIPT: Files = { 'package.json': '{ "type": "module" }', 'sum.js': SUM, 'sum.test.js': SUM_TEST }

/** Enough for these bugs; more would only take longer. */
const FEW = { candidates: 10 }

describe('the repair agent', () => {
  it('GL-06 mends a bug in JavaScript with a warm runner, and says what, where and after how many', async () => {
    const at = place(JAVASCRIPT)
    const answer = await at.ask(agent('node --test', FEW))
    expect(answer).toMatchObject({ ending: 'done', note: expect.stringMatching(/^\w[\w ]* in sum\.js:3, after \d+ candidates$/) })
    expect(answer?.text).toContain('+   for (let i = 0;')
    expect(at.read('sum.js')).toBe(SUM.replace('i = 1', 'i = 0'))
  })

  it('GL-06 mends the same with one process for each candidate', async () => {
    const at = place(JAVASCRIPT)
    expect(await at.ask(agent('node --test', { ...FEW, warm: false }))).toMatchObject({ ending: 'done' })
    expect(at.read('sum.js')).toBe(SUM.replace('i = 1', 'i = 0'))
  })

  it('GL-06 mends a bug in Python that makes a test run without an end', async () => {
    const wrong = 'def halvings(n):\n    count = 0\n    while n >= 0:\n        n //= 2\n        count += 1\n    return count\n'
    const test = 'import unittest\nfrom halving import halvings\n\nclass T(unittest.TestCase):\n    def test_eight(self):\n        self.assertEqual(halvings(8), 4)\n\n    def test_one(self):\n        self.assertEqual(halvings(1), 1)\n'
    const at = place({ 'halving.py': wrong, 'test_halving.py': test })
    expect(await at.ask(agent('python3 -m unittest', FEW))).toMatchObject({ ending: 'done' })
    expect(at.read('halving.py')).toBe(wrong.replace('n >= 0', 'n > 0'))
  })

  it('proposes nothing twice on the same sources, and says when it has nothing more to try', async () => {
    const at = place(JAVASCRIPT)
    const repairer = agent('node --test', FEW)
    const first = await at.ask(repairer)
    expect(first).toMatchObject({ ending: 'done' })
    writeFileSync(join(at.cwd, 'sum.js'), SUM)
    const second = await at.ask(repairer)
    expect(second?.text).not.toBe(first?.text)
    writeFileSync(join(at.cwd, 'sum.js'), SUM)
    await at.ask(repairer)
    writeFileSync(join(at.cwd, 'sum.js'), SUM)
    expect(await at.ask(repairer)).toMatchObject({ ending: 'exhausted', note: expect.stringContaining('nothing more to try') })
    expect(at.read('sum.js')).toBe(SUM)
  })

  it('changes no test, and nothing at all when no gate fails', async () => {
    const at = place({ ...JAVASCRIPT, 'sum.js': SUM.replace('i = 1', 'i = 0') })
    expect(await at.ask(agent('node --test'))).toMatchObject({ ending: 'exhausted' })
    expect([at.read('sum.js'), at.read('sum.test.js')]).toEqual([SUM.replace('i = 1', 'i = 0'), SUM_TEST])
  })

  it('is not ready without a gate that it may see', async () => {
    const blind = repairAgent({ name: 'repair', entry: { repair: true }, gates: [] })
    expect(await blind.ready()).toMatch(/there is no gate/)
    expect(await agent('node --test').ready()).toBeNull()
  })
})
