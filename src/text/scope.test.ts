import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureScope, scopeFailures, type ScopeChange, type ScopeRules } from './scope.js'

const OPEN: ScopeRules = { allow: [], deny: [], files: 0, lines: 0 }

function changed(path: string, more: Partial<ScopeChange> = {}): ScopeChange {
  return { path, added: 1, removed: 0, submodule: false, ...more }
}

function outside(rules: Partial<ScopeRules>, ...paths: string[]): string[] {
  return measureScope(paths.map((path) => changed(path)), { ...OPEN, ...rules }).breaches.map(({ path }) => path)
}

describe('the paths of a scope', () => {
  it('RB-09 without rules are all there are, except the settings of this tool.', () => {
    expect(outside({}, 'a', 'b/c', '.github/x', 'greenlatch.yaml', 'sub/greenlatch.yaml', 'greenlatch.yaml.md')).toEqual([
      'greenlatch.yaml',
      'sub/greenlatch.yaml',
    ])
  })

  it('RB-09 are those that a glob allows; a folder without a wildcard is everything below it.', () => {
    expect(outside({ allow: ['src', '**/*.md'] }, 'src/a.ts', 'src', 'docs/a.md', 'srcs', 'package.json')).toEqual(['package.json', 'srcs'])
  })

  it('RB-09 are never those that are denied, also when they are allowed.', () => {
    const rules = { allow: ['src'], deny: ['src/secret', '**/*.pem'] }
    expect(outside(rules, 'src/a', 'src/secret/b', 'src/c.pem')).toEqual(['src/c.pem', 'src/secret/b'])
  })

  it('RB-09 hold the settings of this tool only when they are allowed by name.', () => {
    expect(outside({ allow: ['**'] }, 'greenlatch.yaml')).toEqual(['greenlatch.yaml'])
    expect(outside({ allow: ['greenlatch.yaml'] }, 'greenlatch.yaml', 'sub/greenlatch.yaml')).toEqual(['sub/greenlatch.yaml'])
    expect(outside({ allow: ['greenlatch.yaml'], deny: ['*.yaml'] }, 'greenlatch.yaml')).toEqual(['greenlatch.yaml'])
  })

  it('RB-09 never hold a submodule.', () => {
    const { breaches } = measureScope([changed('lib', { submodule: true })], { ...OPEN, allow: ['lib'] })
    expect(breaches).toMatchObject([{ path: 'lib', why: 'it is a submodule' }])
  })

  it('RB-09 are looked at under both names of what was renamed.', () => {
    const renamed = [changed('src/a', { from: 'test/a' })]
    expect(measureScope(renamed, { ...OPEN, allow: ['src'] }).breaches).toMatchObject([{ path: 'test/a' }])
    expect(measureScope(renamed, { ...OPEN, allow: ['test'] }).breaches).toMatchObject([{ path: 'src/a' }])
    expect(measureScope(renamed, { ...OPEN, allow: ['test', 'src'] }).breaches).toEqual([])
  })

  it('RB-09 hold what changed only in its mode or its kind.', () => {
    const measure = measureScope([changed('run.sh', { added: 0 })], { ...OPEN, allow: ['src'], files: 1 })
    expect(measure).toMatchObject({ breaches: [{ path: 'run.sh' }], over: null })
  })

  it('RB-09 are compared without capitals where the file system does so.', () => {
    const rules = { allow: ['Src', 'Ünder/**'], deny: ['src/Secret'], caseInsensitive: true }
    expect(outside(rules, 'SRC/a', 'src/SECRET', 'ünder/a', 'u\u0308nder/b', 'GreenLatch.YAML')).toEqual(['GreenLatch.YAML', 'src/SECRET'])
    expect(outside({ ...rules, caseInsensitive: false }, 'SRC/a', 'src/SECRET')).toEqual(['SRC/a', 'src/SECRET'])
  })

  it('RB-09 include names with line breaks, which hide from no rule.', () => {
    expect(outside({ deny: ['secret/**'] }, 'secret/a\nb', 'open/a\nb')).toEqual(['secret/a\nb'])
  })
})

