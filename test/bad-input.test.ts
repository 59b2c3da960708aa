// Wrong command lines, files and environments: each is refused in two lines, with the right code, and changes nothing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, eventsOf, hashesOf, linesOf, makePlace, type Ended, type Options, type Place } from './support/cli.js'
import { some } from './support/subset.js'

/** One line that says what is wrong, one that says what to type next, and nothing else. */
function expectRefusal(ended: Ended, code: number, words: string): void {
  expect(ended.stderr).toMatch(/^greenlatch: \S.*\n {2}next: \S.*\n$/)
  expect(ended.stderr.split('\n')[0]).toContain(words)
  expect(ended).toMatchObject({ code, signal: null, stdout: '' })
}

async function expectRefused(place: Place, args: readonly string[], code: number, words: string, options: Options = {}): Promise<void> {
  const files = filesOf(place)
  expectRefusal(await place.run(args, options), code, words)
  expect(filesOf(place)).toEqual(files)
}

/** Everything there is, except that the state folder may get folders without anything in them. */
function filesOf(place: Place): unknown[] {
  return Object.entries(hashesOf(place.root)).filter(([path, hash]) => !path.startsWith('state') || hash !== 'not a file')
}

/** With `$0` and `$1` as the way to start the CLI. */
function inBash(place: Place, script: string): { status: number | null; stdout: string; stderr: string } {
  const env = { ...place.env }
  return spawnSync('bash', ['-c', script, process.execPath, CLI], { cwd: place.repo, encoding: 'utf8', env })
}

const OODA = ['run', 'ooda', '--agent', 'paste']

