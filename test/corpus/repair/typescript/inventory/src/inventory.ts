// Stock in lots: first in, first out, with reservations and the value of what is left.

export type Lot = { id: number; sku: string; quantity: number; cost: number; expires: string | null }
export type Pick = { lot: number; quantity: number; cost: number }

export class OutOfStock extends Error {}

export class Inventory {
  private lots: Lot[] = []
  private reserved = new Map<string, number>()
  private nextLot = 1

  receive(sku: string, quantity: number, cost: number, expires: string | null = null): Lot {
    if (quantity <= 0) throw new RangeError('a lot needs a quantity')
    const lot = { id: this.nextLot, sku, quantity, cost, expires }
    this.nextLot += 1
    this.lots.push(lot)
    return lot
  }

  onHand(sku: string): number {
    return this.lots.filter((lot) => lot.sku === sku).reduce((sum, lot) => sum + lot.quantity, 0)
  }

  available(sku: string): number {
    return this.onHand(sku) - (this.reserved.get(sku) ?? 0)
  }

  reserve(sku: string, quantity: number): boolean {
    if (quantity > this.available(sku)) return false
    this.reserved.set(sku, (this.reserved.get(sku) ?? 0) + quantity)
    return true
  }

  release(sku: string, quantity: number): void {
    const held = this.reserved.get(sku) ?? 0
    this.reserved.set(sku, Math.max(0, held - quantity))
  }

  /** Lots that expire first go first, then the oldest; those that never expire go last. */
  private inOrder(sku: string): Lot[] {
    return this.lots
      .filter((lot) => lot.sku === sku && lot.quantity > 0)
      .sort((a, b) => {
        if (a.expires === b.expires) return a.id - b.id
        if (a.expires === null) return 1
        if (b.expires === null) return -1
        return a.expires < b.expires ? -1 : 1
      })
  }

  ship(sku: string, quantity: number): Pick[] {
    if (quantity > this.available(sku)) throw new OutOfStock(`${sku}: ${quantity} wanted, ${this.available(sku)} there`)
    const picks: Pick[] = []
    let left = quantity
    for (const lot of this.inOrder(sku)) {
      if (left === 0) break
      const taken = Math.min(left, lot.quantity)
      lot.quantity -= taken
      left -= taken
      picks.push({ lot: lot.id, quantity: taken, cost: taken * lot.cost })
    }
    this.lots = this.lots.filter((lot) => lot.quantity > 0)
    return picks
  }

  /** Throws away what has expired by that day and returns how much it was. */
  expire(day: string): number {
    const gone = this.lots.filter((lot) => lot.expires !== null && lot.expires <= day)
    this.lots = this.lots.filter((lot) => !gone.includes(lot))
    return gone.reduce((sum, lot) => sum + lot.quantity, 0)
  }

  value(): number {
    return this.lots.reduce((sum, lot) => sum + lot.quantity * lot.cost, 0)
  }

  averageCost(sku: string): number {
    const lots = this.lots.filter((lot) => lot.sku === sku)
    const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0)
    if (quantity === 0) return 0
    return lots.reduce((sum, lot) => sum + lot.quantity * lot.cost, 0) / quantity
  }

  reorder(levels: Record<string, number>): string[] {
    return Object.entries(levels).filter(([sku, least]) => this.available(sku) < least).map(([sku]) => sku).sort()
  }
}
