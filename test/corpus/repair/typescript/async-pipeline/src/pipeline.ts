// Work on many items at a time: bounded concurrency, batches, time limits and order.

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: Error }

/** Results stand in the order of the items, however long each takes. */
export async function mapLimit<A, B>(items: readonly A[], limit: number, work: (item: A, at: number) => Promise<B>): Promise<B[]> {
  if (limit < 1) throw new RangeError('the limit must be at least 1')
  const results: B[] = new Array(items.length)
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next
      next += 1
      results[at] = await work(items[at]!, at)
    }
  }
  const lanes = Array.from({ length: Math.min(limit, items.length) }, lane)
  await Promise.all(lanes)
  return results
}

/** Never throws; each item has an outcome of its own. */
export async function settle<A, B>(items: readonly A[], limit: number, work: (item: A) => Promise<B>): Promise<Outcome<B>[]> {
  return mapLimit(items, limit, async (item): Promise<Outcome<B>> => {
    try {
      return { ok: true, value: await work(item) }
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error : new Error(String(error)) }
    }
  })
}

export function batches<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = []
  for (let at = 0; at < items.length; at += size) {
    result.push(items.slice(at, at + size))
  }
  return result
}

export async function pipeline<T>(start: T, ...steps: ((value: T) => Promise<T> | T)[]): Promise<T> {
  let value = start
  for (const step of steps) {
    value = await step(value)
  }
  return value
}

/** Calls with the same key share one run while it lasts. */
export function shared<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (key) => {
    const known = running.get(key)
    if (known) return known
    const started = load(key).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/** The first value in time, or an error that names the limit. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
