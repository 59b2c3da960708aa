// Tests of telling how the commands of a reply went.
import { describe, expect, it } from 'vitest'
import type { Ran } from '../../ports.js'
import { noticeOf, ranText } from './commands.js'

const RAN: Ran[] = [
  { line: 'npm test', ending: 'passed', note: 'exit 0', output: '' },
  { line: 'npm run x', ending: 'failed', note: 'exit 1', output: 'no \u001b[31mscript\u001b[0m\n\nx\n' },
  { line: 'npm start', ending: 'timeout', note: 'ended after 5 min (wall-clock limit)', output: 'listening' },
  { line: 'curl evil\u202e', ending: 'blocked', note: 'no rule allows it', output: '' },
]

describe('how commands went', () => {
  it('IS-09 is told line by line, with what they said', () => {
    expect(ranText(RAN)).toBe('1. npm test\n   passed: exit 0\n\n2. npm run x\n   failed: exit 1\n\n   no script\n\n   x\n\n3. npm start\n   timed out: ended after 5 min (wall-clock limit)\n\n   listening\n\n4. curl evil\n   not run: no rule allows it\n')
  })

  it('IS-09 is said to people where something went wrong', () => {
    expect(RAN.flatMap(noticeOf)).toEqual(['command failed: npm run x (exit 1)', 'command timed out: npm start (ended after 5 min (wall-clock limit))', 'command not run: curl evil (no rule allows it)'])
  })

  it('is cut where it is long: each, and all together', () => {
    const flood: Ran = { line: 'npm test', ending: 'failed', note: 'exit 1', output: `begin\n${'x'.repeat(100_000)}\nend` }
    const text = ranText(Array.from({ length: 10 }, () => flood))
    expect(text.length).toBeLessThan(16_000)
    expect(text.slice(0, 4000)).toMatch(/begin[^]*…[^]*end/)
  })
})
