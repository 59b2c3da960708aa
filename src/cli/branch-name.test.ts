import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchFault } from './branch-name.js'

describe('the name of a branch', () => {
  it.each(['main', 'feature/x-1', 'a.b_c', 'greenlatch/20260301-120000-abcde', 'A'.repeat(200), 'a/-b'])('%s may be asked for.', (name) => {
    expect(branchFault(name)).toBeNull()
  })

  it.each([
    '', '-x', '--upload-pack=x', 'a..b', '..', 'a@{1}', '@', 'HEAD', 'refs/heads/x', '/a', 'a/', 'a//b', '.a', 'a/.b', 'a.', 'a./b',
    'a.lock', 'a.lock/b', 'a b', 'a\nb', 'a\u0000b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[b', 'a\\b', '$(x)', 'ü', 'A'.repeat(201),
  ])('%j is refused.', (name) => {
    expect(branchFault(name)).toMatch(/^(is|may|means) /)
  })

  it('is one that git itself takes, whenever it is taken here.', () => {
    const name = fc.stringMatching(/^[aH.\-_/@{}~lock]{1,12}$/).filter((text) => branchFault(text) === null)
    const gitTakes = (text: string): boolean => spawnSync('git', ['check-ref-format', `refs/heads/${text}`]).status === 0
    fc.assert(
      fc.property(name, (text) => {
        expect([text, gitTakes(text)]).toEqual([text, true])
      }),
      { numRuns: 40 },
    )
    expect(gitTakes('a..b')).toBe(false)
  })
})
