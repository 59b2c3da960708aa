import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, applyVoucher, createCart, discount, remove, shipping, subtotal, total } from '../src/cart.js'
import { format, percentOf, split } from '../src/money.js'

const cup = { sku: 'C', name: 'Cup', price: 799 }
const rug = { sku: 'R', name: 'Rug', price: 12000 }

test('lines keep their order and their own quantity', () => {
  const cart = createCart()
  add(cart, cup, 4)
  add(cart, rug)
  add(cart, cup)
  assert.deepEqual(cart.lines.map(({ sku, quantity }) => [sku, quantity]), [['C', 5], ['R', 1]])
})

test('quantities that make no sense are refused', () => {
  for (const quantity of [-1, 0, 1.5, NaN]) assert.throws(() => add(createCart(), cup, quantity), RangeError)
})

test('taking out more than there is empties the line alone', () => {
  const cart = createCart()
  add(cart, cup, 2)
  add(cart, rug, 3)
  assert.equal(remove(cart, 'C', 9), true)
  assert.deepEqual(cart.lines.map(({ sku }) => sku), ['R'])
  remove(cart, 'R', 2)
  assert.equal(subtotal(cart), 12000)
  assert.equal(remove(cart, 'R', 1), true)
  assert.equal(cart.lines.length, 0)
  assert.equal(remove(cart, 'R'), false)
  assert.equal(total(cart), 0)
})

test('a percentage is of goods alone', () => {
  const cart = createCart()
  add(cart, cup, 3)
  applyVoucher(cart, { kind: 'percent', value: 10 })
  assert.equal(discount(cart), 240)
  assert.equal(total(cart), 2397 - 240 + 490)
})

test('the discount counts before free shipping', () => {
  const cart = createCart()
  add(cart, { sku: 'A', name: 'A', price: 5100 })
  assert.equal(shipping(cart), 0)
  applyVoucher(cart, { kind: 'amount', value: 200 })
  assert.equal(shipping(cart), 490)
  assert.equal(total(cart), 5390)
})

test('an amount voucher smaller than the goods is taken whole', () => {
  const cart = createCart()
  add(cart, rug)
  applyVoucher(cart, { kind: 'amount', value: 500 })
  assert.equal(discount(cart), 500)
})

test('a refused voucher leaves the old one', () => {
  const cart = createCart()
  add(cart, cup)
  applyVoucher(cart, { kind: 'amount', value: 100 })
  applyVoucher(cart, { kind: 'amount', value: 700, minimum: 800 })
  assert.equal(discount(cart), 100)
  assert.equal(applyVoucher(cart, { kind: 'amount', value: 700, minimum: 799 }), true)
})

test('negative and small sums are written', () => {
  assert.equal(format(-5), '-€0.05')
  assert.equal(format(100000, '$'), '$1,000.00')
  assert.equal(format(99999), '€999.99')
})

test('halves of a cent go up', () => {
  assert.equal(percentOf(50, 25), 13)
  assert.equal(percentOf(333, 10), 33)
})

test('shares add up and differ by one at most', () => {
  for (let cents = 0; cents < 50; cents += 7) {
    for (let parts = 1; parts < 8; parts += 1) {
      const shares = split(cents, parts)
      assert.equal(shares.length, parts)
      assert.equal(shares.reduce((sum, share) => sum + share, 0), cents)
      assert.ok(shares[0] - shares[parts - 1] <= 1 && shares[0] >= shares[parts - 1])
    }
  }
})
