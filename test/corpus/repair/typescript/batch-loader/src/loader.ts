// Joins single lookups into batches: calls of one turn share a request, and what was loaded is kept.

export type BatchFunction<K, V> = (keys: K[]) => Promise<(V | Error)[]>
export type LoaderOptions<K> = { maxBatch?: number; cacheKey?: (key: K) => unknown; cache?: 'keep' | 'none' }

type Waiting<K, V> = { key: K; resolve: (value: V) => void; reject: (error: Error) => void }

export class BatchLoader<K, V> {
  private readonly cache = new Map<unknown, Promise<V>>()
  private waiting: Waiting<K, V>[] = []
  private readonly fetch: BatchFunction<K, V>
  private readonly options: Required<LoaderOptions<K>>

  constructor(fetch: BatchFunction<K, V>, options: LoaderOptions<K> = {}) {
    const { maxBatch = Infinity } = options
    if (!(maxBatch >= 1)) throw new RangeError('maxBatch must be at least 1')
    this.fetch = fetch
    this.options = { cacheKey: (key) => key, cache: 'keep', ...options, maxBatch }
  }

  load(key: K): Promise<V> {
    const id = this.options.cacheKey(key)
    const known = this.options.cache === 'keep' ? this.cache.get(id) : undefined
    if (known) return known
    const promise = new Promise<V>((resolve, reject) => {
      this.waiting.push({ key, resolve, reject })
      if (this.waiting.length === 1) queueMicrotask(() => this.flush())
    })
    if (this.options.cache === 'keep') {
      this.cache.set(id, promise)
      // An error is told to all who wait, and asked for anew next time.
      promise.catch(() => this.cache.delete(id))
    }
    return promise
  }

  loadMany(keys: K[]): Promise<V[]> {
    return Promise.all(keys.map((key) => this.load(key)))
  }

  /** Like `loadMany`, with errors among the values. */
  async loadSettled(keys: K[]): Promise<(V | Error)[]> {
    const settled = await Promise.allSettled(keys.map((key) => this.load(key)))
    return settled.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))
  }

  /** Puts a value in by hand; one that is there already stays. */
  prime(key: K, value: V): this {
    const id = this.options.cacheKey(key)
    if (!this.cache.has(id)) this.cache.set(id, Promise.resolve(value))
    return this
  }

  clear(key: K): this {
    this.cache.delete(this.options.cacheKey(key))
    return this
  }

  clearAll(): this {
    this.cache.clear()
    return this
  }

  private flush(): void {
    const all = this.waiting
    this.waiting = []
    const size = Math.min(this.options.maxBatch, all.length)
    for (let start = 0; start < all.length; start += size) {
      void this.request(all.slice(start, start + size))
    }
  }

  private async request(batch: Waiting<K, V>[]): Promise<void> {
    try {
      const values = await this.fetch(batch.map(({ key }) => key))
      if (values.length !== batch.length) throw new Error(`${batch.length} keys were asked for, ${values.length} values came`)
      for (const [at, { resolve, reject }] of batch.entries()) {
        const value = values[at]
        if (value instanceof Error) reject(value)
        else resolve(value)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error as Error)
    }
  }
}
