// What the shell needs of the outside world, as types only. Nothing here throws for a failure of that world: failure is data.
import type { Effect, Event, Failure, GateResult, Place, Ref, Report, Session, Spend, Tree, Verdict } from './core/types.js'
import type { ProcessRequest, ProcessResult } from './process/types.js'

/** Limits on one piece of outside work. All are always set. */
export type Limits = { wallSeconds: number; silenceSeconds: number; outputBytes: number }

// ───────────────────────────── agents ─────────────────────────────

/** One thing that is asked of an agent, with all it needs to answer. */
export type AskRequest = {
  /** The id of the session. */
  session: string
  /** What is asked, of which role, on which tree. */
  effect: Extract<Effect, { kind: 'ask' }>
  /** The whole prompt. */
  prompt: string
  /** The absolute path where the response belongs. */
  responsePath: string
  /** Where the agent works. */
  cwd: string
  /** All of the tree: the same folder, or one above it. */
  top: string
  /** What it is ended at. */
  limits: Limits
  /** Why a file, by its path relative to `cwd`, may not be written; null when it may. Without it every file there may. */
  mayWrite?: (path: string) => string | null
  /** What fails on the tree it starts from, as far as that is known. */
  failing?: readonly Failure[]
  /** What the session's budget leaves for this ask; null is no limit. Whoever can bound the agent by it does. */
  left: { tokens: number | null; usd: number | null }
  /** Asks a person whether the agent may do something, in one line; false also where nobody answers. */
  permit?: (what: string) => Promise<boolean>
  /** Called whenever there is a sign of life. */
  onActivity: (activity: Activity) => void
}

/**
 * `cut` says in one line that output went past its limit and is dropped; `denied` what the sandbox kept it from; `doing` what the agent is at; `retry` that it could not
 * reach its model and tries again; `waiting` until when, in milliseconds, a limit is waited for, or a person who has to permit
 * `wish`; `answered` ends that wait. `spent` is the total of the ask.
 */
export type Activity =
  | { kind: 'output'; bytes: number }
  | { kind: 'cut' | 'denied' | 'doing' | 'retry'; note: string }
  | { kind: 'spent'; spent: Spend }
  | { kind: 'waiting'; until: number; note: string; wish?: string }
  | { kind: 'answered' }

/** Tokens by kind, each counted once: `input` without what came from a cache, `output` with the reasoning. */
export type Usage = {
  /** Of the prompt, without what came from a cache. */
  input: number
  /** Of the prompt, from a cache. */
  cachedInput: number
  /** Of the answer, its reasoning included. */
  output: number
  /** Null when nobody knows the price. */
  usd: number | null
  /** The model that answered, as it called itself. */
  model: string | null
  /** Nobody told it: it is the least that went in and came out. */
  estimated?: true
}

/**
 * How an ask ended. `done` and `failed` are the agent's own word; `unavailable` is infrastructure (network, limit, login);
 * `timeout` and `silence` are our limits; `aborted` is our signal; `cancelled` is a person's or profile's choice; `exhausted` is one
 * that has nothing more to try here, so that another may be asked instead.
 */
export type Answer = {
  /** How it ended: what each word means stands above. */
  ending: 'done' | 'failed' | 'cancelled' | 'unavailable' | 'timeout' | 'silence' | 'aborted' | 'exhausted'
  /** One line for people: exit status, limit, reason. */
  note: string
  /** What it said, bounded. */
  text: string
  /** Absolute paths of what it left for the record, such as its response. */
  files: string[]
  /** What the ask used in all. */
  spent: Spend
  /** What it used, where it says so; `spent` is made from it. */
  usage?: Usage
  /** With `unavailable`: when, by the wall clock in milliseconds, the limit that it met is over. */
  until?: number
  /** With `unavailable`: asking again does not help before somebody has done something about it, such as logging in. */
  closed?: true
  /** With `failed`: it had more to say than it may, and can be asked for less. */
  cut?: true
}

