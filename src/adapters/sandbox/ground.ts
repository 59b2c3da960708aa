// What a session's sandbox is made for: the folders it works in, what is kept out of sight, and what its user lets through.

/** 0 is no limit. */
export type SandboxLimits = { processes: number; memoryMegabytes: number; fileMegabytes: number }

/** The folder of which a place of work is a part. */
export type Work = {
  /** The whole checkout or copy, which may be written. */
  folder: string
  /** Parts of it that may only be read. */
  fixed: readonly string[]
  /** Whether the home folder that checks there work with is the same for all of them, so that caches are of use. */
  home: 'kept' | 'fresh'
}

/** Paths are absolute. */
export type Ground = {
  /** The user's home folder; processes see one of their own in its place. */
  home: string
  /** The user's repository, our own state, and all that lies there. */
  hidden: readonly string[]
  /** May be read although all around it is hidden. */
  read: readonly string[]
  /** May be written besides the checkout. */
  write: readonly string[]
  /** The place of work that a folder belongs to. */
  workOf: (cwd: string) => Work
  /** Hosts that are let through besides those that are known to be needed. */
  allow: readonly string[]
  /** What each process may use, with all it starts. */
  limits: SandboxLimits
}
