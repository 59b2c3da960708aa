import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Inventory, OutOfStock } from '../src/inventory.ts'

test('nothing is lost or made by shipping', () => {
  const inventory = new Inventory()
  let [state, received, shipped] = [5, 0, 0]
  let [valueIn, valueOut] = [0, 0]
  for (let step = 0; step < 120; step += 1) {
    state = (state * 48271) % 2147483647
    const quantity = 1 + (state % 9)
    if (state % 2 === 0) {
      inventory.receive('x', quantity, state % 7, state % 3 === 0 ? `2024-0${1 + (state % 9)}-01` : null)
      received += quantity
      valueIn += quantity * (state % 7)
    } else if (quantity <= inventory.available('x')) {
      const picks = inventory.ship('x', quantity)
      assert.equal(picks.reduce((sum, pick) => sum + pick.quantity, 0), quantity)
      assert.ok(picks.every((pick) => pick.quantity > 0))
      shipped += quantity
      valueOut += picks.reduce((sum, pick) => sum + pick.cost, 0)
    }
    assert.equal(inventory.onHand('x'), received - shipped)
    assert.equal(inventory.value(), valueIn - valueOut)
  }
})

test('an exact shipment empties the stock', () => {
  const inventory = new Inventory()
  inventory.receive('a', 3, 2)
  inventory.receive('a', 4, 5)
  assert.deepEqual(inventory.ship('a', 7), [{ lot: 1, quantity: 3, cost: 6 }, { lot: 2, quantity: 4, cost: 20 }])
  assert.equal(inventory.value(), 0)
})

test('an exact lot is one pick', () => {
  const inventory = new Inventory()
  inventory.receive('a', 3, 2)
  inventory.receive('a', 4, 5)
  assert.equal(inventory.ship('a', 3).length, 1)
})

test('lots of others are left alone', () => {
  const inventory = new Inventory()
  inventory.receive('a', 3, 2)
  inventory.receive('b', 3, 2)
  inventory.ship('b', 2)
  assert.deepEqual([inventory.onHand('a'), inventory.onHand('b')], [3, 1])
})

test('everything can be reserved, and no more', () => {
  const inventory = new Inventory()
  inventory.receive('a', 5, 1)
  assert.equal(inventory.reserve('a', 1), true)
  assert.equal(inventory.reserve('a', 4), true)
  assert.equal(inventory.reserve('a', 1), false)
  assert.throws(() => inventory.ship('a', 1), /a: 1 wanted, 0 there/)
  inventory.release('a', 99)
  assert.equal(inventory.available('a'), 5)
  inventory.release('none', 1)
  assert.equal(inventory.available('none'), 0)
})

test('a refused shipment takes nothing', () => {
  const inventory = new Inventory()
  inventory.receive('a', 5, 1)
  assert.throws(() => inventory.ship('a', 6), OutOfStock)
  assert.equal(inventory.onHand('a'), 5)
})

test('equal days go by age, no day goes last', () => {
  const inventory = new Inventory()
  for (const day of [null, '2024-02-01', null, '2024-02-01', '2023-12-31']) inventory.receive('a', 1, 1, day)
  assert.deepEqual(inventory.ship('a', 5).map(({ lot }) => lot), [5, 2, 4, 1, 3])
})

test('only what is expired goes', () => {
  const inventory = new Inventory()
  inventory.receive('a', 1, 1)
  inventory.receive('b', 2, 1, '2024-05-03')
  assert.equal(inventory.expire('2024-05-02'), 0)
  assert.equal(inventory.expire('2024-05-03'), 2)
  assert.equal(inventory.expire('2024-05-03'), 0)
  assert.equal(inventory.onHand('a'), 1)
})

test('averages weigh the lots', () => {
  const inventory = new Inventory()
  inventory.receive('a', 1, 10)
  inventory.receive('a', 3, 2)
  inventory.receive('b', 100, 50)
  assert.equal(inventory.averageCost('a'), 4)
})

test('levels are compared with what is available', () => {
  const inventory = new Inventory()
  inventory.receive('b', 5, 1)
  inventory.receive('a', 5, 1)
  assert.deepEqual(inventory.reorder({ b: 5, a: 6 }), ['a'])
  inventory.reserve('b', 2)
  assert.deepEqual(inventory.reorder({ b: 5, a: 6 }), ['a', 'b'])
  assert.deepEqual(inventory.reorder({}), [])
})

test('lots are numbered', () => {
  const inventory = new Inventory()
  assert.deepEqual([inventory.receive('a', 1, 1).id, inventory.receive('b', 1, 1).id], [1, 2])
  assert.throws(() => inventory.receive('a', -1, 1))
})
