// One warm process: takes a job, gives an answer, and is started anew when it ends.
import { randomBytes } from 'node:crypto'
import type { Reach, Sandbox } from '../../../../ports.js'
import type { Pipe, ProcessRequest, ProcessResult } from '../../../../process/types.js'
import { rawLineFeed } from '../../../../text/line-feed.js'

export type Lane = {
  /** Null when the process ended instead of answering. */
  ask(job: object): Promise<unknown>
  close(): Promise<void>
}

export type LaneStart = Pick<ProcessRequest, 'cwd' | 'env'> & {
  argv: (mark: string) => [string, ...string[]]
  wallSeconds: number
  signal: AbortSignal
  sandbox: Sandbox
  reach: Reach
}

const LONGEST_ANSWER_CHARS = 64 * 1024 * 1024
const OUTPUT_BYTES = 1024 * 1024 * 1024

type Live = { send: (text: string) => void; end: () => void; over: Promise<ProcessResult> }

export function openLane(start: LaneStart): Lane {
  // Tests print what they like: only lines with our own mark are answers.
  const mark = `${randomBytes(12).toString('hex')} `
  let live: Live | null = null
  let settle: ((answer: unknown) => void) | null = null
  const answer = (value: unknown): void => {
    settle?.(value)
    settle = null
  }
  const begin = (): Live => {
    const input = textInput()
    const feed = rawLineFeed((line) => line.startsWith(mark) && answer(parsed(line.slice(mark.length))), LONGEST_ANSWER_CHARS)
    const over = start.sandbox.run({
      argv: start.argv(mark),
      cwd: start.cwd,
      ...(start.env && { env: start.env }),
      onPipe: input.open,
      limits: { wallSeconds: start.wallSeconds, silenceSeconds: 0, outputBytes: OUTPUT_BYTES },
      onText: feed.push,
      signal: start.signal,
      reach: start.reach,
    })
    void over.then(() => {
      live = null
      answer(null)
    })
    return { send: input.write, end: input.end, over }
  }
  return {
    ask: (job) =>
      new Promise((resolve) => {
        if (start.signal.aborted) return resolve(null)
        settle = resolve
        live ??= begin()
        live.send(`${JSON.stringify(job)}\n`)
      }),
    async close() {
      const last = live
      last?.end()
      await last?.over
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What is written before the process stands is kept until it does. */
function textInput(): { open(pipe: Pipe): void; write(text: string): void; end(): void } {
  const early: string[] = []
  let pipe: Pipe | null = null
  let isOver = false
  return {
    open(opened) {
      pipe = opened
      for (const text of early) void opened.write(text)
      if (isOver) opened.end()
    },
    write(text) {
      if (pipe) void pipe.write(text)
      else early.push(text)
    },
    end() {
      isOver = true
      pipe?.end()
    },
  }
}
