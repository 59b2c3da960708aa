// What the page is given: beside the view of a session, the texts that belong to it. All of it is plain text and is shown as such.
import type { Changes, View } from '../text/view/view.js'

/** A text of the session's folder; `cut` says that only its beginning is here. */
export type Text = { text: string; cut: boolean }

/** What an iteration left: its change, and its files by their path in the session's folder. */
export type Detail = { diff: Text | null; files: Record<string, Text> }

export type SessionPage = {
  view: View
  task: string
  /** Who answers, in words. */
  agents: string[]
  /** What it cost, in words; what is not known is said. */
  money: string
  /** The branch it began on; empty where there was none. */
  branch: string
  state: string
  /** The most lines a change may have; null without a limit. */
  diffLimit: number | null
  /** One sentence and the name of the pattern, where the session has come to rest. */
  diagnosis: { sentence: string; pattern: string; next: string[] } | null
}

/** What a stream tells of the session that is looked at: the whole of it first, then only what has changed. */
export type Told = { whole: SessionPage } | { changes: Changes; rest: Omit<SessionPage, 'view' | 'task'> }

/** What can be asked of a session. */
export type Action = 'pause' | 'stop' | 'hint' | 'reply'

/** What a file on disk carries; a server's page carries only that it is one. */
export type PageData =
  | { kind: 'report'; version: string; madeAt: number; session: SessionPage; details: Record<number, Detail> }
  | { kind: 'live'; version: string; readOnly: boolean }

/** The queue of a fleet. `problem` says in a line why it cannot be looked at now; the rest is then what was seen last. */
export type Fleet = {
  problem: string | null
  /** By word, such as `queued`, of all there are. */
  counts: Record<string, number>
  lines: FleetLine[]
  /** What batches with a bound have used of it, in words. */
  money: string[]
}

/** `task` of what is over says why it ended so, and `next` what to type. */
export type FleetLine = {
  session: string
  state: string
  worker: string | null
  iteration: number
  rung: number | null
  failing: number | null
  seconds: number
  usd: number
  budget: string
  task: string
  next: string | null
  repository: string
}

/** A line in the list of sessions. Of one that is damaged, `task` says what is wrong and what to type. */
export type SessionLine = {
  id: string
  procedure: string
  task: string
  state: string
  group: Group
  iteration: number
  failing: number | null
  seconds: number
  at: number
}

export const GROUPS = ['needs you', 'running', 'stalled', 'converged', 'failed', 'resting', 'damaged'] as const

export type Group = (typeof GROUPS)[number]
