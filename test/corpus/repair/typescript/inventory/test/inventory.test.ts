import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Inventory, OutOfStock } from '../src/inventory.ts'

function filled(): Inventory {
  const inventory = new Inventory()
  inventory.receive('nut', 10, 5)
  inventory.receive('nut', 5, 8)
  inventory.receive('bolt', 20, 3)
  return inventory
}

test('lots add up', () => {
  assert.equal(filled().onHand('nut'), 15)
  assert.equal(filled().onHand('gear'), 0)
})

test('reserved stock is not available', () => {
  const inventory = filled()
  assert.equal(inventory.reserve('nut', 10), true)
  assert.equal(inventory.reserve('nut', 6), false)
  assert.equal(inventory.reserve('nut', 2), true)
  assert.equal(inventory.available('nut'), 3)
  inventory.release('nut', 2)
  assert.equal(inventory.available('nut'), 5)
})

test('the oldest lot goes first', () => {
  const inventory = filled()
  assert.deepEqual(inventory.ship('nut', 12), [{ lot: 1, quantity: 10, cost: 50 }, { lot: 2, quantity: 2, cost: 16 }])
  assert.equal(inventory.onHand('nut'), 3)
})

test('what is not there cannot be shipped', () => {
  const inventory = filled()
  inventory.reserve('bolt', 15)
  assert.throws(() => inventory.ship('bolt', 6), OutOfStock)
  assert.equal(inventory.ship('bolt', 5).length, 1)
})

test('what expires first goes first', () => {
  const inventory = new Inventory()
  inventory.receive('milk', 1, 1)
  inventory.receive('milk', 1, 1, '2024-06-01')
  inventory.receive('milk', 1, 1, '2024-05-01')
  assert.deepEqual(inventory.ship('milk', 3).map(({ lot }) => lot), [3, 2, 1])
})

test('expired lots are thrown away', () => {
  const inventory = new Inventory()
  inventory.receive('milk', 4, 1, '2024-05-01')
  inventory.receive('milk', 6, 1, '2024-05-02')
  inventory.receive('salt', 9, 1)
  assert.equal(inventory.expire('2024-05-01'), 4)
  assert.equal(inventory.onHand('milk'), 6)
})

test('the value is quantity times cost', () => {
  assert.equal(filled().value(), 150)
  assert.equal(filled().averageCost('nut'), 6)
  assert.equal(filled().averageCost('gear'), 0)
})

test('low stock is to be ordered', () => {
  const inventory = filled()
  inventory.reserve('bolt', 1)
  assert.deepEqual(inventory.reorder({ nut: 15, bolt: 20, gear: 1 }), ['bolt', 'gear'])
})

test('empty lots are refused', () => {
  assert.throws(() => new Inventory().receive('nut', 0, 1), RangeError)
})
