// Two ways to limit how often something may be done: a token bucket and a sliding window.

export class TokenBucket {
  constructor({ capacity, perSecond, clock }) {
    this.capacity = capacity
    this.perSecond = perSecond
    this.clock = clock
    this.tokens = capacity
    this.updatedAt = clock()
  }

  refill() {
    const now = this.clock()
    const seconds = Math.max(0, now - this.updatedAt) / 1000
    this.tokens = Math.min(this.capacity, this.tokens + seconds * this.perSecond)
    this.updatedAt = now
  }

  take(count = 1) {
    this.refill()
    if (count > this.tokens) return false
    this.tokens -= count
    return true
  }

  /** Milliseconds until so many tokens will be there; Infinity when never. */
  waitFor(count = 1) {
    this.refill()
    if (count > this.capacity) return Infinity
    const missing = count - this.tokens
    return missing <= 0 ? 0 : Math.ceil((missing / this.perSecond) * 1000)
  }
}

export class SlidingWindow {
  constructor({ limit, windowMs, clock }) {
    this.limit = limit
    this.windowMs = windowMs
    this.clock = clock
    this.times = []
  }

  forget() {
    const oldest = this.clock() - this.windowMs
    while (this.times.length > 0 && this.times[0] <= oldest) {
      this.times.shift()
    }
  }

  allow() {
    this.forget()
    if (this.times.length >= this.limit) return false
    this.times.push(this.clock())
    return true
  }

  left() {
    this.forget()
    return this.limit - this.times.length
  }

  resetAt() {
    this.forget()
    return this.times.length === 0 ? this.clock() : this.times[0] + this.windowMs
  }
}

/** One limiter for each key; those that were not used for a while are dropped. */
export function perKey(make, { idleMs, clock }) {
  const known = new Map()
  return {
    get(key) {
      const now = clock()
      for (const [name, entry] of known) {
        if (now - entry.usedAt > idleMs) known.delete(name)
      }
      const entry = known.get(key) ?? { limiter: make(key), usedAt: now }
      entry.usedAt = now
      known.set(key, entry)
      return entry.limiter
    },
    size: () => known.size,
  }
}
