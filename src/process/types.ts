// The one request and the one result of starting a process.

export type ProcessRequest = {
  argv: readonly [string, ...string[]]
  cwd: string
  /** Added to the cleaned environment; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>
  /** Written to standard input, which is then ended. Without it standard input is empty and ended at once. */
  stdin?: string | AsyncIterable<string>
  limits: { wallSeconds: number; silenceSeconds: number; outputBytes: number }
  /** Where raw bytes go, up to `limits.outputBytes` each; made only when there is a first byte. */
  stdoutPath?: string
  stderrPath?: string
  /** Called on every chunk, with its size only. */
  onOutput?: (bytes: number) => void
  /** Called once for a stream that goes past `limits.outputBytes`, when it does, with one line for people. */
  onCut?: (note: string) => void
  /** Called with each chunk of standard output, decoded, for parsers that read as it comes. */
  onText?: (text: string) => void
  signal?: AbortSignal
}

/** One stream of a process, with a bounded head and tail in memory. */
export type Captured = {
  /** All of it when it was short, else head, a line saying how much is left out, tail. Sanitised for people. */
  text: string
  bytes: number
  /** True when `text` is not all of it. */
  cut: boolean
}

export type ProcessResult = {
  ending: 'exited' | 'signalled' | 'timeout' | 'silence' | 'aborted' | 'unstartable'
  exitCode: number | null
  signal: string | null
  /** One line for people that names the ending, e.g. `exit 1`, `ended after 30 min (wall-clock limit)`. */
  note: string
  seconds: number
  stdout: Captured
  stderr: Captured
  /** Descendants that were still alive at the end and were ended. */
  leftovers: number
}