describe('a command line', () => {
  it.each(some<[string[], number, string]>([
    [[], 2, 'no command is given'],
    [['-q'], 2, 'no command is given'],
    [['nonsense'], 2, "unknown command 'nonsense'"],
    [['rnu', 'ooda'], 2, 'Did you mean run?'],
    [['statsu'], 2, 'Did you mean status?'],
    [['help', 'nonsense'], 2, 'there is no command "nonsense"'],
    [['help', 'inti'], 2, 'did you mean "init"?'],
    [['init', '--tempate', 'ooda'], 2, 'Did you mean --template?'],
    [['estimate', '--scope', 'featrue'], 2, 'did you mean "feature"?'],
    [['estimate', '--tok-s', '0'], 2, '"0" is not a number above 0'],
    [['--output', 'jsn', 'status'], 2, 'did you mean "json"?'],
    [[...OODA, '--permit', 'test'], 2, 'did you mean "tests"?'],
    [[...OODA, '--project', 'nowhere'], 2, '--project: there is no folder'],
    [[...OODA, '--workspace', ''], 2, '--workspace: the name of the folder is empty'],
    [['procedures', 'shwo', 'ooda'], 2, 'say "procedures"'],
    [['completion', 'bahs'], 2, 'did you mean "bash"?'],
    [['--nonsense'], 2, "unknown option '--nonsense'"],
    [['--jsno', 'status'], 2, 'Did you mean --json?'],
    [['-x', 'status'], 2, "unknown option '-x'"],
    [['completion'], 2, "missing required argument 'shell'"],
    [['completion', 'cobol'], 2, 'cobol'],
    [['-C'], 2, 'argument missing'],
    [['-C', '', 'status'], 2, '-C: the name of the folder is empty'],
    [['-C', '/no/such/folder', 'status'], 2, 'there is no folder /no/such/folder'],
    [['-C', '/etc/passwd', 'run', 'ooda'], 2, 'there is no folder /etc/passwd'],
    [['-C', 'a\nb', 'status'], 2, 'there is no folder'],
    [['--config', '', 'status'], 2, '--config: the name of the file is empty'],
    [['--config', 'missing.yaml', 'status'], 2, 'missing.yaml does not exist'],
    [['--config', '.', 'status'], 2, 'is a folder'],
    [['--config', '/dev/zero', 'status'], 2, 'is not a regular file'],
    [['--state-dir', '', 'status'], 2, '--state-dir: expected a path'],
    [['--output', 'xml', 'status'], 2, 'Allowed choices are text, json, jsonl'],
    [['--ui', 'holograms', 'status'], 2, 'Allowed choices are auto, live, stream, plain, none'],
    [['watch', '--ui', 'holograms'], 2, 'Allowed choices are auto, live, stream, plain, none'],
    [['run', 'ooda', '--agent', 'paste', '--ui', 'live'], 2, '--ui live: standard input and standard error have to be a terminal'],
    [['run'], 2, 'nobody answers as implementer'],
    [['run', 'ooda'], 2, 'nobody answers as implementer'],
    [['run', 'oodaa', '--agent', 'paste'], 2, 'did you mean "ooda"?'],
    [['run', 'convrge', 'make it green', '--agent', 'paste'], 2, 'did you mean "converge"?); a task that begins with it needs quotes'],
    [['run', 'release-notes', '--agent', 'paste', '--gate', 'true'], 2, 'there is no procedure "release-notes", and it looks like the name of one'],
    [['open', 'tests2', '--agent', 'paste', '--gate', 'true'], 2, 'there is no procedure "tests2", and it looks like the name of one'],
    [['run', 'cycle', '--agent', 'paste', '--gate', 'true', '--allow', '**'], 2, 'procedure "cycle" needs a task'],
    [['run', 'tdd', ' ', '--agent', 'paste'], 2, 'the task is empty'],
    [['run', '--agent', 'paste'], 5, 'needs a check to prove its work by'],
    [['run', 'ooda', '--agent', ''], 2, 'there is no agent ""'],
    [['run', 'ooda', '--agent', 'constructor'], 2, 'there is no agent "constructor"'],
    [['run', 'ooda', '--agent', '__proto__'], 2, 'there is no agent "__proto__"'],
    [['run', 'ooda', '--agent', 'toString'], 2, 'there is no agent "toString"'],
    [['run', 'ooda', '--agent', 'past'], 2, 'did you mean "paste"?'],
    [['run', 'ooda', '--agent', 'implementor=paste'], 2, 'did you mean "implementer"?'],
    [['run', 'ooda', '--agent', 'scripted:'], 2, 'it cannot be read'],
    [['run', 'ooda', '--agent', 'scripted:missing.yaml'], 2, 'it cannot be read (ENOENT)'],
    [['run', 'ooda', '--agent', 'paste', '--ai-cmd', 'true'], 2, 'give one of them'],
    [['run', 'ooda', '--ai-cmd', ''], 2, 'a command is empty'],
    [['run', 'ooda', '--ai-cmd', '"true'], 2, 'a quote " that is not closed'],
    [['run', 'ooda', '--ai-cmd', 'true \\'], 2, 'ends in a backslash'],
    [['run', 'ooda', '--ai-cmd', 'no-such-program-here'], 7, 'no-such-program-here is not an executable program'],
    [['run', 'ooda', '--ai-cmd', '/etc/passwd'], 7, 'is not an executable program'],
    [['run', 'ooda', '--ai-cmd', '/'], 7, 'is not an executable program'],
    [[...OODA, '--gate', ''], 2, '--gate: the command is empty'],
    [[...OODA, '--gate', 'lint= '], 2, '--gate: the command of "lint" is empty'],
    [[...OODA, '--gate', 'a=x', '--gate', 'a=y'], 2, 'two gates are called "a"'],
    [[...OODA, '--max-iterations', 'many'], 2, '"many" is not a whole number'],
    [[...OODA, '--max-iterations', '-1'], 2, '"-1" is not a whole number'],
    [[...OODA, '--max-iterations', '1.5'], 2, '"1.5" is not a whole number'],
    [[...OODA, '--max-iterations', ''], 2, '"" is not a whole number'],
    [[...OODA, '--max-iterations'], 2, 'argument missing'],
    [[...OODA, '--max-iteratons', '3'], 2, 'Did you mean --max-iterations?'],
    [[...OODA, '--max-time', 'soon'], 2, '"soon" is not a duration'],
    [[...OODA, '--max-time', '5'], 2, '--max-time: "5" has no unit (write 5m or 5s)'],
    [[...OODA, '--max-time', ''], 2, '"" is not a duration'],
    [[...OODA, '--max-time', '-5m'], 2, '"-5m" is not a duration'],
    [[...OODA, '--max-tokens', '1e3'], 2, 'is not a whole number'],
    [[...OODA, '--max-cost', 'free'], 2, '"free" is not an amount'],
    [['run', 'ooda', '--ai-cmd', 'cat', '--max-cost', '5'], 2, 'what agent "ai-cmd" costs is not known'],
    [[...OODA, '--allow', ''], 2, '--allow: expected a glob such as src/**'],
    [[...OODA, '--allow', '../x'], 2, '--allow: expected a glob below the root of the repository'],
    [[...OODA, '--deny', '!src'], 2, '--deny: expected a glob without "!"'],
    [[...OODA, '--deny', 'x'.repeat(201)], 2, '--deny: expected a glob of at most 200 characters'],
    [[...OODA, '--diff-budget', ''], 2, '--diff-budget: "" is not files/lines'],
    [[...OODA, '--diff-budget', '/'], 2, '--diff-budget: "/" is not files/lines'],
    [[...OODA, '--diff-budget', '20'], 2, '--diff-budget: "20" is not files/lines'],
    [[...OODA, '--diff-budget', '-1/5'], 2, '--diff-budget: "-1/5" is not files/lines'],
    [[...OODA, '--branch', ''], 2, '--branch: the name "" is empty'],
    [[...OODA, '--branch', '-x'], 2, '--branch: the name "-x" may not begin with "-"'],
    [[...OODA, '--branch', 'a..b'], 2, 'may not hold ".."'],
    [[...OODA, '--branch', 'a@{1}'], 2, 'may hold only letters'],
    [[...OODA, '--branch', 'a.lock'], 2, 'may have no part that ends with ".lock"'],
    [[...OODA, '--branch', 'a\nb'], 2, 'may hold only letters'],
    [[...OODA, '--dirty', 'stash'], 2, 'Allowed choices are include, ignore'],
    [[...OODA, '--leave', 'first'], 2, 'Allowed choices are last, best'],
    [[...OODA, '--in-place', '--dirty', 'ignore'], 2, 'it cannot ignore what is dirty'],
    [[...OODA, '--diff-bugdet', '1/1'], 2, 'Did you mean --diff-budget?'],
    [[...OODA, '--failure-threshold', '0'], 2, '--failure-threshold: expected a whole number of at least 1'],
    [[...OODA, '--min-iterations', '2'], 2, 'has no floor'],
    [[...OODA, '--task', 'missing.md'], 2, 'the task file'],
    [[...OODA, '--task', '.'], 2, 'the task file'],
    [['run', 'converge', '', '--ai-cmd', 'true', '--gate', 'true'], 2, 'the task is empty'],
    [[...OODA, '--task', '/dev/null'], 2, 'the task is empty'],
    [[...OODA, '--task', '/proc/self/cmdline'], 2, 'the task holds a NUL character'],
    [[...OODA, 'one task', '--task', 'another.md'], 2, 'the task is given twice'],
    [['run', 'nonsense', '--task', 'another.md'], 2, 'there is no procedure "nonsense", and the task stands in a file already'],
    [[...OODA, '--context', '@missing.md'], 2, 'there is no file'],
    [[...OODA, '--observe', '@.'], 2, 'there is no file'],
    [[...OODA, '--context', 'missing.md'], 2, 'missing.md: a single word that looks like a path has to name a file; text for the prompt has more words than one'],
    [[...OODA, '--act', 'builtin:ooda/akt'], 2, 'did you mean "ooda/act"?'],
    [['open', 'ooda', '--detach'], 2, "unknown option '--detach'"],
    [['step'], 2, 'there is no session here yet'],
    [['step', 'a', 'b'], 2, 'too many arguments'],
    [['status', 'nope'], 2, 'there is no session here yet'],
    [['resume'], 2, 'there is no session here yet'],
    [['resume', 'ooda'], 2, 'there is no session of "ooda" to resume'],
    [['resume', '--max-time', 'x'], 2, ''],
    [['stop'], 2, 'there is no session here yet'],
    [['pause', '../..'], 2, 'there is no session here yet'],
    [['reply', '--file', 'missing.md'], 2, 'there is no session here yet'],
    [['hint'], 2, 'missing required argument'],
    [['hint', ''], 2, 'the hint is empty'],
    [['hint', 'two', 'words', 'more'], 2, 'needs quotes'],
    [['logs', '--iter', 'last'], 2, '"last" is not a whole number'],
    [['path'], 2, 'there is no session here yet'],
    [['repair', '--set-aside'], 2, 'there is no session here yet'],
    [['repair', 'nope'], 2, 'there is no session here yet'],
    [['schema', 'confg'], 2, 'did you mean "config"?'],
    [['procedures', 'show'], 2, 'procedures show <name>'],
    [['procedures', 'show', 'odoa'], 2, 'there is no procedure "odoa"'],
    [['procedures', 'list'], 2, 'procedures show <name>'],
    [['sessions', 'all'], 2, 'too many arguments'],
    [['config', 'set', 'x'], 2, 'too many arguments'],
  ], 30))('%j is refused with %i.', async (args, code, words) => {
    await expectRefused(makePlace(), args, code, words)
  })

  it('with a command for an agent that is not there offers what was typed with another command.', async () => {
    const ended = await makePlace().run(['run', 'ooda', 'mend it', '--ai-cmd', './nosuch', '--max-iterations', '2'])
    expectRefusal(ended, 7, 'nosuch is not an executable program')
    expect(ended.stderr).toContain(`next: greenlatch run ooda 'mend it' --max-iterations 2 --ai-cmd "<a command that runs>"\n`)
  })

  it('that is a single word is still a task, and says so.', async () => {
    const ended = await makePlace().run(['run', 'fix', '--agent', 'paste', '--gate', 'true', '--dry-run'])
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('"fix" is no procedure, and is taken as the task')])
  })

  it('that leaves no room for the floor is told the flag that makes room.', async () => {
    const ended = await makePlace().run(['run', 'tdd', 'x', '--agent', 'paste', '--max-iterations', '1'])
    expectRefusal(ended, 2, 'the floor of 2 iterations is above the maximum of 1')
    expect(ended.stderr).toContain('next: greenlatch run tdd x --agent paste --max-iterations 1 --min-iterations 1\n')
  })

  it('with a bad value says so as JSON on standard output when that is asked for.', async () => {
    const place = makePlace()
    for (const flags of [['--json'], ['--output', 'json'], ['--output=jsonl']]) {
      const refused = await place.run(['run', 'oodaa', ...flags])
      expect(refused).toMatchObject({ code: 2, stderr: '' })
      const { error, ...others } = JSON.parse(refused.stdout) as { error: string }
      expect(error).toContain('there is no procedure "oodaa"')
      expect(others).toEqual({ code: 2, next: 'greenlatch procedures' })
    }
  })

  it('with control characters in it does not get them onto the terminal.', async () => {
    const refused = await makePlace().run(['run', 'ooda', '--agent', 'a\u001B[31m\nb\u009B2J\u202E'])
    expect(refused.code).toBe(2)
    expect(['\u001B', '\u009B', '\u202E'].filter((mark) => refused.stderr.includes(mark))).toEqual([])
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('a session named wrongly', () => {
  it.each(some<[string[], string]>([
    [['status', 'nope'], 'there is no session "nope"'],
    [['step', '../../../etc'], 'there is no session'],
    [['resume', 'no-such'], 'there is no session "no-such"'],
    [['stop', '2'], 'fits 2 sessions'],
    [['logs', ''], 'fits 2 sessions'],
    [['hint', 'nope', 'text'], 'there is no session "nope"'],
    [['reply', 'nope'], 'there is no session "nope"'],
  ], 3))('%j is refused, and the sessions stay as they are.', async (args, words) => {
    const place = makePlace()
    await place.run(['open', ...OODA.slice(1)])
    await place.run(['open', ...OODA.slice(1)])
    await expectRefused(place, args, 2, words)
  })
})

describe('a word after diff that names no session', () => {
  it.each([
    ['nosuch.js', 'neither a session nor a file that is here'],
    ['here.js', 'a path and no session'],
  ])('%s is told to come after --, where it is a path.', async (word, what) => {
    const place = makePlace()
    await place.run(['open', ...OODA.slice(1)])
    place.write('here.js', 'here\n')
    const ended = await place.run(['diff', word])
    expectRefusal(ended, 2, `"${word}" is ${what}: paths, also of files that are gone, come after --`)
    expect(ended.stderr).toContain(`next: greenlatch diff -- ${word}\n`)
    expect((await place.run(['diff', '20990101'])).stderr).toContain('"20990101" is neither a session nor a file')
  })
})

describe('a settings file', () => {
  it.each(some<[string, string, string]>([
    ['is no YAML', 'agent: [', 'greenlatch.yaml:1'],
    ['is a list', '- agent', 'greenlatch.yaml:1'],
    ['has a key that is unknown', 'agnet: x', 'did you mean "agent"?'],
    ['has a key twice', 'agent: a\nagent: b', 'greenlatch.yaml:2'],
    ['has text for a number', 'budget: { seconds: long }', 'budget.seconds'],
    ['has a number below its least', 'setbacks: 0', 'setbacks: expected a whole number of at least 1'],
    ['has two gates of one name', 'gates: [{ name: a, run: x }, { name: a, run: y }]', 'is the name of another gate'],
    ['has a gate outside of the repository', 'gates: [{ name: a, run: x, cwd: ../.. }]', 'expected a folder inside the repository'],
    ['has a gate without a command', 'gates: [{ name: a, run: " " }]', 'gates[0].run'],
    ['has an agent of two kinds', 'agents: { a: { command: x, paste: true } }', 'cannot stand together'],
    ['has a glob that leads outside', 'scope: { allow: [../x] }', 'greenlatch.yaml:1: scope.allow[0]: expected a glob below the root'],
    ['has a mode of scope that is none', 'scope: { mode: off }', 'scope.mode: expected one of block, warn'],
    ['has two documents', 'agent: a\n---\nagent: b', 'greenlatch.yaml'],
    ['has a tag', 'agent: !!js/function x', 'greenlatch.yaml:1'],
    ['has a procedure that leads nowhere', 'procedures: { ooda: { phases: { act: { on: { pass: nowhere } } } } }', 'nowhere'],
    ['has a procedure that extends itself', 'procedures: { ooda: { extends: mine }, mine: { extends: ooda } }', 'extends itself'],
    ['has a procedure that extends none', 'procedures: { ooda: { extends: none } }', 'there is no procedure "none"'],
    ['has a procedure without iterations', 'procedures: { ooda: { phases: { act: { opensIteration: null } } } }', 'procedure "ooda"'],
    ['names a prompt file that is missing', 'prompts: { act: { file: missing.md } }', 'missing.md, which cannot be read'],
    ['names a context that is a folder', 'context: { file: . }', 'which cannot be read'],
    ['names a built-in text that is none', 'prompts: { act: { builtin: ooda/jump } }', 'there is no built-in fragment "ooda/jump"'],
  ], 6))('that %s is refused, and named.', async (_what, text, words) => {
    const place = makePlace()
    place.write('greenlatch.yaml', text)
    await expectRefused(place, OODA, 2, words)
  })

  it.each<[string, (path: string) => void, string]>([
    ['is a folder', (path) => mkdirSync(path), 'is a folder'],
    ['is a pipe', (path) => void spawnSync('mkfifo', [path]), 'is not a regular file'],
    ['is a link to nothing', (path) => symlinkSync('nothing', path), 'does not exist'],
    ['is a link to itself', (path) => symlinkSync('greenlatch.yaml', path), 'round in a circle'],
    ['is not text', (path) => writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe, 0x00])), 'is not UTF-8 text'],
    ['is too large', (path) => writeFileSync(path, `# ${'x'.repeat(1_100_000)}`), 'is too large'],
  ])('that %s is refused, and named.', async (_what, make, words) => {
    const place = makePlace()
    make(join(place.repo, 'greenlatch.yaml'))
    await expectRefused(place, OODA, 2, words)
  })

  it('with several faults has all of them listed, each with its line, as text and as JSON.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', 'agnet: x\nscope:\n  alow: [src]\n  files: many\nsetbacks: 0\n')
    const lines = (await place.run(OODA)).stderr.split('\n')
    expect(lines).toEqual([
      'greenlatch: greenlatch.yaml:1: unknown key "agnet" (did you mean "agent"?)',
      '            greenlatch.yaml:3: unknown key "alow" in scope (did you mean "allow"?)',
      '            greenlatch.yaml:4: scope.files: expected a whole number of at least 0, found "many"',
      '            greenlatch.yaml:5: setbacks: expected a whole number of at least 1, found 0',
      '  next: greenlatch schema',
      '',
    ])
    const refused = JSON.parse((await place.run([...OODA, '--json'])).stdout) as { others: string[] }
    expect(refused.others).toHaveLength(3)
  })

  it('with more faults than anybody reads has twenty listed and the others counted.', async () => {
    const place = makePlace()
    place.write('greenlatch.yaml', Array.from({ length: 50 }, (_, index) => `key${index}: 1\n`).join(''))
    const lines = (await place.run(OODA)).stderr.trimEnd().split('\n')
    expect(lines.slice(-2)).toEqual(['            and 30 more', '  next: greenlatch schema'])
    expect(lines).toHaveLength(22)
  })

  it('with a procedure that has several faults has all of them listed, and the list of procedures marks it.', async () => {
    const place = makePlace()
    const bad = '{ extends: ooda, phases: { act: { on: { pass: x, fail: y } } } }'
    place.write('greenlatch.yaml', `procedures: { bad: ${bad}, good: { extends: ooda } }`)
    const refused = (await place.run(['run', 'bad', '--agent', 'paste'])).stderr
    expect(refused.match(/procedure "bad": phase "act" leads to "[xy]"/g)).toHaveLength(2)
    const listed = (await place.run(['procedures'])).stdout
    expect(listed).toMatch(/^bad +cannot run: phase "act" leads to "x", which is neither a phase nor an outcome; phase "act" leads to "y"/m)
    expect(listed).toMatch(/^good +(?!cannot)\S/m)
    const rows = JSON.parse((await place.run(['procedures', '--json'])).stdout) as { name: string; problems: string[] }[]
    expect(rows.map(({ name, problems }) => [name, problems.length])).toContainEqual(['bad', 2])
    expect(rows.filter(({ problems }) => problems.length > 0)).toHaveLength(1)
  })

  it('of the user, or with another ending, is refused as well.', async () => {
    const place = makePlace()
    place.write('../home/.config/greenlatch/config.yaml', 'agnet: x\n')
    await expectRefused(place, OODA, 2, '~/.config/greenlatch/config.yaml:1')
    const other = makePlace()
    other.write('greenlatch.yml', 'agent: x\n')
    await expectRefused(other, OODA, 2, 'greenlatch.yml is not read')
  })

  it('of a scripted agent with a mistake is refused before anything begins.', async () => {
    const place = makePlace()
    place.write('script.yaml', 'turns:\n  - write: { ../out: x }\n')
    await expectRefused(place, ['run', 'ooda', '--agent', 'scripted:script.yaml'], 2, 'script.yaml:2')
  })
})

