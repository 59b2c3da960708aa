// A cache of bounded size that forgets what was used longest ago, and entries past their time.

export class Cache {
  #entries = new Map()
  #clock

  constructor({ capacity = 100, maxAge = Infinity, clock = Date.now } = {}) {
    if (capacity < 1) throw new RangeError('capacity must be at least 1')
    this.capacity = capacity
    this.maxAge = maxAge
    this.hits = 0
    this.misses = 0
    this.#clock = clock
  }

  get size() {
    return this.#entries.size
  }

  get(key) {
    const entry = this.#entries.get(key)
    if (!entry || this.#expired(entry)) {
      this.misses += 1
      this.#entries.delete(key)
      return undefined
    }
    this.hits += 1
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Looks without counting as a use. */
  peek(key) {
    const entry = this.#entries.get(key)
    return entry && !this.#expired(entry) ? entry.value : undefined
  }

  set(key, value) {
    this.#entries.delete(key)
    if (this.#entries.size >= this.capacity) {
      const oldest = this.#entries.keys().next().value
      this.#entries.delete(oldest)
    }
    this.#entries.set(key, { value, at: this.#clock() })
    return this
  }

  getOrSet(key, make) {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make(key)
    this.set(key, value)
    return value
  }

  /** Removes what is too old and says how much it was. */
  prune() {
    let removed = 0
    for (const [key, entry] of this.#entries) {
      if (this.#expired(entry)) {
        this.#entries.delete(key)
        removed += 1
      }
    }
    return removed
  }

  hitRate() {
    const asked = this.hits + this.misses
    return asked === 0 ? 0 : this.hits / asked
  }

  /** From the oldest use to the latest. */
  keys() {
    return [...this.#entries.keys()]
  }

  #expired(entry) {
    return this.#clock() - entry.at > this.maxAge
  }
}
