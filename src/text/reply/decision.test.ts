// Tests of reading decisions: who is believed, in which order, and what becomes of what cannot be read.
import { describe, expect, it } from 'vitest'
import { contradiction, failuresOfDecision, readDecision, type Decision } from './decision.js'

const ID = 'c0ffee-1'

function fromFile(file: unknown, output = ''): Decision {
  return readDecision({ file: typeof file === 'string' ? file : JSON.stringify(file), output, checkId: ID })
}

function fromOutput(output: string): Decision {
  return readDecision({ file: null, output, checkId: ID })
}

describe('a decision in a file', () => {
  it('RB-01 is taken with its reasons and fingerprints when it carries the code of this run', () => {
    const said = { decision: 'incomplete', check_id: ID, reasons: ['the header is missing'], fingerprints: ['header-1'] }
    expect(fromFile(said)).toEqual({
      verdict: 'incomplete', from: 'file', reasons: ['the header is missing'], fingerprints: ['header-1'], note: '',
    })
    expect(fromFile({ decision: 'complete', check_id: ID })).toMatchObject({ verdict: 'complete', from: 'file', reasons: [] })
  })

  it.each([
    ['of another run', { decision: 'complete', check_id: 'c0ffee-2' }, 'its check_id is not that of this run'],
    ['without any code', { decision: 'complete' }, 'it has no check_id'],
    ['with a code that is no text', { decision: 'complete', check_id: [ID] }, 'its check_id is not that of this run'],
    ['with a code in other letters', { decision: 'PASS', check_id: ID.toUpperCase() }, 'its check_id is not that of this run'],
  ])('RB-01 %s is stale: it is named and never passes, not even beside a PASS in the output', (_what, file, why) => {
    for (const output of ['', 'PASS\n', 'COMPLETE']) {
      const decision = fromFile(file, output)
      expect(decision.verdict).toBe('undecidable')
      expect(decision.note).toContain(`the decision file is stale: ${why}`)
    }
  })

  it('RB-01 that is stale leaves a failing output its word, and is still named', () => {
    const decision = fromFile({ decision: 'complete', check_id: 'old', reasons: ['nothing left'] }, 'FAIL\n')
    expect(decision).toMatchObject({ verdict: 'incomplete', from: 'output', reasons: [] })
    expect(decision.note).toMatch(/stale/)
  })

  it('never counts without a code to compare', () => {
    expect(readDecision({ file: '{"decision":"complete","check_id":""}', output: '', checkId: '' }).verdict).toBe('undecidable')
  })

  it.each([
    ['PASS', 'complete'], ['FAIL\n', 'incomplete'], ['COMPLETE', 'complete'], ['  **INCOMPLETE**  ', 'incomplete'],
    ['PASS\nwait, no\nFAIL', 'incomplete'], ['FAIL\r\nPASS\r\n', 'complete'], ['"PASS"', 'complete'], ['\uFEFFCOMPLETE', 'complete'],
  ])('RB-02 may be one of the older words, of which the last counts: %j', (file, verdict) => {
    expect(fromFile(file)).toMatchObject({ verdict, from: 'file' })
  })

  it('RB-02 comes before the output, whatever that says', () => {
    expect(fromFile('FAIL', 'PASS')).toMatchObject({ verdict: 'incomplete', from: 'file' })
    expect(fromFile({ decision: 'incomplete', check_id: ID }, 'COMPLETE')).toMatchObject({ verdict: 'incomplete', from: 'file' })
  })

  const cut = '{"decision":"complete","check_id":'
  const unclear = '{"decision":"maybe","check_id":"c0ffee-1"}'
  it.each(['', '   \n', cut, unclear, '[]', 'null', '{}', 'PASSED', 'all PASS', 'pass'])(
    'RB-02 that says nothing leaves it to the output, and both together may be undecidable: %j',
    (file) => {
      expect(fromFile(file)).toMatchObject({ verdict: 'undecidable', from: 'nowhere' })
      expect(fromFile(file, 'COMPLETE')).toMatchObject({ verdict: 'complete', from: 'output' })
    },
  )
})

