import fc from 'fast-check'
import picomatch from 'picomatch/posix.js'
import { describe, expect, it } from 'vitest'
import { globFault, LONGEST_GLOB, matcherOf } from './glob.js'

function fit(glob: string, paths: readonly string[]): string[] {
  return paths.filter(matcherOf(glob))
}

describe('a glob', () => {
  it.each([
    ['*.md', ['a.md', '.md', 'a/b.md', 'a.mdx'], ['a.md', '.md']],
    ['**/*.md', ['a.md', 'a/b.md', 'a/.b/c.md', 'a.txt'], ['a.md', 'a/b.md', 'a/.b/c.md']],
    ['src/*', ['src/a', 'src/.a', 'src/a/b', 'src'], ['src/a', 'src/.a']],
    ['src/**', ['src', 'src/a', 'src/a/b', 'srcs/a', 'a/src/b'], ['src', 'src/a', 'src/a/b']],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts', 'src/test/a/b.ts'], ['src/test/a.ts', 'src/a/b/test/c.ts']],
    ['a?c', ['abc', 'a/c', 'ac', 'a😀c'], ['abc', 'a😀c']],
    ['[a-c]x', ['ax', 'dx', 'x'], ['ax']],
    ['[!a-c]x', ['ax', 'dx', '/x'], ['dx']],
    ['[]]x', [']x', 'x'], [']x']],
    ['app/\\[slug\\]/**', ['app/[slug]/a', 'app/s/a'], ['app/[slug]/a']],
    ['app/[slug', ['app/[slug', 'app/s'], ['app/[slug']],
    ['*.{ts,js}', ['a.ts', 'a.js', 'a.jsx', 'a.{ts,js}'], ['a.ts', 'a.js']],
    ['{src,test/{a,b}}/*.ts', ['src/x.ts', 'test/a/x.ts', 'test/b/x.ts', 'test/x.ts'], ['src/x.ts', 'test/a/x.ts', 'test/b/x.ts']],
    ['{src}', ['{src}', 'src'], ['{src}']],
    ['**', ['a', 'a/b', '.git', 'new\nline/x'], ['a', 'a/b', '.git', 'new\nline/x']],
  ])('%s takes what it describes and nothing else.', (glob, paths, taken) => {
    expect(fit(glob, paths)).toEqual(taken)
  })

  it.each(['src', 'src/', 'src/a b', '{src,lib}'])('without a wildcard, as %s, means what it names and everything below.', (glob) => {
    const name = glob === '{src,lib}' ? 'lib' : glob.replace(/\/$/, '')
    const paths = [name, `${name}/x`, `${name}/x/y.ts`, `${name}x`, `x/${name}`]
    expect(fit(glob, paths)).toEqual([name, `${name}/x`, `${name}/x/y.ts`])
  })

  it('agrees with a matcher that many use, on 20,000 random globs and paths.', () => {
    const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => !/^\.{1,2}$/.test(text))
    const piece = fc.constantFrom('*', '?', 'a', 'b', '.', '[ab]', '[^a]', '{a,bb}', '\\*')
    const part = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
    const within = part.filter((text) => !text.includes('**'))
    const parts = fc.oneof({ weight: 3, arbitrary: within }, { weight: 1, arbitrary: fc.constant('**') })
    const globs = fc.array(parts, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'))
    const paths = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'))
    const isWild = (glob: string): boolean => /[*?[]/.test(glob.replaceAll('\\*', ''))
    // Whether `x/**` takes `x` itself depends there on how `x` is written; here it always does.
    const comparable = globs.filter((glob) => isWild(glob) && globFault(glob) === null && !glob.endsWith('/**'))
    fc.assert(
      fc.property(comparable, paths, (glob, path) => {
        const theirs = picomatch(glob, { dot: true, noextglob: true, fastpaths: false })
        expect([glob, path, matcherOf(glob)(path)]).toEqual([glob, path, theirs(path)])
      }),
      { numRuns: 20_000 },
    )
  })

  it('of the worst kind takes no long time over the worst paths.', () => {
    const worst = [`${'*a'.repeat(90)}b`, `${'**/*a'.repeat(39)}b`, `${'**/a/'.repeat(39)}b`, `${'{a,aa}*'.repeat(6)}b`]
    const paths = ['a'.repeat(4000), 'a/'.repeat(2000) + 'c', `${'a'.repeat(255)}/`.repeat(16)]
    const began = performance.now()
    for (const glob of worst) {
      expect(globFault(glob)).toBeNull()
      expect(fit(glob, paths)).toEqual([])
    }
    // A matcher that goes back over every wildcard needs longer than anybody waits.
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

describe('what a glob may not be', () => {
  const LONG = 'x'.repeat(LONGEST_GLOB)

  it.each([
    '', '  ', 'a\nb', 'a\u0000', `${LONG}x`, '!src', '/etc', '~/x', '../x', 'a/../b', './a', '.', 'a//b',
    '@(a|b)', 'x/!(a)', '{1..9}', '{a,b}'.repeat(7),
  ])('%j is named, with what is expected.', (glob) => {
    expect(globFault(glob)).toMatch(/^a glob /)
  })

  it.each(['src', 'src/**', '..a', 'a..b', 'app/(group)/x', 'a!', '{a,b}'.repeat(6), LONG, 'naïve/ü'])('%j is none of it.', (glob) => {
    expect(globFault(glob)).toBeNull()
  })
})
