// The path guard: everything that leads out of the folder or through a link is refused by name.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './fixture.js'
import { inside } from './guard.js'

const plainlyBad = ['/etc/passwd', '..', '../x', 'a/../../x', 'a/..', '', '.', './a', 'a//b', 'a/', 'a\0b']
const badElsewhere = ['C:/x', 'c:x', String.raw`..\x`, String.raw`\\host\x`]

test.each([...plainlyBad, ...badElsewhere])('The path %j is refused with exit code 6.', (relative) => {
  expect(() => inside(temporaryFolder(), relative)).toThrow(expect.objectContaining({ code: 6 }))
})

test('A path through a link is refused, whether the link is in the middle, at the end, or leads nowhere.', () => {
  const root = temporaryFolder()
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'file'), '')
  mkdirSync(join(root, 'sub'))
  symlinkSync(outside, join(root, 'sub', 'middle'))
  symlinkSync(join(outside, 'file'), join(root, 'end'))
  symlinkSync(join(outside, 'none'), join(root, 'dangling'))
  for (const path of ['sub/middle/file', 'sub/middle/new/file', 'end', 'dangling', 'dangling/x']) {
    expect(() => inside(root, path)).toThrow(/is a link/)
  }
})

test('A plain path is returned in full, whether it exists or not.', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'))
  expect(inside(root, 'a')).toBe(join(root, 'a'))
  expect(inside(root, 'a/b/..c.md')).toBe(join(root, 'a/b/..c.md'))
})
