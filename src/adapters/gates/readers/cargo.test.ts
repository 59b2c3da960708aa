// Tests of reading what `cargo test` prints, from real runs.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runOf } from './fixture.js'

const LIB = 'src/lib.rs (shop_cart)'
const DOC = 'src/lib.rs (shop_cart doc)'

describe('output of cargo test', () => {
  it('is read target by target, doc tests in the order of the file', () => {
    const run = fixtureRun('cargo', 'cargo-all.txt')
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(brief(run).toSorted()).toEqual(
      [
        `pass ${LIB}::tests::adds`,
        `fail ${LIB}::tests::deep::inner | error panic: déjà vu`,
        `fail ${LIB}::tests::fails | assertion panic: assertion \`left == right\` failed: sum is 2`,
        `fail ${LIB}::tests::in_thread | error panic: called \`Result::unwrap()\` on an \`Err\` value: Any { .. }`,
        `fail ${LIB}::tests::indexes | error panic: index out of bounds: the len is 0 but the index is 3`,
        `skip ${LIB}::tests::later`,
        `skip ${LIB}::tests::later_plain`,
        `fail ${LIB}::tests::returns | error Error: "an error"`,
        `pass ${LIB}::tests::should_boom`,
        `fail ${LIB}::tests::should_but_does_not | assertion : test did not panic as expected at src/lib.rs:36:8`,
        `pass ${LIB}::tests::deep::ok`,
        'pass src/main.rs (shop_cart)::tests::adds',
        'fail tests/it.rs (it)::fails | assertion panic: assertion failed: false',
        'pass tests/it.rs (it)::passes',
        `pass ${DOC}::add`,
        `fail ${DOC}::add #2 | assertion panic: assertion \`left == right\` failed`,
        `pass ${DOC}::add #3`,
        `skip ${DOC}::add #4`,
      ].toSorted(),
    )
  })

  it('keeps the place and the backtrace of a panic', () => {
    const { cases } = fixtureRun('cargo', 'cargo-backtrace.txt')
    const stack = cases.find((test) => test.status === 'fail')?.fault?.stack
    expect(stack).toMatch(/^thread 'fails' \(\d+\) panicked at tests\/it\.rs:2:22:\n/)
    expect(stack).toContain('3: it::fails\n')
  })

  it('is read with --nocapture too', () => {
    const lines = brief(fixtureRun('cargo', 'cargo-nocapture.txt'))
    expect(lines).toContain(`fail ${LIB}::tests::deep::inner | error panic: déjà vu`)
    expect(lines).toContain(`pass ${LIB}::tests::should_boom`)
    expect(lines).toHaveLength(11)
  })

  it('of a workspace tells crates apart, and says where a process died', () => {
    const run = fixtureRun('cargo', 'cargo-workspace.txt')
    expect(brief(run)).toEqual([
      'fail src/lib.rs (crate_a)::tests::works | assertion panic: assertion failed: 1 > 2',
      'pass tests/it.rs (it)::it_works',
      'pass src/lib.rs (crate_b)::tests::before',
      'pass tests/it.rs (it)::it_works #2',
      'pass a/src/lib.rs (crate_a doc)::crate',
      'trouble src/lib.rs (crate_b) | crash : the test process ended early (signal: 6, SIGABRT: process abort signal)',
    ])
    expect(run).toMatchObject({ complete: false, note: 'src/lib.rs (crate_b): the results end before the target did' })
  })

  it('names the package it ran in', () => {
    const { cases } = fixtureRun('cargo', 'cargo-backtrace.txt', { prefix: 'core' })
    expect(cases.map((test) => test.id)).toContain('core/tests/it.rs (it)::passes')
  })

  it('has each error of the compiler, with its file and code', () => {
    const run = fixtureRun('cargo', 'cargo-compile.txt')
    expect(brief(run)).toEqual([
      'trouble a/src/lib.rs | collection E0425: cannot find type `Missing` in this scope',
      'trouble b/tests/it.rs | collection E0425: cannot find function `undefined` in this scope',
      'trouble a/src/lib.rs | collection E0308: mismatched types',
    ])
    expect(run.troubles[2]?.fault.stack).toContain('expected `i32`, found `&str`')
    expect(brief(runOf('cargo', 'error: failed to parse manifest at `/checkout/Cargo.toml`\n\nCaused by:\n  x\n'))).toEqual([
      'trouble cargo | collection : failed to parse manifest at `Cargo.toml`',
    ])
    expect(brief(runOf('cargo', 'error: could not compile `a` (lib) due to signal 9\n'))).toEqual([
      'trouble cargo | collection : could not compile `a` (lib) due to signal 9',
    ])
  })

  it('does not take what a test prints for an error of the compiler', () => {
    const printed = 'error: printed by a test\n  --> a.rs:1:1\ntest passes ... ok'
    const text = fixtureText('cargo-backtrace.txt').replace('test passes ... ok', printed)
    expect(runOf('cargo', text).troubles).toEqual([])
  })

  const failing = (printed: string) => `     Running tests/a.rs (target/debug/deps/a-145b3f473f3853c6)

running 1 test
test x ... FAILED

failures:

---- x stdout ----
${printed}
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

failures:
    x

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`

  it('takes the panic of the test itself, also as older versions print it', () => {
    const old = "thread 'x' panicked at 'assertion failed: false', tests/a.rs:2:5\nthread 'worker' panicked at 'gone', src/b.rs:2:5"
    const recent = "thread 'x' (7) panicked at tests/a.rs:2:5:\nassertion failed: false\nthread 'w' (8) panicked at src/b.rs:2:5:\ngone"
    for (const printed of [old, recent]) {
      expect(brief(runOf('cargo', failing(printed)))).toEqual(['fail tests/a.rs (a)::x | assertion panic: assertion failed: false'])
    }
  })
})

describe('output of cargo test that is not as it should be', () => {
  it('is incomplete wherever a target is cut off', () => {
    const text = fixtureText('cargo-backtrace.txt')
    const [from, to] = [text.indexOf('running 2'), text.indexOf('test result:')]
    for (let at = from; at < to; at += 41) expect(runOf('cargo', text.slice(0, at)), `cut at ${at}`).toMatchObject({ complete: false })
  })

  it('is incomplete when it is quiet, names fewer tests than it counts, or is empty', () => {
    expect(fixtureRun('cargo', 'cargo-quiet.txt')).toMatchObject({ complete: false, note: 'the report names no test target' })
    const fewer = fixtureText('cargo-backtrace.txt').replace('test passes ... ok\n', '')
    expect(runOf('cargo', fewer)).toMatchObject({ complete: false, note: 'tests/it.rs (it): 2 tests are counted and 1 named' })
    expect(runOf('cargo', '')).toMatchObject({ complete: false, note: 'the report is empty' })
  })

  it('without any test is a fault', () => {
    const text = `     Running unittests src/lib.rs (target/debug/deps/a-145b3f473f3853c6)

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`
    expect(brief(runOf('cargo', text))).toEqual(['trouble test run | no tests : no tests ran'])
  })
})
