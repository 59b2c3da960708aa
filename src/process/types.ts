// The one request and the one result of starting a process.

/** The command that people know, where another program only leads to it, as that of a sandbox does; `through` is that program's name. */
export type Inner = { argv: readonly string[]; through: string }

/** A process to be started, and everything it is bound by. */
export type ProcessRequest = {
  /** The program and its arguments; no shell is between. */
  argv: readonly [string, ...string[]]
  /** What people are told instead, where that program only leads to another. */
  inner?: Inner
  /** The folder it is started in. */
  cwd: string
  /** Added to what everything is given of our environment; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>
  /** Written to standard input, which is then ended. Without it standard input is empty and ended at once. */
  stdin?: string
  /** Its longest time, its longest silence, and the most output that is kept of each stream. */
  limits: { wallSeconds: number; silenceSeconds: number; outputBytes: number }
  /** Where raw bytes go, up to `limits.outputBytes` each; made only when there is a first byte. */
  stdoutPath?: string
  /** The same for standard error. */
  stderrPath?: string
  /** Values that may stand neither in these files nor in what is captured. Whoever listens hears them: it may have to read them. */
  secrets?: readonly string[]
  /** Called on every chunk, with its size only. */
  onOutput?: (bytes: number) => void
  /** Called once for a stream that goes past `limits.outputBytes`, when it does, with one line for people. */
  onCut?: (note: string) => void
  /** Called with each chunk of standard output, decoded, for parsers that read as it comes. */
  onText?: (text: string) => void
  /** The same for standard error. */
  onErrorText?: (text: string) => void
  /** For a conversation: standard input stays open, and this is called once with it, before any output is read. */
  onPipe?: (pipe: Pipe) => void
  /** Called when a limit is met or the signal comes: its processes are ended when this settles, and after a grace in any case. */
  onLimit?: (limit: Limit) => Promise<void>
  /** Ends it, with all it has started. */
  signal?: AbortSignal
}

export type Limit = 'timeout' | 'silence' | 'aborted'

/** The open standard input of a process that is talked with. Nothing here throws, whatever has become of the process. */
export type Pipe = {
  /** Whether the process has taken the text; settles when it has, or never will. */
  write(text: string): Promise<boolean>
  /** Ends standard input. A process that has not ended of itself after a grace is ended, with all it has started. */
  end(): void
  /** Its standard output is left unread until `goOn`, which holds up whoever writes there. */
  hold(): void
  /** Reads on after `hold`. */
  goOn(): void
  /** A sign of life for the silence limit, from elsewhere than its output. */
  touch(): void
}

/** One stream of a process, with a bounded head and tail in memory. */
export type Captured = {
  /** All of it when it was short, else head, a line saying how much is left out, tail. Sanitised for people. */
  text: string
  /** How much there was in all. */
  bytes: number
  /** True when `text` is not all of it. */
  cut: boolean
}

/** How a process ended, once nothing of it runs any more. */
export type ProcessResult = {
  /** `signalled`: by somebody else. `timeout`, `silence`, `aborted`: by us. `unstartable`: it never ran. */
  ending: 'exited' | 'signalled' | 'timeout' | 'silence' | 'aborted' | 'unstartable'
  /** Null when a signal ended it, or it never ran. */
  exitCode: number | null
  /** The name of the signal that ended it; null when none did. */
  signal: string | null
  /** One line for people that names the ending, e.g. `exit 1`, `ended after 30 min (wall-clock limit)`. */
  note: string
  /** How long it ran, by the clock. */
  seconds: number
  /** What it printed. */
  stdout: Captured
  /** What it complained of. */
  stderr: Captured
  /** Descendants that were still alive at the end and were ended. */
  leftovers: number
}
