// Jobs that become due at a time, some again and again.
import { Heap } from './heap.ts'

export type Job = { name: string; at: number; priority: number; every: number; order: number }
export type Options = { priority?: number; every?: number }

export class Scheduler {
  private jobs = new Heap<Job>((a, b) => {
    if (a.at !== b.at) return a.at < b.at
    if (a.priority !== b.priority) return a.priority > b.priority
    return a.order < b.order
  })
  private cancelled = new Set<number>()
  private nextOrder = 0
  now = 0

  add(name: string, at: number, { priority = 0, every = 0 }: Options = {}): number {
    if (at < this.now) throw new RangeError(`${name} would be due in the past`)
    const order = this.nextOrder
    this.nextOrder += 1
    this.jobs.push({ name, at, priority, every, order })
    return order
  }

  cancel(order: number): boolean {
    if (order >= this.nextOrder || this.cancelled.has(order)) return false
    this.cancelled.add(order)
    return true
  }

  /** Moves the clock and returns what became due, in order. */
  advance(until: number): { name: string; at: number }[] {
    const due: { name: string; at: number }[] = []
    while (this.jobs.size > 0 && this.jobs.peek()!.at <= until) {
      const job = this.jobs.pop()!
      if (this.cancelled.has(job.order)) continue
      this.now = job.at
      due.push({ name: job.name, at: job.at })
      if (job.every > 0) this.jobs.push({ ...job, at: job.at + job.every })
    }
    this.now = Math.max(this.now, until)
    return due
  }

  next(): number | undefined {
    while (this.jobs.size > 0 && this.cancelled.has(this.jobs.peek()!.order)) this.jobs.pop()
    return this.jobs.peek()?.at
  }
}
