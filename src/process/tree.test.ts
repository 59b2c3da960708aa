// Proves with real processes that nothing of a tree is left, however its members tried to get away.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { runProcess } from './run.js'
import { endAllTreesNow, endTree, isSurelyGone } from './tree.js'
import type { ProcessRequest, ProcessResult } from './types.js'

const root = mkdtempSync(join(tmpdir(), 'greenlatch-tree-'))
afterAll(() => rmSync(root, { recursive: true }))

const limits = { wallSeconds: 50, silenceSeconds: 50, outputBytes: 1_000_000 }
const started: number[] = []

afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

/** A process that has ended and was not collected yet is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \([^]*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** A script part that starts `command`, which has `$F` as the file to write its id to, and waits until it is there. */
function launched(command: string): string {
  return `${command} & while [ ! -s "$F" ]; do sleep 0.02; done; echo ready`
}

const SLEEPER = `sh -c 'echo $$ > "$F"; exec sleep 1000'`
const DEAF_SLEEPER = `sh -c 'trap "" TERM; echo $$ > "$F"; while :; do sleep 0.05; done'`

type Escape = [name: string, command: string]

/** Ways out that are found even after the parent has gone. */
const ESCAPES: Escape[] = [
  ['stays in the group and holds the pipes', SLEEPER],
  ['has a session of its own and holds the pipes', `setsid ${SLEEPER}`],
  ['has a session of its own and closed everything', `setsid ${SLEEPER} </dev/null >/dev/null 2>&1`],
  ['is a daemon, forked twice', `(setsid ${SLEEPER} </dev/null >/dev/null 2>&1 &)`],
  ['is deaf to SIGTERM in a session of its own', `setsid ${DEAF_SLEEPER} >/dev/null 2>&1`],
  ['emptied its environment', `env -i F="$F" ${SLEEPER} >/dev/null 2>&1`],
  ['came after many other processes', `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do /bin/true; done; setsid ${SLEEPER}`],
]

async function run(script: string, more: Partial<ProcessRequest> = {}): Promise<{ result: ProcessResult; pid: number }> {
  const folder = mkdtempSync(join(root, 'run-'))
  const F = join(folder, 'pid')
  const result = await runProcess({ argv: ['/bin/sh', '-c', script], cwd: folder, limits, env: { F }, ...more })
  const pid = Number(readFileSync(F, 'utf8'))
  started.push(pid)
  return { result, pid }
}

describe('a descendant', () => {
  it.each(ESCAPES)('that %s is ended and counted after its parent has ended normally.', async (_name, command) => {
    const { result, pid } = await run(`${launched(command)}; exit 0`)
    expect(isAlive(pid)).toBe(false)
    expect(result).toMatchObject({ ending: 'exited', exitCode: 0, stdout: { text: 'ready\n' } })
    expect(result.leftovers).toBeGreaterThanOrEqual(1)
    expect(result.seconds).toBeLessThan(30)
  })

  it.each(ESCAPES)('that %s is ended when its parent is ended on request.', async (_name, command) => {
    const controller = new AbortController()
    const { result, pid } = await run(`${launched(command)}; wait; sleep 1000`, {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    })
    expect(isAlive(pid)).toBe(false)
    expect(result.ending).toBe('aborted')
  })

  it('in a session of its own is ended when the wall-clock limit is reached.', async () => {
    const { result, pid } = await run(`${launched(`setsid ${SLEEPER}`)}; sleep 1000`, { limits: { ...limits, wallSeconds: 6 } })
    expect(isAlive(pid)).toBe(false)
    expect(result.ending).toBe('timeout')
  })

  it('in a session of its own is ended when the silence limit is reached.', async () => {
    const { result, pid } = await run(`${launched(`setsid ${SLEEPER}`)}; sleep 1000`, { limits: { ...limits, silenceSeconds: 6 } })
    expect(isAlive(pid)).toBe(false)
    expect(result.ending).toBe('silence')
  })

  it('with a session of its own and an empty environment is ended as long as its parent can be asked for it.', async () => {
    const controller = new AbortController()
    const { pid } = await run(`${launched(`env -i F="$F" setsid ${DEAF_SLEEPER}`)}; sleep 1000`, {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    })
    expect(isAlive(pid)).toBe(false)
  })

  it('is asked once to end, and not twice.', async () => {
    const controller = new AbortController()
    const program = `
      process.on("SIGTERM", () => { console.log("asked"); setTimeout(() => process.exit(), 100) })
      setInterval(() => {}, 1000)
      require("fs").writeFileSync(process.env.F, String(process.pid))
      console.log("ready")`
    const { result } = await run(`exec "${process.execPath}" -e '${program}'`, {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    })
    expect(result.stdout.text).toBe('ready\nasked\n')
  })
})