/** Whoever answers an ask: a program, a model, a person. */
export interface Agent {
  /** Its name in the settings, by which sessions remember it. */
  readonly name: string
  /** What `--dry-run` shows as the command that would run. */
  readonly describe: string
  /** True when a person answers: the ask may be repeated at no cost and is never timed. */
  readonly person: boolean
  /** True when it cannot edit files itself: those in its reply are written for it. */
  readonly inText: boolean
  /** True when what it costs is known: it says so, it has a price list, or it costs nothing. */
  readonly priced: boolean
  /** Which version answers, for the record; null where there is none to tell. Starts at most one short process. */
  version?(): Promise<string | null>
  /** Checks, without side effects, that it could be asked at all; null or one line saying what is missing. */
  ready(): Promise<string | null>
  /** Looks, before a session begins or goes on, whether anybody would answer, where that can be told at once; null or one line saying what is missing. */
  there?(): Promise<string | null>
  /** Must not throw. Not idempotent. `undefined` is "not yet", and then nothing at all was written. */
  ask(request: AskRequest, signal: AbortSignal): Promise<Answer | undefined>
}

// ───────────────────────────── replies ─────────────────────────────

/** A file by its path, relative to the folder agents work in, and all of its text. */
export type TextFile = { path: string; text: string }

/** What the text of an answer came to. All of it is only proposed: the workspace may refuse its files. */
export type Reading = {
  /** `pass` for an answer that can be used; of a review, what it says. */
  verdict: Verdict
  /** One line for people: what it said, or why it is of no use. */
  note: string
  /** Paths are relative to the folder agents work in: files of a candidate, or tests of a plan or an audit. */
  files: TextFile[]
  /** Files of a candidate that shall go. */
  deletes: string[]
  /** What a review finds wrong, one entry each. */
  failures: Failure[]
  /** Name → a text that later prompts are made from, with its place in the session's folder; null takes one away. */
  keeps: Record<string, TextFile | null>
  /** Command lines that the reply wants run. */
  commands: string[]
  /** What was passed over or put right while reading, one line each, for people. */
  warnings: string[]
  /** It is an error by the agent's own word, or by a fault that asking again would not mend: nobody is asked again. */
  final?: true
  /** It is an error that whoever answered can put right when told of it. */
  again?: true
}

/**
 * What a reader needs besides the text: what the session has kept, by name, whether files of the reply are written at all, whether
 * whoever answered may edit the folder as well, and the texts of files as they stand, null where there is none; without them no file can
 * be changed by parts.
 */
export type Beside = { kept: (name: string) => string | undefined; inText: boolean; edits?: boolean; current?: (path: string) => string | null }

/** Pure: the same text reads the same again beside the same. Must not throw. Where nothing is known besides the text, its files are read. */
export type ReadReply = (session: Session, effect: Extract<Effect, { kind: 'ask' }>, text: string, beside?: Beside) => Reading

// ───────────────────────────── commands of replies ─────────────────────────────

/** The commands of one reply, to be run where whoever answered works. */
export type CommandsRequest = {
  /** The id of the session. */
  session: string
  /** The ask whose reply wants them. */
  effect: Extract<Effect, { kind: 'ask' }>
  /** Where they run. */
  cwd: string
  /** One command each, split into words without a shell. */
  lines: readonly string[]
  /** For all of them together; each has a limit of its own besides. */
  wallSeconds: number
  /** Called whenever there is a sign of life. */
  onActivity: (activity: Activity) => void
}

/** How a command of a reply went. `blocked` and `left out` were not started; `note` says why, or how it ended. */
export type Ran = { line: string; ending: 'passed' | 'failed' | 'timeout' | 'blocked' | 'left out'; note: string; output: string }

