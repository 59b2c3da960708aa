// Tests of findings as SARIF.
import { describe, expect, it } from 'vitest'
import { failuresOf, findingsOf } from './reply/findings.js'
import { sarifOf } from './sarif.js'

type Result = { baselineState?: string; ruleId: string; partialFingerprints: Record<string, string>; message: { text: string } }
type Log = { version: string; runs: { tool: { driver: { name: string; version: string; rules: { id: string }[] } }; results: Result[] }[] }

const injection = { category: 'security', severity: 'error', path: 'src/my db.py', line: 12, snippet: 'q + id', description: 'SQL from input', fix: 'bind it' }
const naming = { category: 'style', severity: 'note', path: 'src/#a.py', description: 'short name' }
const nowhere = 'no tests'

function logOf(now: unknown[], before: unknown[] | null): Log {
  const failures = (list: unknown[]): ReturnType<typeof failuresOf> => failuresOf(findingsOf(list))
  return sarifOf({ version: '1.2.3', session: 's1', reviews: [{ phase: 'audit', failures: failures(now), before: before && failures(before) }] }) as Log
}

describe('SARIF', () => {
  it('is a run without results where nothing was reviewed', () => {
    expect(sarifOf({ version: '1.2.3', session: 's1', reviews: [] })).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
  })

  it('AC-08 has rules, levels, places and fingerprints', () => {
    const { version, runs } = logOf([injection, naming, nowhere], null)
    expect(version).toBe('2.1.0')
    expect(runs[0]?.tool.driver).toEqual({ name: 'Greenlatch', version: '1.2.3', rules: [{ id: 'security' }, { id: 'style' }, { id: 'review' }] })
    expect(runs[0]?.results).toMatchObject([
      {
        ruleId: 'security', ruleIndex: 0, level: 'error', message: { text: 'SQL from input\nFix: bind it' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/my%20db.py' }, region: { startLine: 12, snippet: { text: 'q + id' } } } }],
      },
      { ruleId: 'style', ruleIndex: 1, level: 'note', locations: [{ physicalLocation: { artifactLocation: { uri: 'src/%23a.py' } } }] },
      { ruleId: 'review', ruleIndex: 2, level: 'warning', message: { text: 'no tests' } },
    ])
    expect(runs[0]?.results[2]).not.toHaveProperty('locations')
    for (const { partialFingerprints } of runs[0]?.results ?? []) expect(partialFingerprints['greenlatch/v2']).toMatch(/^[0-9a-f]{16}$/)
  })

  it('AC-08 says what is new, what stayed and what is gone, where there was a review before', () => {
    const states = (now: unknown[], before: unknown[] | null): unknown => logOf(now, before).runs[0]?.results.map(({ ruleId, baselineState }) => [ruleId, baselineState])
    expect(states([{ ...injection, line: 99 }, nowhere], [injection, naming])).toEqual([['security', 'unchanged'], ['review', 'new'], ['style', 'absent']])
    expect(states([], [injection])).toEqual([['security', 'absent']])
    expect(states([injection], null)).toEqual([['security', undefined]])
  })

  it('AC-08 can name any path', () => {
    expect(JSON.stringify(logOf([{ path: 'a\ud800/ü?.py', description: 'x' }], null))).toContain('a%EF%BF%BD/%C3%BC%3F.py')
  })

  it('AC-08 gives no place outside the repository', () => {
    for (const path of ['../up.py', 'a/../../up.py', '/etc/passwd', String.raw`C:\x`, String.raw`..\x`]) {
      expect(JSON.stringify(logOf([{ path, description: 'x' }], null)), path).not.toContain('locations')
    }
  })
})
