// Tests of annotations: how many there are, and that no text of others becomes a command.
import { describe, expect, it } from 'vitest'
import type { Failure } from '../core/types.js'
import { annotationsOf, commandOf, silenced } from './workflow-commands.js'

function failure(subject: string, message = 'expected 1', more: Partial<Failure> = {}): Failure {
  return { gate: 'test', subject, class: 'behaviour', fingerprint: 'f', message, runs: { failed: 1, of: 1 }, ...more }
}

const OUTCOME = { level: 'error', title: 'Greenlatch: stalled', text: 'no better' } as const

describe('an annotation', () => {
  it('is one line, whatever its text holds', () => {
    const hostile = 'a\r\n::set-env name=PATH::/evil\n##[add-path]/evil\u001B]0;x\u0007 100%,b:c'
    const line = commandOf({ level: 'error', title: hostile, text: hostile, file: 'src/a,b.ts' })
    expect(line).not.toMatch(/[\r\n\p{Cc}]/u)
    expect(line.match(/::/g)).toHaveLength(4)
    const [, properties = '', ...text] = line.split(/::(?:error )?/)
    expect(properties).toMatch(/^file=src\/a%2Cb\.ts,title=a%0A%3A%3Aset-env name=PATH%3A%3A\/evil%0A/)
    expect(text.join('::')).toContain('100%25,b:c')
  })

  it('names a file only where there is one, and the line of a finding', () => {
    const finding = { category: 'x', severity: 'error', path: 'src/a.ts', line: 7, snippet: '', fix: '' } as const
    const [, ofTest, ofFinding, ofNothing] = annotationsOf(OUTCOME, [failure('test/a.test.js::adds'), failure('a finding', 'm', { finding }), failure('nosuch.js::x')], (path) => path !== 'nosuch.js')
    expect(ofTest).toEqual({ level: 'error', title: 'test/a.test.js::adds', text: 'expected 1', file: 'test/a.test.js' })
    expect(ofFinding).toMatchObject({ file: 'src/a.ts', line: 7 })
    expect(ofNothing).not.toHaveProperty('file')
  })

  it('is one of ten at most, the outcome among them', () => {
    const many = (count: number): number => annotationsOf(OUTCOME, Array.from({ length: count }, (_, n) => failure(`t${n}`)), () => false).length
    expect([0, 1, 9, 10, 500].map(many)).toEqual([1, 2, 10, 10, 10])
    expect(annotationsOf(OUTCOME, Array.from({ length: 30 }, (_, n) => failure(`t${n}`)), () => false).at(-1)?.text).toBe('and 22 more that fail: see the summary')
  })

  it('stands where commands are heard again, by a word that nobody else knows', () => {
    expect(silenced('abc')).toEqual({ begin: '::stop-commands::abc', end: '::abc::' })
  })
})
