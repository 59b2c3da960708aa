// Proves with real processes what comes back for every way a process can end.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runProcess } from './run.js'
import { newestCommand } from './tree.js'
import type { ProcessRequest, ProcessResult } from './types.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-run-'))
afterAll(() => rmSync(folder, { recursive: true }))

const limits = { wallSeconds: 50, silenceSeconds: 50, outputBytes: 1_000_000 }

function run(argv: readonly [string, ...string[]], more: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return runProcess({ argv, cwd: folder, limits, ...more })
}

function shell(script: string, more: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return run(['/bin/sh', '-c', script], more)
}

describe('a process that ends by itself', () => {
  it('is reported with its output and exit code.', async () => {
    const result = await shell('echo out; echo err >&2; exit 3')
    expect(result).toMatchObject({
      ending: 'exited',
      exitCode: 3,
      signal: null,
      note: 'exit 3',
      stdout: { text: 'out\n', bytes: 4, cut: false },
      stderr: { text: 'err\n', bytes: 4, cut: false },
      leftovers: 0,
    })
    expect(result.seconds).toBeGreaterThan(0)
  })

  it('by a signal is reported with the signal.', async () => {
    expect(await shell('kill -USR1 $$')).toMatchObject({ ending: 'signalled', exitCode: null, signal: 'SIGUSR1', note: 'ended by SIGUSR1' })
  })

  it('is known by its command while it runs, and not afterwards.', async () => {
    const seen: string[] = []
    await shell('echo on; exec sleep 0.2', { onText: () => void seen.push(newestCommand()) })
    expect(seen[0]).toMatch(/^(?:echo on; exec )?sleep 0\.2$/)
    expect(newestCommand()).toBe('')
  })

  it('is known by the command that it leads to, where it is only the way there.', async () => {
    const seen: string[] = []
    await shell('echo on; sleep 0.2', { inner: { argv: ['/bin/sh', '-c', 'my-agent --headless'], through: 'bwrap' }, onText: () => void seen.push(newestCommand()) })
    expect(seen[0]).toBe('my-agent --headless')
  })

  it('gets its arguments as they are, without a shell.', async () => {
    const result = await run(['/bin/echo', '$HOME', '*', 'a  b', '; exit 1'])
    expect(result.stdout.text).toBe('$HOME * a  b ; exit 1\n')
  })

  it('works in the given folder, in a session and group of its own, with the cleaned environment.', async () => {
    const script = 'pwd; echo "$PWD $COLOUR ${VITEST-none} ${GREENLATCH_TREE:+marked}"; cut -d" " -f5,6 /proc/$$/stat; echo "$$ $$"'
    const [where, variables, session, expected] = (await shell(script, { env: { COLOUR: 'green' } })).stdout.text.split('\n')
    expect([where, variables]).toEqual([folder, `${folder} green none marked`])
    expect(session).toBe(expected)
  })

  it('finds its standard input empty when none is given.', async () => {
    expect((await run(['/bin/cat'])).note).toBe('exit 0')
  })

  it('gets all of a large standard input.', async () => {
    const result = await run(['/usr/bin/wc', '-c'], { stdin: 'é'.repeat(2_500_000) })
    expect(result.stdout.text.trim()).toBe('5000000')
  })

  it('without ever reading five megabytes of standard input is no error.', async () => {
    expect(await shell('exec 0<&-; exit 4', { stdin: 'x'.repeat(5_000_000) })).toMatchObject({ ending: 'exited', exitCode: 4 })
    expect(await shell('sleep 0.2; exit 5', { stdin: 'x'.repeat(5_000_000) })).toMatchObject({ ending: 'exited', exitCode: 5 })
  })
})

