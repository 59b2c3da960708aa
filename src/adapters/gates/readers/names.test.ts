// Tests of names and texts that are the same in every checkout.
import { describe, expect, it } from 'vitest'
import { createNames, plainId } from './names.js'

const names = createNames({ roots: ['/srv/a b/', '/private/srv/a b'] })

describe('names', () => {
  it.each([
    ['/srv/a b/src/x.ts', 'src/x.ts'],
    ['/private/srv/a b/src/x.ts', 'src/x.ts'],
    ['file:///srv/a%20b/src/x.ts', 'src/x.ts'],
    ['./src/../x.ts', 'x.ts'],
    ['src/x.ts', 'src/x.ts'],
    ['/elsewhere/x.ts', '/elsewhere/x.ts'],
    ['/srv/a bc/x.ts', '/srv/a bc/x.ts'],
  ])('name the file %j %j', (path, file) => {
    expect(names.file(path)).toBe(file)
  })

  it('put the folder of a package before what is relative to it, and only before that', () => {
    const inPackage = createNames({ roots: ['/srv'], prefix: './packages/a/' })
    expect(inPackage.file('src/x.ts')).toBe('packages/a/src/x.ts')
    expect(inPackage.file('../b/x.ts')).toBe('packages/b/x.ts')
    expect(inPackage.file('/srv/packages/a/src/x.ts')).toBe('packages/a/src/x.ts')
    expect(inPackage.id(null, ['mod.C.test'])).toBe('packages/a::mod.C.test')
    expect(inPackage.id('x.ts', ['a', 'b'])).toBe('x.ts::a > b')
    expect(names.id(null, ['a', 'b'])).toBe('a > b')
  })

  it('take folders and terminal codes out of texts', () => {
    const text = '\u001b[31m\n\nError\u001b[0m at file:///srv/a%20b/src/x.ts:3 and /private/srv/a b/y.ts \n'
    expect(names.text(text, 500)).toBe('Error at src/x.ts:3 and y.ts')
  })

  it('keep the beginning and the end of a long text', () => {
    const text = names.text(`begin ${'x'.repeat(1_000_000)} end`, 100)
    expect(text).toHaveLength(99)
    expect(text).toMatch(/^begin x+\n…\nx+ end$/)
  })

  it('make an id one bounded line that is still unlike others', () => {
    expect(plainId(' a\nb\u001b[1m c ')).toBe('a b c')
    const [one, other] = [plainId(`${'x'.repeat(5000)}1`), plainId(`${'x'.repeat(5000)}2`)]
    expect(one.length).toBeLessThan(640)
    expect(one).not.toBe(other)
  })
})