/** Runs what replies want run, as far as a policy lets it. */
export interface Commands {
  /** Must not throw. One after the other, each only where the policy lets it; one that fails does not stop the next. */
  run(request: CommandsRequest, signal: AbortSignal): Promise<Ran[] | 'aborted'>
}

// ───────────────────────────── gates ─────────────────────────────

/** One run of a gate, with all it needs. */
export type GateRequest = {
  /** The id of the session. */
  session: string
  /** The check it is part of. */
  effect: Extract<Effect, { kind: 'check' }>
  /** The top of the tree that is judged. */
  cwd: string
  /** Absolute path without ending, for the files it wants to leave. No two runs have the same. */
  base: string
  /** What it is ended at. */
  limits: Limits
  /** Only these tests, where the runner can be told so; a gate that cannot runs all. Null for all. */
  only: readonly string[] | null
  /** The test files that plans brought, for a gate that has no command of its own. */
  tests: readonly string[]
  /** Called whenever there is a sign of life. */
  onActivity: (activity: Activity) => void
}

/** What a run of a gate came to; `aborted` when our signal ended it. */
export type GateOutcome =
  | {
      result: GateResult
      failures: Failure[]
      /** Every test that was run or skipped; null when nobody knows. */
      ids: readonly string[] | null
      skipped: readonly string[]
      files: string[]
    }
  | 'aborted'

/** A check that says of a tree what is wrong with it. */
export interface Gate {
  /** Its name in the settings, which its failures and results carry. */
  readonly name: string
  /** What prompts show of it, such as its command. */
  readonly describe: string
  /** Must not throw. May be repeated. */
  run(request: GateRequest, signal: AbortSignal): Promise<GateOutcome>
}

// ───────────────────────────── sandbox ─────────────────────────────

/**
 * Whom a process may reach. `hosts` are names, `*.name` for all below one, with `:port` where it is not the usual one; an address of
 * this machine itself, such as `127.0.0.1:1234`, is found inside under the same address.
 */
export type Network = 'none' | 'host' | { hosts: readonly string[] }

/** What one process may reach besides the folder it works in, which it may write. Paths are absolute. */
export type Reach = {
  network: Network
  /** All of the tree that it works in, where that begins above its folder: it is as much a part of the work. */
  tree?: string
  /** May be read although all around it is hidden, such as a program in the user's home. What is not there is passed over. */
  read?: readonly string[]
  /** May be written besides. */
  write?: readonly string[]
  /** Files and folders below the home folder that it is given as copies of its own; what it changes of `refreshed` is changed outside too. */
  home?: { given: readonly string[]; refreshed: readonly string[] }
}

/** `onDenied`: called for each address that it was kept from, once. */
export type Confined = ProcessRequest & { reach: Reach; onDenied?: (address: string) => void }

/** Where everything runs that a model has chosen or written: agents, the commands of replies, gates, and setup. */
export interface Sandbox {
  /** What the settings call it: `bubblewrap`, `container` or `none`. */
  readonly name: string
  /** False for the one that keeps nobody from anything. */
  readonly confines: boolean
  /** One line for people: what it keeps from the rest of the machine. */
  readonly describe: string
  /**
   * Must not throw: what cannot be started is in the result. Limits, output and listeners are those of the request, and when it
   * returns nothing of the process runs any more. `cwd` is a folder of this machine: what the process leaves there is there afterwards.
   */
  run(request: Confined): Promise<ProcessResult>
  /** Removes what was only kept for the next process. It may be used again afterwards. */
  close(): Promise<void>
}

// ───────────────────────────── workspace ─────────────────────────────

/** What was in the folder instead of the tree it should stand on: kept under a name in salvage, and put back. Notices are for people. */
export type Stood = { salvage: string | null; paths: string[]; more: number; notices: string[] }

/**
 * What an ask left, as it was kept. Its tree already lacks what was out of scope; `failures` say what that was. `pins` are new ones,
 * where tests were added or corrected; `changed` says in one line what is different from the tree of the ask. `planted` names what would
 * have run programs in a repository, and was taken away.
 */
