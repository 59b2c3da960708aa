// What a session holds while it is open, given up the other way round: each part, whatever becomes of the others.

export type Held = {
  /** The part itself, which is closed by `close` when all is given up. */
  hold<T>(part: T, close: (part: T) => unknown): T
  /** Throws the first fault, when all of them are given up. */
  release(): Promise<void>
}

export function createHeld(): Held {
  const closers: (() => unknown)[] = []
  return {
    hold(part, close) {
      closers.push(() => close(part))
      return part
    },
    async release() {
      const faults: unknown[] = []
      for (const close of closers.splice(0).toReversed()) {
        try {
          await close()
        } catch (error) {
          faults.push(error)
        }
      }
      if (faults.length > 0) throw faults[0]
    },
  }
}
