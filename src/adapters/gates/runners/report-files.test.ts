// Tests of finding the reports of one run among files, on a real file system.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshOf, marksOf } from './report-files.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-reports-'))
  mkdirSync(join(folder, 'out/deep'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text = 'x'): void => writeFileSync(join(folder, path), text)

describe('reports of a run', () => {
  it('are those that were written since, even with the same text and an old time.', () => {
    for (const name of ['kept', 'again', 'dated']) write(`out/${name}.xml`)
    const before = marksOf(folder, 'out/**/*.xml')
    write('out/again.xml')
    write('out/deep/new.xml')
    write('out/new.txt')
    utimesSync(join(folder, 'out/deep/new.xml'), 1, 1)
    rmSync(join(folder, 'out/dated.xml'))
    write('out/dated.xml')
    utimesSync(join(folder, 'out/dated.xml'), 1, 1)
    expect(freshOf(before, marksOf(folder, 'out/**/*.xml'))).toEqual({
      fresh: ['out/again.xml', 'out/dated.xml', 'out/deep/new.xml'], stale: 1,
    })
  })

  it('are plain files: links and pipes are not found.', () => {
    symlinkSync('/etc/passwd', join(folder, 'out/link.xml'))
    execFileSync('mkfifo', [join(folder, 'out/pipe.xml')])
    write('out/plain.xml', 'plain')
    expect([...marksOf(folder, 'out/*.xml').keys()]).toEqual(['out/plain.xml'])
  })

  it('are found in a folder that is not there as none.', () => {
    expect(marksOf(join(folder, 'gone'), '**').size).toBe(0)
  })
})
