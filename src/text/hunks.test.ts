// Unit tests of hunks: any of them can be taken without the others, whatever the line breaks.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHunks, takeHunks } from './hunks.js'

function hunksBetween(before: string, after: string): ReturnType<typeof readHunks> {
  const folder = mkdtempSync(join(tmpdir(), 'hunks-'))
  writeFileSync(join(folder, 'a'), before, 'latin1')
  writeFileSync(join(folder, 'b'), after, 'latin1')
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--text', '--unified=0', 'a', 'b'], { cwd: folder, encoding: 'latin1' })
  return readHunks(stdout)
}

describe('hunks', () => {
  it('are taken one by one, in the middle and at both ends', () => {
    const [before, after] = ['a\nb\nc\nd\ne\n', 'new\na\nB\nc\ne\nend\n']
    const hunks = hunksBetween(before, after)
    expect(hunks).toHaveLength(4)
    expect(hunks.map((hunk) => takeHunks(before, after, [hunk]))).toEqual([
      'new\na\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n', 'a\nb\nc\ne\n', 'a\nb\nc\nd\ne\nend\n',
    ])
  })

  it.each([
    ['', 'x\n'],
    ['x', ''],
    ['a\nb', 'a\nb\n'],
    ['a\nb\n', 'a\nb'],
    ['a\r\nb\r\nc\r\n', 'a\nb\r\nC\r\n'],
    ['@@ -1 +1 @@\n-a\n', '-a\n@@ -9 +9 @@\n+b'],
    ['caf\xe9\n\x00\nz\n', 'caf\xe9\n\x00\xff\nz\nq'],
    ['\n\n\n', '\n\nx\n\n\n'],
  ])('give the one text when all are taken and the other when none is: %j → %j', (before, after) => {
    const hunks = hunksBetween(before, after)
    expect(hunks.length).toBeGreaterThan(0)
    expect([takeHunks(before, after, hunks), takeHunks(before, after, [])]).toEqual([after, before])
  })
})
