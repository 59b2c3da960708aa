// What a session's sandbox is made for: the folders it works in, what is kept out of sight, and what its user lets through.

/** 0 is no limit. */
export type SandboxLimits = { processes: number; memoryMegabytes: number; fileMegabytes: number }

/** The folder of which a place of work is a part. */
export type Work = {
  folder: string
  /** Parts of it that may only be read. */
  fixed: readonly string[]
  /** Whether the home folder that checks there work with is the same for all of them, so that caches are of use. */
  home: 'kept' | 'fresh'
}

/** Paths are absolute. */
export type Ground = {
  home: string
  /** The user's repository, our own state, and all that lies there. */
  hidden: readonly string[]
  read: readonly string[]
  write: readonly string[]
  workOf: (cwd: string) => Work
  /** Hosts that are let through besides those that are known to be needed. */
  allow: readonly string[]
  limits: SandboxLimits
}