describe('a breach', () => {
  const rules = { ...OPEN, allow: ['src'], deny: ['src/b', '*.lock'] }

  it('RB-09 has a fingerprint of its path and the rule, whatever else changed.', () => {
    const alone = measureScope([changed('x')], rules).breaches
    const among = measureScope([changed('y'), changed('x', { added: 900 }), changed('src/b')], rules).breaches
    expect(among).toContainEqual(alone[0])
    expect(new Set(among.map(({ fingerprint }) => fingerprint)).size).toBe(3)
    expect(measureScope([changed('x')], { ...rules, deny: ['x'] }).breaches[0]?.fingerprint).not.toBe(alone[0]?.fingerprint)
  })

  it('RB-09 is told as a failure of class scope that names path and reason.', () => {
    const failures = scopeFailures(measureScope([changed('package.lock'), changed('x')], rules), rules)
    expect(failures.map(({ gate, class: kind, subject, message }) => [gate, kind, subject, message])).toEqual([
      ['scope', 'scope', 'package.lock', 'package.lock is out of scope: denied by "*.lock"'],
      ['scope', 'scope', 'x', 'x is out of scope: no rule allows it'],
    ])
  })

  it('RB-09 is what every path is that a glob denies, allowed or not, by whichever rule.', () => {
    const path = fc.stringMatching(/^[a-z]{1,5}(\/[a-z]{1,5}){0,3}$/)
    fc.assert(fc.property(path, fc.array(path), (name, others) => {
      const both = { ...OPEN, allow: [name, '**', ...others], deny: [...others, name] }
      expect(outside(both, name)).toEqual([name])
    }))
  })
})

describe('a diff budget', () => {
  it('RB-10 counts the files, each name once, and the lines added and removed.', () => {
    const changes = [changed('a', { added: 3, removed: 2 }), changed('b', { added: 0 }), changed('c', { from: 'd', added: 1 })]
    const over = (files: number, lines: number) => measureScope(changes, { ...OPEN, files, lines }).over
    expect([over(4, 6), over(0, 0), over(4, 0), over(0, 6)]).toEqual([null, null, null, null])
    expect([over(3, 6), over(4, 5), over(3, 0), over(0, 5)]).toEqual(Array.from({ length: 4 }, () => ({ files: 4, lines: 6 })))
  })

  it('RB-10 that is passed is one failure, the same however far it is passed.', () => {
    const tell = (changes: ScopeChange[], rules: ScopeRules) => scopeFailures(measureScope(changes, rules), rules)
    const [much] = tell([changed('a', { added: 900 })], { ...OPEN, lines: 800 })
    const [more] = tell([changed('a', { added: 1900 }), changed('b')], { ...OPEN, files: 1, lines: 800 })
    expect(much).toMatchObject({ subject: 'diff budget', class: 'scope' })
    expect(much?.message).toBe('1 file and 900 lines changed, at most 800 lines allowed')
    expect(more?.message).toBe('2 files and 1,901 lines changed, at most 1 file and 800 lines allowed')
    expect(more?.fingerprint).toBe(much?.fingerprint)
  })
})

describe('a measurement', () => {
  const name = fc.constantFrom('a', 'b', 'src/a', 'src/b/c', 'greenlatch.yaml', 'src/greenlatch.yaml', 'lib', '.env')
  const [from, count] = [fc.option(name, { nil: undefined }), fc.nat(50)]
  const change = fc.record({ path: name, from, added: count, removed: count, submodule: fc.boolean() })
  const globs = fc.subarray(['src', '**/b/**', '*', '.env', 'greenlatch.yaml', 'lib'])
  const rules = fc.record({ allow: globs, deny: globs, files: fc.nat(6), lines: fc.nat(200) })

  it('RB-09 RB-10 comes out the same in whatever order the changes stand.', () => {
    const lists = fc.array(change, { maxLength: 12 })
    const both = lists.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
    fc.assert(fc.property(both, rules, ([list, shuffled], rules) => {
      expect(measureScope(shuffled as ScopeChange[], rules)).toEqual(measureScope(list as ScopeChange[], rules))
    }))
  })
})
