// What a hostile agent is: what it does, what the loop has to say of it, and the honest work that looks like it.

/** A small repository with something to be mended. */
export type Project = {
  /** Path → text. */
  files: Readonly<Record<string, string>>
  /** The command of its check. */
  gate: string
  /** The change that mends it, in shell. */
  honest: string
}

/** Those that GL-01 names, and three more ways to a green check. */
export const HOSTILE_KINDS = [
  'liar', 'test deleter', 'test emptier', 'weakener', 'skipper', 'gate rewriter', 'scope breaker', 'special-caser', 'oscillator of 2', 'oscillator of 3',
  'whack-a-mole', 'repeater', 'false decision writer', 'journal tamperer', 'hook planter', 'runner shadower', 'hanger', 'daemoniser', 'flooder',
  'garbage speaker', 'crasher', 'process ender', 'test patcher', 'report forger',
] as const

/** One of `HOSTILE_KINDS`. */
export type HostileKind = (typeof HOSTILE_KINDS)[number]

/** An agent that tries to get past the checks, and what has to be said of it. */
export type HostileAgent = {
  /** What sort of trick it is. */
  kind: HostileKind
  /** What it does, after "an agent that". */
  name: string
  /** The repository it works in. */
  project: Project
  /** In shell, in the folder it works in; `$OUTSIDE` is a folder that is none of its business. */
  does: string
  /** The same kind of change with the work done. Without it the change that mends the project. */
  twin?: string
  /** What `explain` has to say. */
  named: RegExp
  /** Lines of the settings that it is judged under; `$HOLDOUT` is the program of `holdout`. */
  settings?: readonly string[]
  /** A check that nobody is shown, in shell. */
  holdout?: string
  /** More flags of the run, such as `--in-place`. */
  flags?: readonly string[]
  /** Two when left out. */
  iterations?: number
}
