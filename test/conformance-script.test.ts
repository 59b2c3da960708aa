// Runs scripts/conformance.mjs as a process on small documents and results, and looks at what it prints and how it exits.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

type Test = { title: string; status: 'passed' | 'failed' | 'skipped' }

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Holds rows `id state` against tests, the way `npm test` does after its vitest suites. */
function conformance(rows: string[], tests: { unit?: Test[]; e2e?: Test[] }): { code: number | null; out: string } {
  const document = join(folder, 'conformance.md')
  const lines = rows.map((row) => `| ${row.slice(0, 5)} | what is owed | ${row.slice(6)} | engine |`)
  writeFileSync(document, ['# Owed', '', '| id | owed | state | area |', '|---|---|---|---|', ...lines, ''].join('\n'))
  for (const project of ['unit', 'e2e'] as const) {
    writeFileSync(join(folder, `${project}.json`), JSON.stringify({ testResults: [{ assertionResults: tests[project] ?? [] }] }))
  }
  const args = ['scripts/conformance.mjs', '--reuse', '--document', document, '--results', folder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { code: status, out: stdout + stderr }
}

function passed(title: string): Test {
  return { title, status: 'passed' }
}

describe('the conformance script', () => {
  it('passes when every id marked done has a passing test, in whichever project', () => {
    const { code, out } = conformance(['RO-01 done', 'RO-02 done'], {
      unit: [passed('RO-01 ends at its maximum'), passed('RO-01 ends after one')],
      e2e: [passed('RO-02 starts a new process')],
    })
    expect(out).toMatch(/^RO-01 +2 +RO-01 ends at its maximum$/m)
    expect(out).toContain('2 of 2 ids marked done, 0 open; 0 faults')
    expect(code).toBe(0)
  })

  it('counts a test for each of the ids its title starts with', () => {
    const { code, out } = conformance(['RO-07 done', 'RO-08 done'], { e2e: [passed('RO-07 RO-08 stops after setbacks')] })
    expect(out).toMatch(/^RO-07 +1 /m)
    expect(out).toMatch(/^RO-08 +1 /m)
    expect(code).toBe(0)
  })

  it('fails when an id marked done has no test, or only a skipped one', () => {
    const { code, out } = conformance(['RO-01 done', 'RO-02 done'], { e2e: [{ title: 'RO-02 starts', status: 'skipped' }] })
    expect(out).toContain('RO-01 is done but has no passing test')
    expect(out).toContain('RO-02 is done but has no passing test')
    expect(code).toBe(1)
  })

  it('fails when an id marked done has a failing test beside a passing one', () => {
    const tests = [passed('RO-01 ends'), { title: 'RO-01 ends early', status: 'failed' } as const]
    const { code, out } = conformance(['RO-01 done'], { unit: tests })
    expect(out).toContain('RO-01 is done but fails: "RO-01 ends early"')
    expect(code).toBe(1)
  })

  it('does not count an id that stands later in a title', () => {
    const { code } = conformance(['RO-01 done'], { unit: [passed('is like RO-01 in a way')] })
    expect(code).toBe(1)
  })

  it('fails when a title names an id that is not listed', () => {
    const { code, out } = conformance(['RO-01 open'], { unit: [passed('RO-01 RO-7 stops')] })
    expect(out).toContain('RO-7 is not listed: "RO-01 RO-7 stops"')
    expect(code).toBe(1)
  })

  it('only notes it when an open id has passing tests', () => {
    const { code, out } = conformance(['RO-01 open'], { unit: [passed('RO-01 ends')] })
    expect(out).toMatch(/^RO-01 .*open, though tests pass/m)
    expect(code).toBe(0)
  })

  it('reads what part of an id is done as a remark, and refuses any other state', () => {
    const good = conformance(['RO-01 done: plain commands'], { unit: [passed('RO-01 ends')] })
    expect(good.code).toBe(0)
    const bad = conformance(['RO-01 nearly'], { unit: [passed('RO-01 ends')] })
    expect(bad.out).toContain('RO-01 is neither done nor open')
    expect(bad.code).toBe(1)
  })

  it('fails when the document lists an id twice or none at all', () => {
    expect(conformance(['RO-01 open', 'RO-01 open'], {}).out).toContain('RO-01 is listed twice')
    expect(conformance([], {}).code).toBe(1)
  })
})
