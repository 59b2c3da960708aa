// Outcomes of the latest calls, as many as a breaker looks back on.

export class OutcomeWindow {
  constructor(size) {
    this.size = size
    this.outcomes = []
  }

  add(succeeded) {
    this.outcomes.push(succeeded)
    if (this.outcomes.length > this.size) this.outcomes.shift()
  }

  get failures() {
    return this.outcomes.filter((succeeded) => !succeeded).length
  }

  get failureRate() {
    if (this.outcomes.length === 0) return 0
    return this.failures / this.outcomes.length
  }

  clear() {
    this.outcomes = []
  }
}
