// Proves how command lines are split and programs are found.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import { findExecutable, splitCommand } from './command-line.js'

describe('splitCommand', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm', 'test']],
    ['  npm \t run\n test ', ['npm', 'run', 'test']],
    [`echo 'two words' "and two"`, ['echo', 'two words', 'and two']],
    [`echo a'b'"c"d`, ['echo', 'abcd']],
    [`echo '' ""`, ['echo', '', '']],
    [`echo \\'quoted\\' a\\ b`, ['echo', "'quoted'", 'a b']],
    [`echo "a \\"b\\" \\\\ \\$c \\d"`, ['echo', 'a "b" \\ $c \\d']],
    [`echo 'a\\b'`, ['echo', 'a\\b']],
    ['echo $HOME *.ts | wc && ls > x', ['echo', '$HOME', '*.ts', '|', 'wc', '&&', 'ls', '>', 'x']],
    ['echo a \\\n b', ['echo', 'a', 'b']],
    ['echo "a\\\nb" "c\nd"', ['echo', 'ab', 'c\nd']],
    ['写 ü', ['写', 'ü']],
  ])('splits %j into %j.', (text, words) => {
    expect(splitCommand(text)).toEqual(words)
  })

  it('gives what a shell gives, for any text of quotes, backslashes and letters.', () => {
    const text = fc.array(fc.constantFrom("'", '"', '\\', ' ', 'a', 'b'), { maxLength: 14 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(text, (line) => {
        let ours: string[]
        try {
          ours = splitCommand(`x ${line}`).slice(1)
        } catch {
          return
        }
        const shell = spawnSync('/bin/sh', ['-c', `for w in ${line} ; do printf '%s|' "$w"; done`], { encoding: 'utf8' })
        expect(ours.map((word) => `${word}|`).join('')).toBe(shell.stdout)
      }),
      { numRuns: 100 },
    )
  })

  it.each([`echo 'open`, 'echo "open', 'echo "open\\"', 'echo open\\', '', '   ', `''`, 'a\0b'])('refuses %j with exit code 2.', (text) => {
    const refused = (): unknown => splitCommand(text)
    expect(refused).toThrow(Refusal)
    expect(refused).toThrow(expect.objectContaining({ code: 2 }))
  })
})

describe('findExecutable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenlatch-path-'))
  mkdirSync(join(folder, 'first'))
  mkdirSync(join(folder, 'second', 'tool'), { recursive: true })
  mkdirSync(join(folder, 'third'))
  writeFileSync(join(folder, 'first', 'tool'), 'not executable')
  writeFileSync(join(folder, 'third', 'tool'), '#!/bin/sh\n')
  chmodSync(join(folder, 'third', 'tool'), 0o755)
  afterAll(() => rmSync(folder, { recursive: true }))
  const PATH = ['first', 'second', '', 'third'].map((name) => (name ? join(folder, name) : '')).join(':')

  it('finds the first on PATH that is a file and executable.', () => {
    expect(findExecutable('tool', { PATH })).toBe(join(folder, 'third', 'tool'))
  })

  it('is null for a name that is on no folder of PATH, and for an empty one.', () => {
    expect(findExecutable('tool-that-is-not-there', { PATH })).toBeNull()
    expect(findExecutable('', { PATH })).toBeNull()
  })

  it('takes a name with a slash as a path.', () => {
    expect(findExecutable(join(folder, 'third', 'tool'), { PATH: '' })).toBe(join(folder, 'third', 'tool'))
    expect(findExecutable(join(folder, 'first', 'tool'), { PATH })).toBeNull()
  })

  it('looks where the system looks when PATH is not set.', () => {
    expect(findExecutable('sh', {})).toMatch(/^\/(usr\/)?bin\/sh$/)
  })
})
