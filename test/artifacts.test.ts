// End-to-end tests of what a session leaves for programs: its artifacts, its report, JUnit XML, and gates that decide by themselves.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { junitReader } from '../src/adapters/gates/readers/junit.js'
import { createNames } from '../src/adapters/gates/readers/names.js'
import { ARTIFACT_NAMES, type ArtifactName, type Artifacts } from '../src/text/artifacts/artifacts.js'
import type { Turn } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const TESTS = `import { test } from 'node:test'
import assert from 'node:assert'
import { add, twice } from './sum.mjs'
test('adds', () => assert.equal(add(1, 2), 3))
test('doubles', () => assert.equal(twice(2), 4))
test('rests', { skip: true }, () => {})
`
const sum = (add: string, twice: string): string => `export const add = (a, b) => ${add}\nexport const twice = (a) => ${twice}\n`
const BROKEN = sum('a - b', 'a')
const HALF = sum('a + b', 'a')
const RIGHT = sum('a + b', '2 * a')

function workshop(): Workshop {
  return makeWorkshop({ 'sum.mjs': BROKEN, 'sum.test.mjs': TESTS })
}

function converge(place: Workshop, turns: Turn[], ...more: string[]): ReturnType<Workshop['run']> {
  return place.run(['run', 'converge', 'Make the tests pass', '--agent', place.scripted(turns), '--json', ...more])
}

function artifactsOf(place: Workshop): Artifacts {
  const read = (name: ArtifactName): unknown => JSON.parse(readFileSync(join(place.session(), `${name}.json`), 'utf8'))
  return Object.fromEntries(ARTIFACT_NAMES.map((name) => [name, read(name)])) as unknown as Artifacts
}

function testsIn(xml: string): [string, string][] {
  const reader = junitReader(createNames({ roots: [] }))
  reader.push(xml)
  return reader.end().cases.map(({ id, status }) => [id, status])
}

const NODE_GATE = ['--gate', 'node --test']

describe('the artifacts of a session', () => {
  it('RB-11 hold to the schemas that the program prints, and tell what the session found', async () => {
    const place = workshop()
    const turns = [{ write: { 'sum.mjs': HALF } }, { write: { 'notes.txt': 'x' } }]
    expect((await converge(place, turns, '--max-iterations', '2', ...NODE_GATE)).code).toBe(4)
    const artifacts = artifactsOf(place)
    for (const name of ARTIFACT_NAMES) {
      const schema = JSON.parse((await place.run(['schema', name])).stdout) as z.core.JSONSchema.JSONSchema
      expect(z.fromJSONSchema(schema).safeParse(artifacts[name])).toMatchObject({ success: true })
      expect(z.fromJSONSchema(schema).safeParse({ ...artifacts[name], other: 1 }).success).toBe(false)
    }
    expect(artifacts.baseline_failures.failures.map(({ subject }) => subject)).toEqual(['sum.test.mjs::adds', 'sum.test.mjs::doubles'])
    const doubles = { subject: 'sum.test.mjs::doubles', status: 'same', baseline: true }
    expect(artifacts.current_failures).toMatchObject({ iteration: 2, failures: [doubles] })
    expect(artifacts.current_failures.fixed).toMatchObject([{ subject: 'sum.test.mjs::adds', iteration: 1, status: 'fixed' }])
    expect(artifacts.failure_fingerprint_history.counts[0]).toMatchObject({ subject: 'sum.test.mjs::doubles', seen: 3, row: 3 })
    const end = { outcome: 'exhausted', label: 'unverified', proved: false, fixed: ['sum.test.mjs::adds'] }
    expect(artifacts.completion_reasons).toMatchObject(end)
  })

  it('RB-11 of a proved result say so', async () => {
    const place = workshop()
    expect((await converge(place, [{ write: { 'sum.mjs': RIGHT } }], ...NODE_GATE)).code).toBe(0)
    expect(artifactsOf(place).completion_reasons).toMatchObject({
      outcome: 'converged', label: 'verified', proved: true, fresh: [], exceptions: [],
      fixed: ['sum.test.mjs::adds', 'sum.test.mjs::doubles'],
    })
  })

  it('RB-11 that are lost come back when the session goes on', async () => {
    const place = workshop()
    await converge(place, [{ write: { 'sum.mjs': HALF } }], '--max-iterations', '1', ...NODE_GATE)
    for (const name of ARTIFACT_NAMES) rmSync(join(place.session(), `${name}.json`))
    await place.run(['resume', '--max-iterations', '2'])
    expect(artifactsOf(place).failure_fingerprint_history.entries.map(({ iteration }) => iteration)).toEqual([0, 1, 2])
    expect(artifactsOf(place).baseline_failures.captured).toBe(true)
  })

  it('are named by the help of the schema command', async () => {
    const { stdout } = await workshop().run(['schema', '--help'])
    for (const name of [...ARTIFACT_NAMES, 'event']) expect(stdout).toContain(name)
  })
})

