// A binary heap: the smallest by the given order comes first.

export class Heap<T> {
  private items: T[] = []
  private readonly before: (a: T, b: T) => boolean

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before
  }

  get size(): number {
    return this.items.length
  }

  peek(): T | undefined {
    return this.items[0]
  }

  push(item: T): void {
    this.items.push(item)
    let at = this.items.length - 1
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2)
      if (!this.before(this.items[at]!, this.items[parent]!)) break
      this.swap(at, parent)
      at = parent
    }
  }

  pop(): T | undefined {
    const top = this.items[0]
    const last = this.items.pop()
    if (this.items.length === 0 || last === undefined) return top
    this.items[0] = last
    let at = 0
    while (true) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < this.items.length && this.before(this.items[left]!, this.items[least]!)) least = left
      if (right < this.items.length && this.before(this.items[right]!, this.items[least]!)) least = right
      if (least === at) return top
      this.swap(at, least)
      at = least
    }
  }

  private swap(a: number, b: number): void {
    const kept = this.items[a]!
    this.items[a] = this.items[b]!
    this.items[b] = kept
  }
}