export type Kept = { tree: Tree; failures: Failure[]; notices: string[]; changed: string; pins: Tree | null; planted?: string[] }

/** How a workspace phase went; `tree` only where the phase may move it. */
export type Acted = Pick<Report, 'verdict' | 'cause' | 'note'> & Partial<Pick<Report, 'tree' | 'changed' | 'keeps' | 'failures'>> & { files: string[] }

/** A clean folder that holds a tree and dependencies of our own, and nothing that anyone has worked in. */
export type Copy = {
  /** All of the tree. */
  top: string
  /** What people should know of how it was made, one line each. */
  notices: string[]
  /** What outside the tree differs from the folder agents work in: how a check can be green there and red here. */
  shadows(): string[]
  /** Puts back what a gate wrote into the tree, and names it; what the tree ignores stays. */
  putBack(): Promise<string[]>
  /** Takes the folder away. */
  remove(): Promise<void>
}

/**
 * What a candidate is sealed with. `withTests` is the start tree with the candidate's tests, null when it has none of its own.
 * `withoutTests` is the candidate with no tests but those that are pinned, null when it has no others or was permitted to change some.
 */
export type Seal = { pins: string; exceptions: string[]; withTests: Tree | null; withoutTests: Tree | null }

/** Everything here throws Refusal when the state of the files can no longer be vouched for, and otherwise never. */
export interface Workspace {
  /** The folder agents work in. */
  readonly cwd: string
  /** All of the tree: the same folder, or one above it. Gates count from here. */
  readonly top: string
  /** Which workspace phases it can do. */
  readonly actions: readonly string[]
  /** Makes the folder equal to a tree; what stands there instead is kept first. Idempotent: an equal folder is not written to. */
  stand(on: Place, why: string): Promise<Stood>
  /** The text of a file in the folder; null where there is none, or none that is text. */
  read(path: string): string | null
  /** Writes files of a reply into the folder and takes others away: all, or nothing where one is refused, which is named with the reason. */
  write(files: readonly TextFile[], deletes?: readonly string[]): Promise<{ refused: string[] }>
  /** Why a file of the folder, by its name, is not to be changed at all; null when it may be. */
  mayWrite(path: string): string | null
  /**
   * Keeps what stands there now as the checkpoint of this ask, durable when it returns. Made again after a crash it is the same.
   * Plans and audits may add and correct tests and nothing else: where one does more, or loses a test, all of it is taken back.
   */
  keep(effect: Extract<Effect, { kind: 'ask' }>): Promise<Kept>
  /** Lines changed between two trees. */
  diffLines(from: Tree, to: Tree): Promise<number>
  /** What differs between two trees, to be read; files that are no text are only named. */
  patch(from: Tree, to: Tree): Promise<string>
  /** Makes a clean copy of a tree, outside every folder that is worked in. What a crash left of an earlier one is removed. */
  copy(tree: Tree, why: string, signal?: AbortSignal): Promise<Copy>
  /** What was fixed for judging this tree, what was allowed to change of it, and what of it was among the files that gates wrote over meanwhile. */
  seal(tree: Tree, pins: Tree, written: readonly string[]): Promise<Seal>
  /** Does a workspace phase. May be repeated: what an earlier attempt has done is found and not done twice. */
  act(session: Session, effect: Extract<Effect, { kind: 'workspace' }>, signal: AbortSignal): Promise<Acted | 'aborted'>
  /** Gives up what is only kept to be quicker the next time. Called when the session comes to rest. */
  close?(): Promise<void>
}

// ───────────────────────────── session folder, journal, inbox ─────────────────────────────

/** One line of the journal. `at` (milliseconds) and `epoch` never reach the core. */
export type JournalRecord = { seq: number; at: number; epoch: number; prev: string; events: Event[]; sum: string }