describe('the report of a session', () => {
  it('says how it ended, what was fixed and what fails, and exports the last check as JUnit XML', async () => {
    const place = workshop()
    await converge(place, [{ write: { 'sum.mjs': HALF } }], '--max-iterations', '1', ...NODE_GATE)
    const { stdout, code } = await place.run(['report'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^outcome +exhausted · unverified · exit 4$/m)
    expect(stdout).toMatch(/^fixed:\n {2}sum\.test\.mjs::adds\nfailing:\n {2}node-test: sum\.test\.mjs::doubles$/m)
    const { stdout: json } = await place.run(['report', '--json'])
    expect(JSON.parse(json)).toEqual(artifactsOf(place).completion_reasons)
    expect(await place.run(['report', '--junit', 'results.xml'])).toMatchObject({ code: 0, stdout: '' })
    const xml = readFileSync(join(place.repo, 'results.xml'), 'utf8')
    expect((await place.run(['report', '--junit'])).stdout).toBe(xml)
    expect(testsIn(xml)).toEqual([['sum.test.mjs::adds', 'pass'], ['sum.test.mjs::doubles', 'fail'], ['sum.test.mjs::rests', 'skip']])
  })

  it('refuses what cannot be exported, and where it cannot be written', async () => {
    const place = workshop()
    await place.run(['open', 'converge', 'x', '--agent', 'paste', '--gate', 'true'])
    const early = await place.run(['report', '--junit'])
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('has checked nothing yet')])
    await converge(place, [{}], '--fresh', '--max-iterations', '1', '--gate', 'false')
    const nowhere = await place.run(['report', '--junit', 'none/x.xml'])
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no folder')])
    expect(existsSync(join(place.repo, 'none'))).toBe(false)
  })
})

describe('a gate that decides by itself', () => {
  function deciding(run: string): Workshop {
    const settings = `gates:\n  - { name: review, run: ${JSON.stringify(run)}, decision: true }\n`
    return makeWorkshop({ 'a.txt': 'one\n', 'greenlatch.yaml': settings })
  }

  it('RB-01 is not passed by decisions that an agent leaves for it', async () => {
    const place = deciding('cp decision.json "$GREENLATCH_DECISION_FILE"')
    const fake = (rest: object): Turn => ({ write: { 'decision.json': JSON.stringify({ decision: 'complete', ...rest }) } })
    const ended = await converge(place, [fake({ check_id: 'guess' }), fake({ check_id: '' }), fake({})], '--max-iterations', '3')
    expect(ended.code).toBeGreaterThan(2)
    expect(artifactsOf(place).current_failures.failures).toMatchObject([{ subject: 'review: undecidable', class: 'behaviour' }])
    expect(artifactsOf(place).current_failures.gates[0]?.note).toMatch(/the decision file is stale/)
  })

  it('RB-02 that never decides is the same failure each time: it stalls, and is no breakdown', async () => {
    const place = deciding('echo "hard to say, $(date +%s%N)"')
    const turns = Array.from({ length: 6 }, (_none, at) => ({ write: { 'a.txt': `try ${at}\n` } }))
    const ended = await converge(place, turns)
    expect(JSON.parse(ended.stdout)).toMatchObject({ finish: { outcome: 'stalled', code: 3 } })
    const { counts } = artifactsOf(place).failure_fingerprint_history
    expect(counts).toMatchObject([{ subject: 'review: undecidable' }])
    expect(counts[0]?.row).toBeGreaterThan(3)
  })

  it('RB-01 RB-02 is heard with its reasons until it says complete, and its pass alone is no full proof', async () => {
    const object = '{"decision":"incomplete","check_id":"%s","reasons":["two is missing"]}'
    const writes = `printf '${object}' "$GREENLATCH_CHECK_ID" > "$GREENLATCH_DECISION_FILE"`
    const place = deciding(`if grep -q two a.txt; then echo COMPLETE; else ${writes}; fi`)
    const ended = await converge(place, [{ write: { 'a.txt': 'one and a half\n' } }, { write: { 'a.txt': 'two\n' } }])
    expect(JSON.parse(ended.stdout)).toMatchObject({ finish: { outcome: 'converged', label: 'partly verified' } })
    expect(artifactsOf(place).baseline_failures.failures).toMatchObject([{ subject: 'review: two is missing', message: 'two is missing' }])
  })
})
