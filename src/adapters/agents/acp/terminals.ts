// Commands that an agent has us run: in the checkout, with a cleaned environment and bounded output, all of them ended with the ask.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Network, Sandbox } from '../../../ports.js'
import type { ProcessResult } from '../../../process/types.js'
import { placeIn } from './files.js'

export type TerminalWish = {
  command: string
  args?: readonly string[] | undefined
  env?: readonly { name: string; value: string }[] | undefined
  cwd?: string | null | undefined
  outputByteLimit?: number | null | undefined
}

export type ExitStatus = { exitCode: number | null; signal: string | null }

export type Terminals = {
  create(wish: TerminalWish): { id: string } | { why: string }
  /** Null when there is none of that id. */
  output(id: string): { output: string; truncated: boolean; exitStatus?: ExitStatus } | null
  exit(id: string): Promise<ExitStatus> | null
  kill(id: string): boolean
  release(id: string): boolean
  /** How many were still running, when all have been ended. */
  endAll(): Promise<number>
}

type Terminal = { output: Tail; ended: Promise<ProcessResult>; result: ProcessResult | null; stop: AbortController }

const MOST_OUTPUT_BYTES = 1024 * 1024
const MOST_RUNNING = 8
const MOST_KEPT = 64
/** A command line that only a shell can read: agents that give no arguments write one. */
const NEEDS_SHELL = /[^\w@%+=:,./-]/

/** `network`: whom its commands may reach, which is whom it may reach itself. `onOutput`: a sign of life. */
export type TerminalPlace = { sandbox: Sandbox; network: Network; cwd: string; env: Readonly<Record<string, string | undefined>>; outputBytes: number; onOutput: () => void }

export function openTerminals(place: TerminalPlace): Terminals {
  const terminals = new Map<string, Terminal>()
  let made = 0
  const stop = (id: string): boolean => {
    terminals.get(id)?.stop.abort()
    return terminals.has(id)
  }
  /** Also those that were released before they had ended. */
  const running = new Set<Terminal>()
  return {
    create(wish) {
      if (running.size >= MOST_RUNNING) return { why: `${MOST_RUNNING} commands are running already` }
      if (terminals.size >= MOST_KEPT) return { why: `${MOST_KEPT} terminals are held and none was released` }
      const cwd = folderFor(place.cwd, wish.cwd)
      if ('why' in cwd) return cwd
      const id = `terminal-${++made}`
      const terminal = start(wish, cwd.path, place)
      terminals.set(id, terminal)
      running.add(terminal)
      void terminal.ended.then(() => running.delete(terminal))
      return { id }
    },
    output(id) {
      const terminal = terminals.get(id)
      if (!terminal) return null
      const { output, result } = terminal
      return { ...output.read(), ...(result && { exitStatus: statusOf(result) }) }
    },
    exit: (id) => terminals.get(id)?.ended.then(statusOf) ?? null,
    kill: stop,
    release(id) {
      stop(id)
      return terminals.delete(id)
    },
    async endAll() {
      const left = [...running]
      for (const terminal of left) terminal.stop.abort()
      await Promise.all(left.map(({ ended }) => ended))
      return left.length
    },
  }
}

function folderFor(root: string, wanted: string | null | undefined): { path: string } | { why: string } {
  if (wanted === null || wanted === undefined || wanted === '') return { path: root }
  const place = placeIn(root, wanted)
  if ('why' in place) return { why: `its folder is refused: ${place.why}` }
  const path = resolve(root, place.relative)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? { path } : { why: 'its folder is not there' }
}

function start({ command, args = [], env = [], outputByteLimit }: TerminalWish, cwd: string, place: TerminalPlace): Terminal {
  const output = tailOf(Math.min(Math.max(outputByteLimit ?? MOST_OUTPUT_BYTES, 0), MOST_OUTPUT_BYTES))
  const stop = new AbortController()
  const ended = place.sandbox.run({
    argv: args.length === 0 && NEEDS_SHELL.test(command) ? ['/bin/sh', '-c', command] : [command, ...args],
    cwd,
    env: { ...place.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    // The limits of the ask hold for what it has us run, and end it.
    limits: { wallSeconds: 0, silenceSeconds: 0, outputBytes: place.outputBytes },
    onOutput: place.onOutput,
    onText: output.add,
    onErrorText: output.add,
    signal: stop.signal,
    reach: { network: place.network },
  })
  const terminal: Terminal = { output, ended, result: null, stop }
  void ended.then((result) => {
    terminal.result = result
    if (result.ending === 'unstartable') output.add(`${result.note}\n`)
  })
  return terminal
}

function statusOf({ ending, exitCode, signal }: ProcessResult): ExitStatus {
  return { exitCode: ending === 'unstartable' ? 127 : exitCode, signal }
}

// ───────────────────────────── the end of an output ─────────────────────────────

type Tail = { add(text: string): void; read(): { output: string; truncated: boolean } }

/** Keeps the last bytes, cut where a character begins. */
function tailOf(limitBytes: number): Tail {
  let text = ''
  let isCut = false
  const cut = (): void => {
    const bytes = Buffer.from(text)
    if (bytes.length <= limitBytes) return
    let from = bytes.length - limitBytes
    while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
    text = bytes.toString('utf8', from)
    isCut = true
  }
  return {
    add(more) {
      text += more
      if (text.length > 2 * limitBytes) cut()
    },
    read() {
      cut()
      return { output: text, truncated: isCut }
    },
  }
}
