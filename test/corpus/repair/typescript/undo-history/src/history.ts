// Undo and redo for an editor: commands, groups of them, typing that is joined, and whether the document is saved.

export type Command<T> = { label: string; apply: (value: T) => T; revert: (value: T) => T; joinKey?: string; at?: number }
type Entry<T> = { label: string; commands: Command<T>[]; joinKey?: string; at: number }

export type Options = { limit?: number; joinWithin?: number }

export class History<T> {
  private done: Entry<T>[] = []
  private undone: Entry<T>[] = []
  private group: Entry<T> | null = null
  private savedAt: Entry<T> | null | undefined = null
  private readonly limit: number
  private readonly joinWithin: number
  value: T

  constructor(value: T, { limit = 100, joinWithin = 500 }: Options = {}) {
    this.value = value
    this.limit = limit
    this.joinWithin = joinWithin
  }

  run(command: Command<T>): T {
    this.value = command.apply(this.value)
    if (this.group) this.group.commands.push(command)
    else this.record({ label: command.label, commands: [command], joinKey: command.joinKey, at: command.at ?? 0 })
    return this.value
  }

  private record(entry: Entry<T>): void {
    this.undone = []
    const last = this.done.at(-1)
    if (last && this.isJoined(last, entry)) {
      last.commands.push(...entry.commands)
      last.at = entry.at
      return
    }
    this.done.push(entry)
    if (this.done.length > this.limit) {
      const dropped = this.done.shift()
      // What was saved before the first step that is kept cannot be reached again.
      if (this.savedAt === null || this.savedAt === dropped) this.savedAt = this.savedAt === dropped ? null : undefined
    }
  }

  /** Typing is one step while it goes on; a saved step is never added to. */
  private isJoined(last: Entry<T>, next: Entry<T>): boolean {
    if (next.joinKey === undefined || next.joinKey !== last.joinKey) return false
    return next.at - last.at <= this.joinWithin && this.savedAt !== last
  }

  /** Everything that the function runs is one step; when it throws, all of it is taken back. */
  transaction(label: string, work: () => void): void {
    if (this.group) return work()
    const group: Entry<T> = { label, commands: [], at: 0 }
    this.group = group
    try {
      work()
    } catch (error) {
      this.revert(group)
      throw error
    } finally {
      this.group = null
    }
    if (group.commands.length > 0) this.record(group)
  }

  private revert(entry: Entry<T>): void {
    for (const command of entry.commands.toReversed()) this.value = command.revert(this.value)
  }

  undo(): string | null {
    const entry = this.done.pop()
    if (!entry) return null
    this.revert(entry)
    this.undone.push(entry)
    return entry.label
  }

  redo(): string | null {
    const entry = this.undone.pop()
    if (!entry) return null
    for (const command of entry.commands) this.value = command.apply(this.value)
    this.done.push(entry)
    return entry.label
  }

  undoTo(steps: number): number {
    let taken = 0
    while (this.done.length > steps && this.undo() !== null) taken += 1
    return taken
  }

  labels(): { undo: string[]; redo: string[] } {
    return { undo: this.done.map(({ label }) => label), redo: this.undone.map(({ label }) => label).reverse() }
  }

  markSaved(): void {
    this.savedAt = this.done.at(-1) ?? null
  }

  get isDirty(): boolean {
    return (this.done.at(-1) ?? null) !== this.savedAt
  }
}
