// Replies in text, through the CLI: files of blocks are written, what is wrong with them comes back in a prompt, and reviews are exported.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createNames } from '../src/adapters/gates/readers/names.js'
import { sarifReader } from '../src/adapters/gates/readers/sarif.js'
import { makePlace, type Place } from './support/cli.js'

const PROCEDURE = `
procedures:
  reviewed:
    summary: Writes, checks and reviews.
    start: write
    phases:
      write:
        kind: ask
        role: implementer
        yields: candidate
        opensIteration: true
        prompt:
          - { title: TASK, fragments: [{ section: task }, { section: failures }] }
          - { title: LAST ANSWER, fragments: [{ section: fault }] }
          - { title: FORM, fragments: [{ section: form }] }
        on: { pass: check }
      check:
        kind: check
        gates: ["@configured"]
        on: { pass: review, fail: write }
      review:
        kind: ask
        role: reviewer
        yields: review
        judges: true
        retries: 1
        prompt:
          - { title: FORM, fragments: [{ section: form }] }
          - { title: LAST ANSWER, fragments: [{ section: fault }] }
        on: { pass: "@completed", fail: write }
    policies: {}
    budget: { iterations: 4 }
    final: last
agents:
  writer: { script: ../writer.json, replies: text }
  reader: { script: ../reader.json }
agent: { implementer: writer, reviewer: reader }
`

const file = (path: string, content: string): string => `=== FILE ${path} ===\n${content}=== END ===\n`
const finding = { category: 'security', severity: 'error', path: 'out/a.sql', line: 3, snippet: 'x', description: 'input is not bound on line 3', fix: 'bind it' }

function placeWith(writer: string[], reader: string[]): Place {
  const place = makePlace()
  place.write('greenlatch.yaml', PROCEDURE)
  const script = (says: string[]): string => JSON.stringify({ turns: says.map((say) => ({ say })) })
  writeFileSync(join(place.root, 'writer.json'), script(writer))
  writeFileSync(join(place.root, 'reader.json'), script(reader))
  return place
}

const run = (place: Place): ReturnType<Place['run']> => place.run(['run', 'reviewed', 'write it', '--gate', 'test -f out/a.sql'])
const prompt = (place: Place, name: string): string => readFileSync(join(place.session(), `${name}-prompt.md`), 'utf8')

describe('an agent that answers in text', () => {
  it('IS-08 has its blocks written; none, or one in doubt, is said and shown to it, and the loop goes on', async () => {
    const doubtful = file('out/a.sql', 'x\n=== END ===\ny\n')
    const right = `<think>${file('out/b.sql', 'no\n')}</think>${file('out/a.sql', 'select 1\n')}`
    const place = placeWith(['I did nothing.', doubtful, `${file('out/c.sql', 'good\n')}${doubtful}`, right], ['PASS'])
    const ended = await run(place)
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('the reply has no file block: nothing is written')
    expect(ended.stderr).toContain('not taken: out/a.sql: text follows its end')
    expect(prompt(place, 'iteration-1/write')).toContain('=== FILE <path> ===')
    expect(prompt(place, 'iteration-1/write')).not.toContain('LAST ANSWER')
    expect(prompt(place, 'iteration-2/write')).toContain('the reply has no file block')
    // Told once and asked again; after that the iteration goes on with nothing of it.
    expect(prompt(place, 'iteration-2/write-2')).toContain('=== FILE out/a.sql :: x1 ===')
    expect(prompt(place, 'iteration-3/write')).toContain('=== FILE out/a.sql :: x1 ===')
    const diff = await place.run(['diff'])
    expect(diff.stdout).toContain('+select 1')
    expect(diff.stdout).not.toMatch(/[bc]\.sql/)
  })

  it('has a review that cannot be read asked for again, with what was wrong', async () => {
    const place = placeWith([file('out/a.sql', 'x\n')], ['Looks fine.', '{"verdict": "pass"}'])
    expect((await run(place)).code).toBe(0)
    expect(prompt(place, 'iteration-1/review-2')).toContain('the review says neither pass nor fail')
  })
})

describe('the reviews of a session', () => {
  it('AC-08 are exported as SARIF, with what is new, what stayed and what is gone', async () => {
    const say = (...findings: object[]): string => JSON.stringify({ verdict: 'fail', findings })
    const other = { category: 'style', severity: 'low', path: 'out/a.sql', description: 'capitals' }
    const writer = ['a', 'b', 'c', 'd'].map((text) => file('out/a.sql', `${text}\n`))
    const place = placeWith(writer, [say(finding, other), say({ ...finding, line: 9, description: 'input is not bound on line 9' })])
    expect((await run(place)).code).toBe(4)
    const { stdout, code } = await place.run(['report', '--sarif'])
    expect(code).toBe(0)
    const log = JSON.parse(stdout) as { runs: { results: object[] }[] }
    expect(log.runs[0]?.results).toMatchObject([{ ruleId: 'security', level: 'error', baselineState: 'unchanged' }])
    expect(await place.run(['report', '--sarif', 'found.sarif'])).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(join(place.repo, 'found.sarif'), 'utf8')).toBe(stdout)
    const reader = sarifReader(createNames({ roots: [] }))
    reader.push(stdout)
    expect(reader.end().troubles).toMatchObject([{ fault: { type: 'security', stack: 'out/a.sql:9' } }])
  })

  it('are a run without results while there are none, and do not go to standard output beside JUnit XML', async () => {
    const place = placeWith([''], [''])
    await place.run(['open', 'reviewed', 'x', '--gate', 'true'])
    const early = await place.run(['report', '--sarif'])
    expect([early.code, (JSON.parse(early.stdout) as { runs: object[] }).runs]).toMatchObject([0, [{ results: [] }]])
    expect(await place.run(['report', '--sarif', '--junit'])).toMatchObject({ code: 2, stderr: expect.stringContaining('both go to standard output') as string })
  })
})
