// Tests of reading reports from files of every kind, and of reading them in pieces.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReportFormat } from '../../../text/failures/test-run.js'
import { fixtureRun, fixtureText, runInPieces } from './fixture.js'
import { readReport } from './index.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-report-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const read = (name: string, format: ReportFormat) => readReport({ path: at(name), format, roots: ['/checkout'] })

const FIXTURES: [ReportFormat, string][] = [
  ['junit', 'pytest-xunit1.xml'], ['junit', 'node.xml'], ['junit', 'surefire.xml'], ['tap', 'node.tap'], ['tap', 'node-hooks.tap'],
  ['jest', 'jest.json'], ['mocha', 'mocha.json'], ['go', 'go-all.jsonl'], ['cargo', 'cargo-all.txt'], ['cargo', 'cargo-workspace.txt'],
  ['unittest', 'unittest-3.11.txt'], ['lines', 'cargo-all.txt'],
]

describe('a report', () => {
  it.each(FIXTURES)('as %s %s is read the same from a file and in pieces of any size', async (format, name) => {
    const text = fixtureText(name)
    const whole = fixtureRun(format, name)
    writeFileSync(at('report'), text)
    expect(await read('report', format)).toEqual(whole)
    for (const size of [1, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_none, n) => text.slice(n * size, (n + 1) * size))
      expect(runInPieces(format, pieces), `pieces of ${size}`).toEqual(whole)
    }
  })

  it('with bytes that are no text is read all the same', async () => {
    const text = Buffer.from('<testsuite name="s"><testcase classname="a.B" name="x?y"/></testsuite>')
    text[text.indexOf('?')] = 0xff
    writeFileSync(at('report'), text)
    expect((await read('report', 'junit')).cases.map((test) => test.id)).toEqual(['a.B > x\uFFFDy'])
  })

  it('keeps a character whose bytes lie in two pieces of the file', async () => {
    writeFileSync(at('report'), `${' '.repeat(256 * 1024 - 1)}\nnot ok 1 - ${'é'.repeat(200_000)}z\n1..1\n`)
    const [test] = (await read('report', 'tap')).cases
    expect(test?.id).toMatch(/^é+ …[0-9a-f]{16}$/)
  })

  it.each([
    ['that was never written', () => {}, 'no report was written'],
    ['that is a folder', () => mkdirSync(at('report')), 'the report is no plain file'],
    ['that is a link', () => symlinkSync('/etc/passwd', at('report')), 'the report is a link'],
    ['that is a pipe nobody writes to', () => execFileSync('mkfifo', [at('report')]), 'the report is no plain file'],
    ['below a file', () => writeFileSync(at('report'), ''), 'the report cannot be read (ENOTDIR)'],
  ])('%s is incomplete and says why', async (what, prepare, note) => {
    prepare()
    const run = await read(what === 'below a file' ? 'report/x' : 'report', 'junit')
    expect(run).toEqual({ cases: [], more: 0, troubles: [], complete: false, note })
  })

  it.each(['jest', 'mocha', 'sarif'] as const)('of %s larger than 64 MB is not read at all', async (format) => {
    writeFileSync(at('report'), '{}')
    truncateSync(at('report'), 64 * 1024 * 1024 + 1)
    expect(await read('report', format)).toMatchObject({ complete: false, note: 'report larger than 64 MB' })
  })

  it('of more than 4 GB, which holes make of nothing, is not read at all', async () => {
    writeFileSync(at('report'), '')
    truncateSync(at('report'), 4 * 1024 ** 3 + 1)
    expect(await read('report', 'tap')).toMatchObject({ complete: false, note: 'the report is larger than 4 GB' })
  })

  it('that is empty is incomplete for every runner', async () => {
    writeFileSync(at('report'), '')
    for (const format of ['junit', 'tap', 'jest', 'mocha', 'go', 'cargo', 'unittest', 'sarif'] as const) {
      expect(await read('report', format), format).toMatchObject({ complete: false })
    }
  })
})
