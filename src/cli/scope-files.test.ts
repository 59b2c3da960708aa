// Tests of the files that are shown to whoever answers in text and has no plan.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf, openedWith, procedureOf } from '../../test/support/core-cases.js'
import { rebuild, type Session } from '../core/index.js'
import { temporaryFolder } from '../files/fixture.js'
import { scopeFiles } from './scope-files.js'

const RULES = { allow: ['src'], deny: ['src/old'], files: 0, lines: 0 }

function folderOf(paths: readonly string[]): string {
  const cwd = temporaryFolder()
  for (const path of paths) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), `${path}\n`)
  }
  return cwd
}

function shown(cwd: string, part: Partial<Session> = {}, around: Partial<Parameters<typeof scopeFiles>[2]> = {}): string[] {
  const session = { ...rebuild([openedWith(procedureOf({}), {})]), kept: { task: { path: 'task.md', sha: '', bytes: 0 } }, ...part }
  const folder = { read: () => 'Mend z.js.' }
  return scopeFiles(session, folder, { cwd, below: '', rules: RULES, promptTokens: 10_000, ...around }).map(({ path, text }) => `${path}: ${text}`)
}

describe('files in scope', () => {
  it('are all that may be changed, what the task names first, and nothing hidden, installed or behind a link', () => {
    const cwd = folderOf(['src/a.js', 'src/z.js', 'src/deep/b.js', 'src/old/c.js', 'src/.env', 'src/node_modules/d.js', 'lib/e.js'])
    symlinkSync('/etc/passwd', join(cwd, 'src/link'))
    expect(shown(cwd)).toEqual(['src/z.js: src/z.js', 'src/a.js: src/a.js', 'src/deep/b.js: src/deep/b.js'])
  })

  it('come after the failing tests, of which those of a gate that is kept back are not told', () => {
    const cwd = folderOf(['src/a.js', 'test/a.test.js', 'test/secret.test.js'])
    const facing = [failureOf('test/a.test.js::adds'), failureOf('test/secret.test.js::hides', { gate: 'holdout' }), failureOf('lint: error: bad')]
    expect(shown(cwd, { facing, when: { holdout: 'sealed' } })).toEqual(['test/a.test.js: test/a.test.js', 'src/a.js: src/a.js'])
  })

  it('are counted from where the rules count from, and are bounded', () => {
    const cwd = folderOf(Array.from({ length: 120 }, (_, at) => `f${at}.js`))
    expect(shown(cwd)).toEqual([])
    const all = shown(cwd, {}, { below: 'src/part' })
    expect([all.length, all.at(-1)]).toEqual([101, 'and 20 more: (not shown here)'])
  })
})
