// Tests of the gate that runs planned tests: which runner fits which files, and what it says where none does.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Effect } from '../../core/types.js'
import { temporaryFolder } from '../../files/fixture.js'
import { plannedGate, runnerFor } from './planned.js'
import { noSandbox } from '../sandbox/none.js'

const EFFECT: Extract<Effect, { kind: 'check' }> = {
  id: '1.test', phase: 'test', iteration: 1, plan: 1, tree: 't', pins: 't', base: 'test', opensIteration: false, opensPlan: false, kind: 'check', gates: ['tests'],
  baseline: false, sealed: false, reruns: 0, confirm: 0,
}

async function run(tests: readonly string[], files: Readonly<Record<string, string>>) {
  const root = temporaryFolder()
  const cwd = join(root, 'work')
  mkdirSync(cwd)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text)
  const limits = { wallSeconds: 50, silenceSeconds: 50, outputBytes: 1_000_000 }
  const request = { session: 's', effect: EFFECT, cwd, base: join(root, 'test'), limits, only: null, tests, onActivity: () => {} }
  const outcome = await plannedGate({ sandbox: noSandbox(), name: 'tests' }).run(request, new AbortController().signal)
  if (outcome === 'aborted') throw new Error('aborted')
  return outcome
}

describe('the runner of planned tests', () => {
  it.each([
    [['tests/test_a.py'], ['python3', '-m', 'pytest', 'tests/test_a.py', '-v', '--tb=short']],
    [['-x.test.js'], ['node', '--test', './-x.test.js']],
    [['a/x_test.go', 'a/y_test.go', 'b/z_test.go'], ['go', 'test', './a', './b']],
    [['tests/a.rs'], ['cargo', 'test']],
  ])('IS-05 of %j is %j', (tests, argv) => {
    expect(runnerFor(tests, temporaryFolder())).toEqual({ argv })
  })

  it('IS-05 is the one that the project has installed for scripts, and none for TypeScript without one', () => {
    const cwd = temporaryFolder()
    expect(runnerFor(['a.test.ts'], cwd)).toHaveProperty('fault')
    writeFileSync(join(cwd, 'package.json'), '{"devDependencies":{"vitest":"1"}}')
    expect(runnerFor(['a.test.ts'], cwd)).toEqual({ argv: ['npx', '--no-install', 'vitest', 'run', 'a.test.ts'] })
    writeFileSync(join(cwd, 'package.json'), 'no manifest')
    expect(runnerFor(['a.test.mjs'], cwd)).toEqual({ argv: ['node', '--test', 'a.test.mjs'] })
  })

  it.each([[[]], [['a.py', 'b.js']], [['a.txt']]])('is unknown for %j, which makes the gate unusable and not red', async (tests) => {
    expect((await run(tests, {})).result).toMatchObject({ exit: 'error', complete: false })
  })

  it('IS-05 runs the planned tests and no other', async () => {
    const test = (name: string, holds: string): string => `import { test } from 'node:test'\nimport assert from 'node:assert'\ntest('${name}', () => assert.ok(${holds}))\n`
    const outcome = await run(['a.test.mjs'], { 'a.test.mjs': test('a', 'true'), 'b.test.mjs': test('b', 'false') })
    expect([outcome.result.exit, outcome.ids]).toEqual(['pass', ['a.test.mjs::a']])
  })
})