describe('an environment', () => {
  it.each(some<[Record<string, string>, number, string]>([
    [{ GREENLATCH_AGNT: 'x' }, 2, 'did you mean "GREENLATCH_AGENT"?'],
    [{ GREENLATCH_SETBACKS: 'none' }, 2, 'GREENLATCH_SETBACKS: expected a whole number'],
    [{ GREENLATCH_DEFAULT_ITERATIONS: '-1' }, 2, 'GREENLATCH_DEFAULT_ITERATIONS'],
    [{ GREENLATCH_BUDGET_SECONDS: '1h' }, 2, 'GREENLATCH_BUDGET_SECONDS'],
    [{ GREENLATCH_PROCEDURE: 'a b' }, 2, 'GREENLATCH_PROCEDURE'],
    [{ HOME: '' }, 2, 'HOME is not the whole path of a folder'],
    [{ HOME: 'relative' }, 2, 'HOME is not the whole path of a folder'],
    [{ GREENLATCH_TREE: 'a.1;' }, 6, 'a loop inside a loop is refused'],
    [{ GREENLATCH_STATE_HOME: '/proc/greenlatch' }, 10, '/proc/greenlatch'],
    [{ GREENLATCH_STATE_HOME: '/dev/null/greenlatch' }, 10, '/dev/null/greenlatch'],
  ], 4))('with %j is refused with %i.', async (env, code, words) => {
    await expectRefused(makePlace(), OODA, code, words, { env })
  })

  it('in which the state folder is a file is refused, and the file stays.', async () => {
    const place = makePlace()
    place.write('state', 'mine')
    await expectRefused(place, [...OODA, '--state-dir', 'state'], 10, 'state')
  })

  it('whose folder was deleted is refused without a stack trace.', () => {
    const place = makePlace()
    mkdirSync(join(place.root, 'gone'))
    const ended = inBash(place, 'cd ../gone && rmdir ../gone && exec "$0" "$1" status')
    expect(ended.status).toBe(2)
    expect(ended.stderr).toBe('greenlatch: the folder you are in does not exist any more\n  next: cd to a folder that exists\n')
  })

  it('of a greenlatch agent is refused with 6, so that no loop runs inside a loop; looking is allowed.', async () => {
    const place = makePlace()
    const nested = `"${process.execPath}" "${CLI}"`
    const agent = place.program(
      'agent',
      'cat >/dev/null',
      'export GREENLATCH_STATE_HOME="$ROOT/state"',
      `${nested} run ooda --ai-cmd true 2> "$ROOT/inner"`,
      'echo $? > "$ROOT/code"',
      `${nested} -C "$ROOT/repo" status --short > "$ROOT/status" 2>&1`,
    )
    expect(await place.run(['run', 'ooda', '--max-iterations', '1', '--ai-cmd', agent])).toMatchObject({ code: 0 })
    expect(place.read('code')).toBe('6\n')
    expect(place.read('inner')).toMatch(/^greenlatch: this is being run by a session of greenlatch.*\n {2}next: .*\n$/)
    expect(place.read('status')).toMatch(/^ooda running · iteration 1\/1/)
    expect(place.sessions()).toHaveLength(1)
  })

  it('with GREENLATCH_DEBUG is a good one.', async () => {
    expect(await makePlace().run(['sessions'], { env: { GREENLATCH_DEBUG: '1' } })).toMatchObject({ code: 0 })
  })
})