describe('a process that is not ours', () => {
  it('is left alone, though it was started at the same time.', async () => {
    const bystander = spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore' })
    const running = run(`${launched(`setsid ${SLEEPER}`)}; exit 0`)
    const later = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' })
    const { result } = await running
    const pids = [bystander.pid ?? 0, later.pid ?? 0]
    started.push(...pids)
    expect(pids.map(isAlive)).toEqual([true, true])
    expect(result.leftovers).toBe(1)
  })

  it('is not counted where it only led to the command, and is ended all the same.', async () => {
    const { result, pid } = await run(`${launched(`setsid ${SLEEPER}`)}; exit 0`, { inner: { argv: ['true'], through: 'sleep' } })
    expect(result.leftovers).toBe(0)
    expect(isAlive(pid)).toBe(false)
  })

  it('is left alone, though it belongs to another tree that we run.', async () => {
    const go = join(root, 'go')
    const ours = run(`${launched(`setsid ${SLEEPER}`)}; while [ ! -e '${go}' ]; do sleep 0.02; done; exit 0`)
    const controller = new AbortController()
    const others = run(`${launched(`setsid ${SLEEPER}`)}; exec sleep 1000`, {
      signal: controller.signal,
      onOutput: () => writeFileSync(go, ''),
    })
    expect((await ours).result.leftovers).toBe(1)
    controller.abort()
    expect((await others).result).toMatchObject({ ending: 'aborted', leftovers: 1 })
  })
})

describe('a tree inside a tree', () => {
  it('carries the marks of both.', async () => {
    vi.stubEnv('GREENLATCH_TREE', 'outer;')
    const { result } = await run('echo x > "$F"; echo "$GREENLATCH_TREE"')
    vi.unstubAllEnvs()
    expect(result.stdout.text).toMatch(/^outer;[0-9a-f]{24}\.\d+;\n$/)
  })
})

describe('endAllTreesNow', () => {
  it('has ended every tree when it returns, with what left its session and what is deaf to SIGTERM.', async () => {
    const pids: number[] = []
    const scripts = [`setsid ${DEAF_SLEEPER}`, SLEEPER].map((command) => `trap "" TERM; ${launched(command)} $(cat "$F"); sleep 1000`)
    const runs = scripts.map((script) => run(script, { onText: (text) => pids.push(Number(text.replace('ready', ''))) }))
    await vi.waitFor(() => expect(pids).toHaveLength(2), 30_000)
    expect(pids.map(isAlive)).toEqual([true, true])
    endAllTreesNow()
    expect(pids.map(isAlive)).toEqual([false, false])
    expect((await Promise.all(runs)).map(({ result }) => result.note)).toEqual(['ended by SIGKILL', 'ended by SIGKILL'])
  })

  it('does nothing when nothing runs.', () => {
    expect(endAllTreesNow()).toBeUndefined()
  })
})

describe('when process ids have begun again from the lowest', () => {
  it('a descendant with a lower id than its root is found all the same.', async () => {
    const tree = { pid: 2 ** 30, token: 'token-of-the-test-of-wrapped-ids;', startedAt: performance.now(), rootGone: true }
    expect(isSurelyGone(tree)).toBe(true)
    const child = spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore', env: { GREENLATCH_TREE: tree.token } })
    const pid = child.pid ?? 0
    started.push(pid)
    await vi.waitFor(() => expect(isSurelyGone(tree)).toBe(false), 30_000)
    expect(await endTree(tree, 1)).toEqual({ ended: 1, left: 0 })
    expect(isAlive(pid)).toBe(false)
  })
})
