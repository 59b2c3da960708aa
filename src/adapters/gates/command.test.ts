// Tests of the command gate with real processes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GateRequest } from '../../ports.js'
import { commandGate, type CommandGateOptions } from './command.js'
import { noSandbox } from '../sandbox/none.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-gate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LIMITS = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 8 * 1024 * 1024 }

function requestFor(rest: Partial<GateRequest> = {}): GateRequest {
  return {
    session: 's1',
    effect: {
      kind: 'check', id: '4.check', phase: 'check', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'check',
      opensIteration: false, opensPlan: false,
      gates: ['unit'], baseline: false, sealed: false, reruns: 0, confirm: 0,
    },
    cwd: folder,
    base: join(folder, 'check'),
    limits: LIMITS,
    only: null,
    tests: [],
    onActivity: () => {},
    ...rest,
  }
}

async function check(run: CommandGateOptions['run'], rest: Partial<CommandGateOptions> = {}, request = requestFor()) {
  const outcome = await commandGate({ sandbox: noSandbox(), name: 'unit', run, ...rest }).run(request, new AbortController().signal)
  if (outcome === 'aborted') throw new Error('aborted')
  return outcome
}

const log = (name = 'check.unit.log') => readFileSync(join(folder, name), 'utf8')

describe('a command gate', () => {
  it('passes on exit 0, whatever it prints', async () => {
    const { result, failures, files } = await check('echo "error: not really"; echo "not ok 1" >&2')
    expect(result).toMatchObject({ gate: 'unit', exit: 'pass', complete: true, known: false, missing: 0, note: 'exit 0' })
    expect(failures).toEqual([])
    expect(files).toEqual([join(folder, 'check.unit.log')])
    expect(log()).toBe('error: not really\nnot ok 1\n')
  })

  it('fails on any other exit, with a failure for each line that says what is wrong', async () => {
    const { result, failures } = await check('echo "ok 1 - a"; echo "not ok 2 - b"; echo "src/x.c:3:1: error: c" >&2; exit 1')
    expect(result).toMatchObject({ exit: 'fail', complete: true, note: 'exit 1' })
    expect(failures).toMatchObject([
      { gate: 'unit', subject: 'not ok <number> - b', class: 'behaviour', runs: { failed: 1, of: 1 } },
      { gate: 'unit', subject: 'src/x.c:<line>: error: c' },
    ])
    expect(failures[0]?.fingerprint).toMatch(/^1:[0-9a-f]{16}$/)
  })

  it('fails with its exit status when its output says nothing, and shows the end of the output', async () => {
    expect((await check('exit 7')).failures).toMatchObject([{ subject: 'exit status of unit', message: 'exit 7' }])
    const { failures } = await check('seq 1 1000; echo "coverage too low" >&2; exit 2')
    expect(failures).toMatchObject([{ subject: 'exit status of unit', message: expect.stringMatching(/^exit 2\n[^]*\n1000\ncoverage too low$/) }])
  })

  it('starts a list as it is, without a shell, and text through one', async () => {
    expect(log((await check(['printf', '%s', '$HOME; a  b'])).files[0]?.slice(folder.length + 1))).toBe('$HOME; a  b')
    await check('printf "%s" "$((6 * 7))" | cat')
    expect(log()).toBe('42')
  })

  it.each([
    ['a missing program in a shell', 'no-such-program-here', 'command not found'],
    ['a file that is no program', '/etc/passwd', 'command not executable'],
    ['a runner that is not installed', 'python3 -m no_such_runner', 'its runner is not there: '],
    ['a script that the package does not have', `echo '{"name":"a"}' > package.json; npm --loglevel error run nothing`, 'its runner is not there: npm '],
    ['a missing program in a list', ['no-such-program-here'] as const, 'cannot start'],
  ])('is unusable with %s', async (_what, run, note) => {
    const { result, failures } = await check(run)
    expect(result).toMatchObject({ exit: 'error', note: expect.stringContaining(note) })
    expect(failures).toEqual([])
  })

  it('is unusable in a folder that is not there', async () => {
    expect((await check('true', { cwd: 'gone' })).result).toMatchObject({ exit: 'error', note: expect.stringContaining('gone') })
  })

  it('runs in its own folder of the workspace', async () => {
    mkdirSync(join(folder, 'packages/a'), { recursive: true })
    await check('pwd', { cwd: 'packages/a' })
    expect(log().trim().endsWith('/packages/a')).toBe(true)
  })

  it('is told which session, effect and iteration it works for', async () => {
    await check('echo $GREENLATCH_SESSION $GREENLATCH_EFFECT $GREENLATCH_ITERATION')
    expect(log()).toBe('s1 4.check 2\n')
  })

  it('is cut off by its own time limit or the one it is given, is then incomplete, and keeps what it had found', async () => {
    const { result, failures } = await check('echo "not ok 1 - a"; sleep 60', { timeoutSeconds: 0.5 })
    expect(result).toMatchObject({ exit: 'timeout', complete: false, note: expect.stringContaining('wall-clock') })
    expect(failures.map((failure) => failure.subject)).toEqual(['not ok <number> - a', 'time limit of unit'])
    const given = await check('sleep 60', {}, requestFor({ limits: { ...LIMITS, silenceSeconds: 0.5 } }))
    expect(given.result).toMatchObject({ exit: 'timeout', complete: false, note: expect.stringContaining('silence') })
  })

  it('that is ended by a signal fails and is incomplete', async () => {
    expect((await check('kill -SEGV $$')).result).toMatchObject({ exit: 'fail', complete: false, note: 'ended by SIGSEGV' })
  })

  it('says only that it was aborted, when it was', async () => {
    const abort = new AbortController()
    const request = requestFor({ onActivity: () => abort.abort() })
    expect(await commandGate({ sandbox: noSandbox(), name: 'unit', run: 'echo x; sleep 60' }).run(request, abort.signal)).toBe('aborted')
  })

  it('finds the same faults wherever the workspace lies', async () => {
    for (const name of ['one', 'two']) {
      const cwd = join(folder, name)
      mkdirSync(cwd)
      const { failures } = await check('echo "$PWD/src/a.c:3:1: error: x"; exit 1', {}, requestFor({ cwd }))
      expect(failures.map((failure) => failure.subject)).toEqual(['src/a.c:<line>: error: x'])
    }
  })

  it('finds faults in the middle of output that is too long for memory', async () => {
    const noise = 'seq 1 200000'
    const { failures } = await check(`${noise}; echo "not ok 5 - hidden"; ${noise}; echo "panic: x" >&2; exit 1`)
    expect(failures.map((failure) => failure.subject)).toEqual(['not ok <number> - hidden', 'panic: x'])
    expect(log().length).toBeGreaterThan(2_000_000)
  })

  it('finds a fault that lies across two pieces of a long log', async () => {
    const { failures } = await check('yes x | head -c 1048570; echo "not ok 1 - across"; yes x | head -c 300000; exit 1')
    expect(failures.map((failure) => failure.subject)).toEqual(['not ok <number> - across'])
  })

  it('reads a single line of many megabytes without harm', async () => {
    const { failures } = await check("head -c 6000000 /dev/zero | tr '\\0' x; echo; echo 'not ok 1 - after'; exit 1")
    expect(failures.map((failure) => failure.subject)).toEqual(['not ok <number> - after'])
  })

  it('keeps its log inside the session whatever its name is', async () => {
    const gate = commandGate({ sandbox: noSandbox(), name: '../a b/c', run: 'echo x' })
    const outcome = await gate.run(requestFor(), new AbortController().signal)
    expect(outcome).toMatchObject({ files: [join(folder, 'check.___a_b_c.log')] })
  })

  it('removes what a run of it that was killed has left beside its log, and nothing else', async () => {
    for (const name of ['check.unit.run-abc123', 'check.other.run-abc123']) mkdirSync(join(folder, name, 'lib'), { recursive: true })
    await check('true')
    expect(readdirSync(folder).filter((name) => name.includes('.run-'))).toEqual(['check.other.run-abc123'])
  })

  it('shares no file with another one, however the two and their phases are called', async () => {
    const run = async (name: string, base: string): Promise<void> => {
      const gate = commandGate({ sandbox: noSandbox(), name, run: `echo ${name} of ${base} >&2` })
      await gate.run(requestFor({ base: join(folder, base) }), new AbortController().signal)
    }
    const all = [['a-stderr', 'check'], ['a', 'check'], ['2-b', 'check'], ['b', 'check-2']] as const
    for (const [name, base] of all) await run(name, base)
    for (const [name, base] of all) expect(log(`${base}.${name}.log`)).toBe(`${name} of ${base}\n`)
    expect(readdirSync(folder).filter((name) => name.endsWith('.log'))).toHaveLength(4)
  })

  it('has the variables of its entry, and PATH as they say', async () => {
    await check('echo "$OWN"; command -v node', { env: { OWN: 'mine', PATH: '/nowhere' } })
    expect(log()).toBe('mine\n')
  })

  it('is no pass when the folder of reports is taken away meanwhile', async () => {
    const { result, failures } = await check('rm -r "$GREENLATCH_REPORTS"')
    expect(result).toMatchObject({ exit: 'fail', complete: false, note: 'exit 0; the folder of reports is gone' })
    expect(failures).toMatchObject([{ subject: 'report', message: 'the folder of reports is gone' }])
  })

  it('believes nothing that lies among the reports and is no report', async () => {
    const put = 'cd "$GREENLATCH_REPORTS"; mkfifo 1.start; printf "x\\nlines\\n/\\n" > 2.start; ln -s /etc/passwd 3.start; mkdir 4.start pytest'
    expect((await check(`${put}; chmod 0 pytest`)).result).toMatchObject({ exit: 'pass', complete: true, known: false })
  })

  it('takes its own folder away, even one that was made unreadable', async () => {
    await check('chmod 0 "$GREENLATCH_REPORTS"; chmod 0 "$GREENLATCH_REPORTS/.."')
    expect(readdirSync(folder)).toEqual([])
  })

  it('is unusable where there is no room for its folder', async () => {
    writeFileSync(join(folder, 'file'), '')
    const { result } = await check('true', {}, requestFor({ base: join(folder, 'file', 'check') }))
    expect(result).toMatchObject({ exit: 'error', note: expect.stringMatching(/^cannot be prepared: /) })
  })

  it('says where its folder is none that can be reached, whatever stands there', async () => {
    mkdirSync(join(folder, 'tree'))
    writeFileSync(join(folder, 'tree/file'), '')
    symlinkSync('round', join(folder, 'tree/round'))
    const noteOf = async (cwd: string): Promise<string> => (await check('true', { cwd }, requestFor({ cwd: join(folder, 'tree') }))).result.note
    expect([await noteOf('file'), await noteOf('file/api'), await noteOf('round/api'), await noteOf('gone')]).toEqual([
      'its folder file is no folder', 'its folder file/api cannot be reached (ENOTDIR)', 'its folder round/api cannot be reached (ELOOP)', 'its folder gone is not there',
    ])
  })

  it.each([
    ['ModuleNotFoundError: No module named "shop"', false],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'", false],
    ['FetchError: getaddrinfo ENOTFOUND example.com', true],
    ['connect ECONNREFUSED 127.0.0.1:5432', true],
    ['curl: (6) Could not resolve host: example.com', true],
  ])('is said to want a network only where it does: %s', async (said, wants) => {
    const sandbox = { ...noSandbox(), confines: true }
    const { result } = await check(['sh', '-c', 'echo "$0" >&2; exit 1', said], { sandbox })
    expect(result.note.includes('it reached for the network')).toBe(wants)
  })

  it('is described by what it runs, wherever that is', () => {
    expect(commandGate({ sandbox: noSandbox(), name: 'a', run: 'npm test | tee x' }).describe).toBe('npm test | tee x')
    expect(commandGate({ sandbox: noSandbox(), name: 'a', run: ['go', 'test', './a b'], cwd: 'srv' }).describe).toBe("go test './a b'")
  })
})
