// A circuit breaker: after too many failures calls are refused for a while, then a few are let through to try.
import { OutcomeWindow } from './window.js'

export class CircuitOpenError extends Error {
  constructor(retryAt) {
    super('circuit is open')
    this.name = 'CircuitOpenError'
    this.retryAt = retryAt
  }
}

const DEFAULTS = { windowSize: 10, minimumCalls: 4, failureRate: 0.5, coolDown: 1000, trials: 2, isFailure: () => true, now: Date.now }

export class CircuitBreaker {
  constructor(action, options = {}) {
    this.action = action
    this.options = { ...DEFAULTS, ...options }
    this.window = new OutcomeWindow(this.options.windowSize)
    this.state = 'closed'
    this.openedAt = null
    this.successes = 0
    this.listeners = []
  }

  onChange(listener) {
    this.listeners.push(listener)
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener)
    }
  }

  get retryAt() {
    return this.openedAt === null ? null : this.openedAt + this.options.coolDown
  }

  async call(...args) {
    if (this.state === 'open') {
      if (this.options.now() < this.retryAt) throw new CircuitOpenError(this.retryAt)
      this.successes = 0
      this.become('half-open')
    }
    try {
      const result = await this.action(...args)
      this.succeeded()
      return result
    } catch (error) {
      if (this.options.isFailure(error)) this.failed()
      else this.succeeded()
      throw error
    }
  }

  /** A fallback answers for calls that are refused; other errors go on to the caller. */
  async callOr(fallback, ...args) {
    try {
      return await this.call(...args)
    } catch (error) {
      if (error instanceof CircuitOpenError) return fallback(...args)
      throw error
    }
  }

  succeeded() {
    if (this.state !== 'half-open') return this.window.add(true)
    this.successes += 1
    if (this.successes >= this.options.trials) this.reset()
  }

  failed() {
    if (this.state === 'half-open') return this.trip()
    this.window.add(false)
    const { minimumCalls, failureRate } = this.options
    if (this.window.outcomes.length >= minimumCalls && this.window.failureRate >= failureRate) this.trip()
  }

  trip() {
    this.openedAt = this.options.now()
    this.become('open')
  }

  reset() {
    this.window.clear()
    this.openedAt = null
    this.become('closed')
  }

  become(state) {
    if (state === this.state) return
    const previous = this.state
    this.state = state
    for (const listener of this.listeners) listener(state, previous)
  }
}
