// Tests of which files gates run as programs.
import { describe, expect, it } from 'vitest'
import { gateFilesOf } from './gate-files.js'

describe('the files that gates run', () => {
  it.each([
    ['./scripts/test.sh --fast', ['scripts/test.sh']],
    ['CI=1 ./a/check && sh b.sh -x || bash -e tools/c.sh', ['a/check', 'b.sh', 'tools/c.sh']],
    ['npm test', []],
    ['/usr/bin/env node', []],
    ['node --check src/main.js', []],
  ])('of %j are its programs, and not the files it looks at', (run, files) => {
    expect(gateFilesOf([{ name: 'a', run }])).toEqual(files)
  })

  it('are found below the folder the gate runs in, and in lists of words', () => {
    expect(gateFilesOf([{ name: 'a', run: ['./test.sh', 'x'], cwd: 'packages/b' }])).toEqual(['packages/b/test.sh'])
  })
})
