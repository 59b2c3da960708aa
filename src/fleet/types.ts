// What the fleet works with: a task as it waits in the queue, how an attempt at it ended, and what came of it.
import type { Budget, Outcome, Spend } from '../core/index.js'
import type { Standing } from './pushed.js'

/** Flags of `run` that a task may carry: plain words, nothing that names a file of the machine it was typed on. */
export type TaskWords = {
  agent?: string[]
  aiCmd?: string
  aiCmdAlias?: string
  url?: string
  model?: string
  gate?: string[]
  target?: string[]
  excuse?: string[]
  permit?: string[]
  require?: string
  allow?: string[]
  deny?: string[]
  diffBudget?: string
  minIterations?: number
  failureThreshold?: number
  maxIterations?: number
  maxTime?: string
  maxTokens?: number
  maxCost?: number
}

/** One of several tries at the same thing; `enough` verified ones end the rest. */
export type Candidate = { group: string; of: number; enough: number }

export type Task = {
  format: 1
  /** The session's name, on every machine. */
  id: string
  batch: string
  repository: string
  commit: string
  /** The remote that holds the session's state. */
  remote: string
  procedure: string | null
  text: string
  words: TaskWords
  labels: string[]
  candidate?: Candidate
  /** States of the repository's own settings that whoever submitted has trusted, by their hashes; without them none of it is read. */
  trust?: string[]
}

export type Result = {
  outcome: Outcome | 'waiting'
  code: number
  label: string
  why: string
  iterations: number
  spent: Spend
  /** Lines changed between start and result; null where nothing was made. */
  lines: number | null
  remote: string
  ref: string
  commit: string | null
  worker: string
  /** What it took this worker to put the state on the remote. */
  pushes: { count: number; seconds: number }
  /** Of a candidate: whether it is the one that is taken. */
  wins?: boolean
}

/**
 * `ended` is published and counts. `given back`: another worker goes on. `lost`: another worker has it already. `failed`: something
 * outside stood in the way; it is tried again later unless `final`.
 */
export type Ended =
  | { kind: 'ended'; result: Result }
  | { kind: 'given back' }
  | { kind: 'lost'; why: string }
  | { kind: 'failed'; why: string; next: string; final: boolean }

/** Where a session stands that runs, for people. */
export type Progress = { worker: string; iteration: number; rung: number; failing: number | null; spent: Spend; budget: Budget }

/** After a wait that may be long. `usd`: what the batch has left for it. `broke`: its money is spent. `draining`: the worker comes to rest, and another may ask later. */
export type Permission = { kind: 'granted'; usd: number | null } | { kind: 'broke' | 'draining' }

/** Who is to be asked, and what the session itself may still spend; null is no limit. */
export type Wish = { provider: string; usd: number | null }

/** What an attempt is given, and tells while it runs. */
export type Attempt = {
  /** Aborted when the lease is lost: nobody may write any more. */
  lost: AbortSignal
  /** Aborted when somebody cancelled it. */
  cancelled: AbortSignal
  /** Aborted when the worker is to come to rest at the next boundary. */
  draining: AbortSignal
  progress(progress: Progress): void
  /** A line for whoever reads the log of the session. */
  say(text: string): void
  /** Holds money until `paid` tells what the ask has cost. */
  permit(wish: Wish, signal: AbortSignal, onWait: (milliseconds: number, why: string) => void): Promise<Permission>
  paid(usd: number): Promise<void>
  /** Told before the remote is, and once it has taken it. */
  pushing(commit: string): Promise<void>
  pushed(): Promise<void>
  /** Whose the commit is that the ref stands on; null: it is not there. */
  standing(tip: string | null): Promise<Standing>
  /** Told what the session's records say it has cost; answers what is known of it by all machines, pushed or not. */
  spent(usd: number): Promise<number>
}

export type Runner = (task: Task, attempt: Attempt) => Promise<Ended>