describe('a decision in the output', () => {
  it.each([
    ['PASS', 'complete'], ['noise\nFAIL\nmore noise\n', 'incomplete'], ['FAIL\nCOMPLETE\n', 'complete'],
    ['\u001b[32mPASS\u001b[0m\n', 'complete'],
    ['COMPLETE\nINCOMPLETE\n', 'incomplete'],
  ])('RB-02 is the last line that is one of the words and nothing else: %j', (output, verdict) => {
    expect(fromOutput(output)).toMatchObject({ verdict, from: 'output' })
  })

  it.each(['', 'everything PASS', 'PASSED', 'pass', 'say PASS or FAIL', 'COMPLETE?', '--- PASS: TestA (0.00s)', 'FAILURE'])(
    'RB-02 is not guessed from anything else: %j',
    (output) => {
      const note = 'no decision file was written; the output holds none either'
      expect(fromOutput(output)).toMatchObject({ verdict: 'undecidable', note })
    },
  )

  it('RB-01 may be an object, on one line or on several, and needs the code there too', () => {
    const object = { decision: 'incomplete', check_id: ID, reasons: ['a', { message: 'b' }, { x: 1 }, 7] }
    for (const json of [JSON.stringify(object), JSON.stringify(object, null, 2)]) {
      expect(fromOutput(`{"other":1}\n${json}\nbye\n`)).toMatchObject({ verdict: 'incomplete', reasons: ['a', 'b', '{"x":1}', '7'] })
    }
    const stale = fromOutput('{"decision":"complete","check_id":"old"}\nPASS\n')
    expect(stale).toMatchObject({ verdict: 'undecidable' })
    expect(stale.note).toMatch(/the decision in the output is stale/)
  })

  it('is found quickly in output that looks like objects everywhere', () => {
    const began = performance.now()
    expect(fromOutput(`${'{"a":\n'.repeat(600_000)}PASS\n`).verdict).toBe('complete')
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('what a decision means', () => {
  const PLAIN: Decision = { verdict: 'incomplete', from: 'file', reasons: [], fingerprints: [], note: '' }
  const decided = (rest: Partial<Decision>): Decision => ({ ...PLAIN, ...rest })
  const subjects = (decision: Decision, said = ''): string[] => failuresOfDecision('review', decision, said).map(({ subject }) => subject)

  it('RB-02 an undecidable one is one failure of its own kind, the same each time whatever was printed', () => {
    const undecidable = (note: string, said: string) => failuresOfDecision('review', decided({ verdict: 'undecidable', note }), said)
    const [first, ...others] = undecidable('no decision file was written', 'Killed at 10:00')
    expect(others).toEqual([])
    const message = 'no decision file was written\nKilled at 10:00'
    expect(first).toMatchObject({ gate: 'review', subject: 'review: undecidable', class: 'behaviour', message })
    expect(undecidable('the decision file is empty', 'pid 77')[0]?.fingerprint).toBe(first?.fingerprint)
    expect(failuresOfDecision('other', decided({ verdict: 'undecidable' }), '')[0]?.fingerprint).not.toBe(first?.fingerprint)
  })

  it('makes a failure of each reason, the same one when only noise in it changes', () => {
    const uncovered = (line: number, seconds: number) => `src/a.ts:${line} is not covered (took ${seconds}s)`
    const at = (line: number, seconds: number) => decided({ reasons: [uncovered(line, seconds), 'docs are old'] })
    const [first, second] = failuresOfDecision('review', at(3, 1.5), '')
    expect(second).toMatchObject({ subject: 'review: docs are old', message: 'docs are old' })
    expect(failuresOfDecision('review', at(80, 2.25), '').map(({ subject, fingerprint }) => [subject, fingerprint])).toEqual([
      [first?.subject, first?.fingerprint], [second?.subject, second?.fingerprint],
    ])
    expect(first?.fingerprint).not.toBe(second?.fingerprint)
  })

  it('RB-01 takes the fingerprints of the command as identity, with its reasons as texts', () => {
    const paired = failuresOfDecision('review', decided({ reasons: ['took 3 tries', 'odd'], fingerprints: ['slow', 'odd-1'] }), '')
    expect(paired).toMatchObject([
      { subject: 'review: slow', fingerprint: 'decision:review:slow', message: 'took 3 tries' },
      { subject: 'review: odd-1', fingerprint: 'decision:review:odd-1', message: 'odd' },
    ])
    const unpaired = failuresOfDecision('review', decided({ reasons: ['a', 'b'], fingerprints: ['x'] }), '')
    expect(unpaired).toMatchObject([{ fingerprint: 'decision:review:x', message: 'a\nb' }])
    expect(failuresOfDecision('review', decided({ fingerprints: ['x', 'x'] }), '')).toHaveLength(1)
  })

  it('bounds and cleans whatever a command gives', () => {
    const long = 'x'.repeat(5000)
    const fingerprints = [`${long}1`, `${long}2`, '\u001b[31mred\u001b[0m\n line', '']
    const decision = fromFile({ decision: 'fail', check_id: ID, reasons: Array.from({ length: 2000 }, () => long), fingerprints })
    expect(decision.reasons).toHaveLength(500)
    expect(decision.fingerprints.map((name) => name.length)).toEqual([120, 120, 8])
    expect(decision.fingerprints[2]).toBe('red line')
    const failures = failuresOfDecision('review', decision, '')
    expect(new Set(failures.map(({ fingerprint }) => fingerprint)).size).toBe(3)
    expect(Math.max(...failures.flatMap(({ subject, message }) => [subject.length, message.length]))).toBeLessThanOrEqual(240)
  })

  it('is one failure when nothing is said, and none when it is complete', () => {
    expect(subjects(decided({}))).toEqual(['review: incomplete'])
    expect(failuresOfDecision('review', decided({}), 'see above')[0]?.message).toBe('see above')
    expect(subjects(decided({ verdict: 'complete', reasons: ['all well'] }))).toEqual([])
  })

  it('has a failure of its own for a command that says complete and fails', () => {
    const message = 'it decided "complete", and ended with exit 3'
    expect(contradiction('review', 'exit 3')).toMatchObject({ subject: 'review: contradiction', message })
  })
})