describe('the output of a process', () => {
  it('that is no UTF-8 is shown with replacement characters, and kept raw in its file.', async () => {
    const stdoutPath = join(folder, 'raw')
    const result = await shell(String.raw`printf '\377\376ok\303'`, { stdoutPath })
    expect(result.stdout).toEqual({ text: '\ufffd\ufffdok\ufffd', bytes: 5, cut: false })
    expect([...readFileSync(stdoutPath)]).toEqual([0xff, 0xfe, 0x6f, 0x6b, 0xc3])
    expect(statSync(stdoutPath).mode & 0o777).toBe(0o600)
  })

  it('makes no file when there is none.', async () => {
    const [stdoutPath, stderrPath] = [join(folder, 'none'), join(folder, 'some')]
    await shell('echo oops >&2', { stdoutPath, stderrPath })
    expect(existsSync(stdoutPath)).toBe(false)
    expect(readFileSync(stderrPath, 'utf8')).toBe('oops\n')
  })

  it('past its limit is named in the note, and the file ends at the limit.', async () => {
    const stdoutPath = join(folder, 'limited')
    const result = await shell('head -c 5000 /dev/zero', { stdoutPath, limits: { ...limits, outputBytes: 4096 } })
    expect(result.note).toBe('exit 0; standard output went past its limit of 4 KiB and the rest was dropped')
    expect(statSync(stdoutPath).size).toBe(4096)
    expect(result.stdout.bytes).toBe(5000)
  })

  it('that cannot be saved is named in the note.', async () => {
    const result = await shell('echo kept', { stdoutPath: join(folder, 'no', 'such', 'folder') })
    expect(result).toMatchObject({ note: 'exit 0; standard output could not be saved (ENOENT)', stdout: { text: 'kept\n' } })
  })

  it('is handed on as it comes, with characters whole, and with the size of every chunk.', async () => {
    const texts: string[] = []
    const errors: string[] = []
    let bytes = 0
    const script = String.raw`printf 'a\342'; sleep 0.1; printf '\202\254b'; printf 'err\342' >&2; sleep 0.1; printf '\202\254' >&2; printf '\303'`
    await shell(script, { onText: (text) => texts.push(text), onErrorText: (text) => errors.push(text), onOutput: (count) => (bytes += count) })
    expect(texts.join('')).toBe('a€b\ufffd')
    expect(errors.join('')).toBe('err€')
    expect(bytes).toBe(12)
  })

  it('goes on being taken when a listener fails, and the note says so.', async () => {
    let calls = 0
    const onText = (): void => {
      calls++
      throw new Error('broken listener')
    }
    const result = await shell('echo one; sleep 0.1; echo two', { onText })
    expect(result).toMatchObject({ note: 'exit 0; reading its output failed: Error: broken listener', stdout: { text: 'one\ntwo\n' } })
    expect(calls).toBe(1)
  })
})

