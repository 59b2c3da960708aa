// One warm process: takes a job, gives an answer, and is started anew when it ends.
import { randomBytes } from 'node:crypto'
import { runProcess } from '../../../../process/run.js'
import type { ProcessRequest, ProcessResult } from '../../../../process/types.js'
import { rawLineFeed } from '../../../../text/line-feed.js'

export type Lane = {
  /** Null when the process ended instead of answering. */
  ask(job: object): Promise<unknown>
  close(): Promise<void>
}

export type LaneStart = Pick<ProcessRequest, 'cwd' | 'env'> & { argv: (mark: string) => [string, ...string[]]; wallSeconds: number; signal: AbortSignal }

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
    const queue = textQueue()
    const feed = rawLineFeed((line) => line.startsWith(mark) && answer(parsed(line.slice(mark.length))), LONGEST_ANSWER_CHARS)
    const over = runProcess({
      argv: start.argv(mark),
      cwd: start.cwd,
      ...(start.env && { env: start.env }),
      stdin: queue.texts(),
      limits: { wallSeconds: start.wallSeconds, silenceSeconds: 0, outputBytes: OUTPUT_BYTES },
      onText: feed.push,
      signal: start.signal,
    })
    void over.then(() => {
      live = null
      answer(null)
    })
    return { send: queue.push, end: queue.end, over }
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

function textQueue(): { push(text: string): void; end(): void; texts(): AsyncIterable<string> } {
  const waiting: string[] = []
  let isOver = false
  let wake = (): void => {}
  async function* texts(): AsyncGenerator<string> {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    push(text) {
      waiting.push(text)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    texts,
  }
}
