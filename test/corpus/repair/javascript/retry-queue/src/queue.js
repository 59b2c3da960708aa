// Runs jobs one after another, tries failing ones again with growing waits, and keeps what failed for good.

/** Waits grow by the factor from try to try and never exceed the most. */
export function backoff(attempt, { first = 100, factor = 2, most = 5000 } = {}) {
  return Math.min(most, first * factor ** (attempt - 1))
}

export class RetryQueue {
  constructor({ tries = 3, sleep, isFatal = () => false, wait = {} }) {
    this.tries = tries
    this.sleep = sleep
    this.isFatal = isFatal
    this.wait = wait
    this.jobs = []
    this.dead = []
    this.running = false
  }

  push(name, run, priority = 0) {
    const job = { name, run, priority, attempt: 0 }
    const at = this.jobs.findIndex((other) => other.priority < priority)
    if (at === -1) {
      this.jobs.push(job)
    } else {
      this.jobs.splice(at, 0, job)
    }
    return this.jobs.length
  }

  async drain() {
    if (this.running) throw new Error('the queue is being drained already')
    this.running = true
    const results = {}
    try {
      while (this.jobs.length > 0) {
        const job = this.jobs.shift()
        const outcome = await this.runJob(job)
        if (outcome.ok) {
          results[job.name] = outcome.value
        } else {
          this.dead.push({ name: job.name, error: outcome.error, attempts: job.attempt })
        }
      }
    } finally {
      this.running = false
    }
    return results
  }

  async runJob(job) {
    while (true) {
      job.attempt += 1
      try {
        return { ok: true, value: await job.run(job.attempt) }
      } catch (error) {
        if (this.isFatal(error) || job.attempt >= this.tries) {
          return { ok: false, error }
        }
      }
      await this.sleep(backoff(job.attempt, this.wait))
    }
  }

  /** Puts failed jobs back; `again` gives what each is to run. */
  revive(again) {
    const names = this.dead.map(({ name }) => name)
    this.dead = []
    for (const name of names) {
      this.push(name, again(name))
    }
    return names
  }
}