describe('a reader that goes away', () => {
  it('does no harm to a command that writes much.', () => {
    const { stdout, stderr } = inBash(makePlace(), '"$0" "$1" schema | head -1; echo "${PIPESTATUS[0]}"')
    expect(stdout).toBe('{\n0\n')
    expect(stderr).toBe('')
  })

  it('does not end a run, whichever stream it had read.', () => {
    const place = makePlace()
    const agent = place.program('agent', 'cat >/dev/null', 'sleep 0.1')
    const run = `run ooda --output jsonl --max-iterations 4 --ai-cmd ${agent}`
    const { stdout } = inBash(place, `"$0" "$1" ${run} 2> >(head -1 >/dev/null) | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`)
    expect(stdout).toBe('0\n')
    expect(place.starts('agent')).toHaveLength(4)
    expect(eventsOf(place.session()).at(-1)).toMatchObject({ type: 'decided', decision: { to: '@completed' } })
  })

  it('is no disk that is full: that loss is said in one line and by the code, and the work stays done.', () => {
    const place = makePlace()
    const lost = (next: string): object => {
      const line = 'greenlatch: what belongs on standard output could not be written: no space is left where it goes\n'
      return { status: 10, stderr: expect.stringMatching(new RegExp(`(^|\n)${line} {2}next: greenlatch ${next}\n$`)) as string }
    }
    expect(inBash(place, '"$0" "$1" run ooda --max-iterations 1 --ai-cmd true > /dev/full')).toMatchObject(lost('status'))
    expect(inBash(place, '"$0" "$1" -C . run ooda --max-iterations 1 --fresh --ai-cmd true > /dev/full')).toMatchObject(lost('status -C .'))
    expect(eventsOf(place.session()).at(-1)).toMatchObject({ type: 'decided', decision: { to: '@completed' } })
    for (const words of ['schema', 'report --md', '--version']) expect(inBash(place, `"$0" "$1" ${words} > /dev/full`)).toMatchObject(lost(words))
  })

  it('does no harm when there was none from the start.', () => {
    const place = makePlace()
    inBash(place, '"$0" "$1" run ooda --max-iterations 2 --ai-cmd true >&- 2>&- <&-')
    expect(linesOf(inBash(place, '"$0" "$1" status --short').stdout)).toEqual([expect.stringMatching(/^ooda completed/)])
  })
})
