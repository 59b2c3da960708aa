// What tells two faults of one test apart although runners leave it out of their reports, or print it in another way.
import { describe, expect, it } from 'vitest'
import { check, project, type Heard } from './support/runners.js'

const PACKAGE = { 'package.json': '{"private":true}' }
const NODE = `const { it } = require('node:test')\n`
const VITEST = 'node_modules/.bin/vitest run --globals'
const MOCHA = 'node_modules/.bin/mocha a.test.js'

async function printsOf(command: string, file: string, texts: readonly string[], more: Record<string, string> = {}): Promise<string[]> {
  const heard: Heard[] = []
  for (const text of texts) heard.push(await check(project({ ...more, [file]: text }), command))
  for (const { result, failures } of heard) expect([result.exit, result.known, failures.length]).toEqual(['fail', true, 1])
  return heard.map(({ failures }) => failures[0]?.fingerprint ?? '')
}

describe('what an error comes from', () => {
  const test = (cause: string): string => `it('loads', () => {\n  throw new Error('cannot load', { cause: new Error('outer', { cause: ${cause} }) })\n})\n`
  const causes = ["new TypeError('no host')", "new TypeError('no user')", `\n\n\n    new TypeError('no host')`]

  it.each([
    [VITEST, '', PACKAGE],
    ['node_modules/.bin/jest', '', PACKAGE],
    [MOCHA, '', PACKAGE],
    ['node --test', NODE, {}],
  ])('is part of the fault with %s.', async (command, head, more) => {
    const [one, other, again] = await printsOf(command, 'a.test.js', causes.map((cause) => head + test(cause)), more)
    expect(other).not.toBe(one)
    expect(again).toBe(one)
  })
})

describe('a value that vitest shortens in its message', () => {
  const record = (last: number): string => `{ name: 'a name that is long', street: 'a street that is long', town: 'a town', last: ${last} }`
  const test = (last: number): string => `it('is the same', () => expect(${record(last)}).toEqual(${record(0)}))\n`

  it('is told apart by its difference, and the same again.', async () => {
    const [one, other, again] = await printsOf(VITEST, 'a.test.js', [test(1), test(2), `\n\n${test(1)}`], PACKAGE)
    expect(other).not.toBe(one)
    expect(again).toBe(one)
  })
})

describe('a hook around tests', () => {
  it('says with vitest why it failed, though its tests passed.', async () => {
    const hook = "describe('shop', () => {\n  afterAll(() => { throw new RangeError('cannot close the shop') })\n  it('sells', () => {})\n})\n"
    const heard = await check(project({ ...PACKAGE, 'a.test.js': hook }), VITEST)
    expect(heard.failures).toMatchObject([{ subject: 'a.test.js', message: expect.stringMatching(/^RangeError: cannot close the shop/) }])
    expect(heard.ids).toEqual(['a.test.js::shop > sells'])
  })
})

describe('a panic of Rust', () => {
  const files = (called: string): Record<string, string> => ({
    'Cargo.toml': '[package]\nname = "deep"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': `#[inline(never)]\npub fn one(of: &[i32]) -> i32 { *of.last().expect("none") }
#[inline(never)]\npub fn two(of: &[i32]) -> i32 { *of.first().expect("none") }
#[test]\nfn takes() { let of = Vec::new(); assert_eq!(${called}(&of), 1) }\n`,
  })
  const printOf = async (called: string, command: string): Promise<string> =>
    (await check(project(files(called)), command)).failures[0]?.fingerprint ?? ''

  it('is told apart by the function it was in, unless the user has chosen to see none.', async () => {
    const bare = 'env -u RUST_BACKTRACE cargo test --offline'
    expect(await printOf('two', bare)).not.toBe(await printOf('one', bare))
    expect(await printOf('two', 'cargo test --offline')).toBe(await printOf('one', 'cargo test --offline'))
  })

  it('does not make errors of libraries print what they do not print without us.', async () => {
    const test = '#[test]\nfn env() { assert_eq!(std::env::var("RUST_LIB_BACKTRACE").ok().as_deref(), Some("0")) }\n'
    const heard = await check(project({ ...files('one'), 'src/lib.rs': test }), 'env -u RUST_BACKTRACE cargo test --offline')
    expect(heard.result.exit).toBe('pass')
  })
})

describe('a file that cannot be loaded', () => {
  it.each([
    ['node_modules/.bin/jest', 'a.test.js', "require('./gone.js')\n", PACKAGE, { FORCE_COLOR: '1' }],
    ['node_modules/.bin/jest', 'a.test.js', 'const = 5\n', PACKAGE, { FORCE_COLOR: '1' }],
    ['pytest', 'test_a.py', 'import gone\n', {}, { PYTEST_ADDOPTS: '--color=yes' }],
    ['pytest', 'test_a.py', 'def broken(:\n', {}, { PYTEST_ADDOPTS: '--color=yes' }],
  ])('is the same fault with colours and without: %s of %s with %j.', async (command, file, text, more, env) => {
    const folder = project({ ...more, [file]: text })
    const [plain, coloured] = [await check(folder, command), await check(folder, command, { env })]
    expect(plain.failures).toMatchObject([{ subject: file }])
    expect(coloured.failures).toEqual(plain.failures)
  })

  it('is told by Go with what its compiler says, which comes on standard error only.', async () => {
    const go = { 'go.mod': 'module example.com/m\n\ngo 1.19\n', 'm.go': 'package m\n\nfunc One() int { return gone }\n' }
    const heard = await check(project({ ...go, 'm_test.go': 'package m\n\nimport "testing"\n\nfunc TestOne(t *testing.T) { One() }\n' }), 'go test ./...')
    expect(heard.failures).toMatchObject([{ subject: 'example.com/m', message: expect.stringMatching(/undefined: gone/) }])
  })
})