describe('a process that cannot be started', () => {
  const LONG = 'x'.repeat(3_000_000)
  const plain = join(folder, 'plain')
  writeFileSync(plain, 'text')
  const orphan = join(folder, 'orphan')
  writeFileSync(orphan, '#!/no/such/interpreter\n')
  chmodSync(orphan, 0o755)

  it.each<[string, [string, ...string[]], string, Partial<ProcessRequest>]>([
    ['is on no folder of PATH', ['no-such-program'], 'cannot start "no-such-program": not found on PATH', {}],
    ['is a path to nothing', ['/no/such/program'], 'cannot start "/no/such/program": no such file', {}],
    ['is not executable', [plain], `cannot start "${plain}": the file is not executable, or may not be reached`, {}],
    ['has no interpreter', [orphan], `cannot start "${orphan}": the program its first line names is not there`, {}],
    ['has no folder', ['/bin/true'], 'cannot start "/bin/true": the folder "/no/such" it should work in is not there', { cwd: '/no/such' }],
    ['has too long arguments', ['/bin/true', LONG], 'cannot start "/bin/true": its arguments and environment are too long together', {}],
    ['has control characters in its name', ['/x\u001b[2Jy\nz'], 'cannot start "/xy z": no such file', {}],
  ])('because it %s is named in plain words.', async (_why, argv, note, more) => {
    expect(await run(argv, more)).toMatchObject({ ending: 'unstartable', note, exitCode: null, signal: null, leftovers: 0 })
  })

  it('because of a NUL character in its arguments is data and no exception.', async () => {
    const result = await run(['/bin/echo', 'a\0b'])
    expect(result).toMatchObject({ ending: 'unstartable', note: expect.stringContaining('cannot start "/bin/echo": ') })
  })

  it('for a moment only is tried again.', async () => {
    const busy = join(folder, 'busy')
    copyFileSync('/bin/true', busy)
    const writer = openSync(busy, 'r+')
    setTimeout(() => closeSync(writer), 60)
    expect(await run([busy])).toMatchObject({ ending: 'exited', exitCode: 0 })
  })

  it('for longer is given up.', async () => {
    const busy = join(folder, 'very-busy')
    copyFileSync('/bin/true', busy)
    const writer = openSync(busy, 'r+')
    const result = await run([busy])
    closeSync(writer)
    expect(result).toMatchObject({ ending: 'unstartable', note: `cannot start "${busy}": the file is still being written` })
  })

  it('because we were asked to stop before is not started at all.', async () => {
    const path = join(folder, 'must-not-be')
    const result = await run(['/bin/touch', path], { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ending: 'aborted', note: 'stopped before it was started' })
    expect(existsSync(path)).toBe(false)
  })
})

describe('a process that is ended by us', () => {
  it('for the wall-clock limit says so.', async () => {
    const result = await shell('echo begun; exec sleep 1000', { limits: { ...limits, wallSeconds: 0.5 } })
    expect(result).toMatchObject({ ending: 'timeout', note: 'ended after 0.5 s (wall-clock limit)', signal: 'SIGTERM' })
  })

  it('for the wall-clock limit is so although it writes all the time.', async () => {
    const result = await shell('while :; do echo x; done', { limits: { ...limits, wallSeconds: 3 } })
    expect(result.ending).toBe('timeout')
    expect(result.stdout.bytes).toBeGreaterThan(0)
  })

  it('for the silence limit says so.', async () => {
    const result = await shell('echo begun; exec sleep 1000', { limits: { ...limits, silenceSeconds: 0.5 } })
    expect(result).toMatchObject({ ending: 'silence', note: 'ended after 0.5 s without output (silence limit)' })
  })

  it('on request says so.', async () => {
    const controller = new AbortController()
    const result = await shell('echo begun; exec sleep 1000', { signal: controller.signal, onOutput: () => controller.abort() })
    expect(result).toMatchObject({ ending: 'aborted', note: 'stopped on request', signal: 'SIGTERM' })
  })

  it('may end in its own way within the grace.', async () => {
    const controller = new AbortController()
    const script = 'trap "echo tidied; exit 9" TERM; echo begun; while :; do sleep 0.05; done'
    const result = await shell(script, { signal: controller.signal, onOutput: () => controller.abort() })
    expect(result).toMatchObject({ ending: 'aborted', exitCode: 9, stdout: { text: 'begun\ntidied\n' } })
  })

  it('by force when it is deaf to the request.', async () => {
    const controller = new AbortController()
    const script = 'trap "" TERM; echo begun; while :; do sleep 0.05; done'
    const result = await shell(script, { signal: controller.signal, onOutput: () => controller.abort() })
    expect(result).toMatchObject({ ending: 'aborted', signal: 'SIGKILL' })
  })

  it('leaves no listener on the signal.', async () => {
    const controller = new AbortController()
    const counts = { added: 0, removed: 0 }
    const { signal } = controller
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: unknown[]) => (counts.added++, Reflect.apply(addEventListener, signal, given))
    signal.removeEventListener = (...given: unknown[]) => (counts.removed++, Reflect.apply(removeEventListener, signal, given))
    await run(['/bin/true'], { signal })
    expect(counts).toEqual({ added: 1, removed: 1 })
  })
})