/** A session as it was read: the fold, and where its journal ends. */
export type Loaded = { session: Session; last: JournalRecord; notices: string[] }

/** A session's records, one after the other: the only place its state is kept. */
export interface Journal {
  /** The fold of all that is there, from the cache where it fits, else from the first record. Throws StateError on damage. */
  load(): Promise<Loaded>
  /** Durable when it returns. Refused with StateError when another epoch has written since. */
  append(events: readonly Event[], after: Session): JournalRecord
  /** All records, streaming. */
  records(): AsyncIterable<JournalRecord>
  /** Writes the cache now. Called when the session comes to rest. */
  settle(): void
  /** Gives up the file; nothing can be appended afterwards. */
  close(): void
}

/** The session's folder: prompts, responses and other files, by relative path. */
export interface Folder {
  /** Its absolute path. */
  readonly path: string
  /** The absolute path of a file in it. Refused for one that would lie outside. */
  resolve(relative: string): string
  /** The text of a file; undefined where there is none. */
  read(relative: string): string | undefined
  /** Whether there is anything at that path. */
  has(relative: string): boolean
  /** Atomic: there whole or not at all. */
  write(relative: string, text: string): Ref
  /** Overwrites a small file in place: for marks whose loss or tearing does no harm. */
  mark(relative: string, text: string): void
  /** The reference to a file that is there already, by its absolute path; undefined where there is none in the folder. */
  refer(absolute: string): Ref | undefined
}

/** `at` is when it was sent, in milliseconds: a pause or stop meant for an owner that is gone stops nobody else. */
export type Message = { id: string; at: number } & (
  | { kind: 'pause' }
  | { kind: 'stop'; now: boolean }
  | { kind: 'hint'; text: string }
  | { kind: 'reply'; effect: string; text: string }
  | { kind: 'permit'; wish: string; allow: boolean }
)

/** What other processes have to say to the one that owns the session. */
export interface Inbox {
  /** Takes every whole message there is, oldest first; bad ones are set aside and named in `notices`. */
  take(): { messages: Message[]; notices: string[] }
  /** The same, leaving everything where it is and saying nothing of bad ones. */
  peek(): Message[]
  /** Removes a message that has been acted upon. */
  done(message: Pick<Message, 'id'>): void
  /** Calls back within a second of a message's arrival, until the returned function is called. */
  watch(onArrival: () => void): () => void
}

// ───────────────────────────── reporting and time ─────────────────────────────

/** What reporters hear. A reporter never decides and never throws. */
export type Notice =
  | { kind: 'began'; session: Session; resumed: boolean; at: number }
  | { kind: 'record'; record: JournalRecord; before: Session; after: Session }
  | { kind: 'activity'; effect: Effect; activity: Activity; at: number }
  /** `blocked`: it tells of a command that was not run. */
  | { kind: 'warning'; text: string; at: number; blocked?: true }
  /** `pattern` is the name of what went wrong, where it has one. */
  | { kind: 'ended'; session: Session; how: Ending; at: number; pattern?: string }

/** How a run or a step came to rest; only a `finished` session has an outcome. */
export type Ending =
  | { kind: 'finished' }
  /** `cwd`: the folder in which the answer may be worked out by hand; null where only words are asked for. */
  | { kind: 'waiting'; awaits: string; prompt: string; path: string; cwd: string | null }
  | { kind: 'paused' }
  | { kind: 'stopped' }
  | { kind: 'interrupted'; signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'stop' }

/** Whoever shows people or programs what goes on. */
export interface Reporter {
  /** Called for everything that happens, in order. Must not throw. */
  notice(notice: Notice): void
}

/** Time, so that tests have one of their own. */
export interface Clock {
  /** Wall clock, for people and records. */
  now(): number
  /** Monotonic, for everything that is measured. */
  seconds(): number
  /** Settles when so many seconds are over, or the signal comes: nothing is lost by being woken. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>
}
